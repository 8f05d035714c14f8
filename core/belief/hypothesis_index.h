// Finds hypotheses again, so that equal ones are kept once.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "belief/hypotheses.h"

namespace woodstock {

// Open addressing: at most every second slot is taken. Knows the hypotheses of one list, to which
// nobody else may add any until it is cleared.
class HypothesisIndex {
 public:
  HypothesisIndex(std::size_t state_size, std::size_t roles) : size_(state_size), roles_(roles) {}

  void clear() noexcept { slots_.clear(); }

  // Adds a hypothesis, or its weight where it is there already; tells its place.
  std::size_t keep(Hypotheses& to, const std::uint8_t* state, const std::uint64_t* memories,
                   double weight);

 private:
  void grow(const Hypotheses& to);
  std::uint64_t key_of(const std::uint8_t* state, const std::uint64_t* memories) const;

  std::size_t size_;  // of a state
  std::size_t roles_;
  std::vector<std::uint32_t> slots_;  // places in the list; their number is a power of two
};

}  // namespace woodstock
