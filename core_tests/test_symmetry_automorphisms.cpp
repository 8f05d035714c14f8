#include <array>
#include <cmath>
#include <set>
#include <stdexcept>

#include "check.h"
#include "symmetry/automorphisms.h"
#include "symmetry/nauty.h"
#include "symmetry_sample.h"
#include "util/random.h"

using namespace woodstock::symmetry;
using namespace symmetry_sample;

namespace {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::size_t below(std::size_t limit) {
    return woodstock::scatter(state_ += woodstock::golden_gamma) % limit;
  }

 private:
  std::uint64_t state_;
};

std::uint64_t checked_order(const Sample& sample) {
  const Automorphisms found = find_automorphisms(sample.graph());
  CHECK(found.complete);
  CHECK(all_keep(sample, found));
  if (has_nauty()) {
    const Automorphisms other = find_automorphisms_by_nauty(sample.graph());
    CHECK(other.complete);
    CHECK(all_keep(sample, other));
    CHECK(order(other) == order(found));
    CHECK(other.orbits == found.orbits);
  }
  return order(found);
}

// Three perfect matchings over an even number of vertices.
Sample random_cubic(std::size_t n, std::uint64_t seed) {
  Dice dice(seed);
  Sample g(n);
  for (int matching = 0; matching < 3; ++matching) {
    std::vector<std::size_t> left(n);
    for (std::size_t i = 0; i < n; ++i) left[i] = i;
    while (!left.empty()) {
      const std::size_t a = left.back();
      left.pop_back();
      const std::size_t at = dice.below(left.size());
      g.join(a, left[at]);
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
  return g;
}

// Cai, Fürer and Immerman: each vertex of a cubic graph becomes four that stand for the even sets
// of its edges, each edge becomes a pair of vertices; `twisted` crosses one of the joins.
Sample cfi(const Sample& base, bool twisted) {
  const std::size_t edges = base.edges.size() / 2;
  Sample g(2 * edges);
  std::vector<std::vector<std::size_t>> at(base.colors.size());
  for (std::size_t e = 0; e < edges; ++e) {
    g.join(2 * e, 2 * e + 1);
    at[base.edges[2 * e]].push_back(e);
    at[base.edges[2 * e + 1]].push_back(e);
  }
  for (std::size_t v = 0; v < at.size(); ++v) {
    for (const std::array<std::size_t, 3> even :
         {std::array<std::size_t, 3>{0, 0, 0}, {0, 1, 1}, {1, 0, 1}, {1, 1, 0}}) {
      const std::size_t middle = g.colors.size();
      g.colors.push_back(1);
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t crossed = twisted && v == 0 && i == 0 ? 1 : 0;
        g.join(middle, 2 * at[v][i] + (even[i] ^ crossed));
      }
    }
  }
  return g;
}

}  // namespace

TEST(known_graphs_have_their_known_groups) {
  CHECK(checked_order(cycle(3)) == 6);
  CHECK(checked_order(cycle(17)) == 34);
  CHECK(checked_order(complete(8)) == 40320);
  CHECK(checked_order(petersen()) == 120);
  CHECK(checked_order(hypercube(4)) == 384);
  CHECK(checked_order(hypercube(7)) == 128 * 5040);
  CHECK(checked_order(grid(3, 4)) == 4);
  CHECK(checked_order(grid(6, 6)) == 8);
}

TEST(graphs_that_refinement_cannot_tell_apart_have_different_groups) {
  // Strongly regular with the same parameters: the rook's graph and Shrikhande's.
  const Sample rook = torus(4, {{0, 1}, {0, 2}, {0, 3}, {1, 0}, {2, 0}, {3, 0}});
  const Sample shrikhande = torus(4, {{0, 1}, {0, 3}, {1, 0}, {3, 0}, {1, 1}, {3, 3}});
  CHECK(checked_order(rook) == 1152);
  CHECK(checked_order(shrikhande) == 192);
  CHECK(checked_order(beside(rook, shrikhande)) == 1152 * 192);
  // Hubs are like each other, but not every vertex below one is like one below the other.
  const Sample one = with_hub(beside(rook, shrikhande));
  const Sample other = with_hub(beside(shrikhande, rook));
  constexpr std::uint64_t below = 1152 * 192;
  CHECK(checked_order(beside(one, other)) == below * below * 2);
  CHECK(checked_order(beside(other, one)) == below * below * 2);
}

