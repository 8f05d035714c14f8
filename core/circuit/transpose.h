// Between states (a row of fluents each) and planes (a row of lanes for each fluent).

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace woodstock {

// Mirrors a square of 64 by 64 bits: bit j of row i changes places with bit i of row j.
void mirror(std::uint64_t* rows) noexcept;

// Up to eight bytes as a number, the first one lowest.
inline std::uint64_t read_bytes(const std::uint8_t* bytes, std::size_t count) noexcept {
  std::uint64_t number = 0;
  if (count >= 8) {
    for (unsigned i = 0; i < 8; ++i) number |= std::uint64_t{bytes[i]} << (8 * i);
  } else {
    for (unsigned i = 0; i < count; ++i) number |= std::uint64_t{bytes[i]} << (8 * i);
  }
  return number;
}

// The way back.
inline void write_bytes(std::uint64_t number, std::uint8_t* bytes, std::size_t count) noexcept {
  if (count >= 8) {
    for (unsigned i = 0; i < 8; ++i) bytes[i] = static_cast<std::uint8_t>(number >> (8 * i));
  } else {
    for (unsigned i = 0; i < count; ++i) bytes[i] = static_cast<std::uint8_t>(number >> (8 * i));
  }
}

// Packed states of `size` bytes become planes: bit f of state i is bit i of plane f, a plane being
// `words` words. There are at most 64 * words states; lanes without a state become zero.
void bytes_to_planes(std::span<const std::uint8_t> states, std::size_t size, std::size_t fluents,
                     std::uint64_t* planes, std::size_t words);

// The way back, for as many states as there is room for in `states`.
void planes_to_bytes(const std::uint64_t* planes, std::size_t words, std::size_t fluents,
                     std::span<std::uint8_t> states, std::size_t size);

}  // namespace woodstock
