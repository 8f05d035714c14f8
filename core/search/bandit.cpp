#include "search/bandit.h"

namespace woodstock {

Logarithms::Logarithms(std::uint32_t step) : known_(std::size_t{1} << 14) {
  while ((std::uint32_t{1} << shift_) < step) ++shift_;
}

Picked pick_free_arm(std::span<const Arm> arms, double width, double first) {
  // Dividing and taking roots is what choosing costs, and it takes no longer for two than for one.
  // Both are exact, so scores are those of pick_arm to the bit.
  constexpr std::size_t at_once = 64;
  double sums[at_once];
  double visits[at_once];
  double tries[at_once];
  double scores[at_once];
  Picked best;
  for (std::size_t begin = 0; begin < arms.size(); begin += at_once) {
    const std::size_t count = std::min(at_once, arms.size() - begin);
    for (std::size_t i = 0; i < count; ++i) {
      const Arm& arm = arms[begin + i];
      if (arm.lower > 0 || arm.upper < 1) return {};
      sums[i] = arm.visits == 0 ? first : arm.sum;
      visits[i] = arm.visits == 0 ? 1.0 : static_cast<double>(arm.visits);
      tries[i] = std::max(1.0, tries_of(arm));
    }
    // In pairs: the last one may have nobody beside it.
    const std::size_t even = (count + 1) & ~std::size_t{1};
    if (even != count) {
      sums[count] = 0;
      visits[count] = tries[count] = 1;
    }
    for (std::size_t i = 0; i < even; ++i) {
      scores[i] = sums[i] / visits[i] + std::sqrt(width / tries[i]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (scores[i] > best.score) best = {static_cast<std::uint32_t>(begin + i), scores[i]};
    }
  }
  return best;
}

}  // namespace woodstock
