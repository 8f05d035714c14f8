// Between states (a row of fluents each) and planes (a row of lanes for each fluent).

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace woodstock {

// Packed states of `size` bytes become planes: bit f of state i is bit i of plane f, a plane being
// `words` words. There are at most 64 * words states; lanes without a state become zero.
void bytes_to_planes(std::span<const std::uint8_t> states, std::size_t size, std::size_t fluents,
                     std::uint64_t* planes, std::size_t words);

// The way back, for as many states as there is room for in `states`.
void planes_to_bytes(const std::uint64_t* planes, std::size_t words, std::size_t fluents,
                     std::span<std::uint8_t> states, std::size_t size);

}  // namespace woodstock
