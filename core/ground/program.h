// The ground program: what remains of a rulesheet once every variable has been replaced.
//
// A GroundProgram is immutable and may be shared between threads. Its atoms carry numbers 1..N
// (0 is "no atom"), so that a body literal is a signed number: +a holds when atom a does, -a when
// it does not. The numbering is an order of evaluation:
//
//   * atoms that depend on nothing come first, then those of the state alone, then those that need
//     the moves (see Phase);
//   * inside a phase, atoms are sorted by strongly connected component, bodies before heads.
//
// A component is thus a range of consecutive atoms, and whoever walks the atoms from 1 to N meets
// every atom after everything it depends on, recursion inside one component excepted.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace woodstock {

using TermId = std::uint32_t;
using AtomId = std::uint32_t;  // 1..N; 0 means "no atom"
using Literal = std::int32_t;  // +a or -a

constexpr AtomId no_atom = 0;

// The atom a literal is about: literals are signed atom numbers.
inline AtomId atom_of(Literal literal) noexcept {
  return static_cast<AtomId>(literal < 0 ? -literal : literal);
}

// The predicates that GDL gives a meaning to; the values are the predicate numbers of the
// translation. Everything else, `base` and `input` included, is `other`.
enum class Category : std::uint8_t {
  role = 0,
  init = 1,
  true_ = 2,
  does = 3,
  legal = 4,
  next = 5,
  terminal = 6,
  goal = 7,
  sees = 8,
  other = 255,
};

// Predicate number given to atoms that the grounder invented and nobody named.
constexpr std::uint32_t anonymous_predicate = 0xffffffffU;

Category category_of_predicate(std::uint32_t predicate) noexcept;

// What must be known before an atom has a value.
enum class Phase : std::uint8_t { constant = 0, state = 1, move = 2 };

// A strongly connected component of the dependency graph: the atoms first .. last-1.
struct Component {
  AtomId first = 0;
  AtomId last = 0;
  bool recursive = false;       // an atom depends on itself
  bool negative_cycle = false;  // ... through a negation
};

// A fluent; its index in GroundProgram::fluents() is its bit in a state.
struct Fluent {
  TermId term = 0;
  AtomId true_atom = no_atom;  // none when no rule looks at the fluent
  AtomId next_atom = no_atom;  // none when the fluent can never come to hold
  bool initial = false;
};

// A (role, move) pair that is legal or looked at somewhere.
struct Move {
  TermId role = 0;
  TermId term = 0;
  AtomId legal_atom = no_atom;  // none when never legal
  AtomId does_atom = no_atom;   // none when no rule looks at the move
};

// goal(role, value) and sees(role, percept).
struct RoleTerm {
  TermId role = 0;
  TermId term = 0;
  AtomId atom = no_atom;
};

struct Statistics {
  std::uint64_t atoms = 0;
  std::uint64_t rules = 0;
  std::uint64_t literals = 0;
  std::uint64_t fluents = 0;
  std::uint64_t moves = 0;
  std::uint64_t components = 0;
  std::uint64_t recursive_components = 0;
  std::uint64_t largest_recursive_component = 0;
  std::uint64_t depth = 0;  // components on the longest path of dependencies
  std::uint64_t bytes = 0;  // memory held by the program
};

class GroundProgram {
 public:
  // The tables a program is made of; filled by ProgramBuilder::finish and by from_bytes.
  // Every `*_begin` table has one entry more than it has items (compressed sparse rows).
  struct Tables {
    std::vector<std::uint32_t> term_symbol;
    std::vector<std::uint32_t> term_begin;      // into term_args
    std::vector<TermId> term_args;              // smaller than the term's own number
    std::vector<std::uint32_t> atom_predicate;  // entry 0 is unused
    std::vector<std::uint32_t> atom_begin;      // into atom_args
    std::vector<TermId> atom_args;
    std::vector<std::uint8_t> atom_fact;     // 1: always true
    std::vector<std::uint32_t> rules_begin;  // rules of atom a: rules_begin[a] .. rules_begin[a+1]
    std::vector<std::uint32_t> body_begin;   // into literals
    std::vector<Literal> literals;
    std::vector<AtomId> component_first;  // ascending, starts with 1, ends with N+1
  };

