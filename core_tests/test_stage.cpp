#include <algorithm>
#include <stdexcept>

#include "circuit_sample.h"
#include "search/stage.h"
#include "search/stage_csp.h"

using namespace sample;
using namespace woodstock;

namespace {

bool same(const Visits& a, const Visits& b) {
  return a.states == b.states && a.keys == b.keys && a.terminal == b.terminal &&
         a.legal_begin == b.legal_begin && a.legal == b.legal && a.goals == b.goals;
}

// One role, two moves, of which the first makes p hold: then the game is over, though both moves
// stay legal. 70 and 100 are what p is worth.
GroundProgram switch_game() {
  Writer w;
  w.rule(w.atom(role, {1}));
  for (const std::uint32_t move : {200U, 201U}) {
    w.rule(w.atom(legal, {1, move}));
    w.atom(does, {1, move});
  }
  const Literal on = w.atom(holds, {100});
  w.rule(w.atom(next, {100}), {w.atom(does, {1, 200})});
  w.rule(w.atom(terminal), {on});
  w.rule(w.atom(goal, {1, 70}), {on});
  w.rule(w.atom(goal, {1, 100}), {on});
  return w.builder.finish();
}

// Its network.
struct Switch {
  Switch(bool with_score = true, bool with_after = true) {
    const std::uint32_t terminal = problem.add_variable(2);
    const std::uint32_t score = problem.add_variable(1);
    const std::uint32_t now = problem.add_variable(2);
    const std::uint32_t action = problem.add_variable(3);
    const std::uint32_t after = problem.add_variable(2);
    if (with_score) {
      problem.add_table(std::vector{terminal, now}, std::vector<csp::Entry>{0, 0, 1, 1});
    }
    problem.add_table(std::vector{action, now}, std::vector<csp::Entry>{csp::except(2), 0, 2, 1});
    if (with_after) {
      problem.add_table(std::vector{after, now, action},
                        std::vector<csp::Entry>{1, csp::any, 0, 0, 0, 1, 1, 1, 2});
    }
    map.terminal = terminal;
    map.slots = {{now, after, {StageMap::none, 0}}};
    map.roles = {{action, {0, 1, StageMap::none}, score, {StageMap::none}}};
  }

  csp::Problem problem;
  StageMap map;
};

bool same(const Offspring& a, const Offspring& b) {
  return a.states == b.states && a.keys == b.keys && a.over == b.over && a.goals == b.goals &&
         a.choices == b.choices;
}

bool solve_all(StageSolver& stages, std::span<const std::uint8_t> state, std::uint64_t limit,
               Offspring& out) {
  Visits here;
  stages.look(state, here);
  out = {};
  out.asked_choices = true;
  const Choices choices{here.legal_begin, here.legal};
  // Nobody moves where the game is over.
  if (count_joint(choices, ~std::uint64_t{0}) == 0) return true;
  std::vector<std::uint32_t> begin;
  std::vector<std::uint32_t> moves;
  stages.open(state, begin, moves);
  CHECK(begin == here.legal_begin && moves == here.legal);
  return stages.solve(choices, limit, out);
}

constexpr csp::Propagation kinds[] = {csp::Propagation::compact_table, csp::Propagation::str2,
                                      csp::Propagation::forward};

}  // namespace

