// States met in random games on the circuit, for looking at what a game is like.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "circuit/simulator.h"

namespace woodstock::learn {

struct SampleOptions {
  std::uint32_t games = 64;       // played side by side
  std::uint32_t max_plies = 400;  // of one game
  std::uint32_t states = 1000;    // kept
  std::uint64_t seed = 1;
};

// Plays games side by side, every role making uniformly random moves, and calls `visit` with all
// that are going on, once before each ply: what is known of their states, and their numbers. States
// where a game ends are told too, and then no more. A game ends in a terminal state, where a role
// has no legal move, or at max_plies. Same options, same games, on any instruction set.
void play_randomly(
    Simulator& simulator, const SampleOptions& options,
    const std::function<void(const Visits& visits, std::span<const std::uint32_t> games)>& visit);

// States that are not terminal and in which everybody can move.
struct Sample {
  std::vector<std::uint8_t> states;    // packed, one after the other
  std::vector<std::uint32_t> choices;  // state * roles + role: how many moves are legal
  std::size_t size = 0;
  // Over all plies of all games: how many there were, and how many of them changed each fluent.
  std::uint64_t plies = 0;
  std::vector<std::uint64_t> changes;
};

// Random states of random games: each one that was met is as likely to be kept.
Sample sample_states(Simulator& simulator, const SampleOptions& options);

}  // namespace woodstock::learn
