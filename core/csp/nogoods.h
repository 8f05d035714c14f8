// Rows that are forbidden.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "csp/prepare.h"
#include "csp/propagator.h"

namespace woodstock::csp {

// When all literals of a nogood but one hold, the last may not. Each nogood watches two literals
// that do not hold; only when a watched one comes to hold is it looked at. Undoing costs nothing.
class Nogoods {
 public:
  Nogoods(const Prepared& problem, const Domains& domains);

  // Goes through the changes of domains since the last call, until nothing new follows from the
  // nogoods. Tells the propagator what it takes away. False: there is no solution.
  bool propagate(Domains& domains, Propagator& tables);
  // All but the first `kept` changes were undone.
  void undo(std::size_t kept) noexcept {
    if (seen_ > kept) seen_ = kept;
  }

  // The number of the constraint that found no solution.
  std::uint32_t culprit() const noexcept { return culprit_; }

 private:
  static constexpr std::uint32_t none = 0xffffffffU;
  bool assigned(std::uint32_t literal, Domains& domains, Propagator& tables);

  std::vector<std::size_t> begin_;
  std::vector<Literal> literals_;  // the first two of each nogood are the watched ones
  std::vector<std::uint32_t> origins_;
  // Lists of watches, linked: watch 2n + i is the i-th of nogood n.
  std::vector<std::uint32_t> head_;  // per literal
  std::vector<std::uint32_t> next_;
  std::size_t seen_ = 0;
  std::uint32_t culprit_ = 0;
};

}  // namespace woodstock::csp
