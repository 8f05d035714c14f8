#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <vector>

#include "check.h"
#include "symmetry/group.h"
#include "symmetry/permutation.h"

using namespace woodstock::symmetry;

namespace {

using Cycles = std::vector<std::vector<Point>>;

Permutation from_cycles(std::size_t points, const Cycles& cycles) {
  Permutation p = identity(points);
  for (const std::vector<Point>& cycle : cycles) {
    for (std::size_t i = 0; i < cycle.size(); ++i) p[cycle[i]] = cycle[(i + 1) % cycle.size()];
  }
  return p;
}

Permutation rotation(std::size_t points) {
  Permutation p(points);
  for (std::size_t i = 0; i < points; ++i) p[i] = static_cast<Point>((i + 1) % points);
  return p;
}

std::uint64_t order(const Group& group) {
  std::uint64_t product = 1;
  for (const std::uint32_t factor : group.order_factors()) product *= factor;
  return product;
}

// Products of generators until there are no new ones.
std::set<Permutation> closure(std::size_t points, const std::vector<Permutation>& generators) {
  std::set<Permutation> known{identity(points)};
  std::vector<Permutation> open(known.begin(), known.end());
  while (!open.empty()) {
    const Permutation p = std::move(open.back());
    open.pop_back();
    for (const Permutation& g : generators) {
      Permutation q = p;
      multiply(q, g);
      if (known.insert(q).second) open.push_back(std::move(q));
    }
  }
  return known;
}

std::set<Permutation> elements(const Group& group) {
  const std::vector<Point> all = group.elements(100'000);
  std::set<Permutation> out;
  for (auto i = all.begin(); i != all.end();) {
    const auto end = i + static_cast<std::ptrdiff_t>(group.degree());
    out.emplace(i, end);
    i = end;
  }
  return out;
}

}  // namespace

TEST(known_groups_have_their_orders) {
  CHECK(order(Group(9, {rotation(9)})) == 9);
  CHECK(order(Group(20, {rotation(20), from_cycles(20, {{0, 1}})})) == 2432902008176640000ULL);
  CHECK(order(Group(7, {from_cycles(7, {{0, 1, 2}}), from_cycles(7, {{2, 3, 4, 5, 6}})})) == 2520);
  // Mathieu's groups.
  const Permutation turn = from_cycles(11, {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}});
  CHECK(order(Group(11, {turn, from_cycles(11, {{2, 6, 10, 7}, {3, 9, 4, 5}})})) == 7920);
  const Group m12(12, {from_cycles(12, {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}),
                       from_cycles(12, {{2, 6, 10, 7}, {3, 9, 4, 5}}),
                       from_cycles(12, {{0, 11}, {1, 10}, {2, 5}, {3, 7}, {4, 8}, {6, 9}})});
  CHECK(order(m12) == 95040 && m12.proven());
  Permutation shift = rotation(24);
  shift[22] = 0;
  shift[23] = 23;
  const Group m24(
      24,
      {shift,
       from_cycles(
           24, {{2, 16, 9, 6, 8}, {3, 12, 13, 18, 4}, {7, 17, 10, 11, 22}, {14, 19, 21, 20, 15}}),
       from_cycles(24, {{0, 23},
                        {1, 22},
                        {2, 11},
                        {3, 15},
                        {4, 17},
                        {5, 9},
                        {6, 19},
                        {7, 13},
                        {8, 20},
                        {10, 16},
                        {12, 21},
                        {14, 18}})});
  CHECK(order(m24) == 244823040 && m24.proven());
}

TEST(a_group_without_generators_is_the_identity) {
  const Group group(3, {identity(3)});
  CHECK(order(group) == 1 && group.proven());
  CHECK(group.elements(1) == std::vector<Point>({0, 1, 2}));
  CHECK(group.contains(identity(3)) && !group.contains(rotation(3)));
  CHECK(order(Group(0, {})) == 1);
}

