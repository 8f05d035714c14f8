// Proof-number search in the graph of MAC-UCB: stages are solved that are nearest to a proof, and
// nothing is sampled.

#include "search/mac_ucb.h"

namespace woodstock {

namespace {

constexpr std::size_t longest_line = 512;  // games without a counter of turns can go in circles

}  // namespace

void MacUcb::search_proofs(const Watch& watch) {
  // There may be less than one for each stage that is sampled.
  for (steps_due_ += options_.proof_steps; steps_due_ >= 1; --steps_due_) {
    const bool over = graph_.node(root_).proved || crowded_ || watch.out_of_time();
    if (!over && !luck()) proofs_.ask(root_);
    if (over || !solve_nearest()) {
      steps_due_ = 0;
      return;
    }
  }
}

// False where that leads to no stage that could be solved.
bool MacUcb::solve_nearest() {
  path_.clear();
  NodeId id = root_;
  // Numbers may be out of date where lines meet: then all there is to do is to tell those above.
  while (!recount(id)) {
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
    id = luck() ? settling_.nearest(id) : proofs_.nearest(id);
    if (id == no_node) return false;
  }
  recount_path(id);
  return true;
}

// What a stage knows now is told to those on the way to it.
void MacUcb::recount_path(NodeId id) {
  recount(id);
  for (std::size_t i = path_.size(); i-- > 0;) recount(path_[i]);
}

}  // namespace woodstock
