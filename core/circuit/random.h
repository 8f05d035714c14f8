// Random numbers from counters: no state to carry along, so the same wherever they are computed.

#pragma once

#include <cstdint>

namespace woodstock {

constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15ULL;

// The finaliser of splitmix64 (Steele, Lea and Flood): a bijection that scatters its argument.
constexpr std::uint64_t scatter(std::uint64_t z) noexcept {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace woodstock
