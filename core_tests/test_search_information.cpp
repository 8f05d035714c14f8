#include "search/information_search.h"

#include <atomic>
#include <cmath>
#include <stdexcept>

#include "belief/particle_filter.h"
#include "belief_sample.h"
#include "search/mac_ucb_ii.h"

using namespace sample;
using namespace woodstock;

namespace {

const std::atomic<bool> never{false};
const auto forever = Clock::time_point::max();

Limits simulation_budget(std::uint64_t simulations) {
  Limits limits;
  limits.simulations = simulations;
  return limits;
}

}  // namespace

TEST(stages_of_beliefs_prove_what_a_guess_is_worth) {
  const GroundProgram program = guessing_game(6);
  const auto simulator = simulator_of(program);
  MacUcbIIOptions options;
  options.role = player;
  options.chance = chance;
  MacUcbII search(simulator, options);
  const Decision before = search.think(beginning(*simulator), {}, Limits{}, never, nullptr);
  CHECK(before.proved && std::abs(before.value - 1.0 / 3) < 1e-9);
  ParticleFilter filter(simulator, player);
  Hypotheses belief;
  CHECK(filter.all(beginning(*simulator), odd_number(program), 100, 100, forever, belief));
  belief.weights = {0.2, 0.5, 0.3};
  const Decision found = search.think(belief, {}, Limits{}, never, nullptr);
  CHECK(found.proved && std::abs(found.value - 0.5) < 1e-9);
  CHECK(found.moves.size() == 6);
  const std::vector<std::uint32_t> ours{move_of(program, 300), move_of(program, 301)};
  CHECK(search.think(belief, ours, Limits{}, never, nullptr).moves.size() == 2);
  CHECK_THROWS(search.think(Hypotheses{}, {}, Limits{}, never, nullptr), std::invalid_argument);
  options.role = chance;
  CHECK_THROWS(MacUcbII(simulator, options), std::invalid_argument);
}

TEST(information_sets_do_not_see_what_is_hidden) {
  const GroundProgram program = guessing_game(6);
  const auto simulator = simulator_of(program);
  for (Choice choice : {Choice::ucb, Choice::grave, Choice::regret}) {
    for (bool playout_policy : {false, true}) {
      InformationSearchOptions options;
      options.choice = choice;
      options.role = player;
      options.chance = chance;
      options.mixing = 0.1;
      // Only the beginning is known.
      if (playout_policy) options.known_fluents.assign(2 * simulator->circuit().state_size(), 0);
      InformationSearch search(simulator, options);
      InformationSearch again(simulator, options);
      const Decision one =
          search.think(beginning(*simulator), {}, simulation_budget(200'000), never, nullptr);
      const Decision two =
          again.think(beginning(*simulator), {}, simulation_budget(200'000), never, nullptr);
      // Who saw the number would always win, who sees nothing would win every sixth time.
      CHECK(one.values[player] > 0.28 && one.values[player] < 0.345);
      CHECK(one.move == two.move && one.values == two.values && one.nodes == two.nodes);
    }
  }
  InformationSearchOptions options;
  options.known_fluents.assign(3, 0);
  CHECK_THROWS(InformationSearch(simulator, options), std::invalid_argument);
}
