// Recursions that say whether two sides are connected.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ground/program.h"

namespace woodstock::symmetry {

// Rules that ask whether a way leads from one side to the other, as in hex: a place counts if its
// own conditions hold, and it is reached if it lies at the first side or next to a place that is
// reached. Neighbours are neighbours of each other, so the question is the same from both sides,
// though the rules begin at one of them.
struct Connection {
  AtomId head = no_atom;       // which holds if there is a way, and the rest holds
  std::vector<Literal> rest;   // ascending
  std::vector<AtomId> first;   // places of the first side
  std::vector<AtomId> second;  // and of the other
};

// The rules of each atom: those of atom a are rules[first[a]] up to, not including,
// rules[last[a]], with ascending bodies. Atoms without rules have none.
struct RuleTable {
  std::span<const std::vector<Literal>> rules;
  std::span<const std::uint32_t> first;
  std::span<const std::uint32_t> last;
};

// Finds them; one for each component of the program at most. The atoms of such a component are used
// by the rules of its head alone.
std::vector<Connection> find_connections(const GroundProgram& program, const RuleTable& table);

}  // namespace woodstock::symmetry