TEST(small_groups_have_the_elements_that_products_give) {
  const std::vector<std::pair<std::size_t, std::vector<Permutation>>> samples{
      {6, {rotation(6), from_cycles(6, {{1, 5}, {2, 4}})}},
      {5, {from_cycles(5, {{0, 1}}), rotation(5)}},
      {8, {from_cycles(8, {{0, 1, 2, 3}, {4, 5}}), from_cycles(8, {{4, 6}, {5, 7}})}},
      {9, {from_cycles(9, {{0, 1, 2}}), from_cycles(9, {{3, 4}}), from_cycles(9, {{6, 7, 8}})}},
      {6,
       {from_cycles(6, {{0, 1}}), from_cycles(6, {{0, 2}, {1, 3}}),
        from_cycles(6, {{0, 2, 4}, {1, 3, 5}})}}};
  for (const auto& [points, generators] : samples) {
    const Group group(points, generators);
    const std::set<Permutation> expected = closure(points, generators);
    CHECK(order(group) == expected.size());
    CHECK(elements(group) == expected);
    Permutation p = identity(points);
    do {
      CHECK(group.contains(p) == expected.contains(p));
    } while (points <= 6 && std::next_permutation(p.begin(), p.end()));
  }
}

TEST(stabilisers_are_the_elements_that_keep_the_points) {
  const std::size_t points = 8;
  const Group group(points, {from_cycles(8, {{0, 1}}), from_cycles(8, {{0, 2}, {1, 3}}),
                             from_cycles(8, {{0, 4}, {1, 5}}), from_cycles(8, {{6, 7}})});
  const std::set<Permutation> all = elements(group);
  CHECK(all.size() == 8 * 6 * 2);
  for (const std::vector<Point>& kept :
       {std::vector<Point>{}, {0}, {7, 7}, {2, 4}, {6, 0, 5}, {0, 1, 2, 3, 4, 5, 6, 7}}) {
    std::set<Permutation> expected;
    for (const Permutation& p : all) {
      if (std::all_of(kept.begin(), kept.end(), [&](Point k) { return p[k] == k; })) {
        expected.insert(p);
      }
    }
    const Group stabiliser = group.stabiliser(kept);
    CHECK(elements(stabiliser) == expected);
    CHECK(closure(points, stabiliser.generators()) == expected);
  }
  CHECK_THROWS(group.stabiliser(std::vector<Point>{8}), std::invalid_argument);
}

TEST(orbits_are_told_by_their_smallest_points) {
  const Group group(6, {from_cycles(6, {{5, 1}, {2, 3}}), from_cycles(6, {{3, 4}})});
  CHECK(group.orbits() == std::vector<Point>({0, 1, 2, 2, 2, 1}));
}

TEST(what_is_no_permutation_is_refused) {
  CHECK_THROWS(Group(3, {{0, 1}}), std::invalid_argument);
  CHECK_THROWS(Group(3, {{0, 1, 1}}), std::invalid_argument);
  CHECK_THROWS(Group(3, {{0, 1, 3}}), std::invalid_argument);
  CHECK_THROWS(Group(3, {rotation(3)}).contains(Permutation{0, 0, 0}), std::invalid_argument);
  CHECK_THROWS(Group(3, {rotation(3)}).elements(2), std::invalid_argument);
  CHECK(Group(3, {rotation(3)}).elements(3).size() == 9);
}

TEST(factors_that_do_not_meet_add_up) {
  // Each pair has a swap of its own: 2^3000 elements, but 3000 small groups.
  constexpr std::size_t pairs = 3000;
  std::vector<Permutation> generators;
  for (Point i = 0; i < pairs; ++i)
    generators.push_back(from_cycles(2 * pairs, {{2 * i, 2 * i + 1}}));
  const Group group(2 * pairs, generators);
  CHECK(group.order_factors() == std::vector<std::uint32_t>(pairs, 2));
  CHECK(group.contains(generators[7]));
  CHECK(group.proven());
}

TEST(a_large_circle_is_climbed_in_few_steps) {
  constexpr std::size_t points = 20'000;
  Permutation flip = identity(points);
  std::reverse(flip.begin() + 1, flip.end());
  const Group group(points, {rotation(points), flip});
  CHECK(order(group) == 2 * points);
  CHECK(order(group.stabiliser(std::vector<Point>{5})) == 2);
  Permutation swap = identity(points);
  std::swap(swap[3], swap[4]);
  CHECK(!group.contains(swap));
}

TEST(a_group_that_takes_too_long_says_so) {
  SearchLimits limits;
  limits.deadline = woodstock::Clock::now();
  CHECK_THROWS(Group(5, {rotation(5)}, limits), OutOfTime);
}
