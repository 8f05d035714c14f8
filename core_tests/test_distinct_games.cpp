#include "search/distinct_games.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "search/literal_bandit.h"
#include "search_sample.h"

using namespace sample;
using namespace woodstock;

namespace {

using Goals = std::vector<std::uint32_t>;

// The goals of all games from a place, each sequence of joint moves once.
void list_games(const GraphGame& game, std::uint32_t at, std::uint32_t plies,
                std::map<Goals, std::size_t>& out) {
  const Place& place = game.places[at];
  if (place.over || plies == 0) {
    ++out[place.over ? place.goals : Goals(game.roles, 0)];
    return;
  }
  for (const std::uint32_t next : place.next) list_games(game, next, plies - 1, out);
}

GraphGame small_game(std::uint32_t seed) {
  GraphShape shape;
  shape.places = 12;
  shape.together = seed % 3 == 0;
  shape.chance = seed % 2 == 0;
  shape.roles = shape.chance ? 3 : 2;
  GraphGame game = random_graph(shape, seed);
  game.places.front().over = false;
  return game;
}

std::map<Goals, std::size_t> count(const Goals& flat, std::uint32_t roles) {
  std::map<Goals, std::size_t> out;
  for (std::size_t at = 0; at < flat.size(); at += roles) {
    const auto from = flat.begin() + static_cast<std::ptrdiff_t>(at);
    ++out[Goals(from, from + roles)];
  }
  return out;
}

}  // namespace

TEST(every_game_is_played_once) {
  std::size_t all = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const GraphGame game = small_game(seed);
    if (game.places[0].next.empty()) continue;
    for (const std::uint32_t plies : {3U, 50U}) {
      std::map<Goals, std::size_t> wanted;
      list_games(game, 0, plies, wanted);
      std::size_t games = 0;
      for (const auto& [goals, times] : wanted) games += times;
      if (games > 5000) continue;
      all += games;
      const auto simulator = std::make_shared<Simulator>(compile(rules(game)), "auto", 1);
      DistinctGames distinct(simulator, seed, std::size_t{1} << 24);
      const std::vector<std::uint8_t> start = simulator->circuit().initial();
      DistinctGames::Request request{start, zobrist_hash(start), plies, 0};
      // Some now and some later, more than there are.
      Goals played;
      for (const std::uint32_t some : {1U, 7U, 40U, 6000U}) {
        CHECK(!distinct.explored(request.key, plies) || played.size() == games * game.roles);
        request.games = some;
        std::vector<Goals> goals;
        CHECK(distinct.play(std::vector{request}, nullptr, goals));
        played.insert(played.end(), goals[0].begin(), goals[0].end());
        CHECK(played.size() <= games * game.roles);
      }
      CHECK(count(played, game.roles) == wanted);
      CHECK(distinct.explored(request.key, plies));
      CHECK(!distinct.explored(request.key, plies + 1));
    }
  }
  CHECK(all > 500);
}

TEST(games_stop_when_told_and_begin_anew_the_same) {
  const GraphGame game = small_game(1);
  const auto simulator = std::make_shared<Simulator>(compile(rules(game)), "auto", 1);
  const std::vector<std::uint8_t> start = simulator->circuit().initial();
  const std::vector<DistinctGames::Request> requests{{start, zobrist_hash(start), 50, 20}};
  std::vector<Goals> stopped;
  DistinctGames none(simulator, 1, std::size_t{1} << 24);
  CHECK(!none.play(requests, [] { return false; }, stopped));
  CHECK(stopped[0].empty());
  std::vector<Goals> one;
  std::vector<Goals> other;
  DistinctGames first(simulator, 1, std::size_t{1} << 24);
  DistinctGames second(simulator, 1, std::size_t{1} << 24);
  CHECK(first.play(requests, nullptr, one) && second.play(requests, nullptr, other));
  CHECK(one == other && !one[0].empty());
}

// The next arm is that of the highest u + sqrt(2 ln n / n_i); games played ahead do not change
// that.
TEST(the_literal_bandit_is_ucb1) {
  const GraphGame game = small_game(4);
  const auto simulator = std::make_shared<Simulator>(compile(rules(game)), "auto", 1);
  DistinctGames games(simulator, 1, std::size_t{1} << 24);
  // Each arm begins in the same state, with other horizons: so that games are not the same.
  const std::vector<std::uint8_t> start = simulator->circuit().initial();
  constexpr std::size_t arms = 4;
  LiteralBandit bandit;
  bandit.restart(std::vector<LiteralBandit::Arm>(arms));
  std::vector<double> sums(arms);
  std::vector<double> visits(arms);
  double all = 0;
  const auto draw = [&](std::size_t arm, DistinctGames::Request& request, std::uint32_t& place) {
    request.state = start;
    request.key = zobrist_hash(start);
    request.plies = 20 + static_cast<std::uint32_t>(arm);
    place = static_cast<std::uint32_t>(arm);
    return !games.explored(request.key, request.plies);
  };
  const auto counted = [&](std::uint32_t place, const std::uint32_t* goals) {
    // UCB1 by definition, from what has been told so far.
    std::size_t wanted = arms;
    double best = -1;
    for (std::size_t i = 0; i < arms; ++i) {
      if (bandit.arm(i).explored) continue;
      const double index =
          visits[i] == 0 ? 1e9 : sums[i] / visits[i] + std::sqrt(2 * std::log(all) / visits[i]);
      if (index > best) {
        best = index;
        wanted = i;
      }
    }
    CHECK(wanted == place);
    const double worth = goals[0] / 100.0 * (1.0 - 0.2 * place);
    sums[place] += worth;
    ++visits[place];
    ++all;
    return worth;
  };
  const std::uint64_t played = bandit.sample(60, 2, games, draw, counted, nullptr);
  CHECK(played == static_cast<std::uint64_t>(all) && played >= arms);
  for (std::size_t i = 0; i < arms; ++i) {
    CHECK(bandit.arm(i).visits == visits[i] && bandit.arm(i).sum == sums[i]);
  }
}
