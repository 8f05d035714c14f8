// Which logic sleeps when some fluent holds in no lane: the other side's moves, mostly.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "circuit/synthesis.h"

namespace woodstock {

// The value that a node of a sleeping part takes in the eyes of the rest.
enum class Asleep : std::uint8_t { unseen, zero, one };

struct Guards {
  std::vector<Ref> guards;             // references to fluents
  std::vector<std::uint8_t> guard_of;  // per node: 1 + guard, 0 when it never sleeps
  std::vector<Asleep> asleep;          // per node
};

constexpr std::size_t max_guards = 32;

// What play showed of the fluents: in how many of `passes` each held in no lane, and in every lane,
// and how often it went from one to the other.
struct Observation {
  std::uint32_t passes = 0;
  std::vector<std::uint32_t> never;
  std::vector<std::uint32_t> always;
  std::vector<std::uint32_t> turns;
};

// The fluents, or their negations, that let the most logic sleep; the best first, perhaps none.
// Only fluents that all lanes gain and lose together, again and again, such as whose turn it is:
// others sleep at the start of a game, not where lanes are at different points of it.
std::vector<Ref> choose_guards(const GameLogic& game, const Observation& seen);

// Every node at most one guard: where the guard is false, the node has a known value, or only nodes
// of the same guard look at it. Linear in the size of the logic.
Guards find_guards(const GameLogic& game, std::span<const Ref> guards);

// Rewrites conjunctions that never sleep so that their parts which sleep together become nodes of
// their own. Same functions, more nodes.
GameLogic split_by_guards(const GameLogic& game, std::span<const Ref> guards);

}  // namespace woodstock
