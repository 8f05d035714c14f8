#include "circuit/transpose.h"

#include <algorithm>

namespace woodstock {

namespace {

// Mirrors a square of 64 by 64 bits: bit j of row i changes places with bit i of row j. Halves,
// quarters, ... are swapped in turn (Hacker's Delight, 7-3).
void mirror(std::uint64_t* rows) noexcept {
  std::uint64_t mask = 0x00000000ffffffffULL;
  for (unsigned step = 32; step != 0; step >>= 1, mask ^= mask << step) {
    for (unsigned i = 0; i < 64; i = (i + step + 1) & ~step) {
      const std::uint64_t swap = ((rows[i] >> step) ^ rows[i + step]) & mask;
      rows[i] ^= swap << step;
      rows[i + step] ^= swap;
    }
  }
}

}  // namespace

void bytes_to_planes(std::span<const std::uint8_t> states, std::size_t size, std::size_t fluents,
                     std::uint64_t* planes, std::size_t words) {
  const std::size_t count = size == 0 ? 0 : states.size() / size;
  std::uint64_t rows[64];
  for (std::size_t w = 0; w < words; ++w) {
    for (std::size_t first = 0; first < fluents; first += 64) {
      const std::size_t from = first / 8;
      const std::size_t bytes = std::min<std::size_t>(8, size - from);
      for (std::size_t i = 0; i < 64; ++i) {
        const std::size_t state = w * 64 + i;
        rows[i] = 0;
        for (std::size_t b = 0; state < count && b < bytes; ++b) {
          rows[i] |= std::uint64_t{states[state * size + from + b]} << (8 * b);
        }
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
        for (std::size_t b = 0; b < bytes; ++b) {
          states[(w * 64 + i) * size + from + b] = static_cast<std::uint8_t>(rows[i] >> (8 * b));
        }
      }
    }
  }
}

}  // namespace woodstock
