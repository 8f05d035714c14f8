// Random numbers from counters: no state to carry along, so the same wherever they are computed.

#pragma once

#include <cstddef>
#include <cstdint>

namespace woodstock {

constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15ULL;

// The finaliser of splitmix64 (Steele, Lea and Flood): a bijection that scatters its argument.
constexpr std::uint64_t scatter(std::uint64_t z) noexcept {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// A number from 0 to 1, without 1: of 64 random bits the 53 that a double can hold.
constexpr double unit(std::uint64_t bits) noexcept {
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

// The same numbers one after the other: SplitMix64.
class RandomStream {
 public:
  explicit constexpr RandomStream(std::uint64_t seed) noexcept : state_(seed) {}

  constexpr std::uint64_t draw() noexcept { return scatter(state_ += golden_gamma); }
  // Below a bound, which is not 0. As even as bounds are small against 2^64.
  constexpr std::size_t below(std::size_t bound) noexcept {
    return static_cast<std::size_t>(draw() % bound);
  }
  constexpr double luck() noexcept { return unit(draw()); }

 private:
  std::uint64_t state_;
};

}  // namespace woodstock
