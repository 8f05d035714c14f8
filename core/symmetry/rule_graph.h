// The ground rule graph: a coloured graph whose automorphisms are symmetries of the rules.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ground/program.h"
#include "ground/reachability.h"
#include "symmetry/graph.h"

namespace woodstock::symmetry {

// What symmetries of a game act on. A point is a fluent, a move or a percept of the program:
// fluents come first, then moves, then percepts, each in the program's order.
struct Points {
  explicit Points(const GroundProgram& program)
      : moves(program.fluents().size()),
        percepts(moves + program.moves().size()),
        size(percepts + program.percepts().size()) {}

  std::size_t moves;     // the first move
  std::size_t percepts;  // the first percept
  std::size_t size;
};

struct RuleGraphOptions {
  // For each fluent whether it is marked, or empty: marked ones stay among themselves. With those
  // of a state, the symmetries are those that keep the state.
  std::vector<std::uint8_t> marked;
  bool exchange_roles = false;  // players may be exchanged, but for the role `chance`
  TermId chance = 0xffffffffU;
  // Of each atom, or empty: what keeps its value is put in, and the graph is that of the rules that
  // are left. Its symmetries are those of the game from a state on; see
  // three_valued_reachability().
  std::vector<Fate> fates;
};

// For make_graph().
struct RuleGraph {
  static constexpr Vertex no_vertex = 0xffffffffU;

  std::vector<std::uint32_t> colors;
  std::vector<Vertex> edges;
  std::vector<Vertex> points;       // the vertex of each point, or no_vertex
  std::vector<std::uint32_t> idle;  // fluents that may change, but nothing depends on them
};

// The graph of Koriche, Lagrue, Piette and Tabary (IJCAI 2017, section 3.2; after Schiffel 2010)
// with changes, the first two of which leave the symmetries what they are:
//
//   * a fluent and the atom that it is true are one vertex, so are a move and the atom that it is
//     made; an atom of the rulesheet's own with one rule is one vertex with it;
//   * stars instead of cliques;
//   * only what legal moves, percepts, goals or the end depend on, now or later, is there: facts
//     that nothing looks at could be exchanged at will;
//   * conclusions and conditions of a rule are told apart, by how far they are from the state, and
//     inside a recursion by a vertex between a rule and its conclusion. A clique does not tell p if
//     q from q if p;
//   * a recursion that asks whether two sides are connected has the same graph from either side;
//     see connections.h.
//
// Names of predicates other than GDL's own do not count: a row may become a column.
// Throws std::invalid_argument where there is not one mark for each fluent, or one fate for each
// atom.
RuleGraph rule_graph(const GroundProgram& program, const RuleGraphOptions& options = {});

}  // namespace woodstock::symmetry
