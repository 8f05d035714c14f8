// Proof-number search in the graph of MAC-UCB: stages are solved that are nearest to a proof, and
// nothing is sampled.

#include "search/mac_ucb.h"

namespace woodstock {

namespace {

constexpr std::size_t longest_line = 512;  // games without a counter of turns can go in circles

}  // namespace

void MacUcb::search_proofs(const Watch& watch) {
  for (std::uint32_t step = 0; step < options_.proof_steps; ++step) {
    if (graph_.node(root_).proved || crowded_ || watch.out_of_time()) return;
    proofs_.ask(root_);
    if (!solve_nearest()) return;
  }
}

// False where that leads to no stage that could be solved.
bool MacUcb::solve_nearest() {
  path_.clear();
  NodeId id = root_;
  // Numbers may be out of date where lines meet: then all there is to do is to tell those above.
  while (!proofs_.recount(id)) {
    if (!graph_.solved(id)) {
      if (!is_open(id) || !solve(id) || !graph_.solved(id)) return false;
      // Whoever follows its moves first has its solutions sampled; the net has valued them.
      graph_.node(id).bare = plays();
      put_solutions(id);
      spread(id);
      break;
    }
    if (path_.size() >= longest_line) return false;
    path_.push_back(id);
    id = proofs_.nearest(id);
    if (id == no_node) return false;
  }
  if (graph_.solved(id)) {
    const Stage& stage = graph_.stage(id);
    for (std::uint32_t i = 0; i < stage.width; ++i) proofs_.recount(graph_.child(stage, i));
  }
  proofs_.recount(id);
  for (std::size_t i = path_.size(); i-- > 0;) proofs_.recount(path_[i]);
  return true;
}

}  // namespace woodstock
