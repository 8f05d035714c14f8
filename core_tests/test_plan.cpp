#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "circuit_sample.h"
#include "plan/nested.h"
#include "plan/relaxation.h"
#include "plan/space.h"

using namespace sample;
using namespace woodstock;
using namespace woodstock::plan;

namespace {

using State = std::vector<std::uint8_t>;

// The ends of a game: all goals of role 0 there, with the fewest turns to each.
struct Ends {
  std::map<std::uint32_t, std::uint32_t> turns;  // by goal
  std::size_t states = 0;

  std::optional<std::uint32_t> best() const {
    if (turns.empty()) return std::nullopt;
    return turns.rbegin()->first;
  }
};

// One state after the other, no more than so many.
std::optional<Ends> ends_of(Simulator& simulator, const State& start, std::size_t most) {
  Ends out;
  const auto key = [](const State& one) { return std::string(one.begin(), one.end()); };
  std::map<std::string, std::uint32_t> seen{{key(start), 0}};
  std::vector<State> open{start};
  for (std::size_t next = 0; next < open.size(); ++next) {
    const State state = open[next];
    const std::uint32_t depth = seen[key(state)];
    Visits visits;
    simulator.visit(state, {}, visits);
    if (visits.terminal[0] != 0) {
      if (next != 0) out.turns.try_emplace(visits.goals[0], depth);
      continue;
    }
    const Expansion all = simulator.expand(state, 100'000, false);
    const std::size_t size = state.size();
    for (std::size_t i = 0; i * size < all.after.states.size(); ++i) {
      State after(all.after.states.begin() + static_cast<std::ptrdiff_t>(i * size),
                  all.after.states.begin() + static_cast<std::ptrdiff_t>((i + 1) * size));
      if (seen.try_emplace(key(after), depth + 1).second) open.push_back(std::move(after));
    }
    if (open.size() > most) return std::nullopt;
  }
  out.states = open.size();
  return out;
}

// What a search finds when it goes on to its end, and in how many turns.
std::optional<std::pair<std::uint32_t, std::size_t>> found_by(SpaceSearch& search,
                                                              std::uint32_t roles) {
  std::int64_t best = -1;
  std::optional<std::pair<std::uint32_t, std::size_t>> out;
  for (;;) {
    const SpaceStatus status = search.go_on(best, 1.0);
    if (status == SpaceStatus::found) {
      best = search.goal();
      out = {search.goal(), search.moves().size() / roles};
    } else if (status != SpaceStatus::running) {
      CHECK(status == SpaceStatus::exhausted);
      return out;
    }
  }
}

}  // namespace

TEST(searches_of_the_space_find_the_best_end_of_random_games) {
  std::size_t games = 0;
  for (std::uint32_t seed = 1; seed < 400; ++seed) {
    const auto program = std::make_shared<const GroundProgram>(random_game(seed));
    const auto circuit = compile(*program);
    const auto simulator = std::make_shared<Simulator>(circuit, "base", 1);
    const State start = circuit->initial();
    const std::optional<Ends> ends = ends_of(*simulator, start, 3000);
    if (!ends) continue;
    games += !ends->turns.empty();
    SpaceOptions options;
    SpaceSearch breadth(simulator, nullptr, options, start);
    const auto first = found_by(breadth, circuit->roles());
    CHECK(breadth.complete());
    CHECK(first.has_value() == ends->best().has_value());
    if (first) {
      CHECK(first->first == *ends->best());
      CHECK(first->second == ends->turns.at(first->first));
    }
    std::vector<AtomId> goals;
    for (const RoleTerm& goal : program->goals()) goals.push_back(goal.atom);
    options.depth_weight = 0;
    options.distance_weight = 1;
    options.novelty = true;
    SpaceSearch informed(simulator, std::make_shared<Relaxation>(program, goals), options, start);
    const auto second = found_by(informed, circuit->roles());
    CHECK(second.has_value() == ends->best().has_value());
    if (second) CHECK(second->first == *ends->best());
  }
  CHECK(games > 20);
}

TEST(what_the_relaxation_calls_unreachable_is) {
  std::size_t unreachable = 0;
  std::size_t reachable = 0;
  for (std::uint32_t seed = 1; seed < 150; ++seed) {
    const auto program = std::make_shared<const GroundProgram>(random_game(seed));
    const auto circuit = compile(*program);
    Simulator simulator(circuit, "base", 1);
    const State start = circuit->initial();
    const std::optional<Ends> ends = ends_of(simulator, start, 3000);
    Visits visits;
    simulator.visit(start, {}, visits);
    if (!ends || visits.terminal[0] != 0) continue;
    for (const std::uint32_t value : {0U, 50U, 100U}) {
      std::vector<AtomId> goals;
      for (const RoleTerm& goal : program->goals()) {
        const bool mine = program->term_symbol(goal.role) == 1;
        if (mine && program->term_symbol(goal.term) >= value) goals.push_back(goal.atom);
      }
      Relaxation relaxation(program, goals);
      std::vector<std::uint16_t> distance;
      relaxation(start, distance);
      if (distance[0] != Relaxation::unreachable) {
        ++reachable;
        continue;
      }
      ++unreachable;
      // A role whose goals do not hold at the end gets 0 all the same.
      CHECK(value == 0 || !ends->best() || *ends->best() < value);
    }
  }
  CHECK(unreachable > 30);
  CHECK(reachable > 30);
}

TEST(states_are_valued_alike_alone_and_in_company) {
  const auto program = std::make_shared<const GroundProgram>(filling_game(6));
  const auto circuit = compile(*program);
  Simulator simulator(circuit, "base", 1);
  std::vector<AtomId> goals;
  for (const RoleTerm& goal : program->goals()) goals.push_back(goal.atom);
  Relaxation relaxation(program, goals);
  State many;
  State state = circuit->initial();
  for (std::size_t i = 0; i < 40; ++i) {
    many.insert(many.end(), state.begin(), state.end());
    const Expansion all = simulator.expand(state, 1000, false);
    if (all.after.states.empty()) {
      state = circuit->initial();
    } else {
      const std::size_t count = all.after.states.size() / state.size();
      const auto from =
          all.after.states.begin() + static_cast<std::ptrdiff_t>(i * 7 % count * state.size());
      state.assign(from, from + static_cast<std::ptrdiff_t>(state.size()));
    }
  }
  std::vector<std::uint16_t> together;
  relaxation(many, together);
  for (std::size_t i = 0; i < 40; ++i) {
    std::vector<std::uint16_t> alone;
    relaxation({many.data() + i * state.size(), state.size()}, alone);
    CHECK(alone[0] == together[i]);
  }
}

TEST(options_of_plans_without_sense_are_refused) {
  const auto circuit = compile(filling_game(3));
  const auto simulator = std::make_shared<Simulator>(circuit, "base", 1);
  const State start = circuit->initial();
  const State wrong(start.size() + 1, 0);
  SpaceOptions space;
  CHECK_THROWS(SpaceSearch(simulator, nullptr, space, wrong), std::invalid_argument);
  space.depth_weight = 0;
  CHECK_THROWS(SpaceSearch(simulator, nullptr, space, start), std::invalid_argument);
  space.distance_weight = 1;
  CHECK_THROWS(SpaceSearch(simulator, nullptr, space, start), std::invalid_argument);
  space = {};
  space.ignored = wrong;
  CHECK_THROWS(SpaceSearch(simulator, nullptr, space, start), std::invalid_argument);
  NestedOptions nested;
  CHECK_THROWS(NestedRollouts(simulator, nullptr, nested, wrong), std::invalid_argument);
  nested.lanes = 0;
  CHECK_THROWS(NestedRollouts(simulator, nullptr, nested, start), std::invalid_argument);
}

TEST(nested_rollouts_find_what_can_be_reached) {
  std::size_t found = 0;
  for (std::uint32_t seed = 1; seed < 400; ++seed) {
    const auto circuit = compile(random_game(seed));
    const auto simulator = std::make_shared<Simulator>(circuit, "base", 1);
    const State start = circuit->initial();
    const std::optional<Ends> ends = ends_of(*simulator, start, 3000);
    if (!ends || !ends->best()) continue;
    for (const bool by_turn : {false, true}) {
      NestedOptions options;
      options.lanes = 8;
      options.iterations = 8;
      options.horizon = 200;
      options.by_turn = by_turn;
      NestedRollouts search(simulator, nullptr, options, start);
      std::int64_t best = -1;
      for (int i = 0; i < 4; ++i) {
        if (search.go_on(best, 0.001)) best = search.goal();
      }
      CHECK(best <= static_cast<std::int64_t>(*ends->best()));
      found += best == static_cast<std::int64_t>(*ends->best());
    }
  }
  CHECK(found > 10);
}
