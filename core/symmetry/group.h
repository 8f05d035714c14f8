// Groups of permutations.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "symmetry/chain.h"
#include "symmetry/meter.h"
#include "symmetry/permutation.h"

namespace woodstock::symmetry {

// The group that some permutations of 0 .. degree-1 generate. It is found out once, when it is
// made; nothing changes it. Generators whose moved points are apart generate groups of their own,
// and these cost as much as they cost each; points that nothing moves cost nothing.
class Group {
 public:
  // Throws std::invalid_argument for what is no permutation, OutOfTime at the limits.
  Group(std::size_t degree, std::vector<Permutation> generators, const SearchLimits& limits = {});

  std::size_t degree() const noexcept { return degree_; }
  // Those that were given, or strong ones for a stabiliser.
  const std::vector<Permutation>& generators() const noexcept { return generators_; }
  // The order is their product.
  std::vector<std::uint32_t> order_factors() const;
  // See Chain::proven().
  bool proven() const noexcept;
  // For each point the smallest of its orbit.
  std::vector<Point> orbits() const;

  bool contains(std::span<const Point> p) const;
  // The subgroup that keeps each of the points. Throws std::invalid_argument for a point that is
  // not there, OutOfTime at the limits.
  Group stabiliser(std::span<const Point> points, const SearchLimits& limits = {}) const;
  // All elements one after the other, the identity first, `degree` numbers each. Throws
  // std::invalid_argument when there are more than `limit`.
  std::vector<Point> elements(std::uint64_t limit) const;
  // The group itself where it has at most `limit` elements, otherwise a subgroup that has: strong
  // generators, those that move the first base points first, as many as leave it small enough.
  Group part(std::uint64_t limit) const;

 private:
  // A factor that moves these points, ascending; in the chain they are called by their index.
  struct Factor {
    std::vector<Point> points;
    Chain chain;
  };

  explicit Group(std::size_t degree) : degree_(degree) {}
  bool larger_than(std::uint64_t limit) const;
  Permutation inside(const std::vector<Point>& points, std::span<const Point> p) const;
  Permutation outside(const Factor& factor, const Permutation& p) const;

  std::size_t degree_;
  std::vector<Permutation> generators_;
  std::vector<Factor> factors_;
};

}  // namespace woodstock::symmetry
