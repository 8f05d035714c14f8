#include "belief/particle_filter.h"

#include <cmath>
#include <stdexcept>

#include "belief_sample.h"

using namespace sample;
using namespace woodstock;

namespace {

const auto forever = Clock::time_point::max();

}  // namespace

TEST(a_belief_is_what_agrees_with_the_percepts) {
  const GroundProgram program = guessing_game(6);
  const auto simulator = simulator_of(program);
  ParticleFilter filter(simulator, player);
  const Hypotheses start = beginning(*simulator);
  const ObservedTurn observed = odd_number(program);
  Hypotheses all;
  CHECK(filter.all(start, observed, 100, 100, forever, all));
  CHECK(all.size() == 3);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(std::abs(all.weights[i] - 1.0 / 6) < 1e-12);
    // Who hid it remembers what it was; who looks remembers the same whatever it is.
    CHECK(all.memories[2 * i + player] == all.memories[player]);
    CHECK(i == 0 || all.memories[2 * i + chance] != all.memories[chance]);
  }
  CHECK(!filter.all(start, observed, 5, 100, forever, all));
  CHECK(!filter.all(start, observed, 100, 2, forever, all));

  Hypotheses some;
  filter.some(start, observed, 3000, 100'000, 1, forever, forever, some);
  CHECK(some.size() == 3);
  for (double weight : some.weights) CHECK(std::abs(weight - 1000) < 150);

  std::vector<std::uint8_t> excluded(program.moves().size());
  for (std::uint32_t k : {0U, 2U, 4U, 1U}) excluded[move_of(program, 200 + k)] = 1;
  ObservedTurn known = observed;
  known.excluded = excluded;
  CHECK(filter.all(start, known, 100, 100, forever, all));
  CHECK(all.size() == 2);
  CHECK(std::abs(all.weights[0] - 1.0 / 6) < 1e-12);

  ObservedTurn blind = observed;
  blind.blind = true;
  CHECK(filter.all(start, blind, 100, 100, forever, all));
  CHECK(all.size() == 6);
  // Nothing follows on what is over.
  ObservedTurn never_seen = observed;
  never_seen.seen ^= 1;
  CHECK(filter.all(start, never_seen, 100, 100, forever, all));
  CHECK(all.size() == 0);

  all = {start.states, {0.25, 0.75}, {1, 2, 3, 4}};
  all.states.insert(all.states.end(), start.states.begin(), start.states.end());
  filter.forget(all, 7);
  CHECK(all.size() == 1 && all.weights[0] == 1.0);
  CHECK(all.memories[0] == 1 || all.memories[0] == 3);

  Hypotheses wrong = start;
  wrong.memories.pop_back();
  CHECK_THROWS(filter.all(wrong, observed, 100, 100, forever, all), std::invalid_argument);
}
