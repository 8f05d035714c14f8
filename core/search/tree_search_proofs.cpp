// Proof-number search in the tree of a tree search: states are opened that are nearest to a proof,
// and nothing is played.

#include "search/tree_search.h"

namespace woodstock {

namespace {

constexpr std::size_t longest_line = 512;  // games without a counter of turns can go in circles

}  // namespace

void TreeSearch::search_proofs(const Watch& watch) {
  proof_numbers_.ask(root_);
  // There may be less than one for each pass.
  for (steps_due_ += options_.proof_steps; steps_due_ >= 1; --steps_due_) {
    const bool over = tree_.node(root_).proved || crowded_ || watch.out_of_time();
    if (over || !open_nearest()) {
      steps_due_ = 0;
      return;
    }
    proof_numbers_.ask(root_);
  }
}

// False where that leads to no state that could be opened.
bool TreeSearch::open_nearest() {
  line_.clear();
  line_places_.clear();
  NodeId id = root_;
  // Numbers may be out of date where lines meet: then all there is to do is to tell those above.
  while (!proof_numbers_.answered(id)) {
    if (tree_.node(id).choosers > 1 || line_.size() >= longest_line) return false;
    const std::uint32_t place = proof_numbers_.nearest(id);
    const NodeId child = tree_.child(id, place);
    if (child == no_node) {
      open(id);
      break;
    }
    line_.push_back(id);
    line_places_.push_back(place);
    id = child;
  }
  // What is answered already may be news to the line that has led here.
  bool news = bounds_.tighten(id) || proof_numbers_.answered(id);
  for (std::size_t i = line_.size(); i-- > 0;) {
    proof_numbers_.hear(line_[i], line_places_[i], id);
    id = line_[i];
    news = (news && bounds_.tighten(id)) || proof_numbers_.answered(id);
  }
  return true;
}

// Makes all children that are missing, side by side. Nobody else has a choice, so that a joint move
// is the place of the pivot's.
void TreeSearch::open(NodeId id) {
  const std::uint32_t pivot = tree_.node(id).pivot;
  const std::size_t size = simulator_->circuit().state_size();
  from_states_.clear();
  from_moves_.clear();
  from_joint_.clear();
  for (std::uint32_t place = 0; place < tree_.arms(id, pivot).size(); ++place) {
    if (tree_.child(id, place) != no_node) continue;
    from_joint_.push_back(place);
    from_states_.insert(from_states_.end(), tree_.state(id), tree_.state(id) + size);
    for (std::uint32_t role = 0; role < roles_; ++role) {
      from_moves_.push_back(tree_.arms(id, role)[role == pivot ? place : 0].move);
    }
  }
  simulator_->visit(from_states_, from_moves_, visits_);
  folding_.fold(visits_);
  for (std::size_t i = 0; i < from_joint_.size(); ++i) {
    NodeId child = tree_.find(visits_.keys[i], visits_.states.data() + i * size);
    if (child == no_node) {
      const std::size_t arms =
          visits_.legal_begin[(i + 1) * roles_] - visits_.legal_begin[i * roles_];
      if (!tree_.has_room(arms)) {
        crowded_ = true;
        return;
      }
      child = add(visits_, i);
    }
    tree_.link(id, from_joint_[i], child, folding_.on() ? folding_.elements()[i] : 0);
    proof_numbers_.hear(id, static_cast<std::uint32_t>(from_joint_[i]), child);
  }
}

}  // namespace woodstock
