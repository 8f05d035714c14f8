#include "circuit/transpose.h"

#include <algorithm>

namespace woodstock {

namespace {

// Swaps blocks of `step` by `step` bits on either side of the diagonal.
template <unsigned step>
void swap_blocks(std::uint64_t* rows, std::uint64_t mask) noexcept {
  for (unsigned block = 0; block < 64; block += 2 * step) {
    for (unsigned i = block; i < block + step; ++i) {
      const std::uint64_t swap = ((rows[i] >> step) ^ rows[i + step]) & mask;
      rows[i] ^= swap << step;
      rows[i + step] ^= swap;
    }
  }
}

}  // namespace

// After Hacker's Delight, 7-3.
void mirror(std::uint64_t* rows) noexcept {
  swap_blocks<32>(rows, 0x00000000ffffffffULL);
  swap_blocks<16>(rows, 0x0000ffff0000ffffULL);
  swap_blocks<8>(rows, 0x00ff00ff00ff00ffULL);
  swap_blocks<4>(rows, 0x0f0f0f0f0f0f0f0fULL);
  swap_blocks<2>(rows, 0x3333333333333333ULL);
  swap_blocks<1>(rows, 0x5555555555555555ULL);
}

void bytes_to_planes(std::span<const std::uint8_t> states, std::size_t size, std::size_t fluents,
                     std::uint64_t* planes, std::size_t words) {
  const std::size_t count = size == 0 ? 0 : states.size() / size;
  std::uint64_t rows[64];
  for (std::size_t w = 0; w < words; ++w) {
    for (std::size_t first = 0; first < fluents; first += 64) {
      const std::size_t from = first / 8;
      for (std::size_t i = 0; i < 64; ++i) {
        const std::size_t state = w * 64 + i;
        rows[i] = state < count ? read_bytes(states.data() + state * size + from, size - from) : 0;
      }
      mirror(rows);
      for (std::size_t f = first; f < std::min(first + 64, fluents); ++f) {
        planes[f * words + w] = rows[f - first];
      }
    }
  }
}

void planes_to_bytes(const std::uint64_t* planes, std::size_t words, std::size_t fluents,
                     std::span<std::uint8_t> states, std::size_t size) {
  const std::size_t count = size == 0 ? 0 : states.size() / size;
  std::uint64_t rows[64];
  for (std::size_t w = 0; w < words && w * 64 < count; ++w) {
    for (std::size_t first = 0; first < fluents; first += 64) {
      for (std::size_t i = 0; i < 64; ++i) {
        rows[i] = first + i < fluents ? planes[(first + i) * words + w] : 0;
      }
      mirror(rows);
      const std::size_t from = first / 8;
      const std::size_t bytes = std::min<std::size_t>(8, size - from);
      for (std::size_t i = 0; i < 64 && w * 64 + i < count; ++i) {
        write_bytes(rows[i], states.data() + (w * 64 + i) * size + from, bytes);
      }
    }
  }
}

}  // namespace woodstock