TEST(compiled_stages_are_all_joint_moves) {
  std::size_t finished = 0;
  std::size_t stuck = 0;
  for (std::uint32_t seed = 0; seed < 80; ++seed) {
    const auto circuit = compile(random_game(seed));
    const auto simulator = std::make_shared<Simulator>(circuit, seed % 2 == 0 ? "auto" : "base", 1);
    CompiledStages stages(simulator);
    std::mt19937 rng(seed);
    std::vector<std::uint8_t> state = circuit->initial();
    Offspring after;
    for (int step = 0; step < 20; ++step) {
      const Expansion wanted = simulator->expand(state, 100'000, false);
      CHECK(solve_all(stages, state, 100'000, after));
      CHECK(after.states == wanted.after.states);
      Visits visited;
      simulator->visit(wanted.after.states, {}, visited);
      CHECK(after.keys == visited.keys);
      const std::size_t roles = circuit->roles();
      const std::size_t count = after.keys.size();
      CHECK(after.over.size() == count && after.goals.size() == count * roles);
      for (std::size_t i = 0; i < count; ++i) {
        bool over = visited.terminal[i] != 0;
        for (std::size_t r = i * roles; r < (i + 1) * roles && !over; ++r) {
          over = visited.legal_begin[r] == visited.legal_begin[r + 1];
          stuck += over ? 1 : 0;
        }
        CHECK((after.over[i] != 0) == over);
        finished += visited.terminal[i];
        for (std::size_t r = i * roles; r < (i + 1) * roles; ++r) {
          CHECK(after.goals[r] == (over ? visited.goals[r] : 0));
          const std::uint32_t moves = visited.legal_begin[r + 1] - visited.legal_begin[r];
          CHECK(after.choices[r] == (over ? 0 : std::min(moves, 255U)));
        }
      }
      if (count > 0) CHECK(!solve_all(stages, state, count - 1, after));
      for (std::uint8_t& byte : state) byte = static_cast<std::uint8_t>(rng());
      state.back() &= static_cast<std::uint8_t>((1U << (circuit->fluents() % 8)) - 1);
    }
  }
  CHECK(finished > 100);
  CHECK(stuck > 10);
}

TEST(wide_stages_take_several_turns) {
  // Two say one of many words each, and remember them.
  for (const std::uint32_t words : {3U, 17U, 23U, 40U}) {
    Writer w;
    for (const std::uint32_t r : {1U, 2U}) {
      w.rule(w.atom(role, {r}));
      for (std::uint32_t word = 0; word < words; ++word) {
        w.rule(w.atom(legal, {r, 200 + word}));
        w.rule(w.atom(next, {1000 * r + word}), {w.atom(does, {r, 200 + word})});
      }
      w.rule(w.atom(goal, {r, 10 * r}), {w.atom(holds, {1000 * r})});
    }
    w.rule(w.atom(terminal), {w.atom(holds, {1001}), w.atom(holds, {2002})});
    w.rule(w.atom(terminal), {w.atom(holds, {1000})});
    const auto circuit = compile(w.builder.finish());
    for (const char* isa : {"auto", "base"}) {
      const auto simulator = std::make_shared<Simulator>(circuit, isa, 1);
      CompiledStages stages(simulator);
      Offspring after;
      CHECK(solve_all(stages, circuit->initial(), 10'000, after));
      CHECK(after.keys.size() == words * words);
      CHECK(after.states == simulator->expand(circuit->initial(), 10'000, false).after.states);
      Visits visited;
      simulator->visit(after.states, {}, visited);
      CHECK(after.keys == visited.keys && after.over == visited.terminal);
      for (std::size_t i = 0; i < after.goals.size(); ++i) {
        CHECK(after.goals[i] == (after.over[i / 2] != 0 ? visited.goals[i] : 0));
      }
      CHECK(!solve_all(stages, circuit->initial(), words * words - 1, after));
    }
  }
}

TEST(table_solvers_solve_the_same_stages) {
  const auto simulator = std::make_shared<Simulator>(compile(switch_game()), "auto", 1);
  const Switch network;
  CompiledStages compiled(simulator);
  for (const csp::Propagation propagation : kinds) {
    CspStages stages(simulator, network.problem, {.propagation = propagation}, network.map);
    for (const std::uint8_t on : {std::uint8_t{0}, std::uint8_t{1}}) {
      const std::vector<std::uint8_t> state{on};
      Visits wanted;
      Visits found;
      compiled.look(state, wanted);
      stages.look(state, found);
      CHECK(same(found, wanted));
      CHECK(found.goals == std::vector<std::uint32_t>{on != 0 ? 100U : 0U});
      Offspring wanted_after;
      Offspring after;
      CHECK(solve_all(compiled, state, 10, wanted_after));
      CHECK(solve_all(stages, state, 10, after));
      CHECK(after.keys.size() == (on != 0 ? 0U : 2U));
      CHECK(same(after, wanted_after));
    }
    CHECK(stages.nodes() == 2);
  }
}

TEST(only_the_choices_are_solved) {
  const auto simulator = std::make_shared<Simulator>(compile(switch_game()), "auto", 1);
  const Switch network;
  CompiledStages compiled(simulator);
  CspStages tables(simulator, network.problem, {}, network.map);
  const std::vector<std::uint8_t> state{0};
  Visits here;
  compiled.look(state, here);
  CHECK(here.legal.size() == 2);
  const std::vector<std::uint32_t> one{here.legal[1]};
  const std::vector<std::uint32_t> begin{0, 1};
  for (StageSolver* stages :
       {static_cast<StageSolver*>(&compiled), static_cast<StageSolver*>(&tables)}) {
    std::vector<std::uint32_t> from;
    std::vector<std::uint32_t> moves;
    Offspring out;
    stages->open(state, from, moves);
    CHECK(stages->solve({begin, one}, 10, out));
    CHECK(out.keys.size() == 1 && out.over == std::vector<std::uint8_t>{0});
  }
}

TEST(table_solvers_stop_when_told) {
  const auto simulator = std::make_shared<Simulator>(compile(switch_game()), "auto", 1);
  const Switch network;
  CspStages stages(simulator, network.problem, {}, network.map);
  const std::vector<std::uint8_t> state{0};
  Offspring out;
  stages.go_on = [] { return false; };
  CHECK(!solve_all(stages, state, 10, out));
  stages.go_on = [] { return true; };
  CHECK(solve_all(stages, state, 10, out));
}

TEST(table_solvers_find_networks_out) {
  const auto simulator = std::make_shared<Simulator>(compile(switch_game()), "auto", 1);
  const std::vector<std::uint8_t> state{0};
  Offspring after;
  Visits out;
  const Switch open(false);
  CspStages undecided(simulator, open.problem, {}, open.map);
  CHECK_THROWS(undecided.look(state, out), std::logic_error);
  const Switch loose(true, false);
  CspStages vague(simulator, loose.problem, {}, loose.map);
  CHECK_THROWS(solve_all(vague, state, 10, after), std::logic_error);

  const auto refused = [&](const auto& change) {
    Switch network;
    change(network.map);
    CHECK_THROWS(CspStages(simulator, network.problem, {}, network.map), std::invalid_argument);
  };
  refused([](StageMap& map) { map.slots.clear(); });
  refused([](StageMap& map) { map.roles.clear(); });
  refused([](StageMap& map) { map.always = {0}; });
  refused([](StageMap& map) { map.terminal = 99; });
  refused([](StageMap& map) { map.slots[0].fluents.push_back(1); });
  refused([](StageMap& map) { map.slots[0].fluents[1] = 7; });
  refused([](StageMap& map) { std::swap(map.roles[0].moves[0], map.roles[0].moves[1]); });
  refused([](StageMap& map) { map.roles[0].goals.clear(); });
}
