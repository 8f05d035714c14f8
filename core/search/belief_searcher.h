// What all searches about beliefs have in common.

#pragma once

#include <atomic>

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
  // out. Throws std::invalid_argument when none is left.
  virtual Decision think(const Hypotheses& belief, const Limits& limits,
                         const std::atomic<bool>& stop, const Progress& progress) = 0;
};

}  // namespace woodstock
