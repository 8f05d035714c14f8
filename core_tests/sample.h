// Small programs for the tests, written with names instead of numbers.

#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ground/builder.h"
#include "ground/program.h"

namespace sample {

using woodstock::AtomId;
using woodstock::GroundProgram;
using woodstock::Literal;
using woodstock::TermId;

// Predicate numbers of the translation.
enum Predicate : std::uint32_t {
  role = 0,
  init = 1,
  holds = 2,
  does = 3,
  legal = 4,
  next = 5,
  terminal = 6,
  goal = 7,
  sees = 8,
  helper = 16,
};

// Atoms by predicate and constant arguments; a symbol is a small number of the test's choosing.
class Writer {
 public:
  Literal atom(std::uint32_t predicate, std::vector<std::uint32_t> args = {}) {
    const auto [it, fresh] =
        numbers_.emplace(std::pair(predicate, args), static_cast<AtomId>(numbers_.size() + 1));
    if (fresh) {
      std::vector<TermId> terms;
      for (std::uint32_t symbol : args) terms.push_back(builder.add_term(symbol, {}));
      builder.add_atom(it->second, predicate, terms);
    }
    return static_cast<Literal>(it->second);
  }

  // holds(args), which can be true because it is at the start.
  Literal fluent(std::vector<std::uint32_t> args) {
    rule(atom(init, args));
    return atom(holds, std::move(args));
  }

  void rule(Literal head, std::vector<Literal> body = {}) {
    builder.add_rule(static_cast<AtomId>(head), body);
  }

  woodstock::ProgramBuilder builder;

 private:
  std::map<std::pair<std::uint32_t, std::vector<std::uint32_t>>, AtomId> numbers_;
};

// The number of an atom in a finished program, 0 when it is not there.
inline AtomId find(const GroundProgram& program, std::uint32_t predicate,
                   const std::vector<std::uint32_t>& args = {}) {
  for (AtomId a = 1; a <= program.atom_count(); ++a) {
    if (program.predicate(a) != predicate) continue;
    std::vector<std::uint32_t> symbols;
    for (TermId term : program.atom_args(a)) symbols.push_back(program.term_symbol(term));
    if (symbols == args) return a;
  }
  return 0;
}

inline std::size_t rule_count(const GroundProgram& program, AtomId atom) {
  const auto [first, last] = program.rules_of(atom);
  return last - first;
}

// A board of `cells` cells that two roles fill in turn. Symbols: roles 1 and 2, blank 3, noop 4;
// fluents and moves are numbered: content c of cell k is 100 + 10 * k + c, control of r is 50 + r,
// marking cell k is 200 + k. The end: no blank cell is left. Goals: 1 gets 90, 2 gets 10.
inline GroundProgram filling_game(std::uint32_t cells, bool with_frame_for_marks = true) {
  Writer w;
  const auto cell = [](std::uint32_t k, std::uint32_t c) { return 100 + 10 * k + c; };
  for (std::uint32_t r : {1U, 2U}) {
    const std::uint32_t other = 3 - r;
    w.rule(w.atom(role, {r}));
    w.rule(w.atom(next, {50 + other}), {w.atom(holds, {50 + r})});
    w.rule(w.atom(legal, {r, 4}), {w.atom(holds, {50 + other})});
    w.atom(does, {r, 4});
  }
  w.rule(w.atom(init, {51}));
  const Literal open = w.atom(helper, {});
  for (std::uint32_t k = 0; k < cells; ++k) {
    const Literal blank = w.atom(holds, {cell(k, 3)});
    w.rule(w.atom(init, {cell(k, 3)}));
    w.rule(open, {blank});
    for (std::uint32_t r : {1U, 2U}) {
      const Literal mark = w.atom(does, {r, 200 + k});
      w.rule(w.atom(legal, {r, 200 + k}), {blank, w.atom(holds, {50 + r})});
      w.rule(w.atom(next, {cell(k, r)}), {blank, mark});
      if (with_frame_for_marks) w.rule(w.atom(next, {cell(k, r)}), {w.atom(holds, {cell(k, r)})});
      for (std::uint32_t j = 0; j < cells; ++j) {
        if (j != k) w.rule(w.atom(next, {cell(k, 3)}), {blank, w.atom(does, {r, 200 + j})});
      }
      w.rule(w.atom(sees, {r, 200 + k}), {mark});
    }
  }
  w.rule(w.atom(terminal), {-open});
  w.rule(w.atom(goal, {1, 90}), {-open});
  w.rule(w.atom(goal, {2, 10}), {-open});
  return w.builder.finish();
}

}  // namespace sample
