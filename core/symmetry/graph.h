// Coloured graphs in the form that the search for automorphisms walks over.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace woodstock::symmetry {

using Vertex = std::uint32_t;

// Undirected, without loops and double edges. The neighbours of v are
// targets[begin[v] .. begin[v+1]), in no particular order.
struct Graph {
  std::vector<std::uint32_t> begin{0};
  std::vector<Vertex> targets;
  std::vector<std::uint32_t> colors;
  // What the vertices were called by whoever made the graph. Vertices are renumbered so that
  // neighbours lie close together in memory, which makes walking over large graphs twice as fast.
  std::vector<Vertex> names;

  std::size_t size() const noexcept { return colors.size(); }
  std::uint32_t degree(Vertex v) const noexcept { return begin[v + 1] - begin[v]; }
  std::span<const Vertex> neighbours(Vertex v) const noexcept {
    return {targets.data() + begin[v], begin[v + 1] - begin[v]};
  }
};

// One colour for each vertex, and the edges as pairs, one after the other; an edge that is told
// twice is one edge. Throws std::invalid_argument for a vertex that is not there, a loop, half an
// edge, or more than 2^31 vertices or edges. Linear.
Graph make_graph(std::span<const std::uint32_t> colors, std::span<const Vertex> edges);

}  // namespace woodstock::symmetry
