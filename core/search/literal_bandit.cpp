#include "search/literal_bandit.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace woodstock {

namespace {

constexpr std::uint32_t least_ahead = 4;
constexpr std::uint32_t most_ahead = 256;

}  // namespace

void LiteralBandit::restart(std::vector<Arm> arms) {
  arms_ = std::move(arms);
  ready_.assign(arms_.size(), {});
  played_ = 0;
  for (const Arm& arm : arms_) played_ += arm.visits;
}

std::size_t LiteralBandit::next(double confidence) const {
  const double width = confidence * std::log(std::max(1.0, played_));
  std::size_t best = arms_.size();
  double best_index = -1;
  for (std::size_t i = 0; i < arms_.size(); ++i) {
    const Arm& arm = arms_[i];
    if (arm.explored) continue;
    if (arm.visits == 0) return i;
    const double index = arm.sum / arm.visits + std::sqrt(width / arm.visits);
    if (index > best_index) {
      best_index = index;
      best = i;
    }
  }
  return best;
}

void LiteralBandit::play_ahead(std::size_t asked, DistinctGames& games, const Draw& draw,
                               const std::function<bool()>& go_on) {
  std::vector<DistinctGames::Request> requests;
  std::vector<std::pair<std::size_t, std::uint32_t>> origins;  // arm, place
  const auto ahead = [&](std::size_t arm, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      DistinctGames::Request request;
      std::uint32_t place = 0;
      if (!draw(arm, request, place)) return;
      request.games = 1;
      requests.push_back(request);
      origins.emplace_back(arm, place);
    }
  };
  if (arms_[asked].visits == 0) {
    // All that have not had a game get their first one together.
    for (std::size_t i = 0; i < arms_.size(); ++i) {
      if (arms_[i].visits == 0 && ready_[i].empty() && !arms_[i].explored) ahead(i, 1);
    }
  } else {
    const auto quarter = static_cast<std::uint32_t>(std::min(1e6, arms_[asked].visits / 4));
    ahead(asked, std::clamp(quarter, least_ahead, most_ahead));
  }
  std::vector<std::vector<std::uint32_t>> goals;
  games.play(requests, go_on, goals);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (goals[i].empty()) continue;  // there was none left
    ready_[origins[i].first].push_back({origins[i].second, std::move(goals[i])});
  }
}

std::uint64_t LiteralBandit::sample(std::uint64_t count, double confidence, DistinctGames& games,
                                    const Draw& draw, const Count& counted,
                                    const std::function<bool()>& go_on) {
  std::uint64_t done = 0;
  while (done < count) {
    const std::size_t i = next(confidence);
    if (i == arms_.size()) break;
    if (ready_[i].empty()) {
      play_ahead(i, games, draw, go_on);
      if (ready_[i].empty()) {
        if (go_on && !go_on()) break;
        arms_[i].explored = true;
        continue;
      }
    }
    const Game& game = ready_[i].front();
    arms_[i].sum += counted(game.place, game.goals.data());
    ++arms_[i].visits;
    ++played_;
    ++done;
    ready_[i].pop_front();
  }
  return done;
}

}  // namespace woodstock
