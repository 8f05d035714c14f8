// Regret matching: moves are drawn in proportion to how much better they would have been (Hart and
// Mas-Colell 2000), and what came of them is turned into regrets.

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "search/bandit.h"
#include "search/tree.h"

namespace woodstock {

// The current strategy over the arms with open(i): by positive regrets, evenly where there are
// none.
class RegretMatching {
 public:
  template <class Open>
  RegretMatching(std::span<const Regret> regrets, Open open) {
    for (std::uint32_t i = 0; i < regrets.size(); ++i) {
      if (!open(i)) continue;
      sum_ += std::max(0.0F, regrets[i].regret);
      count_ += 1;
    }
  }
  explicit RegretMatching(std::span<const Regret> regrets)
      : RegretMatching(regrets, [](std::uint32_t) { return true; }) {}

  double even() const noexcept { return 1 / count_; }
  double share(const Regret& regret) const noexcept {
    return sum_ > 0 ? std::max(0.0F, regret.regret) / sum_ : even();
  }

 private:
  double sum_ = 0;
  double count_ = 0;
};

// How a move is drawn.
//   mixing   the share of the even distribution: who learns must try everything
//   average  whether the strategy counts for the average, which is what is played in the end
struct RegretDraw {
  double mixing = 0;
  bool average = true;
};

struct DrawnArm {
  std::uint32_t arm = no_arm;
  double probability = 0;  // with which it was drawn
};

// `luck` is between 0 and 1. Arms of probability 0 are never drawn, also where sums are rounded.
template <class Open>
DrawnArm draw_by_regret(std::span<Regret> regrets, Open open, const RegretDraw& how, double luck) {
  const RegretMatching matching(regrets, open);
  DrawnArm drawn;
  for (std::uint32_t i = 0; i < regrets.size(); ++i) {
    if (!open(i)) continue;
    const double matched = matching.share(regrets[i]);
    if (how.average) regrets[i].strategy += static_cast<float>(matched);
    if (drawn.arm != no_arm && luck < 0) continue;  // it has been found
    const double share = (1 - how.mixing) * matched + how.mixing * matching.even();
    if (share > 0) drawn = {i, share};
    luck -= share;
  }
  return drawn;
}

// Outcome sampling without baselines: the arm that was drawn would have brought what came out,
// weighed by how rarely it is drawn, the others nothing; against that stands what came out.
// Regrets stay positive, as in CFR+.
inline void learn_from_outcome(std::span<Regret> regrets, std::uint32_t arm, float probability,
                               float value) {
  for (std::uint32_t i = 0; i < regrets.size(); ++i) {
    const float would = i == arm ? value / probability : 0.0F;
    regrets[i].regret = std::max(0.0F, regrets[i].regret + would - value);
  }
}

// Outcome sampling with baselines (Schmid et al. 2019): an arm is taken to bring its mean so far,
// `usual` without one; the arm that was drawn that and, weighed by how rarely it is drawn, what
// came out more. What the strategy expects of that is the value of the choice, and is given back:
// it is what came out as far as choices before it are concerned.
inline double learn_with_baselines(std::span<Regret> regrets, std::span<const Arm> arms,
                                   double usual, std::uint32_t arm, double probability,
                                   double value) {
  const auto baseline = [&](std::uint32_t i) { return mean_of(arms[i], usual); };
  const double made = baseline(arm) + (value - baseline(arm)) / probability;
  const auto would = [&](std::uint32_t i) { return i == arm ? made : baseline(i); };
  const RegretMatching matching(regrets);
  double expected = 0;
  for (std::uint32_t i = 0; i < regrets.size(); ++i) {
    expected += matching.share(regrets[i]) * would(i);
  }
  for (std::uint32_t i = 0; i < regrets.size(); ++i) {
    const double gain = would(i) - expected;
    regrets[i].regret = static_cast<float>(std::max(0.0, regrets[i].regret + gain));
  }
  return expected;
}

}  // namespace woodstock
