// How long something takes, and when it has to end.

#pragma once

#include <chrono>

namespace woodstock {

using Clock = std::chrono::steady_clock;

// So many seconds from now; never, for more than there will be or no number.
Clock::time_point deadline_in(double seconds);

// Runs from when it is made on.
class Stopwatch {
 public:
  Stopwatch();

  Clock::time_point begin() const noexcept { return begin_; }
  double seconds() const;
  double cpu_seconds() const;  // of the thread that made it, which has to be the one that asks

 private:
  Clock::time_point begin_;
  double cpu_begin_;
};

}  // namespace woodstock
