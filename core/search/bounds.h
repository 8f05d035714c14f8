// Proved bounds of utilities, and how those of children make those of a node.

#pragma once

#include <cstdint>
#include <vector>

#include "search/concept.h"
#include "search/tree.h"

namespace woodstock {

// What simultaneous moves of several players are worth. `mixed`: players may toss coins, so a
// player is sure of its best "whatever the others do" and cannot get more than the others can hold
// it down to. `pure`: the value of the papers, max over own moves of min over the others'.
enum class Simultaneous { mixed, pure };

// Terminal nodes have exact bounds from the beginning; from there they spread towards the root as
// far as `tighten` is called. Bounds only ever become narrower.
//
// Where utilities are tied, all roles have one interval: what one side is sure of is what the other
// cannot get. They say so to the bit, since bounds are rounded to multiples of 2^-24, of which
// 1 - x is one as well.
//
// A player takes its best move; among moves of equal value the one proved first, which matters to
// the others where the game is not a contest of two.
class Bounds {
 public:
  Bounds(Tree& tree, std::uint32_t roles, std::uint32_t me, std::uint32_t chance,
         Concept solution_concept, Simultaneous simultaneous);

  // The exact utilities of a node whose game is over.
  void settle(NodeId id, const double* utilities);

  // Looks at the children again; tells whether any bound has become narrower.
  bool tighten(NodeId id);

  struct Range {
    float lower;
    float upper;
  };

  // What each of our moves is worth to us, the others doing their worst or, of a team, their best.
  std::vector<Range> own_moves(NodeId id);

 private:
  // The bounds of all roles after the players' moves at `places_`, over the moves of chance.
  void look_at(NodeId id, Range* out);
  // Where utilities are tied: the bounds of all roles from those of one.
  void share(std::uint32_t role, Range range, Range* out) const;
  void by_chance(NodeId id);
  void by_pivot(NodeId id);
  void by_matrix(NodeId id);

  Tree& tree_;
  std::uint32_t roles_;
  std::uint32_t me_;
  std::uint32_t chance_;
  Concept concept_;
  Simultaneous simultaneous_;
  std::vector<Range> fresh_;           // per role: the bounds in the making
  std::vector<std::uint32_t> places_;  // per role: an arm
  std::vector<Range> cells_;           // per arm and role, or per arm
};

}  // namespace woodstock
