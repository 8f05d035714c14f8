#include <cmath>
#include <memory>
#include <set>
#include <stdexcept>

#include "circuit/transpose.h"
#include "circuit_sample.h"
#include "util/random.h"

using namespace sample;
using namespace woodstock;

namespace {

bool same(const Tally& a, const Tally& b) {
  bool equal = a.lengths.playouts == b.lengths.playouts && a.lengths.length == b.lengths.length &&
               a.lengths.length_squares == b.lengths.length_squares &&
               a.lengths.shortest == b.lengths.shortest && a.lengths.longest == b.lengths.longest &&
               a.lengths.stuck == b.lengths.stuck && a.lengths.cut == b.lengths.cut &&
               a.lengths.unclear == b.lengths.unclear;
  for (std::size_t i = 0; i < a.goals.size(); ++i) {
    equal = equal && a.goals[i].sum == b.goals[i].sum && a.goals[i].squares == b.goals[i].squares;
  }
  return equal;
}

PlayoutOptions seeded(std::uint64_t seed, std::uint32_t max_plies = 1000) {
  PlayoutOptions options;
  options.seed = seed;
  options.max_plies = max_plies;
  return options;
}

// One player who says `first` (goal 0, over at once) or `other` (and waits `plies` more, goal 100).
GroundProgram long_or_short(std::uint32_t plies) {
  Writer w;
  w.rule(w.atom(role, {1}));
  const Literal start = w.fluent({100});
  w.rule(w.atom(legal, {1, 1}), {start});
  w.rule(w.atom(legal, {1, 2}), {start});
  w.rule(w.atom(next, {300}), {start, w.atom(does, {1, 1})});
  w.rule(w.atom(next, {201}), {start, w.atom(does, {1, 2})});
  for (std::uint32_t k = 1; k < plies; ++k) {
    w.rule(w.atom(legal, {1, 3}), {w.atom(holds, {200 + k})});
    w.rule(w.atom(next, {201 + k}), {w.atom(holds, {200 + k})});
  }
  w.rule(w.atom(terminal), {w.atom(holds, {300})});
  w.rule(w.atom(terminal), {w.atom(holds, {200 + plies})});
  w.rule(w.atom(goal, {1, 0}), {w.atom(holds, {300})});
  w.rule(w.atom(goal, {1, 100}), {w.atom(holds, {200 + plies})});
  return w.builder.finish();
}

}  // namespace

TEST(every_playout_of_the_filling_game_fills_the_board) {
  const auto circuit = compile(filling_game(5));
  Simulator simulator(circuit, "auto", 1);
  const std::vector<std::uint64_t> budget{3000};
  const Tally tally = simulator.playouts(circuit->initial(), budget, seeded(1)).front();
  CHECK(tally.lengths.playouts == 3000);
  CHECK(tally.lengths.length == 5 * 3000);
  CHECK(tally.lengths.length_squares == 25 * 3000);
  CHECK(tally.lengths.shortest == 5);
  CHECK(tally.lengths.longest == 5);
  CHECK(tally.lengths.unclear == 0);
  CHECK(tally.goals[0].sum == 90 * 3000);
  CHECK(tally.goals[1].squares == 100 * 3000);
}

TEST(threads_and_instruction_sets_change_nothing) {
  for (std::uint32_t seed : {3U, 17U, 42U, 99U}) {
    const auto circuit = compile(random_game(seed));
    std::vector<std::uint8_t> states;
    std::vector<std::uint64_t> budgets;
    for (std::uint64_t i = 0; i < 5; ++i) {
      states.insert(states.end(), circuit->initial().begin(), circuit->initial().end());
      budgets.push_back(i * 1200);
    }
    Simulator reference(circuit, "base", 1);
    const auto wanted = reference.playouts(states, budgets, seeded(seed, 50));
    for (const Kernel* kernel : available_kernels()) {
      for (unsigned threads : {1U, 3U}) {
        Simulator simulator(circuit, kernel->name, threads);
        const auto found = simulator.playouts(states, budgets, seeded(seed, 50));
        for (std::size_t i = 0; i < wanted.size(); ++i) CHECK(same(found[i], wanted[i]));
      }
    }
  }
}

