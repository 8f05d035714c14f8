// Proof numbers of stages: which open stage is nearest to a proof.

#pragma once

#include <cstdint>
#include <vector>

#include "search/proof.h"
#include "search/stage_graph.h"
#include "search/stage_values.h"

namespace woodstock {

// The question is whether the role that searches gets at least so much. All others are against it
// and nothing is left to chance. Where several choose at once, it is what the papers ask there: has
// the role a move that is good enough whatever the others do at the same time?
//
// Every state of the graph, which has to have room for it, keeps its numbers. They prove nothing
// themselves: that is left to the bounds.
class StageProofs {
 public:
  StageProofs(StageGraph& graph, std::uint32_t roles, std::uint32_t me)
      : graph_(graph), me_(me), places_(roles) {}

  // Looks whether the question is still open at the root, and else asks the next one: first for the
  // best result that is not excluded, or, where a win looks less likely than not, whether there is
  // anything to be had beyond what is sure. All numbers are worked out anew then.
  void ask(NodeId root);

  // What is asked for: whether the role gets at least so much.
  float wanted() const noexcept { return wanted_; }

  // Works out the numbers of a state anew, from its bounds where these answer the question, from
  // those of its solutions elsewhere. Tells whether the question is answered for it.
  bool recount(NodeId id);

  // The solution of a solved stage by which whoever chooses is nearest to what it wants.
  NodeId nearest(NodeId id);

 private:
  Proof of(NodeId id);
  Proof of_matrix(const Stage& stage);

  StageGraph& graph_;
  std::uint32_t me_;
  float wanted_ = 2;  // no question yet
  std::vector<std::uint32_t> places_;

  // Of a move of ours where several choose at once: the numbers of all that the others can answer.
  struct Answers {
    AllOf proof;
    std::uint32_t disproof = Proof::never;
    NodeId nearest = no_node;
  };
  std::vector<Answers> answers_;
};

}  // namespace woodstock
