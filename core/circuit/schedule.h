// From logic to code: what is computed when, and in which slot it lies.

#pragma once

#include "circuit/code.h"
#include "circuit/guards.h"
#include "circuit/synthesis.h"

namespace woodstock {

// Orders the logic depth first, so that values are used soon after they are made, gathers
// neighbours of the same shape into runs, and reuses slots as soon as nobody needs their value any
// more. Nodes used once are computed inside their user and have no slot.
Code schedule(const GameLogic& game, const Guards& guards);

// The length of the longest chain of conjunctions.
std::uint32_t depth_of(const GameLogic& game);

}  // namespace woodstock
