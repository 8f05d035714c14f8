#include <algorithm>
#include <set>
#include <vector>

#include "check.h"
#include "symmetry/partition.h"
#include "symmetry/refinement.h"
#include "symmetry_sample.h"
#include "util/random.h"

using namespace woodstock::symmetry;
using namespace symmetry_sample;

namespace {

std::set<std::set<Vertex>> cells(const Partition& partition) {
  std::set<std::set<Vertex>> out;
  for (std::uint32_t cell = 0; cell < partition.size(); cell += partition.length(cell)) {
    const auto vertices = partition.vertices(cell);
    out.insert(std::set<Vertex>(vertices.begin(), vertices.end()));
  }
  return out;
}

bool equitable(const Graph& graph, const Partition& partition) {
  const auto neighbours = [&](Vertex v) {
    std::multiset<std::uint32_t> all;
    for (const Vertex other : graph.neighbours(v)) all.insert(partition.cell_of(other));
    return all;
  };
  for (Vertex v = 0; v < graph.size(); ++v) {
    const Vertex first = partition.vertex_at(partition.cell_of(v));
    if (neighbours(v) != neighbours(first)) return false;
  }
  return true;
}

}  // namespace

TEST(a_partition_begins_with_its_colours) {
  const std::vector<std::uint32_t> colors{7, 3, 7, 5};
  const Partition partition(colors);
  CHECK(partition.cells() == 3);
  CHECK(partition.vertex_at(0) == 1 && partition.vertex_at(1) == 3);
  CHECK(partition.cell_of(0) == 2 && partition.cell_of(2) == 2);
  CHECK(partition.is_alone(1) && !partition.is_alone(2));
}

TEST(undone_splits_leave_no_trace) {
  const std::vector<std::uint32_t> colors(5, 0);
  Partition partition(colors);
  const auto part = partition.split(0, 2);
  const std::set<std::set<Vertex>> before = cells(partition);
  partition.split(part, 1);
  partition.split(0, 2);
  CHECK(partition.cells() == 4 && partition.is_alone(partition.vertex_at(0)));
  partition.undo(1);
  CHECK(cells(partition) == before);
  CHECK(!partition.is_alone(partition.vertex_at(part)));
  CHECK(!partition.is_alone(partition.vertex_at(0)));
  partition.undo(0);
  CHECK(partition.cells() == 1 && partition.length(0) == 5);
}

TEST(refinement_finds_the_coarsest_equitable_partition) {
  const Graph graph = grid(3, 3).graph();
  Partition partition(graph.colors);
  const SearchLimits limits;
  Meter meter(limits);
  Refinement refinement(graph, partition, meter);
  CHECK(refinement.refine_all() == Refinement::Outcome::done);
  CHECK(partition.cells() == 3);  // corners, sides, the middle
  CHECK(equitable(graph, partition));
}

TEST(every_decision_is_followed_by_an_equitable_partition) {
  std::uint64_t state = 1;
  const auto below = [&](std::uint64_t limit) {
    return static_cast<std::size_t>(woodstock::scatter(state += woodstock::golden_gamma) % limit);
  };
  for (int round = 0; round < 400; ++round) {
    // Regular by construction: the first refinement leaves something to decide.
    const std::size_t n = 6 + below(20);
    Sample sample(n);
    for (std::size_t k = 0; k < 1 + below(3); ++k) {
      const std::size_t step = 1 + below(n - 1);
      for (std::size_t v = 0; v < n; ++v) {
        if ((v + step) % n != v) sample.join(v, (v + step) % n);
      }
    }
    for (std::size_t extra = below(n / 2); extra > 0; --extra) {
      const std::size_t a = below(n);
      sample.join(a, (a + 1 + below(n - 1)) % n);
    }
    const Graph graph = sample.graph();
    Partition partition(graph.colors);
    const SearchLimits limits;
    Meter meter(limits);
    Refinement refinement(graph, partition, meter);
    CHECK(refinement.refine_all() == Refinement::Outcome::done);
    std::vector<std::uint32_t> trace;
    while (!partition.discrete()) {
      CHECK(equitable(graph, partition));
      Vertex v = static_cast<Vertex>(below(n));
      while (partition.is_alone(v)) v = static_cast<Vertex>((v + 1) % n);
      CHECK(refinement.record(v, trace) == Refinement::Outcome::done);
    }
  }
}

TEST(a_trace_tells_like_vertices_from_unlike_ones) {
  // A hexagon and two triangles: refinement alone sees no difference.
  Sample sample = copies(cycle(3), 2);
  for (std::size_t i = 0; i < 6; ++i) {
    sample.colors.push_back(0);
    sample.join(6 + i, 6 + (i + 1) % 6);
  }
  const Graph graph = sample.graph();
  const auto called = [&](Vertex name) {
    const auto at = std::find(graph.names.begin(), graph.names.end(), name);
    return static_cast<Vertex>(at - graph.names.begin());
  };
  Partition partition(graph.colors);
  const SearchLimits limits;
  Meter meter(limits);
  Refinement refinement(graph, partition, meter);
  CHECK(refinement.refine_all() == Refinement::Outcome::done);
  CHECK(partition.cells() == 1);

  std::vector<std::uint32_t> trace;
  CHECK(refinement.record(called(0), trace) == Refinement::Outcome::done);
  CHECK(equitable(graph, partition));
  const std::set<std::set<Vertex>> first = cells(partition);
  partition.undo(0);
  CHECK(refinement.compare(called(4), trace, 0, trace.size()) == Refinement::Outcome::done);
  CHECK(cells(partition) != first);
  partition.undo(0);
  CHECK(refinement.compare(called(8), trace, 0, trace.size()) == Refinement::Outcome::different);
  partition.undo(0);
  CHECK(refinement.compare(called(0), trace, 0, trace.size()) == Refinement::Outcome::done);
  CHECK(cells(partition) == first);
}

TEST(a_meter_that_is_spent_stops_a_refinement) {
  const Graph graph = hypercube(8).graph();
  Partition partition(graph.colors);
  SearchLimits limits;
  limits.go_on = [] { return false; };
  Meter meter(limits);
  Refinement refinement(graph, partition, meter);
  CHECK(refinement.refine_all() == Refinement::Outcome::stopped);
  CHECK(meter.stopped());
}
