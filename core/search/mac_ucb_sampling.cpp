// The bandit of MAC-UCB: how the solutions of a stage are sampled, and what is made of the samples.

#include <algorithm>
#include <cmath>

#include "search/mac_ucb.h"
#include "util/random.h"

namespace woodstock {

namespace {

constexpr double least_spread = 1e-4;

}  // namespace

// The sum of the role's utilities over the visits of a state.
double MacUcb::sum_of(NodeId id, std::uint32_t role) const {
  const Samples* const samples = graph_.samples(id);
  if (!tied(options_.concept_)) return samples[role].sum;
  if (role == options_.role || options_.concept_ == Concept::team) return samples->sum;
  return samples->visits - samples->sum;
}

void MacUcb::share_out(NodeId id, std::uint64_t count) {
  const Stage& stage = graph_.stage(id);
  for (Sampled& one : sampled_) one.given = 0;
  const bool bandit = stage.choosers == 1;
  if (!bandit) {
    // Every joint move needs its value: those with the fewest samples come first.
    for (std::uint64_t i = 0; i < count; ++i) {
      Sampled* least = &sampled_[0];
      for (Sampled& one : sampled_) {
        if (visits_of(one.child) + one.given < visits_of(least->child) + least->given) {
          least = &one;
        }
      }
      ++least->given;
    }
    return;
  }
  // The arms of the only player who chooses; the moves of chance behind an arm share alike.
  const std::size_t arms = graph_.arms(stage, stage.pivot);
  std::vector<double> sums(arms, 0);
  std::vector<double> visits(arms, 0);
  std::vector<std::vector<Sampled*>> behind(arms);
  for (Sampled& one : sampled_) {
    behind[one.arm].push_back(&one);
    sums[one.arm] += sum_of(one.child, stage.pivot);
    visits[one.arm] += visits_of(one.child);
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

void MacUcb::list_sampled(NodeId id) {
  const Stage& stage = graph_.stage(id);
  sampled_.clear();
  for (std::uint32_t joint = 0; joint < stage.width; ++joint) {
    const NodeId child = graph_.child(stage, joint);
    // Proved states need no samples, solved ones have better, unless nothing was sampled there.
    const StageNode& node = graph_.node(child);
    if (node.proved || (graph_.solved(child) && !node.bare)) continue;
    graph_.joint_places(stage, joint, places_.data());
    const std::uint32_t draw = options_.chance < roles_ ? places_[options_.chance] : 0;
    sampled_.push_back({child, stage.choosers == 1 ? places_[stage.pivot] : 0, draw, 0});
  }
}

void MacUcb::sample(NodeId id, std::uint64_t count, const Watch& watch) {
  list_sampled(id);
  if (literal()) {
    sample_literally(id, count);
    if (options_.shrinking) shrink();
    return;
  }
  while (count != 0 && !sampled_.empty()) {
    const std::uint64_t now = std::min<std::uint64_t>(count, options_.batch);
    share_out(id, now);
    states_.clear();
    budgets_.clear();
    for (const Sampled& one : sampled_) {
      if (one.given == 0) continue;
      const std::span<const std::uint8_t> state = graph_.state(one.child);
      states_.insert(states_.end(), state.begin(), state.end());
      budgets_.push_back(one.given);
    }
    PlayoutOptions options;
    options.seed = scatter(options_.seed + 3 * golden_gamma) + ++batches_;
    options.max_plies = options_.max_plies;
    options.go_on = stages_->go_on;
    try {
      count_games(simulator_->playouts(states_, budgets_, options));
    } catch (const Interrupted&) {
      // What is not played to the end counts for nobody.
      return;
    }
    simulations_ += now;
    count -= now;
    if (watch.out_of_time()) break;
  }
  if (net_) unblend();
  if (options_.shrinking) shrink();
  if (net_) blend();
}

void MacUcb::count_games(const std::vector<Tally>& tallies) {
  auto tally = tallies.begin();
  for (const Sampled& one : sampled_) {
    if (one.given == 0) continue;
    // A tally keeps 64 bits, a utility is made from 32: sums of so few games fit.
    for (std::uint32_t r = 0; r < roles_; ++r) {
      goals_[r] = static_cast<std::uint32_t>(tally->goals[r].sum);
    }
    ++tally;
    const auto games = static_cast<double>(one.given);
    utilities_(goals_.data(), games, utility_.data());
    Samples* const samples = graph_.samples(one.child);
    for (std::uint32_t w = 0; w < graph_.worths(); ++w) {
      const std::uint32_t role = tied(options_.concept_) ? options_.role : w;
      samples[w].sum += games * utility_[role];
      samples[w].visits += static_cast<std::uint32_t>(one.given);
      utility_[role] = samples[w].sum / samples[w].visits;
    }
    values_.estimate(one.child, utility_.data());
  }
}

// What games alone say of the states; of those without a game, what the net says.
void MacUcb::unblend() {
  for (const Sampled& one : sampled_) {
    const Samples* const samples = graph_.samples(one.child);
    for (std::uint32_t w = 0; w < graph_.worths(); ++w) {
      const Samples& of = samples[w];
      values_.estimate(one.child, w, of.visits == 0 ? of.expected : of.sum / of.visits);
    }
  }
}

void MacUcb::blend() {
  for (const Sampled& one : sampled_) {
    for (std::uint32_t w = 0; w < graph_.worths(); ++w) {
      const double played = graph_.worth(one.child)[w].value;
      const double expected = graph_.samples(one.child)[w].expected;
      values_.estimate(one.child, w, played + options_.net_weight * (expected - played));
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
    all += visits_of(one.child);
    arms += visits_of(one.child) != 0 ? 1 : 0;
  }
  if (arms < 2) return;
  for (std::uint32_t w = 0; w < graph_.worths(); ++w) {
    double sum = 0;
    for (const Sampled& one : sampled) sum += graph_.samples(one.child)[w].sum;
    const double mean = sum / all;
    double squares = 0;
    for (const Sampled& one : sampled) {
      const double visits = visits_of(one.child);
      if (visits == 0) continue;
      const double off = graph_.samples(one.child)[w].sum / visits - mean;
      squares += visits * off * off;
    }
    // The variance of single games is taken to be that of wins and losses, which is the most it can
    // be.
    const double within = mean * (1 - mean);
    const double between = std::max(least_spread, (squares - (arms - 1) * within) / all);
    for (const Sampled& one : sampled) {
      const double visits = visits_of(one.child);
      const double own = visits == 0 ? mean : graph_.samples(one.child)[w].sum / visits;
      const double trust = between * visits / (between * visits + within + 1e-9);
      values_.estimate(one.child, w, mean + trust * (own - mean));
    }
  }
}

}  // namespace woodstock
