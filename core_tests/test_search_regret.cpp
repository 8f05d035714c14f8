#include "search/regret.h"

#include <cmath>
#include <vector>

#include "check.h"

using namespace woodstock;

namespace {

constexpr auto all = [](std::uint32_t) { return true; };

bool close(double a, double b) { return std::abs(a - b) < 1e-6; }

}  // namespace

TEST(regret_matching_plays_by_positive_regrets) {
  std::vector<Regret> regrets{{3, 0}, {-1, 0}, {1, 0}};
  const RegretMatching matching(regrets);
  CHECK(close(matching.share(regrets[0]), 0.75) && matching.share(regrets[1]) == 0);
  // Only among the arms that are open.
  const RegretMatching some(regrets, [](std::uint32_t i) { return i != 0; });
  CHECK(close(some.share(regrets[2]), 1));
  // Evenly where nothing is regretted.
  const RegretMatching none(regrets, [](std::uint32_t i) { return i == 1; });
  CHECK(close(none.share(regrets[1]), 1));
}

TEST(a_move_is_drawn_by_luck_and_told_its_probability) {
  std::vector<Regret> regrets{{3, 0}, {0, 0}, {1, 0}};
  DrawnArm drawn = draw_by_regret(std::span(regrets), all, {.mixing = 0}, 0.7);
  CHECK(drawn.arm == 0 && close(drawn.probability, 0.75));
  drawn = draw_by_regret(std::span(regrets), all, {.mixing = 0}, 0.75);
  CHECK(drawn.arm == 2 && close(drawn.probability, 0.25));
  // With mixing, also what is not regretted is tried.
  drawn = draw_by_regret(std::span(regrets), all, {.mixing = 0.3}, 0.65);
  CHECK(drawn.arm == 1 && close(drawn.probability, 0.1));
  drawn = draw_by_regret(std::span(regrets), [](std::uint32_t) { return false; }, {}, 0.5);
  CHECK(drawn.arm == no_arm);
}

TEST(what_is_never_played_is_never_drawn_whatever_sums_are_rounded_to) {
  std::vector<Regret> regrets{{1, 0}, {0, 0}};
  const DrawnArm drawn = draw_by_regret(std::span(regrets), all, {.mixing = 0}, 1.0);
  CHECK(drawn.arm == 0 && drawn.probability == 1);
}

TEST(only_draws_that_are_to_count_make_the_average_strategy) {
  std::vector<Regret> regrets{{1, 0}, {1, 0}};
  draw_by_regret(std::span(regrets), all, {.mixing = 0.1, .average = false}, 0.5);
  CHECK(regrets[0].strategy == 0 && regrets[1].strategy == 0);
  // The strategy counts, not what was mixed in, and not only for what was drawn.
  regrets[0].regret = 3;
  draw_by_regret(std::span(regrets), all, {.mixing = 0.1, .average = true}, 0.5);
  CHECK(close(regrets[0].strategy, 0.75) && close(regrets[1].strategy, 0.25));
}

TEST(an_outcome_counts_for_more_the_more_rarely_its_move_is_drawn) {
  std::vector<Regret> regrets{{0.5F, 0}, {0.5F, 0}};
  learn_from_outcome(std::span(regrets), 1, 0.25F, 0.4F);
  CHECK(close(regrets[0].regret, 0.1) && close(regrets[1].regret, 0.5 + 1.6 - 0.4));
  learn_from_outcome(std::span(regrets), 1, 1.0F, 1.0F);
  CHECK(regrets[0].regret == 0);  // not below
}

TEST(with_baselines_only_what_came_out_differently_is_weighed) {
  const std::vector<Arm> arms{{0, 10, 0, no_node, 5, 0, 1}, {1, 0, 0, no_node, 0, 0, 1}};
  // The second has no visits: the usual is expected of it. All goes as expected: nothing is learnt.
  std::vector<Regret> regrets{{1, 0}, {1, 0}};
  double value = learn_with_baselines(std::span(regrets), arms, 0.5, 0, 0.1, 0.5);
  CHECK(close(value, 0.5) && close(regrets[0].regret, 1) && close(regrets[1].regret, 1));
  // It brings 0.1 more, and is drawn every second time.
  value = learn_with_baselines(std::span(regrets), arms, 0.5, 0, 0.5, 0.6);
  CHECK(close(value, 0.6) && close(regrets[0].regret, 1.1) && close(regrets[1].regret, 0.9));
}

TEST(both_ways_of_learning_find_the_better_move) {
  for (const bool baselines : {false, true}) {
    std::vector<Regret> regrets(3, Regret{0, 0});
    std::vector<Arm> arms(3, Arm{0, 0, 0, no_node, 0, 0, 1});
    const std::vector<double> worth{0.2, 0.7, 0.5};
    for (int i = 0; i < 3000; ++i) {
      const double luck = std::fmod(i * 0.6180339887, 1.0);
      const DrawnArm drawn =
          draw_by_regret(std::span(regrets), all, {.mixing = 0.1, .average = true}, luck);
      const double value = worth[drawn.arm];
      if (baselines) {
        learn_with_baselines(std::span(regrets), arms, 0.5, drawn.arm, drawn.probability, value);
      } else {
        learn_from_outcome(std::span(regrets), drawn.arm, static_cast<float>(drawn.probability),
                           static_cast<float>(value));
      }
      arms[drawn.arm].visits += 1;
      arms[drawn.arm].sum += value;
    }
    CHECK(regrets[1].strategy > 0.9F * 3000);
  }
}
