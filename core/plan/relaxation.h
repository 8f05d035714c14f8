// How far a state is from a goal, by a relaxation of the rules.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ground/program.h"

namespace woodstock::plan {

// The fluents that go their way whatever anybody does, as counters of turns do, as a packed state.
// Fluents that never change are among them.
std::vector<std::uint8_t> clock_fluents(const GroundProgram& program);

// The additive heuristic (Bonet and Geffner 2001) on ground rules: what has come to hold stays
// available, what has come to be false as well, and what is asked for together costs the sum of its
// parts. A turn costs one. Negation is taken apart by the completion: an atom is false when all of
// its rules fail. Counters of turns cost nothing, since waiting is no achievement.
//
// An estimate, neither a lower nor an upper bound. Values many states at a time, one in each lane
// of a vector. One thread at a time.
class Relaxation {
 public:
  static constexpr std::uint16_t unreachable = 0x3fff;

  // `ends`: goal atoms, one of which is to hold when the game is over.
  Relaxation(std::shared_ptr<const GroundProgram> program, std::span<const AtomId> ends);

  // The turns to such an end for each packed state; `unreachable` where not even the relaxation
  // leads there.
  void operator()(std::span<const std::uint8_t> states, std::vector<std::uint16_t>& out);

  // How many fluents would have to be otherwise for one of the goals to hold in each packed state,
  // counted the same way, whether the game is over or not. 0 where one holds.
  void faults(std::span<const std::uint8_t> states, std::vector<std::uint16_t>& out);

 private:
  static constexpr std::size_t lanes = 32;
  using Costs [[gnu::vector_size(2 * lanes)]] = std::int16_t;

  struct Derived {
    std::uint32_t atom;       // place of its costs
    std::uint32_t rules_end;  // in rule_end_; they begin where those before end
    bool recursive;
  };
  struct Transition {
    std::uint32_t fluent;  // bit of the state
    std::uint32_t now;     // place of the true atom's costs
    std::uint32_t after;   // place of the next atom's costs; none: it never holds again
    bool clock;
  };
  struct Choice {
    std::uint32_t does;
    std::uint32_t legal;
  };

  void mark_needed(std::span<const AtomId> ends, std::vector<std::uint8_t>& needed) const;
  // With `otherwise` as the cost of what is not so.
  void load(const std::uint8_t* states, std::size_t count, std::uint16_t otherwise);
  bool sweep();
  bool turn();
  void find_least_end(Costs& best) const;

  std::shared_ptr<const GroundProgram> program_;
  std::size_t state_size_;
  std::vector<Derived> derived_;
  std::vector<std::uint32_t> rule_end_;  // into literals_
  // Places of costs: 2 * atom for holding, 2 * atom + 1 for being false. With the literal's own
  // cost at the even place of a pair comes the cost of its opposite.
  std::vector<std::uint32_t> literals_;
  std::vector<std::uint8_t> inside_;  // beside literals_: of the same recursive component
  std::vector<Transition> transitions_;
  std::vector<Choice> choices_;
  std::vector<std::uint32_t> facts_;
  std::vector<std::uint32_t> ends_;  // places of their costs
  std::uint32_t terminal_;
  std::vector<std::uint32_t> place_;  // by atom; 0: not needed
  std::vector<Costs> costs_;
};

}  // namespace woodstock::plan
