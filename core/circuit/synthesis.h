// From the ground program to its logic: every atom becomes a function of fluents and moves.

#pragma once

#include <cstdint>
#include <vector>

#include "circuit/logic.h"
#include "ground/program.h"

namespace woodstock {

// A component of atoms that depend on themselves. Their values are the least fixpoint: all start
// false, and update[i] (over the inner nodes) is taken as the new value of atom i until nothing
// changes. Everybody else sees the outer nodes. Inner nodes of recursion r, atom i carry the index
// first + i, and so do the outer ones.
struct Recursion {
  std::uint32_t first = 0;
  std::vector<NodeId> inner;
  std::vector<NodeId> outer;
  std::vector<Ref> update;
};

// What a game is asked, as references into one graph. The references of goals, legality and the end
// depend on fluents alone; those of next and percepts also on the moves.
struct GameLogic {
  Logic logic;
  std::vector<Ref> legal;     // per move of the program
  std::vector<Ref> does;      // per move: its source, or a constant where it has no say
  std::vector<Ref> next;      // per fluent
  std::vector<Ref> goals;     // per goal
  std::vector<Ref> percepts;  // per percept
  Ref terminal = ref_false;
  std::vector<Recursion> recursions;
};

// Completes every atom ("it holds exactly when one of its rules fires") and writes it as shared,
// factored conjunctions. Two things that every step of play obeys are used to make them smaller:
// a role makes exactly one move, and that move is legal. So `next` and `percepts` are right for
// joint moves of legal moves, and say nothing about others.
// Throws std::invalid_argument when the program is not stratified, or when legality, the end or a
// goal depends on moves.
GameLogic synthesise(const GroundProgram& program);

}  // namespace woodstock
