// States met in random play on the reference engine, for checking guesses about reachable states.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "ground/program.h"

namespace woodstock {

struct SamplingLimits {
  std::uint64_t games = 32;
  std::uint64_t plies = 200;           // of one game
  std::uint64_t literals = 100000000;  // looked at, over all games: the measure of effort
  std::uint64_t seed = 1;
};

// Calls visit with every state of some games in which each role picks its moves uniformly. A game
// ends in a terminal state, when a role has no legal move, or at a limit. Same limits, same states.
// The program has to be stratified.
void sample_states(std::shared_ptr<const GroundProgram> program, const SamplingLimits& limits,
                   const std::function<void(std::span<const std::uint8_t>)>& visit);

}  // namespace woodstock
