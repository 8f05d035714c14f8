#include "search/halving.h"

#include <algorithm>
#include <bit>

namespace woodstock {

float best_lower(std::span<const Arm> arms) noexcept {
  float best = 0;
  for (const Arm& arm : arms) best = std::max(best, arm.lower);
  return best;
}

namespace {

double mean(const Arm& arm) {
  const double value = arm.visits == 0 ? 0.0 : arm.sum / arm.visits;
  return std::clamp(value, static_cast<double>(arm.lower), static_cast<double>(arm.upper));
}

}  // namespace

void Halving::start(std::span<const Arm> arms, std::uint32_t grain) {
  grain_ = grain;
  round_ = 0;
  alive_.clear();
  const float least = best_lower(arms);
  for (std::uint32_t i = 0; i < arms.size(); ++i) {
    if (!closed(arms[i], least)) alive_.push_back(i);
  }
  rounds_ = std::max(1U, static_cast<std::uint32_t>(std::bit_width(alive_.size() - 1)));
  given_.assign(alive_.size(), 0);
}

void Halving::advance(std::span<const Arm> arms, double spent) {
  const float least = best_lower(arms);
  bool dropped = false;
  std::erase_if(alive_, [&](std::uint32_t i) {
    const bool out = closed(arms[i], least);
    dropped |= out;
    return out;
  });
  // Rounds are shares of the whole time, whatever it is counted in, so the last is over when time
  // is.
  const auto due = static_cast<std::uint32_t>(spent * rounds_);
  while (round_ < due && alive_.size() > 2) {
    ++round_;
    // Arms nobody has tried yet stay: there was no time for them.
    std::stable_sort(alive_.begin(), alive_.end(), [&](std::uint32_t a, std::uint32_t b) {
      if ((arms[a].visits == 0) != (arms[b].visits == 0)) return arms[a].visits == 0;
      return mean(arms[a]) > mean(arms[b]);
    });
    alive_.resize((alive_.size() + 1) / 2);
    dropped = true;
  }
  // Where all that is left is proved, there is nothing to share out any more.
  if (std::all_of(alive_.begin(), alive_.end(),
                  [&](std::uint32_t i) { return arms[i].lower == arms[i].upper; })) {
    alive_.clear();
  }
  if (dropped) given_.assign(alive_.size(), 0);
}

std::uint32_t Halving::choose(std::span<const Arm> arms) {
  // An arm that is proved needs no more time.
  std::size_t best = 0;
  bool found = false;
  for (std::size_t i = 0; i < alive_.size(); ++i) {
    const Arm& arm = arms[alive_[i]];
    if (arm.lower == arm.upper) continue;
    if (!found || given_[i] < given_[best]) best = i;
    found = true;
  }
  given_[best] += grain_;
  return alive_[best];
}

}  // namespace woodstock
