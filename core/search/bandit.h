// Which arm is tried next: upper confidence bounds, on means that may know more than the arm's own
// visits.
//
// Searches differ in which arms are open to them, in what they take an arm to be worth, and in
// whether luck has a say; the rule is the same.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "search/tree.h"

namespace woodstock {

constexpr std::uint32_t no_arm = 0xffffffffU;

struct Picked {
  std::uint32_t arm = no_arm;  // no_arm: none is open
  double score = -std::numeric_limits<double>::infinity();
};

// Visits under way count as tries, so that the next simulation looks elsewhere.
inline double tries_of(const Arm& arm) { return static_cast<double>(arm.visits) + arm.pending; }

// What an arm without visits is worth is up to the caller.
inline double mean_of(const Arm& arm, double otherwise) {
  return arm.visits == 0 ? otherwise : arm.sum / arm.visits;
}

// The mean of all visits to a node; the middle without any.
inline double mean_of(double sum, std::uint32_t visits) {
  return visits == 0 ? 0.5 : sum / static_cast<double>(visits);
}

// C^2 ln N, for a node with so many visits, those under way apart.
inline double exploration_width(double exploration, std::uint32_t visits, std::uint32_t pending) {
  return exploration * exploration * std::log(1.0 + visits + pending);
}

// ln(1 + n), remembered where n is a small multiple of a step (a power of two), as the visits of
// most nodes are.
class Logarithms {
 public:
  explicit Logarithms(std::uint32_t step);

  double operator()(std::uint64_t n) {
    const std::uint64_t place = n >> shift_;
    if (place >= known_.size() || place << shift_ != n) {
      return std::log(1.0 + static_cast<double>(n));
    }
    // Worked out when it is asked for the first time: making a search takes no time.
    double& known = known_[place];
    if (known == 0) known = std::log(1.0 + static_cast<double>(n));
    return known;
  }

 private:
  unsigned shift_ = 0;
  std::vector<double> known_;
};

// GRAVE: a mean of few tries is drawn towards the all-moves-as-first mean of the move.
inline double with_amaf(double mean, double tries, const Amaf& known, double bias) {
  const double games = known.games;
  const double weight = games / (games + tries + bias * games * tries);
  return games > 0 ? mean + weight * (known.sum / games - mean) : mean;
}

// Whether a node is worth a table of moves: somewhat before it is a reference for those below it.
inline bool earns_amaf(std::uint32_t visits, double reference) { return 2.0 * visits >= reference; }

// The arm of the highest estimate(i) + luck() * sqrt(width / tries), of those with open(i); the
// first of several.
template <class Open, class Estimate, class Luck>
Picked pick_arm(std::span<const Arm> arms, double width, Open open, Estimate estimate, Luck luck) {
  Picked best;
  for (std::uint32_t i = 0; i < arms.size(); ++i) {
    if (!open(i)) continue;
    const double worth = estimate(i);
    const double score = worth + luck() * std::sqrt(width / std::max(1.0, tries_of(arms[i])));
    if (score > best.score) best = {i, score};
  }
  return best;
}

// The same, faster, for the commonest case: all arms are open and worth their means, an arm without
// visits `first`, and there is no luck. no_arm where some arm has bounds to be kept to.
Picked pick_free_arm(std::span<const Arm> arms, double width, double first);

}  // namespace woodstock
