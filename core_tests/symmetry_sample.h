// Graphs whose automorphisms are known, and checks of what was found.

#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "symmetry/automorphisms.h"
#include "symmetry/graph.h"

namespace symmetry_sample {

using woodstock::symmetry::Automorphisms;
using woodstock::symmetry::SparsePermutation;
using woodstock::symmetry::Vertex;

struct Sample {
  std::vector<std::uint32_t> colors;
  std::vector<Vertex> edges;

  explicit Sample(std::size_t vertices = 0) : colors(vertices, 0) {}

  void join(std::size_t a, std::size_t b) {
    edges.push_back(static_cast<Vertex>(a));
    edges.push_back(static_cast<Vertex>(b));
  }
  woodstock::symmetry::Graph graph() const {
    return woodstock::symmetry::make_graph(colors, edges);
  }
};

inline Sample cycle(std::size_t n) {
  Sample g(n);
  for (std::size_t i = 0; i < n; ++i) g.join(i, (i + 1) % n);
  return g;
}

inline Sample complete(std::size_t n) {
  Sample g(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) g.join(i, j);
  }
  return g;
}

inline Sample petersen() {
  Sample g(10);
  for (std::size_t i = 0; i < 5; ++i) {
    g.join(i, (i + 1) % 5);
    g.join(i, i + 5);
    g.join(i + 5, (i + 2) % 5 + 5);
  }
  return g;
}

inline Sample hypercube(std::size_t dimensions) {
  Sample g(std::size_t{1} << dimensions);
  for (std::size_t v = 0; v < g.colors.size(); ++v) {
    for (std::size_t i = 0; i < dimensions; ++i) {
      if ((v >> i) % 2 == 0) g.join(v, v + (std::size_t{1} << i));
    }
  }
  return g;
}

inline Sample grid(std::size_t rows, std::size_t columns) {
  Sample g(rows * columns);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      if (c + 1 < columns) g.join(r * columns + c, r * columns + c + 1);
      if (r + 1 < rows) g.join(r * columns + c, (r + 1) * columns + c);
    }
  }
  return g;
}

// A Cayley graph of Z_n x Z_n; `steps` contains the inverse of each step.
inline Sample torus(std::size_t n, const std::vector<std::pair<std::size_t, std::size_t>>& steps) {
  Sample g(n * n);
  for (std::size_t v = 0; v < n * n; ++v) {
    for (const auto& [dr, dc] : steps) {
      const std::size_t other = (v / n + dr) % n * n + (v % n + dc) % n;
      if (v < other) g.join(v, other);
    }
  }
  return g;
}

inline Sample copies(const Sample& piece, std::size_t times) {
  const std::size_t n = piece.colors.size();
  Sample g(0);
  for (std::size_t i = 0; i < times; ++i) {
    g.colors.insert(g.colors.end(), piece.colors.begin(), piece.colors.end());
    for (const Vertex v : piece.edges) g.edges.push_back(static_cast<Vertex>(v + i * n));
  }
  return g;
}

// One vertex that is joined to all of a graph's, which have the same degree each.
inline Sample with_hub(Sample g) {
  const std::size_t hub = g.colors.size();
  g.colors.push_back(1);
  for (std::size_t v = 0; v < hub; ++v) g.join(v, hub);
  return g;
}

inline Sample beside(Sample a, const Sample& b) {
  const std::size_t n = a.colors.size();
  a.colors.insert(a.colors.end(), b.colors.begin(), b.colors.end());
  for (const Vertex v : b.edges) a.edges.push_back(static_cast<Vertex>(v + n));
  return a;
}

using Arrows = std::vector<std::pair<std::size_t, std::size_t>>;

// Each arrow has a tail and a head of different colours between the vertices.
inline Sample directed(std::size_t vertices, const Arrows& arrows) {
  Sample g(vertices);
  for (const auto& [from, to] : arrows) {
    const std::size_t tail = g.colors.size();
    g.colors.push_back(1);
    g.colors.push_back(2);
    g.join(from, tail);
    g.join(tail, tail + 1);
    g.join(tail + 1, to);
  }
  return g;
}

inline std::uint64_t order_by_trying(std::size_t vertices, const Arrows& arrows) {
  const std::set<std::pair<std::size_t, std::size_t>> all(arrows.begin(), arrows.end());
  std::vector<std::size_t> p(vertices);
  std::iota(p.begin(), p.end(), std::size_t{0});
  std::uint64_t count = 0;
  do {
    count += std::all_of(all.begin(), all.end(), [&](const auto& arrow) {
      return all.contains({p[arrow.first], p[arrow.second]});
    });
  } while (std::next_permutation(p.begin(), p.end()));
  return count;
}

inline std::uint64_t order(const Automorphisms& a) {
  std::uint64_t product = 1;
  for (const std::uint32_t factor : a.order_factors) product *= factor;
  return product;
}

// Permutations of the vertices that keep colours and edges, tried one by one.
inline std::uint64_t order_by_trying(const Sample& g) {
  const std::size_t n = g.colors.size();
  std::vector<bool> joined(n * n, false);
  for (std::size_t i = 0; i < g.edges.size(); i += 2) {
    joined[g.edges[i] * n + g.edges[i + 1]] = joined[g.edges[i + 1] * n + g.edges[i]] = true;
  }
  std::vector<Vertex> p(n);
  std::iota(p.begin(), p.end(), Vertex{0});
  std::uint64_t count = 0;
  do {
    bool keeps = true;
    for (std::size_t a = 0; a < n && keeps; ++a) {
      keeps = g.colors[a] == g.colors[p[a]];
      for (std::size_t b = 0; b < a && keeps; ++b) {
        keeps = joined[a * n + b] == joined[p[a] * n + p[b]];
      }
    }
    count += keeps ? 1 : 0;
  } while (std::next_permutation(p.begin(), p.end()));
  return count;
}

inline bool keeps(const Sample& g, const SparsePermutation& p) {
  std::vector<Vertex> images(g.colors.size());
  std::iota(images.begin(), images.end(), Vertex{0});
  for (std::size_t i = 0; i < p.points.size(); ++i) {
    if (p.points[i] == p.images[i] || (i > 0 && p.points[i - 1] >= p.points[i])) return false;
    images[p.points[i]] = p.images[i];
  }
  std::set<std::pair<Vertex, Vertex>> edges;
  for (std::size_t i = 0; i < g.edges.size(); i += 2) {
    edges.insert(std::minmax(g.edges[i], g.edges[i + 1]));
  }
  std::set<std::pair<Vertex, Vertex>> moved;
  for (const auto& [a, b] : edges) moved.insert(std::minmax(images[a], images[b]));
  for (std::size_t v = 0; v < images.size(); ++v) {
    if (g.colors[v] != g.colors[images[v]]) return false;
  }
  return moved == edges && std::set<Vertex>(images.begin(), images.end()).size() == images.size();
}

inline bool all_keep(const Sample& g, const Automorphisms& a) {
  return std::all_of(a.generators.begin(), a.generators.end(),
                     [&](const SparsePermutation& p) { return keeps(g, p); });
}

}  // namespace symmetry_sample
