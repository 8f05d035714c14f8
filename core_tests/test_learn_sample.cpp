#include <algorithm>
#include <set>

#include "circuit_sample.h"
#include "learn/control.h"
#include "learn/sample.h"

using namespace sample;
using namespace woodstock;
using namespace woodstock::learn;

namespace {

std::uint32_t fluent_of(const GroundProgram& program, std::uint32_t symbol) {
  for (std::uint32_t f = 0; f < program.fluents().size(); ++f) {
    if (program.term_symbol(program.fluents()[f].term) == symbol) return f;
  }
  return 0xffffffffU;
}

// Roles 1 .. n take turns (control of r is 50 + r) at choosing between moves 201 and 202; the
// others have move 4 only, unless `all` may choose at any time. Ends after `plies` turns.
GroundProgram turns(std::uint32_t roles, std::uint32_t plies, bool all) {
  Writer w;
  for (std::uint32_t r = 1; r <= roles; ++r) {
    w.rule(w.atom(role, {r}));
    const Literal turn = w.atom(holds, {50 + r});
    w.rule(w.atom(next, {50 + r % roles + 1}), {turn});
    for (std::uint32_t m : {201U, 202U}) {
      w.rule(w.atom(legal, {r, m}), all ? std::vector<Literal>{} : std::vector<Literal>{turn});
      w.rule(w.atom(next, {60 + r}), {w.atom(does, {r, m}), w.atom(holds, {60 + r})});
    }
    w.rule(w.atom(next, {60 + r}), {w.atom(does, {r, 202})});
    if (!all) w.rule(w.atom(legal, {r, 4}), {-turn});
    w.rule(w.atom(goal, {r, 50}));
  }
  w.rule(w.atom(init, {51}));
  w.rule(w.atom(init, {300}));
  for (std::uint32_t p = 0; p < plies; ++p) {
    w.rule(w.atom(next, {301 + p}), {w.atom(holds, {300 + p})});
  }
  w.rule(w.atom(terminal), {w.atom(holds, {300 + plies})});
  return w.builder.finish();
}

std::vector<std::uint32_t> controls(const GroundProgram& program) {
  const auto circuit = compile(program);
  Simulator simulator(circuit, "base", 1);
  return control_fluents(*circuit, learn::sample_states(simulator, {}));
}

}  // namespace

TEST(random_games_are_games) {
  const auto program = std::make_shared<GroundProgram>(filling_game(5));
  const auto circuit = compile(*program);
  for (const Kernel* kernel : available_kernels()) {
    Simulator simulator(circuit, kernel->name, 1);
    SampleOptions options;
    options.games = 10;
    std::size_t ply = 0;
    std::set<std::uint64_t> states;
    play_randomly(simulator, options,
                  [&](const Visits& visits, std::span<const std::uint32_t> games) {
                    CHECK(games.size() == 10);
                    CHECK(visits.terminal == std::vector<std::uint8_t>(10, ply == 5 ? 1 : 0));
                    states.insert(visits.keys.begin(), visits.keys.end());
                    ++ply;
                  });
    CHECK(ply == 6);
    CHECK(states.size() > 12);  // not all games are the same
  }
}

TEST(samples_keep_what_was_met) {
  const auto circuit = compile(filling_game(5));
  Simulator simulator(circuit, "base", 1);
  SampleOptions options;
  options.games = 40;
  const Sample all = learn::sample_states(simulator, options);
  CHECK(all.size == 200);  // 40 games of 5 plies; ends are left out
  CHECK(all.states.size() == 200 * circuit->state_size());
  for (std::size_t i = 0; i < all.size; ++i) {
    const std::uint32_t a = all.choices[2 * i], b = all.choices[2 * i + 1];
    CHECK(std::min(a, b) == 1 && std::max(a, b) <= 5);
  }
  options.states = 50;
  const Sample some = learn::sample_states(simulator, options);
  CHECK(some.size == 50 && some.choices.size() == 100);
  // Late states are kept too: the first 40 are all the initial one.
  std::size_t late = 0;
  for (std::uint32_t choices : some.choices) late += choices == 2 ? 1 : 0;
  CHECK(late > 3 && late < 25);
  CHECK(learn::sample_states(simulator, options).states == some.states);
  options.seed = 2;
  CHECK(learn::sample_states(simulator, options).states != some.states);
}

