#include "util/stopwatch.h"

#include <time.h>

namespace woodstock {

namespace {

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

Clock::time_point deadline_in(double seconds) {
  // Thirty years: far from what the clock can count, where a sum would begin anew.
  constexpr double forever = 1e9;
  if (!(seconds < forever)) return Clock::time_point::max();
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

Stopwatch::Stopwatch() : begin_(Clock::now()), cpu_begin_(thread_seconds()) {}

double Stopwatch::seconds() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

double Stopwatch::cpu_seconds() const { return thread_seconds() - cpu_begin_; }

}  // namespace woodstock
