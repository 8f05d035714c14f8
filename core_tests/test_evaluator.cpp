#include <algorithm>
#include <memory>
#include <stdexcept>

#include "check.h"
#include "ground/evaluator.h"
#include "sample.h"

using namespace sample;
using woodstock::Evaluator;
using woodstock::StateBytes;

namespace {

std::shared_ptr<GroundProgram> share(GroundProgram program) {
  return std::make_shared<GroundProgram>(std::move(program));
}

// Index of the first legal move of each role.
std::vector<std::uint32_t> first_moves(Evaluator& evaluator, const StateBytes& state) {
  std::vector<std::uint32_t> chosen;
  TermId last_role = 0xffffffff;
  for (std::uint32_t move : evaluator.analyse(state).legal) {
    if (evaluator.program().moves()[move].role == last_role) continue;
    last_role = evaluator.program().moves()[move].role;
    chosen.push_back(move);
  }
  return chosen;
}

}  // namespace

TEST(a_small_game_is_played_to_its_end) {
  Evaluator evaluator(share(filling_game(3)));
  StateBytes state = evaluator.initial();
  for (std::size_t ply = 0; ply < 3; ++ply) {
    const auto position = evaluator.analyse(state);
    CHECK(!position.terminal);
    CHECK(position.goals.empty());
    CHECK(position.legal.size() == 1 + 3 - ply);
    const auto successor = evaluator.next(state, first_moves(evaluator, state));
    CHECK(successor.percepts.size() == 1);
    state = successor.state;
  }
  const auto position = evaluator.analyse(state);
  CHECK(position.terminal);
  CHECK(position.goals.size() == 2);
  CHECK(position.legal.size() == 1);
}

TEST(the_memory_of_the_last_state_changes_nothing) {
  const auto program = share(filling_game(4));
  Evaluator one(program);
  StateBytes state = one.initial();
  while (!one.analyse(state).terminal) {
    const auto moves = first_moves(one, state);
    Evaluator fresh(program);
    const auto expected = fresh.next(state, moves);
    CHECK(one.next(state, moves).state == expected.state);
    CHECK(one.next(state, moves).percepts == expected.percepts);
    one.analyse(one.initial());
    CHECK(one.next(state, moves).state == expected.state);
    state = expected.state;
  }
}

// Reachability over a ring: every subset of edges against a plain search.
TEST(recursion_runs_to_the_least_fixpoint) {
  constexpr std::uint32_t nodes = 4;
  Writer w;
  w.rule(w.atom(init, {99}));
  const auto edge = [&](std::uint32_t i, std::uint32_t j) { return w.fluent({100 + 10 * i + j}); };
  const auto reached = [&](std::uint32_t i) { return w.atom(helper, {i}); };
  w.rule(reached(0), {w.fluent({99})});
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t i = 0; i < nodes; ++i) {
    for (std::uint32_t j = 0; j < nodes; ++j) {
      if (i == j || (i + j) % 3 == 0) continue;
      w.rule(reached(j), {reached(i), edge(i, j)});
      edges.emplace_back(i, j);
    }
    w.rule(w.atom(goal, {1, i}), {reached(i)});
  }
  const auto program = share(w.builder.finish());
  CHECK(program->statistics().recursive_components == 1);
  Evaluator evaluator(program);
  const auto fluents = program->fluents();
  for (std::uint32_t chosen = 0; chosen < (1U << edges.size()); ++chosen) {
    StateBytes state(evaluator.state_size(), 0);
    std::vector<bool> expected(nodes, false);
    expected[0] = true;
    for (std::uint32_t round = 0; round < nodes; ++round) {
      for (std::size_t e = 0; e < edges.size(); ++e) {
        if (((chosen >> e) & 1U) != 0 && expected[edges[e].first]) expected[edges[e].second] = true;
      }
    }
    for (std::size_t f = 0; f < fluents.size(); ++f) {
      const std::uint32_t symbol = program->term_symbol(fluents[f].term);
      bool on = symbol == 99;
      for (std::size_t e = 0; e < edges.size(); ++e) {
        if (symbol == 100 + 10 * edges[e].first + edges[e].second) on = ((chosen >> e) & 1U) != 0;
      }
      if (on) state[f / 8] = static_cast<std::uint8_t>(state[f / 8] | (1U << (f % 8)));
    }
    std::vector<bool> found(nodes, false);
    for (std::uint32_t g : evaluator.analyse(state).goals) {
      found[program->term_symbol(program->goals()[g].term)] = true;
    }
    CHECK(found == expected);
  }
}

TEST(bad_arguments_are_refused) {
  Evaluator evaluator(share(filling_game(3)));
  StateBytes state = evaluator.initial();
  CHECK_THROWS(evaluator.next(state, std::vector<std::uint32_t>{1000}), std::invalid_argument);
  CHECK_THROWS(evaluator.analyse(StateBytes{}), std::invalid_argument);
  state.back() = 0xff;
  CHECK_THROWS(evaluator.analyse(state), std::invalid_argument);
  Writer w;
  const Literal a = w.atom(helper, {1});
  w.rule(a, {-a, w.fluent({1})});
  w.rule(w.atom(terminal), {a});
  CHECK_THROWS(Evaluator(share(w.builder.finish())), std::invalid_argument);
}
