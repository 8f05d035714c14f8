// Permutations of the points 0 .. n-1 as arrays of images.

#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

namespace woodstock::symmetry {

using Point = std::uint32_t;
using Permutation = std::vector<Point>;

inline Permutation identity(std::size_t points) {
  Permutation out(points);
  std::iota(out.begin(), out.end(), Point{0});
  return out;
}

inline bool is_identity(std::span<const Point> p) noexcept {
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] != i) return false;
  }
  return true;
}

// p becomes: first p, then q.
inline void multiply(Permutation& p, std::span<const Point> q) noexcept {
  for (Point& image : p) image = q[image];
}

inline Permutation inverse(std::span<const Point> p) {
  Permutation out(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) out[p[i]] = static_cast<Point>(i);
  return out;
}

// Throws std::invalid_argument for an array that is no permutation of so many points.
inline void check_permutation(std::span<const Point> p, std::size_t points) {
  std::vector<bool> seen(points, false);
  if (p.size() != points) throw std::invalid_argument("a permutation has one image for each point");
  for (const Point image : p) {
    if (image >= points || seen[image]) {
      throw std::invalid_argument("a permutation has each point once among its images");
    }
    seen[image] = true;
  }
}

}  // namespace woodstock::symmetry
