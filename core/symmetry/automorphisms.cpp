#include "symmetry/automorphisms.h"

#include <algorithm>

#include "symmetry/automorphism_search.h"
#include "symmetry/nauty.h"
#include "symmetry/orbits.h"
#include "util/stopwatch.h"

namespace woodstock::symmetry {

SparsePermutation from_pairs(std::vector<std::pair<Vertex, Vertex>> pairs) {
  std::sort(pairs.begin(), pairs.end());
  SparsePermutation out;
  out.points.reserve(pairs.size());
  out.images.reserve(pairs.size());
  for (const auto& [point, image] : pairs) {
    out.points.push_back(point);
    out.images.push_back(image);
  }
  return out;
}

std::vector<Vertex> orbits_of(std::size_t points,
                              const std::vector<SparsePermutation>& generators) {
  Orbits orbits(points);
  for (const SparsePermutation& generator : generators) {
    for (std::size_t i = 0; i < generator.points.size(); ++i) {
      orbits.join(generator.points[i], generator.images[i]);
    }
  }
  return orbits.smallest();
}

Automorphisms find_automorphisms(const Graph& graph, const SearchLimits& limits) {
  const Stopwatch watch;
  Automorphisms answer = AutomorphismSearch(graph, limits).run();
  answer.seconds = watch.cpu_seconds();
  return answer;
}

Automorphisms find_automorphisms(std::span<const std::uint32_t> colors,
                                 std::span<const Vertex> edges, const SearchLimits& limits,
                                 Engine engine) {
  const Stopwatch watch;
  const Graph graph = make_graph(colors, edges);
  Automorphisms answer = engine == Engine::nauty ? find_automorphisms_by_nauty(graph, limits)
                                                 : AutomorphismSearch(graph, limits).run();
  answer.seconds = watch.cpu_seconds();
  return answer;
}

}  // namespace woodstock::symmetry
