#include "symmetry/quotient.h"

#include <algorithm>
#include <random>
#include <stdexcept>

#include "check.h"
#include "circuit/simulator.h"

using namespace woodstock;
using namespace woodstock::symmetry;

namespace {

using State = std::vector<std::uint8_t>;

// A ring of places, one fluent and one move each, that can be turned and turned over.
Group ring(std::size_t n) {
  Permutation turn(2 * n);
  Permutation flip(2 * n);
  for (std::size_t i = 0; i < n; ++i) {
    turn[i] = static_cast<Point>((i + 1) % n);
    flip[i] = static_cast<Point>(n - 1 - i);
    turn[n + i] = static_cast<Point>(n + turn[i]);
    flip[n + i] = static_cast<Point>(n + flip[i]);
  }
  return Group(2 * n, {turn, flip});
}

Group all_permutations(std::size_t n) {
  Permutation turn(2 * n);
  Permutation swap = identity(2 * n);
  for (std::size_t i = 0; i < n; ++i) {
    turn[i] = static_cast<Point>((i + 1) % n);
    turn[n + i] = static_cast<Point>(n + turn[i]);
  }
  std::swap(swap[0], swap[1]);
  std::swap(swap[n], swap[n + 1]);
  return Group(2 * n, {turn, swap});
}

bool holds(const State& state, std::size_t i) { return (state[i / 8] >> (i % 8) & 1) != 0; }

State random_state(std::size_t n, std::mt19937& rng) {
  State out((n + 7) / 8, 0);
  for (std::size_t i = 0; i < n; ++i) {
    if (rng() % 3 == 0) out[i / 8] = static_cast<std::uint8_t>(out[i / 8] | 1U << (i % 8));
  }
  return out;
}

State image(const State& state, std::span<const Point> p, std::size_t n) {
  State out(state.size(), 0);
  for (std::size_t i = 0; i < n; ++i) {
    if (holds(state, i))
      out[p[i] / 8] = static_cast<std::uint8_t>(out[p[i] / 8] | 1U << (p[i] % 8));
  }
  return out;
}

}  // namespace

TEST(representatives_are_the_same_just_on_orbits) {
  std::mt19937 rng(1);
  for (const std::size_t n : {5, 8, 13}) {
    const Group group = ring(n);
    const Quotient quotient(n, n, group, 64);
    CHECK(quotient.size() == 2 * n);
    const std::vector<Point> elements = group.elements(64);
    for (int round = 0; round < 50; ++round) {
      const State state = random_state(n, rng);
      State one = state;
      Quotient::Image found;
      quotient.fold(one, found);
      CHECK(found.hash == zobrist_hash(one));
      std::vector<State> orbit;
      for (std::size_t e = 0; e < elements.size(); e += 2 * n) {
        orbit.push_back(image(state, std::span(elements).subspan(e, 2 * n), n));
        State other = orbit.back();
        Quotient::Image same;
        quotient.fold(other, same);
        CHECK(other == one);
      }
      for (std::size_t e = 0; e < quotient.size(); ++e) {
        State moved = state;
        quotient.apply(static_cast<Quotient::Element>(e), moved);
        CHECK(zobrist_hash(moved) == found.hashes[e]);
        CHECK(std::find(orbit.begin(), orbit.end(), moved) != orbit.end());
      }
      CHECK(std::find(orbit.begin(), orbit.end(), one) != orbit.end());
    }
  }
}

TEST(elements_lead_to_representatives_and_back) {
  std::mt19937 rng(2);
  for (const bool large : {false, true}) {
    const std::size_t n = 9;
    const Quotient quotient(n, n, large ? all_permutations(n) : ring(n), 40);
    CHECK(quotient.size() > 1 && quotient.size() <= 40);
    for (int round = 0; round < 50; ++round) {
      const State state = random_state(n, rng);
      State one = state;
      Quotient::Image found;
      quotient.fold(one, found);
      CHECK(!found.elements.empty());
      for (const Quotient::Element by : found.elements) {
        // Moves go where the fluents of the same number go.
        for (Point i = 0; i < n; ++i) {
          CHECK(holds(one, quotient.move(by, i)) == holds(state, i));
          CHECK(quotient.move_back(by, quotient.move(by, i)) == i);
          CHECK(quotient.smallest(found, i) <= quotient.move(by, i));
          const Quotient::Element twice = quotient.join(by, by);
          CHECK(quotient.move(twice, i) == quotient.move(by, quotient.move(by, i)));
        }
      }
    }
  }
}

TEST(a_part_of_a_large_group_is_a_group) {
  for (const std::uint64_t limit : {1, 2, 30, 200}) {
    const Group part = all_permutations(9).part(limit);
    const std::vector<Point> elements = part.elements(limit);
    CHECK(elements.size() / part.degree() <= limit);
    CHECK(limit < 2 || elements.size() > part.degree());
    CHECK(all_permutations(4).part(24).elements(24).size() == 24 * 8);
  }
}

TEST(equal_moves_have_the_same_smallest_one) {
  const std::size_t n = 6;
  const Quotient quotient(n, n, ring(n), 64);
  State state{0b001001};  // two opposite places
  Quotient::Image found;
  quotient.fold(state, found);
  CHECK(found.elements.size() == 4);
  std::vector<Point> smallest;
  for (Point i = 0; i < n; ++i) smallest.push_back(quotient.smallest(found, i));
  CHECK(smallest[0] == smallest[3]);
  CHECK(smallest[1] == smallest[2] && smallest[1] == smallest[4] && smallest[1] == smallest[5]);
  CHECK(smallest[0] != smallest[1]);
}

TEST(idle_fluents_are_left_out) {
  const Point idle[] = {5};
  const Quotient quotient(6, 6, ring(6).stabiliser(std::vector<Point>{5}), 64, idle);
  State with{0b100001};
  State without{0b000001};
  Quotient::Image found;
  quotient.fold(with, found);
  quotient.fold(without, found);
  CHECK(with == without);
}

TEST(a_quotient_wants_numbers_that_fit) {
  CHECK_THROWS(Quotient(7, 6, ring(6), 64), std::invalid_argument);
  CHECK_THROWS(Quotient(3, 6, ring(6), 64), std::invalid_argument);  // a fluent becomes a move
  const Point idle[] = {6};
  CHECK_THROWS(Quotient(6, 6, ring(6), 64, idle), std::invalid_argument);
}
