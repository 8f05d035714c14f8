#include "belief/resample_move.h"

#include <cmath>
#include <stdexcept>

#include "belief/particle_filter.h"
#include "belief_sample.h"

using namespace sample;
using namespace woodstock;

namespace {

const auto forever = Clock::time_point::max();

}  // namespace

TEST(one_match_is_changed_into_all_that_agree) {
  const GroundProgram program = guessing_game(6);
  const auto simulator = simulator_of(program);
  ParticleFilter filter(simulator, player);
  const Hypotheses start = beginning(*simulator);
  const ObservedTurn odd = odd_number(program);
  const std::vector<ObservedTurn> told{odd};
  ObservedTurn blind = odd;
  blind.blind = true;
  Hypotheses all;
  CHECK(filter.all(start, odd, 100, 100, forever, all));
  Hypotheses some;
  filter.rejuvenate(all, told, 3000, 100'000, 1, forever, some);
  CHECK(some.size() == 3 && some.ancestors(1) == 1);
  for (double weight : some.weights) CHECK(std::abs(weight - 1000) < 150);
  for (std::size_t i = 0; i < some.size(); ++i) CHECK(some.memories[2 * i] == all.memories[0]);
  // A match that does not agree leads to those that do.
  CHECK(filter.all(start, blind, 100, 100, forever, all));
  all.weights = {1, 0, 0, 0, 0, 0};
  filter.rejuvenate(all, told, 10, 10'000, 1, forever, some);
  CHECK(some.size() == 3);
  // One that is a turn behind is played on.
  filter.rejuvenate(start, told, 100, 10'000, 1, forever, some);
  CHECK(some.size() == 3);
  ObservedTurn never_seen = odd;
  never_seen.seen ^= 1;
  const std::vector<ObservedTurn> lie{never_seen};
  filter.rejuvenate(start, lie, 100, 10'000, 1, forever, some);
  CHECK(some.size() == 0);
  filter.rejuvenate(start, told, 100, 0, 1, forever, some);
  CHECK(some.size() == 0);
  filter.rejuvenate(all, told, 0, 10'000, 1, forever, some);
  CHECK(some.size() == 0);
  all.weights.pop_back();
  CHECK_THROWS(filter.rejuvenate(all, told, 10, 10'000, 1, forever, some), std::invalid_argument);
}
