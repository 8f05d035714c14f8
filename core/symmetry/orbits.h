// Orbits of points, as generators of a group come in.

#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace woodstock::symmetry {

// Sets of points that only grow together (union by size, halving of paths).
class Orbits {
 public:
  explicit Orbits(std::size_t points) : parents_(points), sizes_(points, 1) {
    std::iota(parents_.begin(), parents_.end(), std::uint32_t{0});
  }

  std::uint32_t find(std::uint32_t point) noexcept {
    while (parents_[point] != point) point = parents_[point] = parents_[parents_[point]];
    return point;
  }
  std::uint32_t size(std::uint32_t point) noexcept { return sizes_[find(point)]; }

  // Returns the root that is one no longer, and the root of both; they are equal when a and b were
  // in one orbit.
  std::pair<std::uint32_t, std::uint32_t> join(std::uint32_t a, std::uint32_t b) noexcept {
    a = find(a);
    b = find(b);
    if (a == b) return {a, a};
    if (sizes_[a] > sizes_[b]) std::swap(a, b);
    parents_[a] = b;
    sizes_[b] += sizes_[a];
    return {a, b};
  }

  // For each point the smallest of its orbit.
  std::vector<std::uint32_t> smallest() {
    constexpr std::uint32_t none = 0xffffffffU;
    std::vector<std::uint32_t> of_root(parents_.size(), none);
    std::vector<std::uint32_t> out(parents_.size());
    for (std::uint32_t point = 0; point < parents_.size(); ++point) {
      std::uint32_t& first = of_root[find(point)];
      if (first == none) first = point;
      out[point] = first;
    }
    return out;
  }

 private:
  std::vector<std::uint32_t> parents_;
  std::vector<std::uint32_t> sizes_;
};

}  // namespace woodstock::symmetry
