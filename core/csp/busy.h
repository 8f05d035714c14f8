// One call at a time.

#pragma once

#include <stdexcept>

#include "csp/solver.h"

namespace woodstock::csp {

// Marks the solver as in use for the length of a call.
class Solver::Busy {
 public:
  explicit Busy(Solver& solver) : solver_(solver) {
    if (solver_.busy_.exchange(true, std::memory_order_acquire)) {
      throw std::runtime_error("the solver is in use by another thread");
    }
  }
  ~Busy() { solver_.busy_.store(false, std::memory_order_release); }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  Solver& solver_;
};

}  // namespace woodstock::csp
