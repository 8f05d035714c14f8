// What searches by sampling have in common: how they choose, and how much they sample at a time.

#pragma once

#include <cstdint>

#include "search/concept.h"

namespace woodstock {

// How players choose while a simulation goes down the tree.
//   ucb     mean + C sqrt(ln N / n), every role for itself (Kocsis and Szepesvari 2006; decoupled
//           where several roles choose)
//   grave   mean and all-moves-as-first mean of the nearest ancestor with enough visits, mixed
//           (Cazenave 2015)
//   regret  drawn by regret matching (Hart and Mas-Colell 2000; as in Monte-Carlo CFR)
enum class Choice { ucb, grave, regret };

struct SamplingOptions {
  Choice choice = Choice::ucb;
  Concept concept_ = Concept::maximin;
  std::uint32_t role = 0;
  std::uint32_t chance = Utilities::nobody;
  double exploration = 0.5;     // C; visits are counted in playouts
  std::uint32_t leaves = 64;    // a pass goes down so often (for each thread, where there are any)
  std::uint32_t playouts = 8;   // ... and plays so many games from each leaf
  bool halving = false;         // sequential halving at the root
  std::uint32_t max_depth = 0;  // of the tree; 0: no limit, 1: a flat bandit
  double reference = 50;        // grave: visits that make a node a reference for those below it
  double bias = 1e-5;           // grave: how soon a move's own mean takes over
  double mixing = 0.1;          // regret: the share of moves that who learns draws uniformly
  std::uint32_t max_plies = 100'000;
  std::uint64_t seed = 0;
  std::size_t memory = std::size_t{256} << 20;
};

// Throws std::invalid_argument for options without sense in a game with so many roles.
void check(const SamplingOptions& options, std::uint32_t roles);

}  // namespace woodstock
