// Proof numbers (Allis, van der Meulen and van den Herik 1994) beside the means of a tree search:
// how many leaves must still come out well before something is proved, or disproved.
//
// As in PN-MCTS (Doe, Winands, Kowalski, Soemers, Gorski and Browne 2022) they have a say in which
// move is tried next, so that lines which are nearly proved are finished. They prove nothing
// themselves: that is left to the bounds.

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "search/proof.h"
#include "search/tree.h"

namespace woodstock {

// The question is whether the role that searches gets at least so much. All others are against it,
// nothing is left to chance, and numbers are kept where at most one player has a choice.
class ProofNumbers {
 public:
  static constexpr std::uint32_t never = Proof::never;

  // `weight` is what a tree search adds to the mean of a move that is one leaf from a proof.
  // Nothing is kept unless they are on; then the tree has to have room for proofs.
  ProofNumbers(Tree& tree, std::uint32_t me, double weight, bool on)
      : tree_(tree), me_(me), weight_(weight), on_(on) {}

  bool on() const noexcept { return on_; }

  // Looks whether the question is still open at the root, and else asks the next one: first for the
  // best result that is not excluded, or, where a win looks less likely than not, whether there is
  // anything to be had beyond what is sure. All numbers are worked out anew then.
  void ask(NodeId root);

  // What is asked for: whether the role gets at least so much.
  float wanted() const noexcept { return wanted_; }

  // Of a node, from what its moves know; from its bounds where these answer the question.
  Proof of(NodeId id) const;

  // Whether the question is answered for a node.
  bool answered(NodeId id) const { return of(id).answered(); }

  // The move by which whoever chooses is nearest to what it wants; at most one has a choice.
  std::uint32_t nearest(NodeId id) const;

  // A move's numbers become those of the child behind it.
  void hear(NodeId id, std::uint32_t place, NodeId child);

  // What is added to the means of the moves of a player, who alone has a choice there. A move needs
  // n leaves for what the player wants, the nearest one m: it gets weight * sqrt(m) / n. Shares of
  // m / n would push as hard where nothing is near as where a proof is, 1 / n hardly anywhere.
  class Bonus {
   public:
    Bonus(const ProofNumbers& numbers, NodeId id, std::uint32_t role);
    double operator()(std::uint32_t place) const {
      const std::uint32_t needed = leaves(place);
      return needed == never ? 0 : share_ / static_cast<double>(std::max(1U, needed));
    }

   private:
    std::uint32_t leaves(std::uint32_t place) const {
      return ours_ ? proofs_[place].proof : proofs_[place].disproof;
    }

    std::span<const Proof> proofs_;
    bool ours_;
    double share_ = 0;
  };

 private:
  bool yes(float lower) const noexcept { return lower >= wanted_; }
  bool no(float upper) const noexcept { return upper < wanted_; }
  Proof of_arm(const Arm& arm, const Proof& known, bool ours) const;
  void recount();

  Tree& tree_;
  std::uint32_t me_;
  double weight_;
  bool on_;
  float wanted_ = 2;  // no question yet
};

}  // namespace woodstock
