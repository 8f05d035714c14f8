#include "search/tree_search.h"

#include <cmath>
#include <stdexcept>

#include "search_sample.h"

using namespace sample;
using namespace woodstock;

namespace {

const std::atomic<bool> never{false};

TreeSearchOptions options_for(const GraphGame& game, Concept solution_concept, std::uint32_t seed) {
  TreeSearchOptions options;
  options.concept_ = solution_concept;
  options.chance = game.chance;
  options.seed = seed;
  options.leaves = 16;
  options.max_plies = 200;
  return options;
}

std::shared_ptr<Simulator> simulator_of(const GraphGame& game) {
  return std::make_shared<Simulator>(compile(rules(game)), "base", 1);
}

Limits budget(std::uint64_t simulations) {
  Limits limits;
  limits.simulations = simulations;
  return limits;
}

bool same(const Decision& a, const Decision& b) {
  bool out = a.move == b.move && a.value == b.value && a.proved == b.proved &&
             a.values == b.values && a.line == b.line && a.nodes == b.nodes &&
             a.simulations == b.simulations && a.tree_nodes == b.tree_nodes && a.bytes == b.bytes &&
             a.depth == b.depth && a.moves.size() == b.moves.size();
  for (std::size_t i = 0; out && i < a.moves.size(); ++i) {
    const MoveValue& x = a.moves[i];
    const MoveValue& y = b.moves[i];
    out = x.move == y.move && x.value == y.value && x.share == y.share && x.visits == y.visits &&
          x.lower == y.lower && x.upper == y.upper;
  }
  return out;
}

// What every decision has to be, whatever the search.
void check_decision(const GraphGame& game, const Circuit& circuit, std::uint32_t me,
                    const Decision& found) {
  const Place& start = game.places[0];
  CHECK(circuit.role_table().move_role[found.move] == me);
  CHECK(found.moves.size() == start.sizes[me]);
  CHECK(found.moves.front().move == found.move);
  CHECK(found.values.size() == game.roles);
  CHECK(found.line.size() % game.roles == 0);
  CHECK(found.value >= 0 && found.value <= 1);
  for (const MoveValue& one : found.moves) {
    CHECK(one.lower <= one.upper);
    CHECK(one.lower <= one.value && one.value <= one.upper);
    CHECK(circuit.role_table().move_role[one.move] == me);
  }
}

// The place of a move among those of its role: move numbers are ascending as the rules name them.
std::size_t place_of(const Decision& found, std::uint32_t move) {
  std::size_t place = 0;
  for (const MoveValue& one : found.moves) place += one.move < move ? 1 : 0;
  return place;
}

// Matching pennies: two at once, whose only value is one by lot.
GraphGame pennies() {
  GraphGame game;
  game.roles = 2;
  game.places.resize(3);
  game.places[0] = {false, {2, 2}, {1, 2, 2, 1}, {0, 0}};
  game.places[1] = {true, {1, 1}, {}, {100, 0}};
  game.places[2] = {true, {1, 1}, {}, {0, 100}};
  return game;
}

}  // namespace

