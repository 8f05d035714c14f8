// Where there is luck: which open stage is nearest to settling what the root is worth.

#pragma once

#include <cstdint>
#include <vector>

#include "search/proof.h"
#include "search/stage_graph.h"

namespace woodstock {

// For one role against all others, with chance.
//
// Expectations have no single question that proof numbers could count leaves for. A stage keeps
// how many must still be solved before its bounds meet: all draws of chance have to be settled, and
// all moves that may still be the best. It is kept in the place of the proof number.
class StageSettling {
 public:
  StageSettling(StageGraph& graph, std::uint32_t roles, std::uint32_t me, std::uint32_t chance)
      : graph_(graph), me_(me), chance_(chance), places_(roles) {}

  // Works out anew how much a state needs; tells whether that is nothing.
  bool recount(NodeId id);

  // The solution of a solved stage to go on with: the best move that is open, and of its draws the
  // one that needs least. None where several players choose at once.
  NodeId nearest(NodeId id);

 private:
  // A move of who chooses: its expectations, and what its draws need.
  struct Move {
    double value = 0;
    double lower = 0;
    double upper = 0;
    AllOf needed;
    std::uint32_t least = Proof::never;
    NodeId nearest = no_node;  // the draw that needs least, of those that are not settled
  };

  // Fills moves_, with sides turned so that whoever chooses wants much, and sure_.
  void weigh(const Stage& stage);
  bool is_open(const Move& move) const { return move.nearest != no_node && move.upper > sure_; }

  StageGraph& graph_;
  std::uint32_t me_;
  std::uint32_t chance_;
  std::vector<std::uint32_t> places_;
  std::vector<Move> moves_;
  double sure_ = 0;  // what the best of the moves gives at least
};

}  // namespace woodstock
