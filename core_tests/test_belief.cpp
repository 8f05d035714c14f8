#include <cmath>
#include <map>
#include <stdexcept>

#include "belief/particle_filter.h"
#include "search/information_search.h"
#include "search/mac_ucb_ii.h"
#include "search_sample.h"

using namespace sample;
using namespace woodstock;

namespace {

const std::atomic<bool> never{false};
const auto forever = Clock::time_point::max();
constexpr std::uint32_t player = 0;
constexpr std::uint32_t chance = 1;

// Chance hides a number below `numbers`, the player perceives whether it is odd, and guesses.
GroundProgram guessing_game(std::uint32_t numbers) {
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

std::shared_ptr<Simulator> simulator_of(const GroundProgram& program) {
  return std::make_shared<Simulator>(compile(program), "auto", 1);
}

Hypotheses beginning(const Simulator& simulator) {
  return {simulator.circuit().initial(),
          {1.0},
          std::vector<std::uint64_t>(simulator.circuit().roles())};
}

std::uint32_t move_of(const GroundProgram& program, std::uint32_t symbol) {
  for (std::uint32_t m = 0; m < program.moves().size(); ++m) {
    if (program.term_symbol(program.moves()[m].term) == symbol) return m;
  }
  return 0;
}

ObservedTurn odd_number(const GroundProgram& program) {
  ObservedTurn observed;
  observed.move = move_of(program, 4);
  for (std::uint32_t p = 0; p < program.percepts().size(); ++p) {
    if (program.term_symbol(program.percepts()[p].term) == 401) observed.seen = percept_key(p);
  }
  return observed;
}

Limits simulation_budget(std::uint64_t simulations) {
  Limits limits;
  limits.simulations = simulations;
  return limits;
}

}  // namespace

TEST(percepts_in_bulk_are_those_of_the_lists) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const auto circuit = compile(random_game(seed));
    Simulator simulator(circuit, "auto", 1);
    const std::size_t roles = circuit->roles();
    Expansion found;
    try {
      found = simulator.expand(circuit->initial(), 500, true);
    } catch (const std::length_error&) {
      continue;
    }
    const std::size_t count = found.moves.size() / roles;
    std::vector<std::uint8_t> states;
    for (std::size_t i = 0; i < count; ++i) {
      states.insert(states.end(), circuit->initial().begin(), circuit->initial().end());
    }
    if (count == 0) continue;
    Advances advances;
    simulator.advance(states, found.moves, advances);
    Visits visits;
    simulator.visit(states, found.moves, visits, {.legal = false, .percepts = true});
    CHECK(advances.states == found.after.states);
    CHECK(visits.states == found.after.states);
    CHECK(visits.seen == advances.seen);
    CHECK(visits.legal.empty());
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<std::uint64_t> keys(roles);
      for (std::uint32_t j = found.after.percepts_begin[i]; j < found.after.percepts_begin[i + 1];
           ++j) {
        const std::uint32_t percept = found.after.percepts[j];
        const std::uint32_t who = circuit->role_table().percept_role[percept];
        if (who != RoleTable::no_role) keys[who] ^= percept_key(percept);
      }
      for (std::size_t r = 0; r < roles; ++r) CHECK(advances.seen[i * roles + r] == keys[r]);
    }
  }
}

TEST(a_belief_is_what_agrees_with_the_percepts) {
  const GroundProgram program = guessing_game(6);
  const auto simulator = simulator_of(program);
  ParticleFilter filter(simulator, player);
  const Hypotheses start = beginning(*simulator);
  const ObservedTurn observed = odd_number(program);
  Hypotheses all;
  CHECK(filter.all(start, observed, 100, 100, forever, all));
  CHECK(all.size() == 3);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(std::abs(all.weights[i] - 1.0 / 6) < 1e-12);
    // Who hid it remembers what it was; who looks remembers the same whatever it is.
    CHECK(all.memories[2 * i + player] == all.memories[player]);
    CHECK(i == 0 || all.memories[2 * i + chance] != all.memories[chance]);
  }
  CHECK(!filter.all(start, observed, 5, 100, forever, all));
  CHECK(!filter.all(start, observed, 100, 2, forever, all));

  Hypotheses some;
  filter.some(start, observed, 3000, 100'000, 1, forever, forever, some);
  CHECK(some.size() == 3);
  for (double weight : some.weights) CHECK(std::abs(weight - 1000) < 150);

  std::vector<std::uint8_t> excluded(program.moves().size());
  for (std::uint32_t k : {0U, 2U, 4U, 1U}) excluded[move_of(program, 200 + k)] = 1;
  ObservedTurn known = observed;
  known.excluded = excluded;
  CHECK(filter.all(start, known, 100, 100, forever, all));
  CHECK(all.size() == 2);
  CHECK(std::abs(all.weights[0] - 1.0 / 6) < 1e-12);

  ObservedTurn blind = observed;
  blind.blind = true;
  CHECK(filter.all(start, blind, 100, 100, forever, all));
  CHECK(all.size() == 6);
  // Nothing follows on what is over.
  ObservedTurn never_seen = observed;
  never_seen.seen ^= 1;
  CHECK(filter.all(start, never_seen, 100, 100, forever, all));
  CHECK(all.size() == 0);

  all = {start.states, {0.25, 0.75}, {1, 2, 3, 4}};
  all.states.insert(all.states.end(), start.states.begin(), start.states.end());
  filter.forget(all, 7);
  CHECK(all.size() == 1 && all.weights[0] == 1.0);
  CHECK(all.memories[0] == 1 || all.memories[0] == 3);

  Hypotheses wrong = start;
  wrong.memories.pop_back();
  CHECK_THROWS(filter.all(wrong, observed, 100, 100, forever, all), std::invalid_argument);
}

