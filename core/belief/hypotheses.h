// What may be the case in a match: states, how likely each is, and what the roles remember.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "util/random.h"

namespace woodstock {

// A role's memory after it made a move and perceived something. Memories stand for everything that
// a role has done and perceived; 0 is that of the beginning. The same numbers come from
// woodstock.belief.memory in Python, which a test holds to it.
constexpr std::uint64_t remember(std::uint64_t memory, std::uint32_t move,
                                 std::uint64_t seen) noexcept {
  return scatter(scatter(memory + (std::uint64_t{move} + 1) * golden_gamma) + seen);
}

// The joint moves by which hypotheses came about: those of the last turn, and whom they followed
// on.
struct Lineage {
  // None: the match began there. Nobody changes it once there are hypotheses with this lineage;
  // that it could be is for the destructor.
  mutable std::shared_ptr<const Lineage> before;
  std::vector<std::uint32_t> parents;  // of each hypothesis, among those before
  std::vector<std::uint32_t> moves;    // hypothesis * roles + role

  // Turn by turn: of a long match, one that ends the next would need too deep a stack.
  ~Lineage();

  // How many there are, this one included.
  std::size_t turns() const noexcept;
};

// The same for matches that are known turn by turn: for each turn the moves of all of them.
std::shared_ptr<const Lineage> lineage_of(const std::vector<std::vector<std::uint32_t>>& moves,
                                          std::size_t matches);

struct Hypotheses {
  std::vector<std::uint8_t> states;  // packed, one after the other
  std::vector<double> weights;
  std::vector<std::uint64_t> memories;  // hypothesis * roles + role
  std::shared_ptr<const Lineage> lineage = nullptr;

  std::size_t size() const noexcept { return weights.size(); }
  void clear() {
    states.clear();
    weights.clear();
    memories.clear();
    lineage = nullptr;
  }

  // From how many hypotheses they come, so many turns ago, or at the beginning.
  std::size_t ancestors(std::size_t turns) const;
};

}  // namespace woodstock
