#include "ground/components.h"

#include <algorithm>

namespace woodstock {

ComponentOrder order_components(const DependencyGraph& graph, std::span<const AtomId> roots) {
  struct Frame {
    AtomId atom;
    std::uint32_t edge;
  };
  constexpr std::uint32_t finished = 0xffffffffU;
  const std::size_t n = graph.begin.size() - 1;
  std::vector<std::uint32_t> number(n, 0);  // order of discovery, 0: not seen
  std::vector<std::uint32_t> low(n, 0);
  std::vector<AtomId> open;  // Tarjan's stack
  std::vector<Frame> path;
  ComponentOrder order;
  std::uint32_t counter = 0;

  const auto enter = [&](AtomId atom) {
    number[atom] = low[atom] = ++counter;
    open.push_back(atom);
    path.push_back({atom, graph.begin[atom]});
  };
  const auto leave = [&](AtomId atom) {
    if (low[atom] != number[atom]) return;
    const std::size_t start = order.atoms.size();
    AtomId member = 0;
    do {
      member = open.back();
      open.pop_back();
      low[member] = finished;
      order.atoms.push_back(member);
    } while (member != atom);
    // In the order of discovery, which keeps neighbours of the rulesheet close.
    std::reverse(order.atoms.begin() + static_cast<std::ptrdiff_t>(start), order.atoms.end());
    order.begin.push_back(static_cast<std::uint32_t>(order.atoms.size()));
  };

  for (AtomId root : roots) {
    if (number[root] != 0) continue;
    enter(root);
    while (!path.empty()) {
      Frame& frame = path.back();
      const AtomId atom = frame.atom;
      if (frame.edge < graph.begin[atom + 1]) {
        const Literal literal = graph.targets[frame.edge++];
        const auto target = static_cast<AtomId>(literal < 0 ? -literal : literal);
        if (number[target] == 0) {
          enter(target);
          // Still on the stack, so in the same component as far as is known.
        } else if (low[target] != finished) {
          low[atom] = std::min(low[atom], number[target]);
        }
        continue;
      }
      path.pop_back();
      leave(atom);
      if (!path.empty() && low[atom] != finished) {
        const AtomId parent = path.back().atom;
        low[parent] = std::min(low[parent], low[atom]);
      }
    }
  }
  return order;
}

}  // namespace woodstock
