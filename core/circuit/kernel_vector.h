// Vectors of lanes and the functions on them that the kernels need. See kernel_impl.h.

#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__AVX512VL__)
#include <immintrin.h>
#endif

#include "circuit/kernel.h"

namespace woodstock {
namespace {

using V = std::uint64_t __attribute__((vector_size(WOODSTOCK_VECTOR_BYTES), may_alias));
constexpr std::size_t words_per_vector = WOODSTOCK_VECTOR_BYTES / 8;

#define WOODSTOCK_INLINE inline __attribute__((always_inline))

WOODSTOCK_INLINE V zeros() { return V{}; }
WOODSTOCK_INLINE V ones() { return ~V{}; }
WOODSTOCK_INLINE std::uint64_t* words(V* v) { return reinterpret_cast<std::uint64_t*>(v); }
WOODSTOCK_INLINE const std::uint64_t* words(const V* v) {
  return reinterpret_cast<const std::uint64_t*>(v);
}

// Functions of three vectors that AVX-512 has as one instruction.
#if defined(__AVX512VL__)
#if WOODSTOCK_VECTOR_BYTES == 64
template <int table>
WOODSTOCK_INLINE V ternary(V a, V b, V c) {
  return (V)_mm512_ternarylogic_epi64((__m512i)a, (__m512i)b, (__m512i)c, table);
}
WOODSTOCK_INLINE bool any(V a) { return _mm512_test_epi64_mask((__m512i)a, (__m512i)a) != 0; }
#else
template <int table>
WOODSTOCK_INLINE V ternary(V a, V b, V c) {
  return (V)_mm256_ternarylogic_epi64((__m256i)a, (__m256i)b, (__m256i)c, table);
}
WOODSTOCK_INLINE bool any(V a) { return _mm256_testz_si256((__m256i)a, (__m256i)a) == 0; }
#endif
WOODSTOCK_INLINE V and_not(V acc, V b) { return ternary<0x30>(acc, b, b); }
WOODSTOCK_INLINE V not_both(V acc, V a, V b) { return ternary<0x70>(acc, a, b); }
WOODSTOCK_INLINE V not_but(V acc, V a, V b) { return ternary<0xb0>(acc, a, b); }
WOODSTOCK_INLINE V either(V acc, V a, V b) { return ternary<0xe0>(acc, a, b); }
WOODSTOCK_INLINE V xor3(V a, V b, V c) { return ternary<0x96>(a, b, c); }
WOODSTOCK_INLINE V majority(V a, V b, V c) { return ternary<0xe8>(a, b, c); }
// The borrow of a - b with a borrow c coming in.
WOODSTOCK_INLINE V borrow(V a, V b, V c) { return ternary<0x8e>(a, b, c); }
#else
WOODSTOCK_INLINE V and_not(V acc, V b) { return acc & ~b; }
WOODSTOCK_INLINE V not_both(V acc, V a, V b) { return acc & ~(a & b); }
WOODSTOCK_INLINE V not_but(V acc, V a, V b) { return acc & (~a | b); }
WOODSTOCK_INLINE V either(V acc, V a, V b) { return acc & (a | b); }
WOODSTOCK_INLINE V xor3(V a, V b, V c) { return a ^ b ^ c; }
WOODSTOCK_INLINE V majority(V a, V b, V c) { return (a & b) | (c & (a ^ b)); }
WOODSTOCK_INLINE V borrow(V a, V b, V c) { return (~a & b) | (c & ~(a ^ b)); }
WOODSTOCK_INLINE bool any(V a) {
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < words_per_vector; ++i) all |= a[i];
  return all != 0;
}
#endif

WOODSTOCK_INLINE std::uint64_t count_ones(V a) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < words_per_vector; ++i) {
    count += static_cast<std::uint64_t>(__builtin_popcountll(a[i]));
  }
  return count;
}

}  // namespace
}  // namespace woodstock
