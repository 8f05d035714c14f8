// The bandit of MAC-UCB: how the solutions of a stage are sampled, and what is made of the samples.

#include <algorithm>
#include <cmath>

#include "search/mac_ucb.h"
#include "util/random.h"

namespace woodstock {

namespace {

constexpr double least_spread = 1e-4;

}  // namespace

void MacUcb::share_out(NodeId id, std::uint64_t count) {
  const Node& node = tree_.node(id);
  for (Sampled& one : sampled_) one.given = 0;
  const bool bandit = node.choosers == 1;
  if (!bandit) {
    // Every joint move needs its value: those with the fewest samples come first.
    for (std::uint64_t i = 0; i < count; ++i) {
      Sampled* least = &sampled_[0];
      for (Sampled& one : sampled_) {
        if (tree_.node(one.child).visits + one.given <
            tree_.node(least->child).visits + least->given) {
          least = &one;
        }
      }
      ++least->given;
    }
    return;
  }
  // The arms of the only player who chooses; the moves of chance behind an arm share alike.
  const std::size_t arms = tree_.arms(id, node.pivot).size();
  std::vector<double> sums(arms, 0);
  std::vector<double> visits(arms, 0);
  std::vector<std::vector<Sampled*>> behind(arms);
  for (Sampled& one : sampled_) {
    behind[one.arm].push_back(&one);
    sums[one.arm] += tree_.values(one.child)[node.pivot].sum;
    visits[one.arm] += tree_.node(one.child).visits;
  }
  double all = 0;
  std::vector<double> means(arms, 0.5);
  for (std::size_t a = 0; a < arms; ++a) {
    all += visits[a];
    if (visits[a] > 0) means[a] = sums[a] / visits[a];
  }
  std::vector<std::size_t> turn(arms, 0);
  for (std::uint64_t i = 0; i < count; ++i) {
    // One game at a time: what has been given to an arm counts at once, so a batch spreads as UCB1
    // would.
    const double width = options_.confidence * std::log(std::max(2.0, all));
    std::size_t best = arms;
    double best_index = -1;
    for (std::size_t a = 0; a < arms; ++a) {
      if (behind[a].empty()) continue;
      // Every arm once before any twice.
      const double index = visits[a] == 0 ? 1e9 : means[a] + std::sqrt(width / visits[a]);
      if (index > best_index) {
        best_index = index;
        best = a;
      }
    }
    ++behind[best][turn[best]++ % behind[best].size()]->given;
    ++visits[best];
    ++all;
  }
}

void MacUcb::sample(NodeId id, std::uint64_t count, const Watch& watch) {
  const Node& node = tree_.node(id);
  const std::size_t size = simulator_->circuit().state_size();
  sampled_.clear();
  for (std::uint64_t joint = 0; joint < node.width; ++joint) {
    const NodeId child = tree_.child(id, joint);
    const Node& next = tree_.node(child);
    // Proved states need no samples, solved ones have better.
    if (next.proved || next.solved) continue;
    tree_.joint_places(id, joint, places_.data());
    const std::uint32_t draw = options_.chance < roles_ ? places_[options_.chance] : 0;
    sampled_.push_back({child, node.choosers == 1 ? places_[node.pivot] : 0, draw, 0});
  }
  while (count != 0 && !sampled_.empty()) {
    const std::uint64_t now = std::min<std::uint64_t>(count, options_.batch);
    share_out(id, now);
    states_.clear();
    budgets_.clear();
    for (const Sampled& one : sampled_) {
      if (one.given == 0) continue;
      const std::uint8_t* state = tree_.state(one.child);
      states_.insert(states_.end(), state, state + size);
      budgets_.push_back(one.given);
    }
    PlayoutOptions options;
    options.seed = scatter(options_.seed + 3 * golden_gamma) + ++batches_;
    options.max_plies = options_.max_plies;
    options.go_on = stages_->go_on;
    std::vector<Tally> tallies;
    try {
      tallies = simulator_->playouts(states_, budgets_, options);
    } catch (const Interrupted&) {
      // What is not played to the end counts for nobody.
      return;
    }
    std::size_t place = 0;
    for (const Sampled& one : sampled_) {
      if (one.given == 0) continue;
      const Tally& tally = tallies[place++];
      // A tally keeps 64 bits, a utility is made from 32: sums of so few games fit.
      for (std::uint32_t r = 0; r < roles_; ++r) {
        goals_[r] = static_cast<std::uint32_t>(tally.goals[r].sum);
      }
      const auto games = static_cast<double>(one.given);
      utilities_(goals_.data(), games, values_.data());
      Node& child = tree_.node(one.child);
      RoleValue* values = tree_.values(one.child);
      child.visits += static_cast<std::uint32_t>(one.given);
      for (std::uint32_t r = 0; r < roles_; ++r) {
        values[r].sum += games * values_[r];
        values[r].value = std::clamp(static_cast<float>(values[r].sum / child.visits),
                                     values[r].lower, values[r].upper);
      }
      stage_values_.tie(values);
    }
    simulations_ += now;
    count -= now;
    if (watch.out_of_time()) break;
  }
  if (options_.shrinking) shrink();
  if (net_) blend();
}

// What samples say of a state, and what the net does.
void MacUcb::blend() {
  const auto weight = static_cast<float>(options_.net_weight);
  for (const Sampled& one : sampled_) {
    const std::uint32_t visits = tree_.node(one.child).visits;
    RoleValue* values = tree_.values(one.child);
    for (std::uint32_t r = 0; r < roles_; ++r) {
      RoleValue& value = values[r];
      // Means that were not drawn together just now are blended already.
      const float played = options_.shrinking ? value.value
                           : visits == 0      ? value.expected
                                              : static_cast<float>(value.sum / visits);
      value.value =
          std::clamp(played + weight * (value.expected - played), value.lower, value.upper);
    }
  }
}

// The best of many means of few samples is mostly luck. How far the solutions of a stage really
// differ is told by how much more their means differ than luck alone would have it; the means are
// drawn together accordingly (empirical Bayes).
void MacUcb::shrink() {
  // Draws of chance differ for good reasons: solutions are compared with those of the same draw.
  std::stable_sort(sampled_.begin(), sampled_.end(),
                   [](const Sampled& a, const Sampled& b) { return a.draw < b.draw; });
  for (auto first = sampled_.begin(); first != sampled_.end();) {
    const auto last = std::find_if(first, sampled_.end(),
                                   [&](const Sampled& one) { return one.draw != first->draw; });
    shrink(std::span(first, last));
    first = last;
  }
}

void MacUcb::shrink(std::span<const Sampled> sampled) {
  double all = 0;
  double arms = 0;
  for (const Sampled& one : sampled) {
    all += tree_.node(one.child).visits;
    arms += tree_.node(one.child).visits != 0 ? 1 : 0;
  }
  if (arms < 2) return;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    // What is drawn together for us is so for the others.
    if (tied(options_.concept_) && r != options_.role) continue;
    double sum = 0;
    for (const Sampled& one : sampled) sum += tree_.values(one.child)[r].sum;
    const double mean = sum / all;
    double squares = 0;
    for (const Sampled& one : sampled) {
      const double visits = tree_.node(one.child).visits;
      if (visits == 0) continue;
      const double off = tree_.values(one.child)[r].sum / visits - mean;
      squares += visits * off * off;
    }
    // The variance of single games is taken to be that of wins and losses, which is the most it can
    // be.
    const double within = mean * (1 - mean);
    const double between = std::max(least_spread, (squares - (arms - 1) * within) / all);
    for (const Sampled& one : sampled) {
      const double visits = tree_.node(one.child).visits;
      RoleValue& value = tree_.values(one.child)[r];
      const double own = visits == 0 ? mean : value.sum / visits;
      const double trust = between * visits / (between * visits + within + 1e-9);
      value.value =
          std::clamp(static_cast<float>(mean + trust * (own - mean)), value.lower, value.upper);
    }
  }
  for (const Sampled& one : sampled) stage_values_.tie(tree_.values(one.child));
}

}  // namespace woodstock
