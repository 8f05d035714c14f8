#include "search/limits.h"

#include <algorithm>

namespace woodstock {

namespace {

double ratio(double used, double limit) { return limit > 0 ? used / limit : 1.0; }

}  // namespace

Watch::Watch(const Limits& limits, const std::atomic<bool>& stop) : limits_(limits), stop_(stop) {}

double Watch::spent(std::uint64_t nodes, std::uint64_t simulations) const {
  if (stop_) return 1.0;
  constexpr auto unlimited = std::numeric_limits<std::uint64_t>::max();
  double most = 0.0;
  if (limits_.nodes != unlimited) {
    most = std::max(most, ratio(static_cast<double>(nodes), static_cast<double>(limits_.nodes)));
  }
  if (limits_.simulations != unlimited) {
    most = std::max(
        most, ratio(static_cast<double>(simulations), static_cast<double>(limits_.simulations)));
  }
  if (limits_.deadline != Clock::time_point::max()) {
    const double whole = std::chrono::duration<double>(limits_.deadline - begun_.begin()).count();
    most = std::max(most, ratio(seconds(), whole));
  }
  if (limits_.cpu_seconds != std::numeric_limits<double>::infinity()) {
    most = std::max(most, ratio(cpu_seconds(), limits_.cpu_seconds));
  }
  return most;
}

bool Watch::over(std::uint64_t nodes, std::uint64_t simulations) {
  if (stop_ || nodes >= limits_.nodes || simulations >= limits_.simulations) return true;
  // That of the CPU costs a call to the system, many times what this one does.
  const Clock::time_point now = Clock::now();
  if (now - looked_ < std::chrono::microseconds(100)) return false;
  looked_ = now;
  return out_of_time();
}

double Watch::left() const {
  double out = limits_.cpu_seconds - cpu_seconds();
  if (limits_.deadline != Clock::time_point::max()) {
    out = std::min(out, std::chrono::duration<double>(limits_.deadline - Clock::now()).count());
  }
  return out;
}

bool Watch::out_of_time() const {
  if (stop_ || Clock::now() >= limits_.deadline) return true;
  return limits_.cpu_seconds != std::numeric_limits<double>::infinity() &&
         cpu_seconds() >= limits_.cpu_seconds;
}

}  // namespace woodstock
