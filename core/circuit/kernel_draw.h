// Random numbers below a bound, in every lane at once. See kernel_impl.h.

#pragma once

#include "circuit/kernel_batch.h"

namespace woodstock {
namespace {

// `scatter` and `golden_gamma` of util/random.h for vectors; written again, since kernels call
// nothing from outside. Every counter gives 64 independent-looking bits.
WOODSTOCK_INLINE V mix(V z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}
constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;
constexpr std::uint32_t draw_bits = 32;

// Numbers are bit-sliced: bit b of a number is K vectors.
template <std::size_t N>
struct Drawing : Batch<N> {
  using Batch<N>::Batch;
  using Batch<N>::K;

  // For each active lane a number below its count: floor(u * count / 2^32) for 32 random bits u, by
  // adding count for every bit of u that is set and halving.
  void draw(const V* counts, std::uint32_t bits, const V* active, std::uint64_t counter,
            V* out) const {
    std::uint32_t used = bits;  // leading zeros in all these lanes cost nothing
    while (used > 0) {
      V top = zeros();
      for (std::size_t k = 0; k < K; ++k) top |= counts[(used - 1) * K + k] & active[k];
      if (any(top)) break;
      --used;
    }
    for (std::size_t i = 0; i < bits * K; ++i) out[i] = zeros();
    if (used <= 1) return;  // at most one move everywhere: number 0
    switch (used) {
      case 2:
        return draw_fixed<2>(counts, counter, out);
      case 3:
        return draw_fixed<3>(counts, counter, out);
      case 4:
        return draw_fixed<4>(counts, counter, out);
      case 5:
        return draw_fixed<5>(counts, counter, out);
      case 6:
        return draw_fixed<6>(counts, counter, out);
      case 7:
        return draw_fixed<7>(counts, counter, out);
      case 8:
        return draw_fixed<8>(counts, counter, out);
      case 9:
        return draw_fixed<9>(counts, counter, out);
      case 10:
        return draw_fixed<10>(counts, counter, out);
      case 11:
        return draw_fixed<11>(counts, counter, out);
      case 12:
        return draw_fixed<12>(counts, counter, out);
      default:
        return draw_wide(counts, used, counter, out);
    }
  }

  // Word w of random plane b is the mix of key + (something unique to pass, role, b and w) *
  // golden.
  WOODSTOCK_INLINE static V first_random(std::uint64_t counter, std::size_t k) {
    V index;
    for (std::size_t w = 0; w < words_per_vector; ++w) {
      index[w] = counter + (k * words_per_vector + w) * golden;
    }
    return index;
  }
  static constexpr std::uint64_t random_step = unit_words * max_width * golden;

  template <std::uint32_t bits>
  void draw_fixed(const V* counts, std::uint64_t counter, V* out) const {
    for (std::size_t k = 0; k < K; ++k) {
      V c[bits], acc[bits];
      for (std::uint32_t i = 0; i < bits; ++i) {
        c[i] = counts[i * K + k];
        acc[i] = zeros();
      }
      V index = first_random(counter, k);
      for (std::uint32_t b = 0; b < draw_bits; ++b, index += random_step) {
        const V u = mix(index);
        V carry = c[0] & u & acc[0];
        for (std::uint32_t i = 1; i < bits; ++i) {
          const V x = c[i] & u;
          acc[i - 1] = xor3(acc[i], x, carry);
          carry = majority(acc[i], x, carry);
        }
        acc[bits - 1] = carry;
      }
      for (std::uint32_t i = 0; i < bits; ++i) out[i * K + k] = acc[i];
    }
  }

  void draw_wide(const V* counts, std::uint32_t bits, std::uint64_t counter, V* out) const {
    for (std::size_t k = 0; k < K; ++k) {
      V index = first_random(counter, k);
      for (std::uint32_t b = 0; b < draw_bits; ++b, index += random_step) {
        const V u = mix(index);
        V carry = counts[k] & u & out[k];
        for (std::uint32_t i = 1; i < bits; ++i) {
          const V x = counts[i * K + k] & u;
          const V old = out[i * K + k];
          out[(i - 1) * K + k] = xor3(old, x, carry);
          carry = majority(old, x, carry);
        }
        out[(bits - 1) * K + k] = carry;
      }
    }
  }
};

}  // namespace
}  // namespace woodstock