TEST(short_games_have_no_advantage) {
  const auto circuit = compile(long_or_short(60));
  Simulator simulator(circuit, "auto", 1);
  for (std::uint64_t budget : {37U, 512U, 5000U, 40'000U}) {
    const std::vector<std::uint64_t> budgets{budget};
    const Tally tally = simulator.playouts(circuit->initial(), budgets, seeded(budget)).front();
    CHECK(tally.lengths.playouts == budget);
    CHECK(tally.lengths.unclear == 0);
    const double mean = static_cast<double>(tally.goals[0].sum) / static_cast<double>(budget);
    const double deviation = 50.0 / std::sqrt(static_cast<double>(budget));
    CHECK(std::abs(mean - 50.0) < 4.5 * deviation);
  }
}

TEST(each_state_gets_its_own_budget) {
  const auto circuit = compile(long_or_short(7));
  Simulator simulator(circuit, "auto", 2);
  const auto options = simulator.expand(circuit->initial(), 10, false);
  CHECK(options.moves.size() == 2);
  std::vector<std::uint8_t> states;
  std::vector<std::uint64_t> budgets;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const auto from =
        options.after.states.begin() + static_cast<std::ptrdiff_t>((i % 2) * circuit->state_size());
    states.insert(states.end(), from, from + static_cast<std::ptrdiff_t>(circuit->state_size()));
    budgets.push_back(i % 7 == 0 ? 0 : i);
  }
  const auto tallies = simulator.playouts(states, budgets, seeded(5));
  for (std::uint64_t i = 0; i < 300; ++i) {
    CHECK(tallies[i].lengths.playouts == budgets[i]);
    const std::uint64_t plies = i % 2 == 0 ? 0 : 6;
    CHECK(tallies[i].lengths.length == plies * budgets[i]);
    CHECK(tallies[i].goals[0].sum == (i % 2 == 0 ? 0 : 100) * budgets[i]);
  }
}

TEST(games_without_moves_goals_or_end_are_counted) {
  Writer w;  // nobody can ever move, nobody has a goal
  w.rule(w.atom(role, {1}));
  w.fluent({100});
  const auto stuck = compile(w.builder.finish());
  const std::vector<std::uint64_t> budget{700};
  Tally tally = Simulator(stuck, "auto", 1).playouts(stuck->initial(), budget, seeded(1)).front();
  CHECK(tally.lengths.stuck == 700);
  CHECK(tally.lengths.unclear == 700);
  CHECK(tally.lengths.length == 0);

  Writer v;  // goes on for ever; two goals hold, the higher one counts
  v.rule(v.atom(role, {1}));
  v.rule(v.atom(legal, {1, 9}));
  v.rule(v.atom(next, {100}), {v.fluent({100})});
  v.rule(v.atom(goal, {1, 30}));
  v.rule(v.atom(goal, {1, 70}));
  const auto endless = compile(v.builder.finish());
  tally = Simulator(endless, "auto", 1).playouts(endless->initial(), budget, seeded(1, 25)).front();
  CHECK(tally.lengths.cut == 700);
  CHECK(tally.lengths.stuck == 0);
  CHECK(tally.lengths.unclear == 700);
  CHECK(tally.lengths.shortest == 25);
  CHECK(tally.lengths.longest == 25);
  CHECK(tally.goals[0].sum == 70 * 700);
}

TEST(two_goals_of_one_value_are_one) {
  Writer w;  // symbols are values here, so the second spelling is given the same value by hand
  w.rule(w.atom(role, {1}));
  w.rule(w.atom(legal, {1, 9}));
  const Literal there = w.fluent({100});
  w.rule(w.atom(terminal), {there});
  w.rule(w.atom(goal, {1, 30}), {there});
  w.rule(w.atom(goal, {1, 31}), {there});
  const GroundProgram program = w.builder.finish();
  RoleTable table = role_table(program);
  table.goal_value = {30, 30};
  const auto circuit = std::make_shared<Circuit>(program, table);
  const std::vector<std::uint64_t> budget{10};
  const Tally tally =
      Simulator(circuit, "auto", 1).playouts(circuit->initial(), budget, seeded(1)).front();
  CHECK(tally.lengths.unclear == 0);
  CHECK(tally.goals[0].sum == 300);
  table.goal_value = {30, woodstock::max_goal + 1};
  CHECK_THROWS(Circuit(program, table), std::invalid_argument);
}

