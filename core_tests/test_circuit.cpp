#include <memory>
#include <stdexcept>

#include "circuit/guards.h"
#include "circuit/share.h"
#include "circuit_sample.h"

using namespace sample;
using namespace woodstock;

TEST(a_circuit_is_the_evaluator_in_every_lane) {
  compare_with_evaluator(std::make_shared<GroundProgram>(filling_game(5)), 600, 1);
  compare_with_evaluator(std::make_shared<GroundProgram>(filling_game(9, false)), 2100, 2);
}

TEST(random_games_agree_with_the_evaluator) {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    compare_with_evaluator(std::make_shared<GroundProgram>(random_game(seed)), 70, seed);
    if (check::failures_of_this_test() != 0) {
      std::printf("seed %u\n", seed);
      return;
    }
  }
}

TEST(a_path_is_followed_to_its_end_in_every_direction) {
  // reached(k) if cell k holds and its neighbour is reached: 40 cells in a row, entered at both
  // ends.
  Writer w;
  w.rule(w.atom(role, {1}));
  w.rule(w.atom(legal, {1, 9}));
  constexpr std::uint32_t cells = 40;
  const auto reached = [&](std::uint32_t k) { return w.atom(helper, {500 + k}); };
  for (std::uint32_t k = 0; k < cells; ++k) {
    const Literal cell = w.fluent({100 + k});
    w.rule(w.atom(next, {100 + k}), {reached(k)});
    if (k == 0 || k + 1 == cells) w.rule(reached(k), {cell});
    if (k > 0) w.rule(reached(k), {cell, reached(k - 1)});
    if (k + 1 < cells) w.rule(reached(k), {cell, reached(k + 1)});
  }
  const auto program = std::make_shared<GroundProgram>(w.builder.finish());
  CHECK(compile(*program)->statistics().recursions == 1);
  compare_with_evaluator(program, 700, 3);
}

TEST(the_other_sides_logic_sleeps) {
  const GroundProgram program = filling_game(9);
  const auto circuit = compile(program);
  CHECK(circuit->statistics().guards > 0);
  CHECK(circuit->statistics().guarded > 0);
}

TEST(sharing_keeps_what_is_asked_and_makes_it_smaller) {
  // Eight heads that are the conjunction of the same five fluents and one of their own.
  Writer w;
  w.rule(w.atom(role, {1}));
  std::vector<Literal> common;
  for (std::uint32_t i = 0; i < 5; ++i) common.push_back(w.fluent({100 + i}));
  for (std::uint32_t h = 0; h < 8; ++h) {
    std::vector<Literal> body = common;
    body.push_back(w.fluent({200 + h}));
    w.rule(w.atom(legal, {1, 300 + h}), body);
  }
  const GameLogic before = synthesise(w.builder.finish());
  const GameLogic after = share_parts(before);
  CHECK(before.logic.input_count() == 8 * 6);
  CHECK(after.logic.input_count() == 8 * 2 + 4 * 2);
  CHECK(after.legal.size() == before.legal.size());
}

TEST(a_table_that_does_not_fit_is_refused) {
  const GroundProgram program = filling_game(3);
  RoleTable table = role_table(program);
  table.move_role.pop_back();
  CHECK_THROWS(Circuit(program, table), std::invalid_argument);
  RoleTable crowd = role_table(program);
  crowd.roles = max_roles + 1;
  CHECK_THROWS(Circuit(program, crowd), std::invalid_argument);
  RoleTable wrong = role_table(program);
  wrong.move_role[0] = 7;
  CHECK_THROWS(Circuit(program, wrong), std::invalid_argument);
  RoleTable nobody = role_table(program);
  nobody.move_role[0] = RoleTable::no_role;
  CHECK_THROWS(Circuit(program, nobody), std::invalid_argument);
}

TEST(legality_that_depends_on_moves_is_refused) {
  Writer w;
  w.rule(w.atom(role, {1}));
  const Literal there = w.fluent({100});
  w.rule(w.atom(legal, {1, 1}), {there});
  w.rule(w.atom(goal, {1, 50}), {w.atom(does, {1, 1})});
  const GroundProgram program = w.builder.finish();
  CHECK_THROWS(compile(program), std::invalid_argument);
}

TEST(a_move_that_rewriting_finds_impossible_is_never_made) {
  // The move is legal where p holds and q does not; both are a, b and c, which only sharing finds
  // out. Whoever made it would end the game.
  Writer w;
  w.rule(w.atom(role, {1}));
  const auto fluent = [&](std::uint32_t i) { return w.atom(holds, {100 + i}); };
  for (std::uint32_t i = 0; i < 12; ++i) w.rule(w.atom(init, {100 + i}));
  const Literal a = fluent(0), b = fluent(1), c = fluent(2);
  const Literal p = w.atom(helper, {1}), q = w.atom(helper, {2}), ab = w.atom(helper, {3});
  w.rule(p, {a, b, c});
  w.rule(q, {ab, c});
  w.rule(ab, {a, b});
  w.rule(w.atom(legal, {1, 201}));
  w.rule(w.atom(legal, {1, 202}));
  w.rule(w.atom(legal, {1, 199}), {p, -q});
  for (std::uint32_t i = 0; i < 12; ++i) {
    w.rule(w.atom(next, {100 + i}), {fluent(i)});
    w.rule(w.atom(next, {100 + i}), {a, b, fluent((i + 5) % 12), w.atom(does, {1, 201})});
  }
  for (std::uint32_t i = 3; i < 10; ++i) {
    const Literal three = w.atom(helper, {50 + i});
    w.rule(three, {a, b, fluent(i)});
    w.rule(w.atom(legal, {1, 210 + i}), {three, fluent((i + 3) % 12)});
    w.rule(w.atom(legal, {1, 230 + i}), {three, fluent((i + 4) % 12)});
  }
  w.rule(w.atom(legal, {1, 250}), {w.atom(helper, {53}), w.atom(helper, {54})});
  w.rule(w.atom(legal, {1, 251}), {w.atom(helper, {55}), w.atom(helper, {56})});
  w.rule(w.atom(next, {150}), {w.atom(does, {1, 199})});
  w.rule(w.atom(terminal), {w.atom(holds, {150})});
  w.rule(w.atom(goal, {1, 100}), {w.atom(holds, {150})});
  w.rule(w.atom(goal, {1, 50}), {-w.atom(holds, {150})});
  const auto program = std::make_shared<GroundProgram>(w.builder.finish());
  compare_with_evaluator(program, 600, 4);
  const auto circuit = compile(*program);
  const std::vector<std::uint64_t> budget{5000};
  PlayoutOptions options;
  options.max_plies = 40;
  for (const Kernel* kernel : available_kernels()) {
    Simulator simulator(circuit, kernel->name, 1);
    const Tally tally = simulator.playouts(circuit->initial(), budget, options).front();
    CHECK(tally.lengths.cut == 5000);
    CHECK(tally.goals[0].sum == 50 * 5000);
  }
}
