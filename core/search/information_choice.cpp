// How roles choose in an information-set search: in the trees, and beyond them by the
// learned playout policy.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "search/bandit.h"
#include "search/information_search.h"
#include "util/random.h"

namespace woodstock {

std::uint32_t InformationSearch::choose_arm(NodeId id, bool all, const Amaf* table, NodeId policy) {
  const InformationSet& set = tree_.at(id);
  const std::span<const Arm> arms = tree_.arms(id);
  const double first = mean_of(set.sum, set.visits);
  const std::span<const Arm> usual =
      policy == no_node ? std::span<const Arm>() : policy_.arms(policy);
  const auto open = [&](std::uint32_t i) { return all || allowed_[i] != 0; };
  const auto estimate = [&](std::uint32_t i) {
    const Arm& arm = arms[i];
    double mean = mean_of(arm, first);
    // What the playout policy knows of the move counts for some visits.
    if (i < usual.size() && usual[i].move == arm.move && usual[i].visits != 0) {
      const double prior = usual[i].sum / usual[i].visits;
      mean = (arm.sum + options_.policy_prior * prior) / (arm.visits + options_.policy_prior);
    }
    return table == nullptr ? mean : with_amaf(mean, tries_of(arm), table[arm.move], options_.bias);
  };
  // Who is alone has nobody to follow in step.
  const auto luck = [&] { return players_ > 1 ? draws_.nudge() : 1.0; };
  const double width = exploration_width(options_.exploration, set.visits, set.pending);
  return pick_arm(arms, width, open, estimate, luck).arm;
}

std::uint32_t InformationSearch::choose_by_policy(NodeId id, bool all) {
  const InformationSet& set = policy_.at(id);
  const std::span<const Arm> arms = policy_.arms(id);
  const double first = mean_of(set.sum, set.visits);
  const double width = exploration_width(options_.policy_exploration, set.visits, set.pending);
  // Luck also for who is alone: many lanes of a pass ask at the same time.
  return pick_arm(
             arms, width, [&](std::uint32_t i) { return all || allowed_[i] != 0; },
             [&](std::uint32_t i) { return mean_of(arms[i], first); },
             [&] { return draws_.nudge(); })
      .arm;
}

std::uint64_t InformationSearch::context_of(std::uint32_t lane, std::uint32_t role,
                                            const Visits& visits) const {
  const std::size_t size = simulator_->circuit().state_size();
  const std::uint8_t* state = visits.states.data() + std::size_t{lanes_[lane].place} * size;
  const std::uint8_t* known = options_.known_fluents.data() + role * size;
  // What was perceived last is part of it: it may tell what no fluent does.
  std::uint64_t key =
      scatter((role + 1) * golden_gamma) + lane_seen_[std::size_t{lane} * roles_ + role];
  for (std::size_t i = 0; i < size; i += 8) {
    std::uint64_t word = 0;
    std::uint64_t mask = 0;
    const std::size_t bytes = std::min<std::size_t>(8, size - i);
    std::memcpy(&word, state + i, bytes);
    std::memcpy(&mask, known + i, bytes);
    // Only fluents whose truth the role always knows: nobody plays by what it does not see.
    key = scatter(key + golden_gamma + (word & mask));
  }
  return key;
}

void InformationSearch::play_on(std::uint32_t number, const Visits& visits) {
  Lane& lane = lanes_[number];
  const std::uint32_t* begin = visits.legal_begin.data() + std::size_t{lane.place} * roles_;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    const std::span<const std::uint32_t> legal(visits.legal.data() + begin[r],
                                               begin[r + 1] - begin[r]);
    if (legal.size() == 1) {
      moves_.push_back(legal[0]);
      continue;
    }
    NodeId id = no_node;
    if (r != options_.chance) {
      const std::uint64_t key = context_of(number, r, visits);
      id = policy_.find(key);
      if (id == no_node && policy_.has_room(legal.size())) id = policy_.add(key, r, legal);
    }
    // Chance, or no room to learn in: at random.
    if (id == no_node) {
      moves_.push_back(legal[draws_.below(legal.size())]);
      continue;
    }
    // States that look the same to a role may allow different moves.
    const bool all = policy_.allow(id, legal, allowed_);
    const std::uint32_t arm = choose_by_policy(id, all);
    if (arm == no_arm) {
      moves_.push_back(legal[draws_.below(legal.size())]);
      continue;
    }
    const std::span<Arm> arms = policy_.arms(id);
    moves_.push_back(arms[arm].move);
    arms[arm].pending += weight_;
    policy_.at(id).pending += weight_;
    steps_.push_back({id, arm, r, lane.last, 1, true});
    lane.last = static_cast<std::uint32_t>(steps_.size() - 1);
  }
  ++lane.depth;
}

bool InformationSearch::keep_ours(std::span<const Arm> arms, bool all) {
  // The root set can have arms of hypotheses that we know to be wrong by now.
  if (arms.size() == ours_.size()) return all;
  if (all) allowed_.assign(arms.size(), 1);
  const auto ours = [&](const Arm& arm) {
    return std::binary_search(ours_.begin(), ours_.end(), arm.move);
  };
  bool any = false;
  for (std::size_t i = 0; i < arms.size(); ++i) any |= allowed_[i] != 0 && ours(arms[i]);
  for (std::size_t i = 0; any && i < arms.size(); ++i) {
    if (!ours(arms[i])) allowed_[i] = 0;
  }
  return false;
}

const Amaf* InformationSearch::reference_of(const Lane& lane, std::uint32_t role, NodeId id) {
  if (options_.choice != Choice::grave) return nullptr;
  // GRAVE along the role's own choices: those of the others are of no use to a set that does not
  // see them.
  const Amaf* found = tree_.amaf(id);
  if (found != nullptr && tree_.at(id).visits >= options_.reference) return found;
  for (std::uint32_t s = lane.last; s != nothing; s = steps_[s].next) {
    if (steps_[s].role != role || steps_[s].beyond) continue;
    const Amaf* table = tree_.amaf(steps_[s].set);
    if (table == nullptr) continue;
    found = table;
    if (tree_.at(steps_[s].set).visits >= options_.reference) break;
  }
  return found;
}

}  // namespace woodstock
