// The automorphism group of a coloured graph.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "symmetry/graph.h"
#include "symmetry/meter.h"

namespace woodstock::symmetry {

// The points that a permutation moves, ascending, and where to.
struct SparsePermutation {
  std::vector<Vertex> points;
  std::vector<Vertex> images;
};

// From the points moved and their images, in any order.
SparsePermutation from_pairs(std::vector<std::pair<Vertex, Vertex>> pairs);

// For each of so many points the smallest of its orbit.
std::vector<Vertex> orbits_of(std::size_t points, const std::vector<SparsePermutation>& generators);

struct Automorphisms {
  std::vector<SparsePermutation> generators;  // each of them was checked edge by edge
  // Their product is the order of the group that the generators generate.
  std::vector<std::uint32_t> order_factors;
  std::vector<Vertex> orbits;  // for each vertex the smallest of its orbit under that group
  bool complete = false;       // there are no other automorphisms
  std::uint64_t nodes = 0;     // refinements after the first
  double seconds = 0;          // of CPU time, with reading the graph if that was part of it
};

// All automorphisms that keep colours, or those found within the limits: then `complete` is false,
// but what is there is right. Vertices are called by their names in the graph. The same graph and
// limit of nodes give the same answer.
//
// How: vertices are made cells of their own, one after the other, with equitable refinement after
// each, until every vertex is alone. From the last of these decisions to the first it is asked
// which other vertices of the cell could have been chosen instead: a second partition is refined
// step by step like the first one. As soon as the two differ in vertices that are alone only, they
// give a permutation that is the identity elsewhere. Vertices in an orbit that is known already
// are not asked for. What differs is counted along with the splits, so an automorphism that moves
// little costs little, and a graph with a million automorphic pieces about as much as the pieces
// together.
//
// The deadline is kept to within a few milliseconds.
Automorphisms find_automorphisms(const Graph& graph, const SearchLimits& limits = {});

// Our own engine, or nauty where the build found it.
enum class Engine { own, nauty };

// The same for a graph that is read first; see make_graph() and find_automorphisms_by_nauty().
// Reading is not interrupted: a quarter of a second for two million edges in random order.
Automorphisms find_automorphisms(std::span<const std::uint32_t> colors,
                                 std::span<const Vertex> edges, const SearchLimits& limits,
                                 Engine engine);

}  // namespace woodstock::symmetry
