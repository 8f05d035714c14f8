#include "belief/turn_options.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "belief_sample.h"

using namespace sample;
using namespace woodstock;

namespace {

Visits visit(const std::shared_ptr<Simulator>& simulator) {
  Visits visits;
  simulator->visit(simulator->circuit().initial(), {}, visits);
  return visits;
}

}  // namespace

TEST(options_are_what_a_turn_leaves_open) {
  const GroundProgram program = guessing_game(6);
  const Visits visits = visit(simulator_of(program));
  TurnOptions options(2, player);
  options.find(visits, 0, odd_number(program));
  CHECK(options.joints() == 6 && options.of(player).size() == 1 && options.of(chance).size() == 6);
  CHECK(std::abs(options.chance() - 1.0 / 6) < 1e-12);
  // What is excluded is not there, but it was as likely as the others.
  std::vector<std::uint8_t> excluded(program.moves().size());
  excluded[options.of(chance)[2]] = 1;
  ObservedTurn observed = odd_number(program);
  observed.excluded = excluded;
  options.find(visits, 0, observed);
  CHECK(options.joints() == 5 && std::abs(options.chance() - 1.0 / 6) < 1e-12);
  // Somebody whose own move is not among its legal ones cannot have moved.
  observed.move = move_of(program, 300);
  options.find(visits, 0, observed);
  CHECK(options.joints() == 0);
}

TEST(another_move_is_any_of_the_others) {
  const GroundProgram program = guessing_game(6);
  const Visits visits = visit(simulator_of(program));
  TurnOptions options(2, player);
  options.find(visits, 0, odd_number(program));
  const std::vector<std::uint32_t> all(options.of(chance).begin(), options.of(chance).end());
  for (const std::uint32_t move : all) {
    std::vector<std::uint32_t> found{move};
    for (std::uint64_t luck = 0; luck < 5; ++luck) {
      found.push_back(options.another(move, chance, luck));
    }
    std::sort(found.begin(), found.end());
    CHECK(found == all);
  }
  // A move that is none of the options has all of them as others; who has no choice keeps its own.
  CHECK(options.another(options.of(player)[0], chance, 6) == all[0]);
  CHECK(options.another(options.of(player)[0], player, 3) == options.of(player)[0]);
}

TEST(a_joint_move_is_as_likely_as_the_choice_is_small) {
  const GroundProgram program = guessing_game(6);
  const Visits visits = visit(simulator_of(program));
  const TurnOptions options(2, player);
  const std::uint32_t joint[] = {move_of(program, 4), move_of(program, 203)};
  ObservedTurn observed = odd_number(program);
  CHECK(std::abs(options.chance_of(visits, 0, joint, observed) - 1.0 / 6) < 1e-12);
  std::vector<std::uint8_t> excluded(program.moves().size());
  excluded[joint[1]] = 1;
  observed.excluded = excluded;
  CHECK(options.chance_of(visits, 0, joint, observed) == 0);
  const std::uint32_t illegal[] = {move_of(program, 4), move_of(program, 5)};
  CHECK(options.chance_of(visits, 0, illegal, odd_number(program)) == 0);
}
