// What may be the case in a match: states, how likely each is, and what the roles remember.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "circuit/random.h"

namespace woodstock {

// A role's memory after it made a move and perceived something. Memories stand for everything that
// a role has done and perceived; 0 is that of the beginning.
constexpr std::uint64_t remember(std::uint64_t memory, std::uint32_t move,
                                 std::uint64_t seen) noexcept {
  return scatter(scatter(memory + (std::uint64_t{move} + 1) * golden_gamma) + seen);
}

struct Hypotheses {
  std::vector<std::uint8_t> states;  // packed, one after the other
  std::vector<double> weights;
  std::vector<std::uint64_t> memories;  // hypothesis * roles + role

  std::size_t size() const noexcept { return weights.size(); }
  void clear() {
    states.clear();
    weights.clear();
    memories.clear();
  }
};

}  // namespace woodstock
