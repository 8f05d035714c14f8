// The final choice: from a tree to a decision.

#pragma once

#include <cstdint>
#include <span>

#include "search/decision.h"
#include "search/tree.h"

namespace woodstock {

// The arm to play as far as is known: the most visited that a proof has not closed, or a proved one
// that is worth at least as much.
std::uint32_t most_visited(std::span<const Arm> arms);

// Draws an arm of a mixed strategy, `luck` being between 0 and 1; no_arm where all shares are 0.
// Shares need not sum to one. Those below a fiftieth of all are left out: they are what is left of
// learning, not part of the strategy.
std::uint32_t draw_by_share(std::span<const double> shares, double luck);
// Tells the moves of a decision their shares, which are those of the arms.
void tell_shares(Decision& decision, std::span<const Arm> arms, std::span<const double> shares);

// Reads what a tree says about its root.
class Decider {
 public:
  Decider(const Tree& tree, NodeId root, std::uint32_t role, std::uint32_t chance,
          std::uint32_t roles)
      : tree_(tree), root_(root), role_(role), chance_(chance), roles_(roles) {}

  // The move of most_visited; values, bounds and the expected line. Counts and clocks are left to
  // the caller.
  Decision decision() const;

  // Takes the best mean among these arms instead, unless the value is proved.
  void prefer(Decision& decision, std::span<const std::uint32_t> arms) const;

  // Makes it this arm.
  void take(Decision& decision, std::uint32_t place) const;

  // Draws the move by the average strategy instead, `luck` being between 0 and 1.
  void play_strategy(Decision& decision, std::span<const Regret> regrets, double luck) const;

 private:
  std::vector<std::uint32_t> line(std::uint32_t first) const;

  const Tree& tree_;
  NodeId root_;
  std::uint32_t role_;
  std::uint32_t chance_;
  std::uint32_t roles_;
};

}  // namespace woodstock