TEST(what_a_tree_search_proves_is_the_exact_value_and_so_is_its_move) {
  std::uint32_t proved = 0;
  std::uint32_t games = 0;
  for (Choice choice : {Choice::ucb, Choice::grave, Choice::regret}) {
    for (bool chance : {false, true}) {
      for (Concept solution_concept : {Concept::maximin, Concept::difference, Concept::team}) {
        GraphShape shape;
        shape.roles = chance ? 3 : 2;
        shape.chance = chance;
        for (std::uint32_t seed = 0; seed < 8; ++seed) {
          const GraphGame game = random_graph(shape, seed);
          const auto simulator = simulator_of(game);
          for (std::uint32_t me : {0U, 1U}) {
            TreeSearchOptions options = options_for(game, solution_concept, seed);
            options.choice = choice;
            options.role = me;
            options.halving = seed % 2 == 1;
            options.mast = seed % 4 < 2 ? 0 : 0.05;
            const bool numbers = !chance && contest(solution_concept) && choice != Choice::regret;
            options.proof_numbers = numbers ? 0.5 * (seed % 3) : 0;
            options.proof_steps = numbers && seed % 2 == 0 ? 3 : 0;
            TreeSearch search(simulator, options);
            const Decision found =
                search.think(simulator->circuit().initial(), budget(40'000), never, nullptr);
            check_decision(game, simulator->circuit(), me, found);
            ++games;
            if (!found.proved) continue;
            ++proved;
            const Exact exact(game, solution_concept, me);
            CHECK(std::abs(found.value - exact.of(0)[me]) < 1e-5);
            CHECK(std::abs(found.values[me] - exact.of(0)[me]) < 1e-5);
            const std::vector<double> worth = exact.moves(0);
            CHECK(std::abs(worth[place_of(found, found.move)] - exact.of(0)[me]) < 1e-5);
          }
        }
      }
    }
  }
  CHECK(proved > games / 2);
}

TEST(a_search_ends_where_all_successors_are_known_and_nothing_is_proved) {
  const GraphGame game = pennies();
  const auto simulator = simulator_of(game);
  for (Choice choice : {Choice::ucb, Choice::grave, Choice::regret}) {
    TreeSearchOptions options = options_for(game, Concept::maximin, 1);
    options.choice = choice;
    TreeSearch search(simulator, options);
    const Decision found =
        search.think(simulator->circuit().initial(), budget(100'000), never, nullptr);
    check_decision(game, simulator->circuit(), 0, found);
    CHECK(!found.proved);
    if (choice == Choice::regret) CHECK(std::abs(found.values[0] - 0.5) < 0.05);
    Limits nodes;
    nodes.nodes = 1000;
    search.think(simulator->circuit().initial(), nodes, never, nullptr);
  }
}

TEST(halving_goes_on_when_the_moves_left_are_proved) {
  // Two moves are worth a half at once; of the others nothing is known but that they look bad.
  GraphShape shape;
  shape.roles = 2;
  shape.moves = 6;
  shape.places = 60;
  shape.values = {0, 50, 100};
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const GraphGame game = random_graph(shape, seed);
    const auto simulator = simulator_of(game);
    TreeSearchOptions options = options_for(game, Concept::maximin, seed);
    options.halving = true;
    options.leaves = 2;
    options.playouts = 1;
    TreeSearch search(simulator, options);
    const Decision found =
        search.think(simulator->circuit().initial(), budget(600), never, nullptr);
    check_decision(game, simulator->circuit(), 0, found);
  }
}

TEST(the_same_seed_and_budget_give_the_same_decision) {
  GraphShape shape;
  shape.roles = 3;
  shape.chance = true;
  shape.together = true;
  shape.circles = true;
  for (Choice choice : {Choice::ucb, Choice::grave, Choice::regret}) {
    const GraphGame game = random_graph(shape, 5);
    const auto simulator = simulator_of(game);
    TreeSearchOptions options = options_for(game, Concept::maximin, 3);
    options.choice = choice;
    options.mast = 0.05;
    std::vector<Decision> found;
    for (int round = 0; round < 2; ++round) {
      TreeSearch search(simulator, options);
      for (int call = 0; call < 2; ++call) {
        found.push_back(search.think(simulator->circuit().initial(), budget(5000), never, nullptr));
      }
    }
    CHECK(same(found[0], found[2]));
    CHECK(same(found[1], found[3]));
  }
}

TEST(telling_of_progress_changes_nothing) {
  const GraphGame game = pennies();
  const auto simulator = simulator_of(game);
  TreeSearchOptions options = options_for(game, Concept::maximin, 3);
  options.choice = Choice::regret;
  const auto think = [&](std::uint64_t simulations, const Progress& progress) {
    TreeSearch search(simulator, options);
    return search.think(simulator->circuit().initial(), budget(simulations), never, progress);
  };
  // Long enough to be told at least once.
  int told = 0;
  std::uint64_t simulations = 20'000;
  Decision loud = think(simulations, [&](const Decision&) { ++told; });
  while (told == 0) {
    simulations *= 4;
    loud = think(simulations, [&](const Decision&) { ++told; });
  }
  CHECK(!loud.proved);
  CHECK(same(loud, think(simulations, nullptr)));
}

TEST(circles_do_not_keep_a_search_busy) {
  // Nobody wants to leave, and once everything is known every line is as long as it may be.
  GraphGame game;
  game.roles = 2;
  game.places.resize(4);
  game.places[0] = {false, {2, 1}, {1, 2}, {0, 0}};
  game.places[1] = {false, {1, 2}, {0, 3}, {0, 0}};
  game.places[2] = {true, {1, 1}, {}, {0, 100}};
  game.places[3] = {true, {1, 1}, {}, {100, 0}};
  const auto simulator = simulator_of(game);
  for (const auto& [choice, proof_numbers] : {std::pair{Choice::ucb, 0.0},
                                              {Choice::ucb, 0.5},
                                              {Choice::grave, 0.5},
                                              {Choice::regret, 0.0}}) {
    TreeSearchOptions options = options_for(game, Concept::maximin, 1);
    options.choice = choice;
    options.proof_numbers = proof_numbers;
    options.proof_steps = proof_numbers > 0 ? 5 : 0;
    options.leaves = 4;
    TreeSearch search(simulator, options);
    const Decision found =
        search.think(simulator->circuit().initial(), budget(200), never, nullptr);
    CHECK(!found.proved);
    CHECK(found.moves.front().lower == 0 && found.moves.front().upper == 1);
  }
}

TEST(a_small_memory_is_kept_to) {
  const auto simulator = std::make_shared<Simulator>(compile(filling_game(12)), "base", 1);
  for (const auto& [choice, proof_numbers] : {std::pair{Choice::ucb, 0.0},
                                              {Choice::ucb, 0.5},
                                              {Choice::grave, 0.0},
                                              {Choice::grave, 0.5},
                                              {Choice::regret, 0.0}}) {
    TreeSearchOptions options;
    options.choice = choice;
    options.proof_numbers = proof_numbers;
    options.proof_steps = proof_numbers > 0 ? 5 : 0;
    options.memory = 4 << 20;
    options.playouts = 1;
    options.exploration = 2;
    std::vector<Decision> found;
    for (int round = 0; round < 2; ++round) {
      TreeSearch search(simulator, options);
      found.push_back(search.think(simulator->circuit().initial(), budget(30'000), never, nullptr));
      CHECK(found.back().bytes <= options.memory);
    }
    CHECK(found[0].nodes > found[0].tree_nodes);
    CHECK(same(found[0], found[1]));
  }
}

TEST(a_search_keeps_what_it_knows_of_later_positions) {
  GraphShape shape;
  shape.places = 120;
  shape.moves = 4;
  const GraphGame game = random_graph(shape, 11);
  const auto simulator = simulator_of(game);
  TreeSearch search(simulator, options_for(game, Concept::maximin, 1));
  const std::vector<std::uint8_t> start = simulator->circuit().initial();
  const Decision first = search.think(start, budget(2000), never, nullptr);
  CHECK(first.line.size() >= 2);
  const Successors after = simulator->next(start, std::span(first.line).first(game.roles), false);
  Visits visits;
  simulator->visit(after.states, {}, visits);
  if (visits.terminal[0] != 0) return;
  const Decision second = search.think(after.states, budget(1), never, nullptr);
  TreeSearch fresh(simulator, options_for(game, Concept::maximin, 1));
  CHECK(second.tree_nodes > fresh.think(after.states, budget(1), never, nullptr).tree_nodes);
}

TEST(bad_questions_are_refused_and_good_ones_still_answered) {
  GraphShape shape;
  const GraphGame game = random_graph(shape, 3);
  const auto simulator = simulator_of(game);
  TreeSearch search(simulator, options_for(game, Concept::maximin, 1));
  const std::vector<std::uint8_t> start = simulator->circuit().initial();
  const Decision first = search.think(start, budget(500), never, nullptr);
  // Some end: play on at random.
  std::vector<std::uint8_t> state = start;
  Visits visits;
  for (simulator->visit(state, {}, visits); visits.terminal[0] == 0;
       simulator->visit(state, {}, visits)) {
    std::vector<std::uint32_t> moves;
    for (std::uint32_t r = 0; r < game.roles; ++r) {
      moves.push_back(visits.legal[visits.legal_begin[r]]);
    }
    state = simulator->next(state, moves, false).states;
  }
  CHECK_THROWS(search.think(state, budget(500), never, nullptr), std::invalid_argument);
  check_decision(game, simulator->circuit(), 0, search.think(start, budget(500), never, nullptr));
  CHECK(first.simulations > 0 || first.proved);

  for (const auto& spoil : std::vector<void (*)(TreeSearchOptions&)>{
           [](TreeSearchOptions& o) { o.role = 7; }, [](TreeSearchOptions& o) { o.chance = 0; },
           [](TreeSearchOptions& o) { o.leaves = 0; }, [](TreeSearchOptions& o) { o.playouts = 3; },
           [](TreeSearchOptions& o) { o.playouts = 128; },
           [](TreeSearchOptions& o) { o.exploration = -1; },
           [](TreeSearchOptions& o) { o.exploration = std::nan(""); },
           [](TreeSearchOptions& o) { o.mixing = 2; }, [](TreeSearchOptions& o) { o.mast = -1; },
           [](TreeSearchOptions& o) { o.memory = 1; }}) {
    TreeSearchOptions options = options_for(game, Concept::maximin, 1);
    spoil(options);
    CHECK_THROWS(TreeSearch(simulator, options), std::invalid_argument);
  }
}

TEST(a_stop_that_is_set_before_still_gets_an_answer) {
  const GraphGame game = random_graph(GraphShape{}, 3);
  const auto simulator = simulator_of(game);
  TreeSearch search(simulator, options_for(game, Concept::maximin, 1));
  const std::atomic<bool> stopped{true};
  const Decision found = search.think(simulator->circuit().initial(), Limits{}, stopped, nullptr);
  check_decision(game, simulator->circuit(), 0, found);
}
