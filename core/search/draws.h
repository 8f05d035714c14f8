// The random numbers of a search: one stream for its choices, and seeds for its batches of
// playouts.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "util/random.h"

namespace woodstock {

class Draws : public RandomStream {
 public:
  explicit constexpr Draws(std::uint64_t seed) noexcept
      : RandomStream(scatter(seed + golden_gamma)), batch_(scatter(seed + 2 * golden_gamma)) {}

  // A factor around 1 for exploration. Without it, those who choose at the same time, or do not see
  // what the others do, follow each other in step: they all change their minds together.
  constexpr double nudge() noexcept { return 0.5 + luck(); }

  // The seed of the next batch of playouts.
  constexpr std::uint64_t next_batch() noexcept { return ++batch_; }

 private:
  std::uint64_t batch_;
};

// Systematic sampling: draws `count` places by weight, given the running sums of the weights, and
// tells `take` their numbers. One luck for all, so every place gets its share of the draws, give or
// take one.
template <class Take>
void draw_evenly(std::span<const double> sums, std::size_t count, double luck, Take take) {
  const double step = sums.back() / static_cast<double>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double at = (static_cast<double>(i) + luck) * step;
    const auto found = std::upper_bound(sums.begin(), sums.end(), at) - sums.begin();
    // Rounding may lead beyond the last.
    take(i, std::min(static_cast<std::size_t>(found), sums.size() - 1));
  }
}

}  // namespace woodstock
