// What all searches have in common.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "search/decision.h"
#include "search/limits.h"
#include "symmetry/quotient.h"

namespace woodstock {

// Called by the thread that thinks, a few times a second. An exception from it ends the search and
// is thrown on.
using Progress = std::function<void(const Decision&)>;

// Looks for the move of one role of one game. What it found out about positions stays known from
// call to call, within its memory. Not for several threads at once.
class Searcher {
 public:
  virtual ~Searcher() = default;

  // Thinks about a packed state in which the game goes on, until a limit is reached, `stop` is set
  // (by whichever thread) or the value is proved; always long enough to have an answer. Throws
  // std::invalid_argument for a state that is over or leaves a role without a move.
  virtual Decision think(std::span<const std::uint8_t> state, const Limits& limits,
                         const std::atomic<bool>& stop, const Progress& progress) = 0;

  // From now on states and moves that are equal up to these symmetries are searched once; what was
  // found out before is forgotten. The symmetries must take every state that can follow on those
  // thought about to such a state, and change nothing: neither what is legal, nor what follows, nor
  // the end and the goals. Throws std::invalid_argument when they are of another game.
  virtual void use(std::shared_ptr<const symmetry::Quotient> quotient) = 0;
};

}  // namespace woodstock