TEST(one_match_is_changed_into_all_that_agree) {
  const GroundProgram program = guessing_game(6);
  const auto simulator = simulator_of(program);
  ParticleFilter filter(simulator, player);
  const Hypotheses start = beginning(*simulator);
  const ObservedTurn odd = odd_number(program);
  const std::vector<ObservedTurn> told{odd};
  ObservedTurn blind = odd;
  blind.blind = true;
  Hypotheses all;
  CHECK(filter.all(start, odd, 100, 100, forever, all));
  Hypotheses some;
  filter.rejuvenate(all, told, 3000, 100'000, 1, forever, some);
  CHECK(some.size() == 3 && some.ancestors(1) == 1);
  for (double weight : some.weights) CHECK(std::abs(weight - 1000) < 150);
  for (std::size_t i = 0; i < some.size(); ++i) CHECK(some.memories[2 * i] == all.memories[0]);
  // A match that does not agree leads to those that do.
  CHECK(filter.all(start, blind, 100, 100, forever, all));
  all.weights = {1, 0, 0, 0, 0, 0};
  filter.rejuvenate(all, told, 10, 10'000, 1, forever, some);
  CHECK(some.size() == 3);
  // One that is a turn behind is played on.
  filter.rejuvenate(start, told, 100, 10'000, 1, forever, some);
  CHECK(some.size() == 3);
  ObservedTurn never_seen = odd;
  never_seen.seen ^= 1;
  const std::vector<ObservedTurn> lie{never_seen};
  filter.rejuvenate(start, lie, 100, 10'000, 1, forever, some);
  CHECK(some.size() == 0);
  filter.rejuvenate(start, told, 100, 0, 1, forever, some);
  CHECK(some.size() == 0);
  filter.rejuvenate(all, told, 0, 10'000, 1, forever, some);
  CHECK(some.size() == 0);
  all.weights.pop_back();
  CHECK_THROWS(filter.rejuvenate(all, told, 10, 10'000, 1, forever, some), std::invalid_argument);
}

TEST(stages_of_beliefs_prove_what_a_guess_is_worth) {
  const GroundProgram program = guessing_game(6);
  const auto simulator = simulator_of(program);
  MacUcbIIOptions options;
  options.role = player;
  options.chance = chance;
  MacUcbII search(simulator, options);
  const Decision before = search.think(beginning(*simulator), {}, Limits{}, never, nullptr);
  CHECK(before.proved && std::abs(before.value - 1.0 / 3) < 1e-9);
  ParticleFilter filter(simulator, player);
  Hypotheses belief;
  CHECK(filter.all(beginning(*simulator), odd_number(program), 100, 100, forever, belief));
  belief.weights = {0.2, 0.5, 0.3};
  const Decision found = search.think(belief, {}, Limits{}, never, nullptr);
  CHECK(found.proved && std::abs(found.value - 0.5) < 1e-9);
  CHECK(found.moves.size() == 6);
  const std::vector<std::uint32_t> ours{move_of(program, 300), move_of(program, 301)};
  CHECK(search.think(belief, ours, Limits{}, never, nullptr).moves.size() == 2);
  CHECK_THROWS(search.think(Hypotheses{}, {}, Limits{}, never, nullptr), std::invalid_argument);
  options.role = chance;
  CHECK_THROWS(MacUcbII(simulator, options), std::invalid_argument);
}

TEST(information_sets_do_not_see_what_is_hidden) {
  const GroundProgram program = guessing_game(6);
  const auto simulator = simulator_of(program);
  for (Choice choice : {Choice::ucb, Choice::grave, Choice::regret}) {
    for (bool playout_policy : {false, true}) {
      InformationSearchOptions options;
      options.choice = choice;
      options.role = player;
      options.chance = chance;
      options.mixing = 0.1;
      // Only the beginning is known.
      if (playout_policy) options.known_fluents.assign(2 * simulator->circuit().state_size(), 0);
      InformationSearch search(simulator, options);
      InformationSearch again(simulator, options);
      const Decision one =
          search.think(beginning(*simulator), {}, simulation_budget(200'000), never, nullptr);
      const Decision two =
          again.think(beginning(*simulator), {}, simulation_budget(200'000), never, nullptr);
      // Who saw the number would always win, who sees nothing would win every sixth time.
      CHECK(one.values[player] > 0.28 && one.values[player] < 0.345);
      CHECK(one.move == two.move && one.values == two.values && one.nodes == two.nodes);
    }
  }
  InformationSearchOptions options;
  options.known_fluents.assign(3, 0);
  CHECK_THROWS(InformationSearch(simulator, options), std::invalid_argument);
}

TEST(a_long_match_is_forgotten_without_a_deep_stack) {
  const std::vector<std::vector<std::uint32_t>> moves(500'000, {0});
  std::shared_ptr<const Lineage> lineage = lineage_of(moves, 1);
  const std::weak_ptr<const Lineage> before = lineage->before;
  lineage.reset();
  CHECK(before.expired());
}
