#include "symmetry/group.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "symmetry/orbits.h"

namespace woodstock::symmetry {

namespace {

std::uint32_t index_of(const std::vector<Point>& points, Point point) {
  const auto at = std::lower_bound(points.begin(), points.end(), point);
  return static_cast<std::uint32_t>(at - points.begin());
}

bool has(const std::vector<Point>& points, Point point) {
  return std::binary_search(points.begin(), points.end(), point);
}

}  // namespace

Group::Group(std::size_t degree, std::vector<Permutation> generators, const SearchLimits& limits)
    : degree_(degree), generators_(std::move(generators)) {
  // Points that one generator moves belong together.
  // So the group is a product of groups on disjoint points, each with a chain of its own: chains
  // cost the square of the points and more.
  constexpr Point none = 0xffffffffU;
  Orbits together(degree);
  std::vector<Point> first_moved;
  for (const Permutation& p : generators_) {
    check_permutation(p, degree);
    Point first = none;
    for (Point point = 0; point < degree; ++point) {
      if (p[point] == point) continue;
      if (first == none) first = point;
      together.join(first, point);
    }
    first_moved.push_back(first);
  }
  std::vector<std::vector<Point>> points(degree);
  for (Point point = 0; point < degree; ++point) {
    if (together.size(point) > 1) points[together.find(point)].push_back(point);
  }
  std::vector<std::vector<Permutation>> generators_of(degree);
  for (std::size_t i = 0; i < generators_.size(); ++i) {
    if (first_moved[i] == none) continue;
    const Point root = together.find(first_moved[i]);
    generators_of[root].push_back(inside(points[root], generators_[i]));
  }
  Meter meter(limits);
  for (Point root = 0; root < degree; ++root) {
    if (points[root].empty()) continue;
    Chain chain = Chain::generated(points[root].size(), generators_of[root], meter);
    factors_.push_back({std::move(points[root]), std::move(chain)});
  }
}

Permutation Group::inside(const std::vector<Point>& points, std::span<const Point> p) const {
  Permutation out;
  out.reserve(points.size());
  for (const Point point : points) out.push_back(index_of(points, p[point]));
  return out;
}

Permutation Group::outside(const Factor& factor, const Permutation& p) const {
  Permutation out = identity(degree_);
  for (std::size_t i = 0; i < p.size(); ++i) out[factor.points[i]] = factor.points[p[i]];
  return out;
}

std::vector<std::uint32_t> Group::order_factors() const {
  std::vector<std::uint32_t> out;
  for (const Factor& factor : factors_) {
    const std::vector<std::uint32_t> sizes = factor.chain.orbit_sizes();
    out.insert(out.end(), sizes.begin(), sizes.end());
  }
  return out;
}

bool Group::proven() const noexcept {
  return std::all_of(factors_.begin(), factors_.end(),
                     [](const Factor& factor) { return factor.chain.proven(); });
}

std::vector<Point> Group::orbits() const {
  Orbits orbits(degree_);
  for (const Permutation& p : generators_) {
    for (Point point = 0; point < degree_; ++point) orbits.join(point, p[point]);
  }
  return orbits.smallest();
}

bool Group::contains(std::span<const Point> p) const {
  check_permutation(p, degree_);
  Permutation rest(p.begin(), p.end());
  for (const Factor& factor : factors_) {
    for (const Point point : factor.points) {
      if (!has(factor.points, p[point])) return false;
      rest[point] = point;
    }
    if (!factor.chain.contains(inside(factor.points, p))) return false;
  }
  return is_identity(rest);
}

Group Group::stabiliser(std::span<const Point> points, const SearchLimits& limits) const {
  for (const Point point : points) {
    if (point >= degree_) {
      throw std::invalid_argument("there is no point " + std::to_string(point) + " among " +
                                  std::to_string(degree_));
    }
  }
  Group out(degree_);
  Meter meter(limits);
  for (const Factor& factor : factors_) {
    std::vector<Point> kept;
    for (const Point point : points) {
      if (has(factor.points, point)) kept.push_back(index_of(factor.points, point));
    }
    std::sort(kept.begin(), kept.end());
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    Chain chain =
        kept.empty() ? factor.chain : factor.chain.with_base(kept, meter).tail(kept.size());
    for (const Permutation& p : chain.generators()) out.generators_.push_back(outside(factor, p));
    out.factors_.push_back({factor.points, std::move(chain)});
  }
  return out;
}

bool Group::larger_than(std::uint64_t limit) const {
  std::uint64_t order = 1;
  for (const std::uint32_t size : order_factors()) {
    if (order > limit / size) return true;
    order *= size;
  }
  return order > limit;
}

Group Group::part(std::uint64_t limit) const {
  if (!larger_than(limit)) return *this;
  Group out(degree_);
  for (const Factor& factor : factors_) {
    for (const Permutation& p : factor.chain.generators()) {
      std::vector<Permutation> generators = out.generators_;
      generators.push_back(outside(factor, p));
      // Generator by generator, as long as the group stays small enough.
      Group next(degree_, std::move(generators));
      if (!next.larger_than(limit)) out = std::move(next);
    }
  }
  return out;
}

std::vector<Point> Group::elements(std::uint64_t limit) const {
  if (larger_than(limit)) {
    throw std::invalid_argument("the group has more than " + std::to_string(limit) + " elements");
  }
  std::vector<Permutation> all{identity(degree_)};
  for (const Factor& factor : factors_) {
    const std::vector<Permutation> before = std::move(all);
    all.clear();
    for (const Permutation& p : factor.chain.elements()) {
      for (const Permutation& q : before) {
        Permutation& both = all.emplace_back(q);
        for (std::size_t i = 0; i < p.size(); ++i) both[factor.points[i]] = factor.points[p[i]];
      }
    }
  }
  std::vector<Point> out;
  out.reserve(all.size() * degree_);
  for (const Permutation& p : all) out.insert(out.end(), p.begin(), p.end());
  return out;
}

}  // namespace woodstock::symmetry
