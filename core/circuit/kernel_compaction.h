// Lane compaction: halves a batch whose lanes have become idle. See kernel_impl.h.

#pragma once

#include "circuit/kernel_vector.h"

namespace woodstock {
namespace {

// Moves the bits that a mask selects to the low end, in every one of H words, and back (Hacker's
// Delight, 7-4 and 7-5).
template <std::size_t H>
struct Squeeze {
  std::uint64_t mask[H];
  std::uint64_t moved[6][H];  // by 1, 2, 4, ... places

  explicit Squeeze(const std::uint64_t* selected) {
    for (std::size_t w = 0; w < H; ++w) {
      std::uint64_t left = mask[w] = selected[w];
      // A bit moves down by the number of gaps below it, which is written in binary: in round i
      // those move by 2^i whose number has that digit.
      std::uint64_t gaps = ~left << 1;
      for (unsigned i = 0; i < 6; ++i) {
        std::uint64_t odd = gaps;  // whether the number of gaps below is odd
        for (unsigned step = 1; step < 64; step *= 2) odd ^= odd << step;
        const std::uint64_t move = odd & left;
        moved[i][w] = move;
        left = (left ^ move) | (move >> (1U << i));
        gaps &= ~odd;
      }
    }
  }

  WOODSTOCK_INLINE void together(std::uint64_t* x) const {
    for (std::size_t w = 0; w < H; ++w) x[w] &= mask[w];
    for (unsigned i = 0; i < 6; ++i) {
      for (std::size_t w = 0; w < H; ++w) {
        const std::uint64_t move = x[w] & moved[i][w];
        x[w] = (x[w] ^ move) | (move >> (1U << i));
      }
    }
  }

  WOODSTOCK_INLINE void apart(std::uint64_t* x) const {
    for (unsigned i = 6; i-- > 0;) {
      for (std::size_t w = 0; w < H; ++w) {
        x[w] = (x[w] & ~moved[i][w]) | ((x[w] << (1U << i)) & moved[i][w]);
      }
    }
    for (std::size_t w = 0; w < H; ++w) x[w] &= mask[w];
  }
};

// Makes planes of H words of planes of 2 * H words: the active lanes of the upper half go to idle
// lanes of the lower half, in each word in order.
template <std::size_t H>
class Compaction {
 public:
  // Whether every word of the upper half finds room in its word of the lower half.
  static bool fits(const std::uint64_t* active) {
    bool room = true;
    for (std::size_t w = 0; w < H; ++w) {
      room = room && __builtin_popcountll(active[w]) + __builtin_popcountll(active[H + w]) <= 64;
    }
    return room;
  }

  explicit Compaction(const std::uint64_t* active)
      : staying_(Words(active, 0)), idle_(Words(active, ~std::uint64_t{0}).at), from_(active + H) {}

  // `to` may lie at or before `from`.
  WOODSTOCK_INLINE void compact(const std::uint64_t* from, std::uint64_t* to) const {
    std::uint64_t moving[H];
    for (std::size_t w = 0; w < H; ++w) moving[w] = from[H + w];
    from_.together(moving);
    idle_.apart(moving);
    for (std::size_t w = 0; w < H; ++w) to[w] = (from[w] & staying_.at[w]) | moving[w];
  }

  // Adds the lanes of a compacted plane to a plane of the full width.
  WOODSTOCK_INLINE void spread_into(const std::uint64_t* compacted, std::uint64_t* to) const {
    std::uint64_t moved[H];
    for (std::size_t w = 0; w < H; ++w) moved[w] = compacted[w];
    idle_.together(moved);
    from_.apart(moved);
    for (std::size_t w = 0; w < H; ++w) {
      to[w] |= compacted[w] & staying_.at[w];
      to[H + w] |= moved[w];
    }
  }

 private:
  struct Words {
    std::uint64_t at[H];
    Words(const std::uint64_t* from, std::uint64_t flip) {
      for (std::size_t w = 0; w < H; ++w) at[w] = from[w] ^ flip;
    }
  };
  Words staying_;    // active lanes of the lower half
  Squeeze<H> idle_;  // the others
  Squeeze<H> from_;  // active lanes of the upper half
};

}  // namespace
}  // namespace woodstock
