// What MAC-UCB does by the letter of the papers: UCB1 one game at a time on games that are never
// repeated, and solutions that symmetries of the stage make alike.

#include <algorithm>

#include "search/mac_ucb.h"
#include "util/random.h"

namespace woodstock {

// Turns until the horizon, for a state of this depth.
std::uint32_t MacUcb::plies_left(NodeId id) const {
  if (options_.horizon == 0) return options_.max_plies;
  const std::uint32_t depth = graph_.node(id).depth - graph_.node(root_).depth;
  return options_.horizon - std::min(options_.horizon, depth);
}

// The arms are the solutions of the stage, that is the players' joint moves; what chance does
// afterwards is a matter of luck.
void MacUcb::list_arms(NodeId id) {
  const Stage& stage = graph_.stage(id);
  arms_of_ = id;
  behind_.clear();
  std::vector<LiteralBandit::Arm> arms;
  std::vector<std::uint32_t> arm_of(stage.width, StageGraph::none);
  for (std::uint32_t joint = 0; joint < stage.width; ++joint) {
    const NodeId child = graph_.child(stage, joint);
    if (graph_.node(child).proved || graph_.solved(child) || graph_.node(child).wide) continue;
    graph_.joint_places(stage, joint, places_.data());
    if (options_.chance < roles_) places_[options_.chance] = 0;
    std::uint32_t& arm = arm_of[graph_.joint_of(stage, places_.data())];
    if (arm == StageGraph::none) {
      arm = static_cast<std::uint32_t>(arms.size());
      arms.emplace_back();
      behind_.emplace_back();
    }
    behind_[arm].push_back(child);
    // What was found out by another way counts.
    arms[arm].visits += visits_of(child);
    arms[arm].sum += sum_of(child, options_.role);
  }
  bandit_.restart(std::move(arms));
}

double MacUcb::count_game(NodeId child, const std::uint32_t* goals) {
  utilities_(goals, 1, utility_.data());
  Samples* const samples = graph_.samples(child);
  for (std::uint32_t w = 0; w < graph_.worths(); ++w) {
    samples[w].sum += utility_[tied(options_.concept_) ? options_.role : w];
    ++samples[w].visits;
    values_.estimate(child, w, samples[w].sum / samples[w].visits);
  }
  return utility_[options_.role];
}

void MacUcb::sample_literally(NodeId id, std::uint64_t count) {
  if (arms_of_ != id) list_arms(id);
  const auto draw = [this](std::size_t arm, DistinctGames::Request& request, std::uint32_t& place) {
    const std::vector<NodeId>& children = behind_[arm];
    // From a child by luck on, so that one of which nothing is left gives way to the next.
    const std::size_t first = scatter(options_.seed + golden_gamma * ++batches_) % children.size();
    for (std::size_t i = 0; i < children.size(); ++i) {
      place = children[(first + i) % children.size()];
      request.state = graph_.state(place);
      request.key = zobrist_hash(request.state);
      request.plies = plies_left(place);
      if (!games_->explored(request.key, request.plies)) return true;
    }
    return false;
  };
  const auto counted = [this](std::uint32_t place, const std::uint32_t* goals) {
    return count_game(place, goals);
  };
  simulations_ +=
      bandit_.sample(count, options_.confidence, *games_, draw, counted, stages_->go_on);
}

// Solutions that are alike

void MacUcb::use_alike(Alike alike) {
  alike_ = std::move(alike);
  graph_.clear();
  root_ = no_node;
}

// The threshold is what the best solution is worth to us (JFPC 2016, section 3: the value of a
// solution of the network at hand becomes its new threshold). Tells which solutions are worth less.
void MacUcb::list_nogoods(const Stage& stage, std::vector<std::uint8_t>& out) {
  std::vector<double> worth(stage.width);
  std::vector<double> weight(stage.width);
  std::vector<std::uint32_t> arm_of(stage.width);
  for (std::uint32_t joint = 0; joint < stage.width; ++joint) {
    graph_.joint_places(stage, joint, places_.data());
    if (options_.chance < roles_) places_[options_.chance] = 0;
    arm_of[joint] = static_cast<std::uint32_t>(graph_.joint_of(stage, places_.data()));
    worth[arm_of[joint]] += values_.worth(graph_.child(stage, joint), options_.role).value;
    weight[arm_of[joint]] += 1;
  }
  double threshold = 0;
  for (const std::uint32_t arm : arm_of) threshold = std::max(threshold, worth[arm] / weight[arm]);
  out.clear();
  for (const std::uint32_t arm : arm_of) {
    out.push_back(worth[arm] / weight[arm] < threshold ? 1 : 0);
  }
}

void MacUcb::find_alike(NodeId id, const Watch& watch) {
  if (!graph_.solved(id) || graph_.node(id).proved) return;
  const Stage& stage = graph_.stage(id);
  if (stage.width < 2) return;
  std::vector<std::uint8_t> bad;
  list_nogoods(stage, bad);
  std::vector<std::uint32_t> moves;
  for (std::uint32_t joint = 0; joint < stage.width; ++joint) {
    graph_.joint_places(stage, joint, places_.data());
    for (std::uint32_t r = 0; r < roles_; ++r) moves.push_back(graph_.move(stage, r, places_[r]));
  }
  const std::vector<std::uint32_t> stands =
      alike_(graph_.state(id), moves, bad, options_.alike_share * watch.left());
  if (stands.size() != stage.width) return;  // nobody knows
  nogoods_ += static_cast<std::uint64_t>(std::count(bad.begin(), bad.end(), 1));
  for (std::uint32_t joint = 0; joint < stage.width; ++joint) {
    const NodeId child = graph_.child(stage, joint);
    const NodeId other = graph_.child(stage, stands[joint]);
    // What is known better stays as it is.
    if (child == other || !is_open(child) || !is_open(other)) continue;
    graph_.relink(stage, joint, other);
    believed_ = true;
    ++spared_;
  }
}

}  // namespace woodstock
