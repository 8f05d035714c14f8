#include "symmetry/graph.h"

#include <limits>
#include <stdexcept>
#include <string>

namespace woodstock::symmetry {

namespace {

constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

void check(std::size_t vertices, std::span<const Vertex> edges) {
  constexpr std::size_t most = std::size_t{1} << 31;
  if (vertices >= most || edges.size() >= 2 * most) {
    throw std::invalid_argument("a graph has fewer than 2^31 vertices and edges");
  }
  if (edges.size() % 2 != 0) throw std::invalid_argument("an edge has two ends");
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (edges[i] >= vertices) {
      throw std::invalid_argument("edge " + std::to_string(i / 2) + ": there is no vertex " +
                                  std::to_string(edges[i]) + " among " + std::to_string(vertices));
    }
    if (i % 2 == 1 && edges[i] == edges[i - 1]) {
      throw std::invalid_argument("edge " + std::to_string(i / 2) + " joins vertex " +
                                  std::to_string(edges[i]) + " to itself");
    }
  }
}

// As told, with double edges.
void list_neighbours(std::size_t vertices, std::span<const Vertex> edges,
                     std::vector<std::uint32_t>& begin, std::vector<Vertex>& targets) {
  begin.assign(vertices + 1, 0);
  for (const Vertex v : edges) ++begin[v + 1];
  for (std::size_t v = 0; v < vertices; ++v) begin[v + 1] += begin[v];
  targets.resize(edges.size());
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t i = 0; i < edges.size(); i += 2) {
    targets[next[edges[i]]++] = edges[i + 1];
    targets[next[edges[i + 1]]++] = edges[i];
  }
}

// Breadth first, component by component.
std::vector<Vertex> walk(const std::vector<std::uint32_t>& begin,
                         const std::vector<Vertex>& targets, std::vector<std::uint32_t>& number) {
  const std::size_t vertices = begin.size() - 1;
  std::vector<Vertex> order;
  order.reserve(vertices);
  number.assign(vertices, nobody);
  const auto meet = [&](Vertex v) {
    if (number[v] != nobody) return;
    number[v] = static_cast<std::uint32_t>(order.size());
    order.push_back(v);
  };
  for (Vertex root = 0; root < vertices; ++root) {
    std::size_t done = order.size();
    for (meet(root); done < order.size(); ++done) {
      const Vertex v = order[done];
      for (std::uint32_t i = begin[v]; i < begin[v + 1]; ++i) meet(targets[i]);
    }
  }
  return order;
}

}  // namespace

Graph make_graph(std::span<const std::uint32_t> colors, std::span<const Vertex> edges) {
  check(colors.size(), edges);
  std::vector<std::uint32_t> begin;
  std::vector<Vertex> targets;
  list_neighbours(colors.size(), edges, begin, targets);
  std::vector<std::uint32_t> number;

  Graph graph;
  graph.names = walk(begin, targets, number);
  graph.begin.reserve(colors.size() + 1);
  graph.targets.reserve(targets.size());
  graph.colors.reserve(colors.size());
  std::vector<Vertex> seen_by(colors.size(), nobody);
  for (const Vertex v : graph.names) {
    for (std::uint32_t i = begin[v]; i < begin[v + 1]; ++i) {
      const Vertex target = number[targets[i]];
      if (seen_by[target] == v) continue;
      seen_by[target] = v;
      graph.targets.push_back(target);
    }
    graph.begin.push_back(static_cast<std::uint32_t>(graph.targets.size()));
    graph.colors.push_back(colors[v]);
  }
  return graph;
}

}  // namespace woodstock::symmetry
