// Playouts, one lane after the other: what a block must come to, move by move.

#include "playout_model.h"

using namespace sample;
using namespace woodstock;

TEST(playouts_are_what_the_evaluator_makes_of_the_same_random_numbers) {
  // Fewer than lanes: all begin at once, none is refilled.
  constexpr std::uint64_t playouts = 300;
  constexpr std::uint32_t max_plies = 12;
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    const auto program = std::make_shared<GroundProgram>(random_game(seed));
    const auto circuit = compile(*program);
    PlayoutModel model(program, *circuit);
    Tally wanted;
    wanted.goals.resize(circuit->roles());
    const std::uint64_t key = scatter(scatter(seed + golden_gamma));
    for (std::size_t lane = 0; lane < playouts; ++lane) {
      PlayoutModel::Game game;
      game.state = model.initial();
      for (std::uint32_t pass = 0; !game.over; ++pass) {
        model.step(game, key, pass, lane, max_plies);
      }
      ++wanted.lengths.playouts;
      wanted.lengths.length += game.plies;
      wanted.lengths.stuck += game.stuck ? 1 : 0;
      wanted.lengths.cut += game.cut ? 1 : 0;
      wanted.lengths.unclear += game.unclear;
      for (std::size_t role = 0; role < circuit->roles(); ++role) {
        wanted.goals[role].sum += game.goals[role];
        wanted.goals[role].squares += game.goals[role] * game.goals[role];
      }
    }
    for (const Kernel* kernel : available_kernels()) {
      Simulator simulator(circuit, kernel->name, 1);
      PlayoutOptions options;
      options.seed = seed;
      options.max_plies = max_plies;
      const std::vector<std::uint64_t> budget{playouts};
      const Tally found = simulator.playouts(circuit->initial(), budget, options).front();
      CHECK(found.lengths.playouts == wanted.lengths.playouts);
      CHECK(found.lengths.length == wanted.lengths.length);
      CHECK(found.lengths.stuck == wanted.lengths.stuck);
      CHECK(found.lengths.cut == wanted.lengths.cut);
      CHECK(found.lengths.unclear == wanted.lengths.unclear);
      for (std::size_t role = 0; role < circuit->roles(); ++role) {
        CHECK(found.goals[role].sum == wanted.goals[role].sum);
        CHECK(found.goals[role].squares == wanted.goals[role].squares);
      }
    }
  }
}
