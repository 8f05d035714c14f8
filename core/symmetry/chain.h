// A chain of stabilisers with strong generators (Schreier and Sims).

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "symmetry/meter.h"
#include "symmetry/permutation.h"

namespace woodstock::symmetry {

// The limits were reached before the chain was complete.
class OutOfTime : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A group of permutations, as the stabilisers of more and more points of a base: level i has
// generators of the subgroup that keeps the first i base points, and the orbit of the next one
// under it as a tree whose edges are generators. The order is the product of the orbits' sizes, and
// an element is one choice from each orbit. Memory: a number for each level and point, and two
// permutations for each strong generator.
class Chain {
 public:
  // Of no generators, which keeps all points; `base` comes first in the base even so.
  Chain(std::size_t points, std::span<const Point> base);

  // The group that permutations generate. Random elements are sifted until many of them in a row
  // are known; then it is proved that there are no others, unless that would take too long: see
  // proven(). Throws OutOfTime.
  static Chain generated(std::size_t points, std::span<const Permutation> generators, Meter& meter);
  // The same group with these points first in its base. Throws OutOfTime.
  Chain with_base(std::span<const Point> base, Meter& meter) const;
  // The subgroup that keeps the first base points, so many of them.
  Chain tail(std::size_t levels) const;

  std::size_t points() const noexcept { return points_; }
  std::size_t levels() const noexcept { return levels_.size(); }
  std::vector<std::uint32_t> orbit_sizes() const;
  // Of the whole group, or of the subgroup that keeps the first base points.
  std::vector<Permutation> generators(std::size_t level = 0) const;
  // Whether the chain is known to be complete. When it is not, elements may be missing, with a
  // chance of less than one in 2^40 for random elements that deserve the name.
  bool proven() const noexcept { return proven_; }

  bool contains(Permutation p) const;
  // All of them, the identity first.
  std::vector<Permutation> elements() const;

 private:
  static constexpr std::uint32_t none = 0xffffffffU;

  struct Strong {
    Permutation forth;
    Permutation back;
    std::size_t depth;  // so many base points are kept
  };
  struct Level {
    Point base;
    std::vector<std::uint32_t> generators;  // indices of strong generators
    std::vector<Point> orbit;               // the base point first
    // For each point of the orbit what leads to it from one before: 2g for generator g, 2g+1 for
    // its inverse; `none` elsewhere, and for the base point.
    std::vector<std::uint32_t> edges;
    std::vector<std::uint32_t> heights;  // in the tree, in the order of the orbit
    std::uint32_t height;                // the largest of them
  };
  class Random;

  void extend_base(Point point);
  void add(Permutation p);
  // The points that generators from an index on lead to, and from there all of them.
  void grow_orbit(Level& level, std::size_t old_generators);
  void grow_anew(Level& level);
  // Divides p by elements of the orbits, level after level from `from`. Returns the level where
  // that is impossible, or levels(): then p is what remains, and p was in the group if that is the
  // identity.
  std::size_t sift(Permutation& p, std::size_t from = 0) const;
  bool sift_level(const Level& level, Permutation& p) const;
  // Whether it was in the group; now it is.
  bool sift_and_add(Permutation p, std::size_t from = 0);
  bool sift_random(Permutation p);
  void complete(std::span<const Permutation> generators, Meter& meter);
  void prove(Meter& meter);
  bool prove_level(std::size_t level, Meter& meter);
  double cost_of_proof() const;
  bool is_symmetric() const;
  double log_order() const;
  Permutation to(const Level& level, Point point) const;
  const Permutation& step(std::uint32_t edge) const {
    return edge % 2 == 0 ? strong_[edge / 2].forth : strong_[edge / 2].back;
  }
  const Permutation& step_back(std::uint32_t edge) const { return step(edge ^ 1U); }

  std::size_t points_;
  std::vector<Strong> strong_;
  std::vector<Level> levels_;
  bool proven_ = true;
};

}  // namespace woodstock::symmetry