  // Takes the tables and derives the rest. Throws std::runtime_error when they break a promise made
  // in this header (this is what makes from_bytes safe). Linear in the size of the tables.
  explicit GroundProgram(Tables tables);

  // Terms: a symbol and arguments; a constant has no arguments.
  std::size_t term_count() const noexcept { return t_.term_symbol.size(); }
  std::uint32_t term_symbol(TermId term) const { return t_.term_symbol.at(term); }
  std::span<const TermId> term_args(TermId term) const;

  // Atoms 1 .. atom_count(). Arguments out of range throw std::out_of_range.
  std::size_t atom_count() const noexcept { return t_.atom_predicate.size() - 1; }
  std::uint32_t predicate(AtomId atom) const { return t_.atom_predicate.at(checked(atom)); }
  std::span<const TermId> atom_args(AtomId atom) const;
  Category category(AtomId atom) const { return category_of_predicate(predicate(atom)); }
  bool is_fact(AtomId atom) const { return t_.atom_fact.at(checked(atom)) != 0; }
  bool is_input(AtomId atom) const;
  Phase phase(AtomId atom) const { return phase_.at(checked(atom)); }
  std::uint32_t component_of(AtomId atom) const { return component_of_.at(checked(atom)); }

  // Rules: numbers 0 .. rule_count(), those of one head are neighbours.
  std::size_t rule_count() const noexcept { return t_.body_begin.size() - 1; }
  std::pair<std::uint32_t, std::uint32_t> rules_of(AtomId atom) const;  // [first, last)
  std::span<const Literal> body(std::uint32_t rule) const;

  std::span<const Component> components() const noexcept { return components_; }
  // First component of the given phase or a later one.
  std::uint32_t phase_begin(Phase phase) const noexcept { return phase_begin_[index(phase)]; }

  // No component has a negative edge inside.
  bool stratified() const noexcept { return unstratified_witness_.empty(); }
  // The atoms of one component with a negative edge inside, empty when stratified.
  std::span<const AtomId> unstratified_witness() const noexcept { return unstratified_witness_; }

  // The interface of the game, each sorted by terms, so that it does not depend on the order in
  // which the grounder found things.
  std::span<const Fluent> fluents() const noexcept { return fluents_; }
  std::span<const Move> moves() const noexcept { return moves_; }
  std::span<const RoleTerm> goals() const noexcept { return goals_; }
  std::span<const RoleTerm> percepts() const noexcept { return percepts_; }
  std::span<const TermId> roles() const noexcept { return roles_; }
  AtomId terminal_atom() const noexcept { return terminal_; }

  Statistics statistics() const;
  const Tables& tables() const noexcept { return t_; }

  // A compact image for another process of the same machine type. from_bytes accepts any input:
  // what is not an image of a program throws std::runtime_error.
  std::string to_bytes() const;
  static GroundProgram from_bytes(std::string_view bytes);

 private:
  static std::size_t index(Phase phase) noexcept { return static_cast<std::size_t>(phase); }
  AtomId checked(AtomId atom) const;
  void check_tables() const;
  void derive_components();
  void derive_interface();
  int compare_terms(TermId a, TermId b) const;

  Tables t_;
  std::vector<Component> components_;
  std::vector<std::uint32_t> component_of_;
  std::vector<Phase> phase_;
  std::uint32_t phase_begin_[4] = {0, 0, 0, 0};
  std::vector<AtomId> unstratified_witness_;
  std::vector<Fluent> fluents_;
  std::vector<Move> moves_;
  std::vector<RoleTerm> goals_;
  std::vector<RoleTerm> percepts_;
  std::vector<TermId> roles_;
  AtomId terminal_ = no_atom;
};

}  // namespace woodstock