TEST(controls_tell_whose_turn_it_is) {
  const GroundProgram two = filling_game(6);
  CHECK(controls(two) == std::vector{fluent_of(two, 51)});
  const GroundProgram three = turns(3, 9, false);
  CHECK((controls(three) == std::vector{fluent_of(three, 51), fluent_of(three, 52)}));
}

TEST(what_holds_in_every_other_state_is_found) {
  // All choose at any time, and the turn goes round: with two it alternates, with three it does
  // not.
  for (std::uint32_t roles : {2U, 3U}) {
    const GroundProgram program = turns(roles, 24, true);
    const auto circuit = compile(program);
    Simulator simulator(circuit, "base", 1);
    Sample games;
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      SampleOptions options;
      options.games = 1;
      options.seed = seed;
      play_randomly(simulator, options, [&](const Visits& visits, std::span<const std::uint32_t>) {
        games.states.insert(games.states.end(), visits.states.begin(), visits.states.end());
        ++games.size;
      });
    }
    const auto found = alternating_fluent(*circuit, games);
    if (roles == 3) CHECK(found.empty());
    if (roles == 2) CHECK(found.size() == 1);
    if (roles == 2) {
      const std::uint32_t turn = fluent_of(program, 51), other = fluent_of(program, 52);
      CHECK(found[0] == std::min(turn, other));
    }
  }
}

TEST(chance_does_not_hide_whose_turn_it_is) {
  // Role 3 has a choice at any time; once it is known to be chance, the turns of the others show.
  Writer w;
  for (std::uint32_t r : {1U, 2U}) {
    const Literal turn = w.atom(holds, {50 + r});
    w.rule(w.atom(role, {r}));
    w.rule(w.atom(next, {53 - r}), {turn});
    for (std::uint32_t m : {201U, 202U}) w.rule(w.atom(legal, {r, m}), {turn});
    w.rule(w.atom(legal, {r, 4}), {-turn});
  }
  w.rule(w.atom(role, {3}));
  for (std::uint32_t m : {201U, 202U}) w.rule(w.atom(legal, {3, m}));
  w.rule(w.atom(init, {51}));
  const GroundProgram program = w.builder.finish();
  const auto circuit = compile(program);
  Simulator simulator(circuit, "base", 1);
  const Sample sample = learn::sample_states(simulator, {});
  CHECK(control_fluents(*circuit, sample).empty());
  CHECK(control_fluents(*circuit, sample, 2) == std::vector{fluent_of(program, 51)});
}

TEST(turns_of_several_phases_have_a_control_each) {
  // 51, 52: player 1 chooses twice; 53, 54: player 2 does.
  Writer w;
  for (std::uint32_t r : {1U, 2U}) {
    w.rule(w.atom(role, {r}));
    for (std::uint32_t p = 1; p <= 4; ++p) {
      const Literal phase = w.atom(holds, {50 + p});
      if ((p + 1) / 2 != r) {
        w.rule(w.atom(legal, {r, 4}), {phase});
      } else {
        for (std::uint32_t m : {201U, 202U}) w.rule(w.atom(legal, {r, m}), {phase});
        w.rule(w.atom(next, {50 + p % 4 + 1}), {phase});
      }
    }
  }
  w.rule(w.atom(init, {51}));
  const GroundProgram program = w.builder.finish();
  auto found = controls(program);
  CHECK(found.size() == 3);  // where none of them holds, the fourth does
  const std::set<std::uint32_t> of_first(found.begin(), found.begin() + 2);
  CHECK((of_first == std::set{fluent_of(program, 51), fluent_of(program, 52)}));
}

TEST(no_controls_where_nobody_has_the_choice_alone) {
  CHECK(controls(turns(2, 9, true)).empty());
  CHECK(controls(turns(1, 9, false)).empty());
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const GroundProgram program = random_game(seed);
    const auto found = controls(program);
    CHECK(found.size() < program.roles().size() + 1);
    for (std::uint32_t f : found) CHECK(f < program.fluents().size());
  }
}
