// Three-valued reachability: what can still change from a state on.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "ground/program.h"

namespace woodstock {

// The value of an atom in all states that can follow on a given one, that one included.
enum class Fate : std::uint8_t { open, never, always };

// The fate of every atom (entry 0 is not used), from a packed state on, whoever plays what: atoms
// that keep their value are found by interpreting the rules in three values again and again, until
// nothing becomes open any more. Moves count as made or not in a single turn: a role whose only
// move is known makes it. `open` is the answer where it is not sure.
//
// Nothing when go_on, which is asked now and then, says no. Throws std::invalid_argument for a
// state of another size.
std::optional<std::vector<Fate>> three_valued_reachability(const GroundProgram& program,
                                                           std::span<const std::uint8_t> state,
                                                           const std::function<bool()>& go_on = {});

}  // namespace woodstock
