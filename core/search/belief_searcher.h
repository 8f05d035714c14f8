// What all searches about beliefs have in common.

#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "belief/hypotheses.h"
#include "search/decision.h"
#include "search/limits.h"
#include "search/searcher.h"

namespace woodstock {

// Looks for the move of one role that does not know the state. Not for several threads at once.
class BeliefSearcher {
 public:
  virtual ~BeliefSearcher() = default;

  // As Searcher::think, about hypotheses with weights. Those in which the game is over are left
  // out. The answer is one of `ours`, ascending; empty: any move that may be legal. Throws
  // std::invalid_argument when there is nothing to think about.
  virtual Decision think(const Hypotheses& belief, std::span<const std::uint32_t> ours,
                         const Limits& limits, const std::atomic<bool>& stop,
                         const Progress& progress) = 0;
};

}  // namespace woodstock
