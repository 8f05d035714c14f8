// Whose turn it is, read off the states of a game whose words for it nobody knows.

#pragma once

#include <cstdint>
#include <vector>

#include "circuit/circuit.h"
#include "learn/sample.h"

namespace woodstock::learn {

// Fluents that tell who has a choice: each of them holds, in all but 1 of 200 states of the sample
// in which anybody has one, just where one and the same role is the only one to have it. They come
// in the order of the roles, chance among them; where they are enough to tell all roles that ever
// have the choice alone, and nobody ever shares it, the last is left out: it is where none of the
// others holds. Empty where there is nothing to tell, as with simultaneous moves or one player, and
// where no fluents tell it.
std::vector<std::uint32_t> control_fluents(const Circuit& circuit, const Sample& sample);

}  // namespace woodstock::learn