TEST(what_only_turns_is_not_reflected) {
  for (std::size_t n = 3; n < 9; ++n) {
    Arrows circle;
    for (std::size_t i = 0; i < n; ++i) circle.emplace_back(i, (i + 1) % n);
    CHECK(checked_order(directed(n, circle)) == n);
  }
  Dice dice(2);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 3 + dice.below(4);
    std::set<std::pair<std::size_t, std::size_t>> arrows;
    // Turned about once, so that there often is something to find.
    for (std::size_t i = 0; i < 1 + dice.below(4); ++i) {
      const std::size_t from = dice.below(n);
      const std::size_t step = 1 + dice.below(n - 1);
      const std::size_t turns = dice.below(2) == 0 ? n : 1;
      for (std::size_t t = 0; t < turns; ++t) arrows.emplace((from + t) % n, (from + t + step) % n);
    }
    const Arrows all(arrows.begin(), arrows.end());
    CHECK(checked_order(directed(n, all)) == order_by_trying(n, all));
  }
}

TEST(pieces_change_places) {
  CHECK(checked_order(copies(cycle(3), 3)) == 216 * 6);
  CHECK(checked_order(copies(petersen(), 2)) == 120 * 120 * 2);
  CHECK(checked_order(Sample(7)) == 5040);
  Sample star(9);
  for (std::size_t leaf = 1; leaf < 9; ++leaf) star.join(0, leaf);
  CHECK(checked_order(star) == 40320);
}

TEST(colours_are_kept) {
  Sample square = cycle(4);
  square.colors = {0, 1, 0, 1};
  CHECK(checked_order(square) == 4);
  square.colors = {0, 1, 2, 1};
  CHECK(checked_order(square) == 2);
  square.colors = {900, 17, 900, 4'000'000'000U};
  CHECK(checked_order(square) == 2);
}

TEST(the_smallest_graphs_have_one_automorphism) {
  const Automorphisms none = find_automorphisms(Sample(0).graph());
  CHECK(none.complete && none.generators.empty() && none.orbits.empty() && order(none) == 1);
  CHECK(checked_order(Sample(1)) == 1);
  Sample rigid(6);  // the smallest kind of rigid graph has six vertices
  for (const auto& [a, b] : {std::pair{0, 1}, {1, 2}, {2, 3}, {3, 4}, {1, 5}, {2, 5}}) {
    rigid.join(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
  }
  CHECK(checked_order(rigid) == order_by_trying(rigid));
}

TEST(a_double_edge_is_one_edge) {
  Sample path(3);
  path.join(0, 1);
  path.join(1, 0);
  path.join(1, 2);
  CHECK(path.graph().targets.size() == 4);
  CHECK(checked_order(path) == 2);
}

TEST(what_is_no_graph_is_refused) {
  Sample g(2);
  g.join(0, 2);
  CHECK_THROWS(g.graph(), std::invalid_argument);
  g.edges = {1, 1};
  CHECK_THROWS(g.graph(), std::invalid_argument);
  g.edges = {0, 1, 0};
  CHECK_THROWS(g.graph(), std::invalid_argument);
}

TEST(small_random_graphs_have_as_many_automorphisms_as_are_found_by_trying) {
  Dice dice(1);
  for (int round = 0; round < 300; ++round) {
    Sample g(2 + dice.below(6));
    const std::size_t density = 1 + dice.below(5);
    for (std::size_t a = 0; a < g.colors.size(); ++a) {
      if (dice.below(5) == 0) g.colors[a] = 1;
      for (std::size_t b = 0; b < a; ++b) {
        if (dice.below(6) < density) g.join(a, b);
      }
    }
    CHECK(checked_order(g) == order_by_trying(g));
  }
}

TEST(random_cubic_graphs_are_mostly_rigid) {
  int rigid = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    rigid += checked_order(random_cubic(60, seed)) == 1 ? 1 : 0;
  }
  CHECK(rigid >= 10);
}

TEST(like_traces_do_not_make_an_automorphism) {
  // Partitions that are discrete early are not compared to the end. In one in some hundred of
  // these graphs, the permutation they give is none that keeps the edges.
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    checked_order(random_cubic(10 + 2 * (seed % 3), seed));
  }
}

