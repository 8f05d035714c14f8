// A pair of proof numbers (Allis, van der Meulen and van den Herik 1994): how many leaves must
// still come out well before something is proved, and before it is disproved.

#pragma once

#include <algorithm>
#include <cstdint>

namespace woodstock {

struct Proof {
  static constexpr std::uint32_t never = 0xffffffffU;

  std::uint32_t proof = 1;
  std::uint32_t disproof = 1;

  static constexpr Proof yes() { return {0, never}; }
  static constexpr Proof no() { return {never, 0}; }

  bool answered() const noexcept { return proof == 0 || disproof == 0; }
  bool operator==(const Proof&) const = default;
};

// Where all of several moves must come out well: the hardest, and one for each of the others. Sums
// would count again and again what lines have in common in a graph (weak proof numbers, Ueda,
// Hashimoto, Hashimoto and Iida 2008).
class AllOf {
 public:
  void add(std::uint32_t needed) noexcept {
    hardest_ = std::max(hardest_, needed);
    open_ += needed != 0 ? 1 : 0;
  }
  std::uint32_t needed() const noexcept {
    if (hardest_ == 0 || hardest_ == Proof::never) return hardest_;
    return hardest_ + std::min(open_ - 1, Proof::never - 1 - hardest_);
  }

 private:
  std::uint32_t hardest_ = 0;
  std::uint32_t open_ = 0;
};

// Moves may have answers that the bounds of a node have not been told of where lines meet: until
// they are, it is next to an answer, and whoever comes by passes it on.
inline std::uint32_t unanswered(std::uint32_t needed) noexcept {
  return std::clamp(needed, 1U, Proof::never - 1);
}

}  // namespace woodstock
