#include "search/decider.h"

#include <algorithm>

#include "search/bandit.h"
#include "search/halving.h"

namespace woodstock {

namespace {

constexpr std::size_t longest_line = 24;
constexpr double negligible = 0.02;  // probability below which a strategy's move is left out

double mean(const Arm& arm, double otherwise) {
  const double value = arm.visits == 0 ? otherwise : arm.sum / arm.visits;
  return std::clamp(value, static_cast<double>(arm.lower), static_cast<double>(arm.upper));
}

}  // namespace

std::uint32_t most_visited(std::span<const Arm> arms) {
  const float least = best_lower(arms);
  // Proved arms are no longer visited: one of them counts if it is worth more than what the most
  // visited of the others promises.
  const auto proved = [](const Arm& arm) { return arm.lower == arm.upper; };
  // Of proved arms of the same worth, the one that went best before it was proved leaves the others
  // most to find out.
  const auto as_sure = [](const Arm& arm, const Arm& than) {
    if (arm.lower != than.lower) return arm.lower > than.lower;
    return mean_of(arm, arm.lower) > mean_of(than, than.lower);
  };
  const Arm* best = nullptr;
  const Arm* sure = nullptr;
  for (const Arm& arm : arms) {
    if (proved(arm)) {
      if (sure == nullptr || as_sure(arm, *sure)) sure = &arm;
    } else if (arm.upper > least) {
      if (best == nullptr || arm.visits > best->visits ||
          (arm.visits == best->visits && mean(arm, 0) > mean(*best, 0))) {
        best = &arm;
      }
    }
  }
  // All arms are proved or closed: one that gives what we are sure of.
  for (const Arm& arm : arms) {
    if (best == nullptr && arm.lower == least && (sure == nullptr || as_sure(arm, *sure))) {
      sure = &arm;
    }
  }
  if (sure != nullptr && (best == nullptr || sure->lower >= mean(*best, 0))) best = sure;
  return best == nullptr ? 0 : static_cast<std::uint32_t>(best - arms.data());
}

std::uint32_t draw_by_share(std::span<const double> shares, double luck) {
  double all = 0;
  for (double share : shares) all += share;
  if (!(all > 0)) return no_arm;
  double kept = 0;
  for (double share : shares) kept += share >= negligible * all ? share : 0;
  double left = luck * kept;
  std::uint32_t drawn = no_arm;
  for (std::uint32_t i = 0; i < shares.size(); ++i) {
    if (shares[i] < negligible * all) continue;
    drawn = i;
    left -= shares[i];
    if (left < 0) break;
  }
  return drawn;
}

void tell_shares(Decision& decision, std::span<const Arm> arms, std::span<const double> shares) {
  double all = 0;
  for (double share : shares) all += share;
  for (MoveValue& value : decision.moves) {
    for (std::uint32_t i = 0; i < arms.size(); ++i) {
      if (arms[i].move == value.move) value.share = shares[i] / all;
    }
  }
}

Decision Decider::decision() const {
  Decision out;
  const Node& root = tree_.node(root_);
  const RoleValue* values = tree_.values(root_);
  for (std::uint32_t r = 0; r < roles_; ++r) {
    const double value = root.visits == 0 ? 0.5 : values[r].sum / root.visits;
    out.values.push_back(std::clamp(value, static_cast<double>(values[r].lower),
                                    static_cast<double>(values[r].upper)));
  }
  out.proved = root.proved;
  const std::span<const Arm> arms = tree_.arms(root_, role_);
  std::uint64_t all = 0;
  for (const Arm& arm : arms) all += arm.visits;
  for (const Arm& arm : arms) {
    const double share =
        all == 0 ? 0.0 : static_cast<double>(arm.visits) / static_cast<double>(all);
    out.moves.push_back(
        {arm.move, mean(arm, out.values[role_]), share, arm.visits, arm.lower, arm.upper});
  }
  take(out, most_visited(arms));
  return out;
}

void Decider::take(Decision& decision, std::uint32_t place) const {
  const std::uint32_t move = tree_.arms(root_, role_)[place].move;
  decision.move = move;
  decision.line = line(place);
  std::stable_sort(decision.moves.begin(), decision.moves.end(),
                   [&](const MoveValue& a, const MoveValue& b) {
                     if ((a.move == move) != (b.move == move)) return a.move == move;
                     if (a.visits != b.visits) return a.visits > b.visits;
                     return a.value > b.value;
                   });
  decision.value = decision.moves.front().value;
  if (decision.proved) decision.value = decision.values[role_];
}

void Decider::prefer(Decision& decision, std::span<const std::uint32_t> places) const {
  const std::span<const Arm> arms = tree_.arms(root_, role_);
  if (decision.proved || places.empty()) return;
  const float least = best_lower(arms);
  std::uint32_t best = places[0];
  for (std::uint32_t place : places) {
    if (closed(arms[place], least)) continue;
    if (closed(arms[best], least) || mean(arms[place], 0) > mean(arms[best], 0)) best = place;
  }
  take(decision, best);
}

void Decider::play_strategy(Decision& decision, std::span<const Regret> regrets,
                            double luck) const {
  const std::span<const Arm> arms = tree_.arms(root_, role_);
  std::vector<double> shares;
  for (const Regret& regret : regrets) shares.push_back(regret.strategy);
  const std::uint32_t drawn = draw_by_share(shares, luck);
  if (drawn == no_arm) return;
  tell_shares(decision, arms, shares);
  take(decision, drawn);
}

std::vector<std::uint32_t> Decider::line(std::uint32_t first) const {
  std::vector<std::uint32_t> out;
  std::vector<std::uint32_t> places(roles_);
  NodeId id = root_;
  for (std::size_t turn = 0; turn < longest_line; ++turn) {
    const Node& node = tree_.node(id);
    if (node.terminal || node.visits == 0) break;
    for (std::uint32_t r = 0; r < roles_; ++r) {
      // The line follows what everybody did most, but begins with our answer.
      places[r] = turn == 0 && r == role_ ? first : most_visited(tree_.arms(id, r));
      out.push_back(tree_.arms(id, r)[places[r]].move);
    }
    id = tree_.child(id, tree_.joint_of(id, places.data()));
    if (id == no_node) break;
  }
  return out;
}

}  // namespace woodstock
