// Circuits for the tests, and the comparison of a circuit with the evaluator.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "check.h"
#include "circuit/circuit.h"
#include "circuit/isa.h"
#include "circuit/simulator.h"
#include "ground/evaluator.h"
#include "sample.h"

namespace sample {

using woodstock::Circuit;
using woodstock::Evaluator;
using woodstock::RoleTable;
using woodstock::Simulator;
using woodstock::StateBytes;

// Roles in the order of their terms; a goal is worth its symbol.
inline RoleTable role_table(const GroundProgram& program) {
  RoleTable table;
  std::map<TermId, std::uint32_t> number;
  for (TermId role_term : program.roles()) {
    number.emplace(role_term, static_cast<std::uint32_t>(number.size()));
  }
  const auto role_of = [&](TermId term) {
    const auto found = number.find(term);
    return found == number.end() ? RoleTable::no_role : found->second;
  };
  table.roles = static_cast<std::uint32_t>(number.size());
  for (const auto& move : program.moves()) table.move_role.push_back(role_of(move.role));
  for (const auto& goal : program.goals()) {
    table.goal_role.push_back(role_of(goal.role));
    table.goal_value.push_back(program.term_symbol(goal.term));
  }
  for (const auto& percept : program.percepts()) {
    table.percept_role.push_back(role_of(percept.role));
  }
  return table;
}

inline std::shared_ptr<Circuit> compile(const GroundProgram& program) {
  return std::make_shared<Circuit>(program, role_table(program));
}

// A game of random rules: helpers in layers, some recursive, and everything GDL asks for. Moves may
// be missing, goals may be none or several: whatever the rules say.
inline GroundProgram random_game(std::uint32_t seed) {
  std::mt19937 rng(seed);
  const auto below = [&rng](std::size_t n) { return static_cast<std::uint32_t>(rng() % n); };
  Writer w;
  const std::uint32_t roles = 1 + below(3);
  const std::uint32_t fluents = 1 + below(12);
  const std::uint32_t moves = 1 + below(11);
  std::vector<Literal> state;  // literals that rules about the state may use
  for (std::uint32_t f = 0; f < fluents; ++f) {
    const Literal holds_f = w.atom(holds, {100 + f});
    if (below(2) == 0) w.rule(w.atom(init, {100 + f}));
    state.push_back(holds_f);
  }
  const auto body = [&](const std::vector<Literal>& from, std::size_t most) {
    std::vector<Literal> out;
    for (std::size_t i = 0, n = 1 + below(most); i < n; ++i) {
      const Literal literal = from[below(from.size())];
      out.push_back(below(3) == 0 ? -literal : literal);
    }
    return out;
  };
  // Layers of helpers; every second layer depends on itself, positively.
  std::uint32_t helpers = 0;
  const auto layer = [&](std::vector<Literal>& known, bool recursive) {
    std::vector<Literal> made;
    for (std::uint32_t i = 0, n = 1 + below(5); i < n; ++i) {
      made.push_back(w.atom(helper, {300 + helpers++}));
    }
    for (Literal head : made) {
      for (std::uint32_t r = 0, n = below(4); r < n; ++r) {
        std::vector<Literal> rule = body(known, 4);
        if (recursive && below(2) == 0) rule.push_back(made[below(made.size())]);
        w.rule(head, rule);
      }
    }
    known.insert(known.end(), made.begin(), made.end());
  };
  for (std::uint32_t i = 0, n = below(4); i < n; ++i) layer(state, i % 2 == 1);
  std::vector<Literal> step = state;
  for (std::uint32_t r = 1; r <= roles; ++r) {
    w.rule(w.atom(role, {r}));
    for (std::uint32_t m = 0; m < moves; ++m) {
      for (std::uint32_t i = 0, n = below(3); i < n; ++i) {
        w.rule(w.atom(legal, {r, 200 + m}), body(state, 3));
      }
      if (below(8) == 0) w.rule(w.atom(legal, {r, 200 + m}));
      if (below(4) != 0) step.push_back(w.atom(does, {r, 200 + m}));
    }
    for (std::uint32_t value : {0U, 50U, 100U}) {
      if (below(4) != 0) w.rule(w.atom(goal, {r, value}), body(state, 2));
    }
  }
  for (std::uint32_t i = 0, n = below(3); i < n; ++i) layer(step, i % 2 == 1);
  for (std::uint32_t f = 0; f < fluents; ++f) {
    for (std::uint32_t i = 0, n = below(4); i < n; ++i) {
      w.rule(w.atom(next, {100 + f}), body(step, 3));
    }
    if (below(3) == 0) w.rule(w.atom(next, {100 + f}), {w.atom(holds, {100 + f})});
  }
  for (std::uint32_t i = 0, n = below(3); i < n; ++i) {
    w.rule(w.atom(sees, {1 + below(roles), 400 + i}), body(step, 3));
  }
  if (below(4) != 0) w.rule(w.atom(terminal), body(state, 4));
  return w.builder.finish();
}

// Plays at random, as the evaluator understands the rules, and holds every kernel to what it says:
// all states met in one batch, and the first few one by one.
inline void compare_with_evaluator(const std::shared_ptr<GroundProgram>& program,
                                   std::size_t states_wanted, std::uint32_t seed) {
  const auto circuit = compile(*program);
  Evaluator evaluator(program);
  std::mt19937 rng(seed);
  const std::size_t size = circuit->state_size();
  const std::uint32_t roles = circuit->roles();

  std::vector<std::uint8_t> states;
  std::vector<woodstock::Position> positions;
  std::vector<std::uint8_t> moved;  // states with a joint move, the moves, and what follows
  std::vector<std::uint32_t> joint_moves;
  std::vector<woodstock::Successor> following;
  StateBytes state = evaluator.initial();
  for (std::size_t i = 0; i < states_wanted; ++i) {
    positions.push_back(evaluator.analyse(state));
    StateBytes padded = state;
    padded.resize(size);
    states.insert(states.end(), padded.begin(), padded.end());
    std::vector<std::vector<std::uint32_t>> options(roles);
    for (std::uint32_t move : positions.back().legal) {
      options[circuit->role_table().move_role[move]].push_back(move);
    }
    bool playing = !positions.back().terminal && roles > 0 && rng() % 32 != 0;
    for (const auto& list : options) playing = playing && !list.empty();
    if (!playing) {
      // Somewhere else, reachable or not.
      for (std::size_t f = 0; f < program->fluents().size(); ++f) {
        if (rng() % 4 == 0) state[f / 8] = static_cast<std::uint8_t>(state[f / 8] ^ (1U << f % 8));
      }
      continue;
    }
    std::vector<std::uint32_t> joint;
    for (const auto& list : options) joint.push_back(list[rng() % list.size()]);
    moved.insert(moved.end(), padded.begin(), padded.end());
    joint_moves.insert(joint_moves.end(), joint.begin(), joint.end());
    following.push_back(evaluator.next(state, joint));
    state = following.back().state;
    following.back().state.resize(size);
  }
  const auto row = [](const std::vector<std::uint32_t>& begin,
                      const std::vector<std::uint32_t>& items, std::size_t i) {
    return std::vector<std::uint32_t>(items.begin() + begin[i], items.begin() + begin[i + 1]);
  };
  for (const woodstock::Kernel* kernel : woodstock::available_kernels()) {
    Simulator simulator(circuit, kernel->name, 1);
    for (std::size_t at_once : {states_wanted, std::size_t{1}}) {
      const std::size_t last = at_once == 1 ? std::min<std::size_t>(10, states_wanted) : 1;
      for (std::size_t first = 0; first < last; ++first) {
        const std::span<const std::uint8_t> batch(states.data() + first * size, at_once * size);
        const woodstock::Positions found = simulator.analyse(batch);
        for (std::size_t i = 0; i < at_once; ++i) {
          const woodstock::Position& wanted = positions[first + i];
          CHECK((found.terminal[i] != 0) == wanted.terminal);
          CHECK(row(found.legal_begin, found.legal, i) == wanted.legal);
          CHECK(row(found.goals_begin, found.goals, i) == wanted.goals);
        }
      }
      const std::size_t moved_at_once = at_once == 1 ? 1 : following.size();
      const std::size_t moved_last = at_once == 1 ? std::min<std::size_t>(10, following.size()) : 1;
      for (std::size_t first = 0; first < moved_last; ++first) {
        const std::span<const std::uint8_t> batch(moved.data() + first * size,
                                                  moved_at_once * size);
        const std::span<const std::uint32_t> moves(joint_moves.data() + first * roles,
                                                   moved_at_once * roles);
        const woodstock::Successors found = simulator.next(batch, moves, true);
        for (std::size_t i = 0; i < moved_at_once; ++i) {
          const woodstock::Successor& wanted = following[first + i];
          CHECK(std::equal(wanted.state.begin(), wanted.state.end(),
                           found.states.begin() + static_cast<std::ptrdiff_t>(i * size)));
          CHECK(row(found.percepts_begin, found.percepts, i) == wanted.percepts);
        }
      }
    }
  }
}

}  // namespace sample
