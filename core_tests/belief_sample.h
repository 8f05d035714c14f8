// A game of hidden information, for tests of beliefs and of searches on them.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "belief/hypotheses.h"
#include "belief/observed_turn.h"
#include "circuit_sample.h"

namespace sample {

using woodstock::GroundProgram;
using woodstock::Hypotheses;
using woodstock::ObservedTurn;
using woodstock::Simulator;

constexpr std::uint32_t player = 0;
constexpr std::uint32_t chance = 1;

// Chance hides a number below `numbers`, the player perceives whether it is odd, and guesses.
inline GroundProgram guessing_game(std::uint32_t numbers) {
  Writer w;
  const Literal start = w.fluent({10});
  const Literal won = w.atom(holds, {700});
  const Literal lost = w.atom(holds, {701});
  w.rule(w.atom(role, {1}));
  w.rule(w.atom(role, {2}));
  w.rule(w.atom(legal, {1, 4}), {start});
  w.atom(does, {1, 4});
  w.rule(w.atom(legal, {2, 5}), {-start});
  w.atom(does, {2, 5});
  for (std::uint32_t k = 0; k < numbers; ++k) {
    const Literal hides = w.atom(does, {2, 200 + k});
    const Literal guesses = w.atom(does, {1, 300 + k});
    const Literal hidden = w.atom(holds, {100 + k});
    w.rule(w.atom(legal, {2, 200 + k}), {start});
    w.rule(w.atom(legal, {1, 300 + k}), {-start});
    w.rule(w.atom(next, {100 + k}), {hides});
    w.rule(w.atom(sees, {1, 400 + k % 2}), {hides});
    w.rule(w.atom(next, {700}), {guesses, hidden});
    w.rule(w.atom(next, {701}), {guesses, -hidden});
  }
  w.rule(w.atom(terminal), {won});
  w.rule(w.atom(terminal), {lost});
  w.rule(w.atom(goal, {1, 100}), {won});
  w.rule(w.atom(goal, {1, 0}), {lost});
  return w.builder.finish();
}

inline std::shared_ptr<Simulator> simulator_of(const GroundProgram& program) {
  return std::make_shared<Simulator>(compile(program), "auto", 1);
}

inline Hypotheses beginning(const Simulator& simulator) {
  return {simulator.circuit().initial(),
          {1.0},
          std::vector<std::uint64_t>(simulator.circuit().roles())};
}

inline std::uint32_t move_of(const GroundProgram& program, std::uint32_t symbol) {
  for (std::uint32_t m = 0; m < program.moves().size(); ++m) {
    if (program.term_symbol(program.moves()[m].term) == symbol) return m;
  }
  return 0;
}

inline ObservedTurn odd_number(const GroundProgram& program) {
  ObservedTurn observed;
  observed.move = move_of(program, 4);
  for (std::uint32_t p = 0; p < program.percepts().size(); ++p) {
    if (program.term_symbol(program.percepts()[p].term) == 401)
      observed.seen = woodstock::percept_key(p);
  }
  return observed;
}

}  // namespace sample
