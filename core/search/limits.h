// When a search has to end.

#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

#include "util/stopwatch.h"

namespace woodstock {

// The first limit that is reached ends a search; by default there is none. Nodes and simulations
// are counted from the beginning of the call.
struct Limits {
  Clock::time_point deadline = Clock::time_point::max();
  double cpu_seconds = std::numeric_limits<double>::infinity();  // of the calling thread
  std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t simulations = std::numeric_limits<std::uint64_t>::max();
};

// Looks at the clocks for one call of a search.
class Watch {
 public:
  // `stop` may be set by another thread; it must outlive the watch.
  Watch(const Limits& limits, const std::atomic<bool>& stop);

  // What has been used up: 0 at the beginning, 1 and more when the search is over. Two searches
  // with limits on nodes and simulations alone see the same numbers.
  double spent(std::uint64_t nodes, std::uint64_t simulations) const;

  // Whether that is 1 or more, for searches that ask very often: clocks are looked at no more than
  // every tenth of a millisecond.
  bool over(std::uint64_t nodes, std::uint64_t simulations);

  // Whether clocks or the stop flag end the search now, whatever has been counted.
  bool out_of_time() const;

  // Seconds until clocks end it; infinite without limits on time.
  double left() const;

  double seconds() const { return begun_.seconds(); }
  double cpu_seconds() const { return begun_.cpu_seconds(); }

 private:
  Limits limits_;
  const std::atomic<bool>& stop_;
  Stopwatch begun_;
  Clock::time_point looked_{};
};

}  // namespace woodstock
