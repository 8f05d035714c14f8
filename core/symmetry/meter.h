// When a search has to end, asked often and cheaply.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

#include "util/stopwatch.h"

namespace woodstock::symmetry {

struct SearchLimits {
  Clock::time_point deadline = Clock::time_point::max();
  std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
  // Asked now and then; false ends the search as the deadline does.
  std::function<bool()> go_on;
};

// Counts work in memory accesses or so, and looks at the clock when there was enough of it: first
// at once, then after some hundred microseconds each time.
class Meter {
 public:
  explicit Meter(const SearchLimits& limits) : limits_(limits) {}

  // Whether the search has to end; once it has, it always has.
  bool spend(std::size_t work) {
    constexpr std::size_t enough = 1 << 14;
    work_ += work;
    if (work_ >= enough) look();
    return stopped_;
  }
  // One more node of the search tree.
  bool spend_node() {
    if (nodes_ >= limits_.nodes) {
      stopped_ = true;
    } else {
      ++nodes_;
    }
    return stopped_ || spend(16);
  }

  bool stopped() const noexcept { return stopped_; }
  std::uint64_t nodes() const noexcept { return nodes_; }

 private:
  void look() {
    work_ = 0;
    stopped_ = stopped_ || Clock::now() >= limits_.deadline || (limits_.go_on && !limits_.go_on());
  }

  const SearchLimits& limits_;
  std::size_t work_ = std::numeric_limits<std::size_t>::max() / 2;
  std::uint64_t nodes_ = 0;
  bool stopped_ = false;
};

}  // namespace woodstock::symmetry