TEST(twisted_pairs_cross_along_cycles) {
  // The automorphisms that fix the base graph's edges cross pairs along cycles: 2^(6-4+1), times
  // those of the base graph, K4. For the twisted one, there are as many.
  CHECK(checked_order(cfi(complete(4), false)) == 8 * 24);
  CHECK(checked_order(cfi(complete(4), true)) == 8 * 24);
  CHECK(checked_order(cfi(petersen(), false)) == 64 * 120);
}

TEST(limits_give_what_was_found_so_far) {
  const Sample sample = cfi(petersen(), true);
  const std::uint64_t whole = order(find_automorphisms(sample.graph()));
  const std::uint64_t nodes = find_automorphisms(sample.graph()).nodes;
  std::uint64_t before = 1;
  for (std::uint64_t limit = 0; limit <= nodes; ++limit) {
    SearchLimits limits;
    limits.nodes = limit;
    const Automorphisms found = find_automorphisms(sample.graph(), limits);
    CHECK(all_keep(sample, found));
    CHECK(found.nodes <= limit);
    CHECK(found.complete == (limit == nodes));
    CHECK(whole % order(found) == 0 && order(found) % before == 0);
    before = order(found);
  }
  CHECK(before == whole);
}

TEST(a_deadline_that_is_over_leaves_the_identity) {
  SearchLimits limits;
  limits.deadline = woodstock::Clock::now();
  const Sample sample = petersen();
  for (const Automorphisms& found :
       {find_automorphisms(sample.graph(), limits),
        has_nauty() ? find_automorphisms_by_nauty(sample.graph(), limits) : Automorphisms{}}) {
    CHECK(!found.complete && found.generators.empty() && order(found) == 1);
  }
  const Automorphisms found = find_automorphisms(sample.graph(), limits);
  for (Vertex v = 0; v < 10; ++v) CHECK(found.orbits[v] == v);
}

TEST(many_like_pieces_cost_a_node_or_two_each) {
  constexpr std::size_t pieces = 20'000;
  const Automorphisms points = find_automorphisms(Sample(pieces).graph());
  CHECK(points.complete && points.generators.size() == pieces - 1);
  CHECK(points.nodes < 3 * pieces);
  const Automorphisms triangles = find_automorphisms(copies(cycle(3), pieces).graph());
  CHECK(triangles.complete && triangles.nodes < 10 * pieces);
  double digits = 0;
  for (const std::uint32_t factor : triangles.order_factors) digits += std::log10(factor);
  const double expected = static_cast<double>(pieces) * std::log10(6.0) +
                          std::lgamma(static_cast<double>(pieces) + 1) / std::log(10.0);
  CHECK(std::abs(digits - expected) < 1e-3);
}

TEST(nauty_gives_up_what_is_too_deep_for_its_stack) {
  if (!has_nauty()) return;
  const Automorphisms found = find_automorphisms_by_nauty(Sample(6000).graph());
  CHECK(!found.complete && found.generators.empty());
}

TEST(the_same_graph_gives_the_same_answer) {
  const Sample sample = copies(petersen(), 3);
  const Automorphisms once = find_automorphisms(sample.graph());
  const Automorphisms again = find_automorphisms(sample.graph());
  CHECK(once.nodes == again.nodes && once.generators.size() == again.generators.size());
  for (std::size_t i = 0; i < once.generators.size(); ++i) {
    CHECK(once.generators[i].points == again.generators[i].points);
    CHECK(once.generators[i].images == again.generators[i].images);
  }
}
