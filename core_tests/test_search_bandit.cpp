#include "search/bandit.h"

#include <cmath>
#include <random>
#include <vector>

#include "check.h"
#include "search/decider.h"

using namespace woodstock;

namespace {

Arm arm(std::uint32_t visits, double mean, std::uint32_t pending = 0) {
  return {.move = 0,
          .visits = visits,
          .pending = pending,
          .child = no_node,
          .sum = visits * mean,
          .lower = 0,
          .upper = 1};
}

constexpr auto all = [](std::uint32_t) { return true; };
constexpr auto certain = [] { return 1.0; };

}  // namespace

TEST(an_arm_is_picked_by_its_mean_and_by_how_rarely_it_was_tried) {
  const std::vector<Arm> arms{arm(100, 0.6), arm(4, 0.5), arm(100, 0.6)};
  const auto mean = [&](std::uint32_t i) { return mean_of(arms[i], 0.5); };
  // Without exploration the best mean, the first of several.
  CHECK(pick_arm(arms, 0, all, mean, certain).arm == 0);
  const double width = exploration_width(1, 204, 0);
  CHECK(std::abs(width - std::log(205.0)) < 1e-12);
  const Picked picked = pick_arm(arms, width, all, mean, certain);
  CHECK(picked.arm == 1);
  CHECK(std::abs(picked.score - (0.5 + std::sqrt(width / 4))) < 1e-12);
  // Simulations under way count as tries.
  const std::vector<Arm> busy{arm(100, 0.6), arm(4, 0.5, 1000)};
  CHECK(pick_arm(busy, width, all, mean, certain).arm == 0);
}

TEST(arms_that_are_not_open_are_not_picked) {
  const std::vector<Arm> arms{arm(1, 0.9), arm(1, 0.1)};
  const auto mean = [&](std::uint32_t i) { return mean_of(arms[i], 0.5); };
  CHECK(pick_arm(arms, 1, [](std::uint32_t i) { return i == 1; }, mean, certain).arm == 1);
  CHECK(pick_arm(arms, 1, [](std::uint32_t) { return false; }, mean, certain).arm == no_arm);
}

TEST(luck_is_asked_once_for_every_open_arm) {
  const std::vector<Arm> arms{arm(1, 0.5), arm(1, 0.5), arm(1, 0.5)};
  int asked = 0;
  const auto luck = [&] { return ++asked == 2 ? 1.5 : 0.5; };
  const auto open = [](std::uint32_t i) { return i != 0; };
  CHECK(pick_arm(arms, 1, open, [](std::uint32_t) { return 0.5; }, luck).arm == 2);
  CHECK(asked == 2);
}

TEST(all_moves_as_first_count_as_long_as_tries_are_few) {
  const Amaf known{100, 80};
  CHECK(with_amaf(0.2, 0, known, 1e-5) == 0.2 + (known.sum / 100.0 - 0.2));
  const double some = with_amaf(0.2, 100, known, 0);
  CHECK(std::abs(some - 0.5) < 1e-9);
  CHECK(with_amaf(0.2, 100, known, 1) < some);  // the greater the bias, the sooner its own mean
  CHECK(with_amaf(0.2, 0, Amaf{0, 0}, 1e-5) == 0.2);
  CHECK(earns_amaf(25, 50) && !earns_amaf(24, 50));
}

TEST(a_mixed_strategy_is_drawn_without_what_is_negligible) {
  const std::vector<double> shares{1, 60, 0, 39};  // the first is below a fiftieth
  CHECK(draw_by_share(shares, 0) == 1);
  CHECK(draw_by_share(shares, 0.6) == 1);
  CHECK(draw_by_share(shares, 0.61) == 3);
  CHECK(draw_by_share(shares, 1) == 3);
  CHECK(draw_by_share(std::vector<double>{0, 0}, 0.5) == no_arm);
}

TEST(free_arms_are_picked_as_one_by_one_to_the_bit) {
  std::mt19937 rng(1);
  for (std::size_t count = 1; count < 150; ++count) {
    std::vector<Arm> arms;
    for (std::size_t i = 0; i < count; ++i) {
      const auto visits = static_cast<std::uint32_t>(rng() % 4 == 0 ? 0 : rng() % 5000);
      arms.push_back(arm(visits, static_cast<double>(rng() % 1000) / 999, rng() % 64));
    }
    const double width = exploration_width(0.5, static_cast<std::uint32_t>(rng() % 100'000), 0);
    const auto mean = [&](std::uint32_t i) { return mean_of(arms[i], 0.3); };
    const Picked slow = pick_arm(arms, width, all, mean, certain);
    const Picked fast = pick_free_arm(arms, width, 0.3);
    CHECK(fast.arm == slow.arm && fast.score == slow.score);
    // One that has a bound is for the other to look at.
    arms[rng() % count].upper = 0.5;
    CHECK(pick_free_arm(arms, width, 0.3).arm == no_arm);
  }
}

TEST(logarithms_are_remembered_to_the_bit) {
  for (std::uint32_t step : {1U, 8U, 64U}) {
    Logarithms logarithms(step);
    for (int again = 0; again < 2; ++again) {
      for (std::uint64_t n : {0ULL, 1ULL, 7ULL, 8ULL, 64ULL, 4096ULL, 131'064ULL, 131'072ULL,
                              1'048'512ULL, 8'000'000'000ULL}) {
        CHECK(logarithms(n) == std::log(1.0 + static_cast<double>(n)));
      }
    }
  }
}
