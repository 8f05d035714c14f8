// From logic to instructions in order: which nodes are computed, in which part of a step, and when.

#pragma once

#include <cstdint>
#include <vector>

#include "circuit/code.h"
#include "circuit/guards.h"
#include "circuit/synthesis.h"

namespace woodstock {

// An instruction over nodes instead of slots; see Run for what it computes.
struct Instruction {
  NodeId node = 0;
  std::uint32_t operands = 0;  // into Cover::operands
  std::uint32_t plain = 0;
  std::uint32_t negated = 0;
  std::uint32_t both = 0;
  std::uint32_t but = 0;
  std::uint32_t either = 0;

  std::uint32_t operand_count() const noexcept {
    return plain + negated + 2 * (both + but + either);
  }
  bool same_shape(const Instruction& other) const noexcept {
    return plain == other.plain && negated == other.negated && both == other.both &&
           but == other.but && either == other.either;
  }
};

// Instructions first .. last-1, executed together.
struct Stretch {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint8_t guard = 0;  // as in Guards::guard_of
  // A recursion: instructions up to `middle` are one sweep, those behind it a sweep backwards.
  bool recursive = false;
  std::uint32_t recursion = 0;
  std::uint32_t middle = 0;
};

struct Cover {
  std::vector<Instruction> instructions;
  std::vector<NodeId> operands;
  std::vector<Stretch> parts[4];       // by Part
  std::vector<std::uint8_t> inverted;  // per node: its slot holds the negation
  std::vector<std::uint8_t> in_state;  // per node: computed, if at all, in the state part
};

// Every root of the game is computed in its part, after what it needs. What the state part computes
// is there for the others; what they need beyond that, each computes for itself. Nodes with one
// user of the same part and guard are taken into it and have no instruction. Near linear in the
// logic.
Cover cover(const GameLogic& game, const Guards& guards);

}  // namespace woodstock
