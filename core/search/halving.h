// Sequential halving: the moves at the root share the time evenly, and the worse half drops out
// again and again (Karnin, Koren and Somekh, 2013).

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/tree.h"

namespace woodstock {

class Halving {
 public:
  // Starts with all arms that are not closed. Does nothing at all while it has not been started.
  void start(std::span<const Arm> arms, std::uint32_t grain);
  void end() noexcept { alive_.clear(); }
  bool on() const noexcept { return alive_.size() > 1; }

  // Drops arms as the share of the time that is spent says, and those that have been closed.
  void advance(std::span<const Arm> arms, double spent);

  // The arm that is next: of those alive, the one that has had the least since the round began.
  std::uint32_t choose(std::span<const Arm> arms);

  std::span<const std::uint32_t> alive() const noexcept { return alive_; }

 private:
  std::uint32_t grain_ = 1;
  std::uint32_t round_ = 0;
  std::uint32_t rounds_ = 1;
  std::vector<std::uint32_t> alive_;
  std::vector<std::uint64_t> given_;  // per arm alive, in this round
};

// The best that a player is sure of.
float best_lower(std::span<const Arm> arms) noexcept;

// Whether a player need not look at an arm, since another is proved to be as good or better.
inline bool closed(const Arm& arm, float best) noexcept {
  return arm.upper < best || (arm.upper == best && arm.lower < arm.upper);
}

}  // namespace woodstock
