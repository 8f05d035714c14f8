// Whose turn it is, read off the states of a game whose words for it nobody knows.

#pragma once

#include <cstdint>
#include <vector>

#include "circuit/circuit.h"
#include "learn/sample.h"

namespace woodstock::learn {

// Fluents that tell who has a choice: each of them holds only where one and the same player is the
// only one to have it, and whenever that player has it, one of its fluents holds: mostly there is
// one, and several where a turn has phases. All of that in all but 1 of 200 states of the sample in
// which a player has a choice; whether chance has one too makes no difference. Fluents that tell
// where chance alone has it come first, then the players' in the order of the roles. Where they
// tell all players that ever have the choice, and nobody ever shares it, the last is left out: it
// is where none of the others holds. Empty where there is nothing to tell, as with simultaneous
// moves or one player, and where no fluents tell it.
constexpr std::size_t most_controls = 7;
std::vector<std::uint32_t> control_fluents(const Circuit& circuit, const Sample& sample,
                                           std::uint32_t chance = RoleTable::no_role);

// A fluent that holds in every other state, told by games whose states come one after the other:
// also where all choose at once it may tell whose turn it is somewhere. The first of several; empty
// where there is none.
std::vector<std::uint32_t> alternating_fluent(const Circuit& circuit, const Sample& sample);

}  // namespace woodstock::learn
