#include "csp/activity.h"

namespace woodstock::csp {

Activity::Activity(std::size_t variables) : score_(variables), place_(variables, none) {
  heap_.reserve(variables);
  for (std::uint32_t x = 0; x < variables; ++x) insert(x);
}

void Activity::bump(std::uint32_t variable) {
  constexpr double most = 1e100;
  if ((score_[variable] += step_) > most) {
    for (double& score : score_) score /= most;
    step_ /= most;
  }
  if (place_[variable] != none) up(place_[variable]);
}

void Activity::insert(std::uint32_t variable) {
  if (place_[variable] != none) return;
  heap_.push_back(variable);
  place_[variable] = static_cast<std::uint32_t>(heap_.size() - 1);
  up(heap_.size() - 1);
}

std::uint32_t Activity::pop() {
  if (heap_.empty()) return none;
  const std::uint32_t first = heap_.front();
  const std::uint32_t last = heap_.back();
  heap_.pop_back();
  place_[first] = none;
  if (first != last) {
    put(0, last);
    down(0);
  }
  return first;
}

void Activity::up(std::size_t at) {
  const std::uint32_t variable = heap_[at];
  while (at > 0 && before(variable, heap_[(at - 1) / 2])) {
    put(at, heap_[(at - 1) / 2]);
    at = (at - 1) / 2;
  }
  put(at, variable);
}

void Activity::down(std::size_t at) {
  const std::uint32_t variable = heap_[at];
  for (;;) {
    std::size_t child = 2 * at + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && before(heap_[child + 1], heap_[child])) ++child;
    if (!before(heap_[child], variable)) break;
    put(at, heap_[child]);
    at = child;
  }
  put(at, variable);
}

}  // namespace woodstock::csp
