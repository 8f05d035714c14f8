#include <atomic>
#include <memory>
#include <stdexcept>
#include <vector>

#include "circuit_sample.h"
#include "learn/trainer.h"

using namespace sample;
using namespace woodstock;
using namespace woodstock::learn;

namespace {

TrainerOptions quick() {
  TrainerOptions options;
  options.games = 16;
  options.first = options.round = 256;
  options.opening = 1;
  return options;
}

std::vector<std::uint8_t> trained(const std::shared_ptr<Circuit>& circuit, TrainerOptions options,
                                  std::uint64_t positions) {
  const auto features = std::make_shared<const Features>(
      static_cast<std::uint32_t>(circuit->fluents()), std::vector<Pattern>{});
  Trainer trainer(circuit, features, options);
  const std::atomic<bool> stop{false};
  TrainingLimits limits;
  limits.positions = positions;
  trainer.go_on(limits, stop, {});
  return to_bytes(*trainer.net());
}

}  // namespace

TEST(the_same_seed_and_positions_give_the_same_net) {
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    const auto circuit = compile(seed == 0 ? filling_game(5) : random_game(seed));
    Simulator simulator(circuit, "base", 1);
    Visits start;
    simulator.visit(circuit->initial(), {}, start);
    bool over = start.terminal[0] != 0;
    for (std::uint32_t r = 0; r < circuit->roles(); ++r) {
      over = over || start.legal_begin[r] == start.legal_begin[r + 1];
    }
    TrainerOptions options = quick();
    if (over) {
      CHECK_THROWS(trained(circuit, options, 1000), std::invalid_argument);
      continue;
    }
    for (std::uint32_t threads : {1U, 2U}) {
      options.threads = threads;
      options.seed = 7;
      const auto once = trained(circuit, options, 1500);
      CHECK(once == trained(circuit, options, 1500));
      options.seed = 8;
      CHECK(once != trained(circuit, options, 1500));
    }
  }
}

TEST(the_difference_of_goals_is_one_of_two_players) {
  const auto circuit = compile(filling_game(5));
  TrainerOptions options = quick();
  const auto plain = trained(circuit, options, 1000);
  // Goals that are opposed anyway are what their difference is.
  options.difference = true;
  CHECK(trained(circuit, options, 1000) == plain);
  options.chance = 0;
  CHECK_THROWS(trained(circuit, options, 1000), std::invalid_argument);
}

TEST(training_stops_when_told) {
  const auto circuit = compile(filling_game(5));
  const auto features = std::make_shared<const Features>(
      static_cast<std::uint32_t>(circuit->fluents()), std::vector<Pattern>{});
  Trainer trainer(circuit, features, quick());
  const std::atomic<bool> stopped{true};
  trainer.go_on({}, stopped, {});
  CHECK(trainer.net() == nullptr);
  const std::atomic<bool> going{false};
  std::uint64_t rounds = 0;
  const TrainingProgress progress = trainer.go_on({}, going, [&](const TrainingProgress& now) {
    CHECK(now.rounds == ++rounds);
    return rounds < 5;
  });
  CHECK(progress.rounds == 5 && progress.positions >= 5 * 256 && progress.games > 0);
  CHECK(trainer.net() != nullptr);
}

TEST(features_of_another_game_are_refused) {
  const auto circuit = compile(filling_game(5));
  const auto features = std::make_shared<const Features>(
      static_cast<std::uint32_t>(circuit->fluents()) + 1, std::vector<Pattern>{});
  CHECK_THROWS(Trainer(circuit, features, quick()), std::invalid_argument);
  TrainerOptions wrong = quick();
  wrong.rate = 0;
  CHECK_THROWS(wrong.check(), std::invalid_argument);
}
