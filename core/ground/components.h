// Strongly connected components of a dependency graph.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ground/program.h"

namespace woodstock {

// A graph over atoms: those that a depends on are targets[begin[a] .. begin[a+1]), with signs.
struct DependencyGraph {
  std::span<const std::uint32_t> begin;
  std::span<const Literal> targets;
};

struct ComponentOrder {
  std::vector<AtomId> atoms;            // those reached from the roots, dependencies first
  std::vector<std::uint32_t> begin{0};  // component c: atoms[begin[c] .. begin[c+1])
};

// Tarjan's algorithm with its own stack (chains of dependencies can be millions long). Components
// come in topological order, what is depended on first. Linear in atoms and edges.
ComponentOrder order_components(const DependencyGraph& graph, std::span<const AtomId> roots);

}  // namespace woodstock