TEST(lists_that_do_not_fit_are_refused) {
  const auto circuit = compile(filling_game(3));
  Simulator simulator(circuit, "auto", 1);
  std::vector<std::uint8_t> state = circuit->initial();
  const std::vector<std::uint64_t> none;
  const std::vector<std::uint64_t> one{1};
  CHECK_THROWS(simulator.playouts(state, none, seeded(1)), std::invalid_argument);
  CHECK_THROWS(simulator.playouts(state, one, seeded(1, 0)), std::invalid_argument);
  state.push_back(0);
  CHECK_THROWS(simulator.analyse(state), std::invalid_argument);
  state = circuit->initial();
  state.back() = 0xff;
  CHECK_THROWS(simulator.analyse(state), std::invalid_argument);
  const std::vector<std::uint32_t> moves{0, 9999};
  CHECK_THROWS(simulator.next(circuit->initial(), moves, true), std::invalid_argument);
  CHECK_THROWS(simulator.expand(circuit->initial(), 1, true), std::length_error);
  CHECK_THROWS(Simulator(circuit, "mmx", 1), std::invalid_argument);
  CHECK(simulator.analyse({}).terminal.empty());
}

TEST(a_caller_can_stop_the_playouts) {
  const auto circuit = compile(filling_game(3));
  Simulator simulator(circuit, "auto", 2);
  PlayoutOptions options = seeded(1);
  options.go_on = [] { return false; };
  const std::vector<std::uint64_t> endless{~std::uint64_t{0}};
  CHECK_THROWS(simulator.playouts(circuit->initial(), endless, options), Interrupted);
  int asked = 0;
  options.go_on = [&asked] { return ++asked < 20; };
  CHECK_THROWS(simulator.playouts(circuit->initial(), endless, options), Interrupted);
  CHECK(asked == 20);
  const std::vector<std::uint64_t> budget{1'000'000};
  options.go_on = nullptr;
  CHECK(simulator.playouts(circuit->initial(), budget, options)[0].lengths.playouts == 1'000'000);
}

TEST(planes_and_states_turn_into_each_other) {
  for (std::size_t fluents : {1U, 7U, 64U, 65U, 200U}) {
    for (std::size_t count : {1U, 63U, 64U, 130U, 512U}) {
      const std::size_t size = (fluents + 7) / 8;
      std::vector<std::uint8_t> states(size * count);
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t f = 0; f < fluents; ++f) {
          if ((scatter(i * 1000 + f) & 1U) != 0) {
            states[i * size + f / 8] =
                static_cast<std::uint8_t>(states[i * size + f / 8] | (1U << f % 8));
          }
        }
      }
      std::vector<std::uint64_t> planes(fluents * 8, 1);
      bytes_to_planes(states, size, fluents, planes.data(), 8);
      for (std::size_t i = 0; i < 512; ++i) {
        for (std::size_t f = 0; f < fluents; ++f) {
          const bool wanted = i < count && (scatter(i * 1000 + f) & 1U) != 0;
          CHECK((((planes[f * 8 + i / 64] >> (i % 64)) & 1U) != 0) == wanted);
        }
      }
      std::vector<std::uint8_t> back(states.size(), 0xff);
      planes_to_bytes(planes.data(), 8, fluents, back, size);
      CHECK(back == states);
    }
  }
}

TEST(hashes_tell_states_apart) {
  std::set<std::uint64_t> seen;
  for (unsigned i = 0; i < 256; ++i) {
    for (unsigned j = 0; j < 256; ++j) {
      const std::uint8_t state[]{static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j)};
      seen.insert(zobrist_hash(state));
    }
  }
  CHECK(seen.size() == 65536);
  const std::uint8_t two[]{0x05};
  CHECK(zobrist_hash(two) == (zobrist_key(0) ^ zobrist_key(2)));
}
