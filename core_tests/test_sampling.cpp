#include <algorithm>
#include <memory>

#include "check.h"
#include "ground/evaluator.h"
#include "ground/sampling.h"
#include "sample.h"

using namespace sample;
using woodstock::SamplingLimits;
using woodstock::StateBytes;

namespace {

std::vector<StateBytes> states_of(const std::shared_ptr<GroundProgram>& program,
                                  const SamplingLimits& limits) {
  std::vector<StateBytes> states;
  woodstock::sample_states(program, limits, [&](std::span<const std::uint8_t> state) {
    states.emplace_back(state.begin(), state.end());
  });
  return states;
}

}  // namespace

TEST(random_play_runs_from_the_initial_to_terminal_states) {
  const auto program = std::make_shared<GroundProgram>(filling_game(4));
  SamplingLimits limits;
  limits.games = 3;
  const auto states = states_of(program, limits);
  CHECK(states.size() == 3 * 5);  // four moves a game
  woodstock::Evaluator evaluator(program);
  for (std::size_t i = 0; i < states.size(); ++i) {
    CHECK(evaluator.analyse(states[i]).terminal == (i % 5 == 4));
    CHECK((states[i] == evaluator.initial()) == (i % 5 == 0));
  }
}

TEST(the_seed_decides_the_games) {
  const auto program = std::make_shared<GroundProgram>(filling_game(6));
  SamplingLimits limits;
  const auto first = states_of(program, limits);
  CHECK(first == states_of(program, limits));
  limits.seed = 2;
  CHECK(first != states_of(program, limits));
}

TEST(limits_end_random_play) {
  const auto program = std::make_shared<GroundProgram>(filling_game(4));
  SamplingLimits limits;
  limits.plies = 2;
  limits.games = 5;
  CHECK(states_of(program, limits).size() == 10);
  limits.literals = 0;
  CHECK(states_of(program, limits).empty());
}
