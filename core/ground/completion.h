// Unit propagation on the completion of one step of the game.
//
// Clark's completion reads each atom as "holds exactly when one of its rules fires". Every real
// step of the game satisfies it (with recursion it has more models, never fewer), so whatever is
// contradictory here cannot happen in play. To the completion we add what every step of play obeys:
//
//   * play goes on only from a state that is not terminal;
//   * a role makes exactly one move, and that move is legal;
//   * a fluent that neither holds at first nor can come to hold never holds;
//   * the at-most-one and exactly-one groups that the caller assumes of the current state.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ground/program.h"

namespace woodstock {

// What is known, or assumed, of a group of fluents.
enum class MutexKind : std::uint8_t { unproved = 0, at_most_one = 1, exactly_one = 2 };

class Completion {
 public:
  // Groups are lists of valid fluent indices without repetitions. They start as `unproved`. Linear
  // in the size of the program.
  Completion(const GroundProgram& program, std::span<const std::vector<std::uint32_t>> groups);

  // What the propagation may assume of a group, from the next restart() on.
  void set_kind(std::size_t group, MutexKind kind) { kind_[group] = kind; }

  // Whether a move rules out the role's other moves at once (which prunes well and costs a look at
  // all their rules) or only when nothing else is left to try. Drawn consequences differ in order,
  // refutations do not differ. From the next restart() on.
  void set_eager_moves(bool eager) noexcept { eager_moves_ = eager; }

  // Forgets all assumptions, draws what the assumed groups imply and clears used_groups().
  void restart();
  // Draws all consequences of one more assumption. False: a contradiction; then only undo may
  // follow.
  bool assume(Literal literal);

  // Marks nest: undo(mark()) restores what was known at that moment.
  std::size_t mark() const noexcept { return trail_.size(); }
  void undo(std::size_t mark);

  // Tries to derive a contradiction by case distinction: which rule supports an atom that must
  // hold, which move a role makes, which fluent of an exactly-one group holds. True: there is one,
  // so the assumptions exclude each other. False: none found, or steps() went beyond the limit.
  // What is known afterwards is the same as before the call.
  bool refute(std::uint64_t step_limit);

  bool contradiction() const noexcept { return conflict_; }
  // +1 true, -1 false, 0 unknown.
  int value(AtomId atom) const noexcept { return value_[atom]; }
  // Literals and rules looked at since construction: the measure of effort.
  std::uint64_t steps() const noexcept { return steps_; }
  // The groups that consequences were drawn from since restart().
  std::vector<std::uint32_t> used_groups() const;

 private:
  using Variable = std::uint32_t;  // an atom, or body_base_ + rule
  struct Choice {
    std::uint32_t options = 0xffffffffU;
    bool about_rules = false;  // which rule supports an atom
    std::vector<Variable> variables;
  };

  void index_program();
  void index_groups(std::span<const std::vector<std::uint32_t>> groups);
  void assign(Variable variable, bool truth);
  bool propagate();
  void visit_atom(AtomId atom, bool truth, int delta);
  void visit_body(std::uint32_t rule, bool truth, int delta);
  void visit_move(AtomId atom, bool truth, int delta);
  void visit_groups(AtomId atom, bool truth, int delta);
  void force_last_literal(std::uint32_t rule);
  void support(AtomId atom);
  // Rules out all other moves of the roles that have moved; whether that was news.
  bool close_roles();
  void close_exactly_one(std::uint32_t group);
  Choice pick_choice();
  bool refute(std::uint64_t step_limit, int depth);

  std::size_t rules_of(AtomId atom) const noexcept { return rules_[atom + 1] - rules_[atom]; }

  const GroundProgram& program_;
  Variable body_base_;
  const std::uint32_t* rules_;  // the program's own tables
  const std::uint32_t* bodies_;
  const Literal* literals_;

  std::vector<AtomId> head_;                 // per rule
  std::vector<std::uint32_t> occurs_begin_;  // per atom, into occurs_
  std::vector<std::uint32_t> occurs_;        // 2 * rule + negated
  std::vector<std::uint32_t> role_of_;       // per atom: 1 + role for does atoms, else 0
  std::vector<AtomId> legal_of_;             // per atom: the legal atom of a does atom
  std::vector<AtomId> does_of_;              // per atom: the does atom of a legal atom
  std::vector<std::vector<AtomId>> role_moves_;
  std::vector<std::uint8_t> role_must_move_;  // every move of the role has a does atom
  std::vector<std::uint32_t> groups_begin_;   // per atom, into groups_
  std::vector<std::uint32_t> groups_;
  std::vector<std::vector<AtomId>> members_;  // per group: true atoms
  std::vector<std::uint8_t> group_complete_;  // every fluent of the group has a true atom
  std::vector<MutexKind> kind_;

  std::vector<std::int8_t> value_;             // per variable
  std::vector<std::uint32_t> true_literals_;   // per rule
  std::vector<std::uint32_t> false_literals_;  // per rule
  std::vector<std::uint32_t> false_bodies_;    // per atom
  std::vector<std::uint32_t> true_bodies_;     // per atom
  std::vector<std::uint32_t> role_false_;      // per role
  std::vector<std::uint32_t> role_true_;
  std::vector<std::uint32_t> group_false_;  // per group
  std::vector<std::uint32_t> group_true_;
  std::vector<std::uint8_t> group_used_;
  std::vector<Variable> trail_;
  std::size_t head_of_queue_ = 0;
  std::size_t base_ = 0;  // trail entries that need no assumption
  bool conflict_ = false;
  bool groups_active_ = false;
  bool eager_moves_ = false;
  std::uint64_t steps_ = 0;
};

}  // namespace woodstock
