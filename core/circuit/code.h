// The instructions a circuit is executed from: plain tables that any kernel can walk.
//
// A slot is one vector of lanes. Slot 0 is false in every lane; slots 1 .. F hold the fluents of
// the current state. A plane is a slot read as it is or negated: 2 * slot + negated.

#pragma once

#include <cstdint>
#include <vector>

namespace woodstock {

using Slot = std::uint32_t;
using Plane = std::uint32_t;

constexpr Slot zero_slot = 0;
constexpr Plane plane_false = 2 * zero_slot;
constexpr Plane plane_true = plane_false + 1;

// Static, since kernels must share no function with the rest: see kernel_impl.h.
static constexpr Slot slot_of(Plane plane) noexcept { return plane >> 1; }
static constexpr bool is_negative(Plane plane) noexcept { return (plane & 1U) != 0; }

// The shapes met most often, four instructions in five: (plain, negated, both, but, either).
// Kernels have straight code for them and loops for the rest.
#define WOODSTOCK_SHAPES(X) \
  X(2, 0, 0, 0, 0)          \
  X(0, 2, 0, 0, 0)          \
  X(1, 1, 0, 0, 0)          \
  X(3, 0, 0, 0, 0)          \
  X(2, 1, 0, 0, 0)          \
  X(0, 1, 0, 1, 0)          \
  X(0, 4, 0, 0, 0)          \
  X(0, 3, 0, 0, 0)          \
  X(4, 0, 0, 0, 0)          \
  X(0, 0, 1, 1, 0)          \
  X(0, 0, 0, 2, 0)          \
  X(0, 0, 0, 3, 0)          \
  X(0, 1, 1, 0, 0)          \
  X(0, 6, 0, 0, 0)          \
  X(5, 0, 0, 0, 0)          \
  X(3, 1, 0, 0, 0)          \
  X(0, 5, 0, 0, 0)          \
  X(1, 0, 1, 0, 0)          \
  X(0, 0, 2, 0, 0)          \
  X(1, 2, 0, 0, 0)          \
  X(1, 0, 0, 0, 1)          \
  X(0, 2, 0, 1, 0)          \
  X(0, 0, 0, 1, 1)          \
  X(1, 0, 0, 1, 0)          \
  X(2, 2, 0, 0, 0)          \
  X(1, 0, 0, 0, 0)

// Instructions of the same shape, one after the other. Each instruction is a destination slot and
// then, in this order, `plain` slots a, `negated` slots b and pairs of slots. It stores
//     and(a) & ~or(b) & ~(c & d) for pairs `both` & ~(c & ~d) for `but` & (c | d) for `either`.
struct Run {
  std::uint32_t form = 0;      // 1 + place of its shape in the list above; 0: some other shape
  std::uint32_t operands = 0;  // where its operands begin
  std::uint32_t count = 0;     // instructions
  std::uint32_t plain = 0;
  std::uint32_t negated = 0;
  std::uint32_t both = 0;
  std::uint32_t but = 0;
  std::uint32_t either = 0;
};

// Runs that are executed, or skipped, together.
struct Segment {
  enum Kind : std::uint32_t {
    straight,  // once
    loop       // until nothing changes: runs up to `middle`, then those behind it, and so on
  };
  Kind kind = straight;
  std::uint32_t first_run = 0;
  std::uint32_t middle = 0;
  std::uint32_t last_run = 0;
  // Skipped when no lane needs guard `guard` - 1; then these planes' slots are filled (a negated
  // plane: with ones). A loop fills them at its start. 0: never skipped.
  std::uint32_t guard = 0;
  std::uint32_t first_fill = 0;
  std::uint32_t last_fill = 0;
};

struct Copy {
  Slot to = 0;
  Plane from = 0;
};

// The parts of a step. Goals and percepts are asked for between state and move, or not at all.
enum class Part : std::uint8_t { state = 0, goals = 1, percepts = 2, move = 3 };

struct Code {
  std::uint32_t slots = 1;
  std::uint32_t fluents = 0;
  std::vector<Segment> parts[4];
  std::vector<Run> runs;
  std::vector<std::uint32_t> operands;
  std::vector<Plane> fills;
  std::vector<Plane> guards;  // fluents whose segments are skipped where they hold in no lane
  // How the state after the move gets into the fluents' slots: all `save`, then all `latch`.
  std::vector<Copy> save;
  std::vector<Copy> latch;

  std::vector<Plane> legal;      // per move, valid after state
  std::vector<Slot> does;        // per move, to be written before percepts and move; 0: nobody asks
  std::vector<Plane> goals;      // per goal, valid after goals until move
  std::vector<Plane> percepts;   // per percept, valid after percepts until move
  Plane terminal = plane_false;  // valid after state until move
};

}  // namespace woodstock
