// Random games as the kernels play them, with the same random numbers, but lane by lane and by the
// evaluator.

#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "circuit_sample.h"
#include "util/random.h"

namespace sample {

class PlayoutModel {
 public:
  struct Game {
    StateBytes state;
    std::uint32_t plies = 0;
    bool over = false;
    bool stuck = false;
    bool cut = false;
    std::vector<std::uint32_t> made;   // moves, one for each role and ply
    std::vector<std::uint64_t> goals;  // per role, when it is over
    std::uint64_t unclear = 0;         // roles without exactly one goal
  };

  PlayoutModel(std::shared_ptr<GroundProgram> program, const Circuit& circuit)
      : circuit_(circuit), evaluator_(std::move(program)) {
    // The order in which the kernel numbers the moves of a role. Moves of the same legality that
    // nobody asks about stand in the order of their numbers.
    using woodstock::Plane;
    using woodstock::Slot;
    const woodstock::CircuitView& view = circuit.view();
    const woodstock::Code& code = circuit.code();
    std::map<std::tuple<std::uint32_t, Plane, Slot>, std::vector<std::uint32_t>> places;
    for (std::uint32_t role = 0; role < circuit.roles(); ++role) {
      std::uint32_t place = 0;
      for (std::uint32_t g = view.choices[role].first_group; g < view.choices[role].last_group;
           ++g) {
        for (std::size_t i = 0; i < woodstock::group_size; ++i) {
          places[{role, view.groups[g].legal[i], view.groups[g].does[i]}].push_back(place++);
        }
      }
    }
    std::map<std::tuple<std::uint32_t, Plane, Slot>, std::size_t> taken;
    for (std::uint32_t move = 0; move < code.legal.size(); ++move) {
      const std::tuple leaf(circuit.role_table().move_role[move], code.legal[move],
                            code.does[move]);
      place_.push_back(code.legal[move] == woodstock::plane_false ? 0
                                                                  : places[leaf].at(taken[leaf]++));
    }
  }

  // Of rollouts: a level for each move, or nothing.
  std::vector<std::uint8_t> preferences;

  StateBytes initial() const { return evaluator_.initial(); }

  // One pass of the kernel for one lane: the game ends, or goes on by a ply.
  void step(Game& game, std::uint64_t key, std::uint32_t pass, std::size_t lane,
            std::uint32_t max_plies) {
    const woodstock::Position position = evaluator_.analyse(game.state);
    std::vector<std::vector<std::uint32_t>> options(circuit_.roles());
    for (std::uint32_t move : position.legal) {
      options[circuit_.role_table().move_role[move]].push_back(move);
    }
    bool stuck = false;
    for (auto& list : options) {
      std::stable_sort(list.begin(), list.end(),
                       [this](std::uint32_t a, std::uint32_t b) { return place_[a] < place_[b]; });
      stuck = stuck || list.empty();
    }
    if (position.terminal || stuck || game.plies == max_plies) {
      game.over = true;
      game.stuck = !position.terminal && stuck;
      game.cut = !position.terminal && !stuck;
      score(position, game);
      return;
    }
    std::vector<std::uint32_t> joint;
    for (std::uint32_t role = 0; role < circuit_.roles(); ++role) {
      if (!preferences.empty()) leave_out(options[role], key, pass, role, lane);
      const std::uint64_t u = draw(key, pass, role, lane);
      joint.push_back(options[role][(u * options[role].size()) >> 32]);
    }
    game.made.insert(game.made.end(), joint.begin(), joint.end());
    game.state = evaluator_.next(game.state, joint).state;
    ++game.plies;
  }

 private:
  // What the coins leave of the moves of a role.
  void leave_out(std::vector<std::uint32_t>& moves, std::uint64_t key, std::uint32_t pass,
                 std::uint32_t role, std::size_t lane) const {
    constexpr std::uint64_t plane = woodstock::unit_words * woodstock::max_width;
    const std::uint64_t first = (std::uint64_t{pass} * circuit_.roles() + role) * 2 * plane;
    bool coins[2];
    for (std::uint64_t i = 0; i < 2; ++i) {
      const std::uint64_t counter = first + i * plane + lane / 64;
      const std::uint64_t word = woodstock::scatter(~key + counter * woodstock::golden_gamma);
      coins[i] = ((word >> (lane % 64)) & 1U) != 0;
    }
    std::uint8_t highest = 0;
    for (std::uint32_t move : moves) highest = std::max(highest, preferences[move]);
    const std::uint8_t least = !coins[0]  ? 0
                               : coins[1] ? highest
                                          : std::min<std::uint8_t>(1, highest);
    std::erase_if(moves, [&](std::uint32_t move) { return preferences[move] < least; });
  }

  std::uint64_t draw(std::uint64_t key, std::uint32_t pass, std::uint32_t role,
                     std::size_t lane) const {
    constexpr std::uint64_t plane =
        woodstock::unit_words * woodstock::max_width;  // counters of one random bit
    const std::uint64_t first = (std::uint64_t{pass} * circuit_.roles() + role) * 32 * plane;
    std::uint64_t u = 0;
    for (std::uint64_t bit = 0; bit < 32; ++bit) {
      const std::uint64_t counter = first + bit * plane + lane / 64;
      const std::uint64_t word = woodstock::scatter(key + counter * woodstock::golden_gamma);
      u |= ((word >> (lane % 64)) & 1U) << bit;
    }
    return u;
  }

  void score(const woodstock::Position& position, Game& game) const {
    const RoleTable& table = circuit_.role_table();
    for (std::uint32_t role = 0; role < circuit_.roles(); ++role) {
      std::uint64_t best = 0;
      std::size_t found = 0;
      for (std::uint32_t goal : position.goals) {
        if (table.goal_role[goal] != role) continue;
        best = std::max<std::uint64_t>(best, table.goal_value[goal]);
        ++found;
      }
      game.goals.push_back(best);
      game.unclear += found == 1 ? 0 : 1;
    }
  }

  const Circuit& circuit_;
  Evaluator evaluator_;
  std::vector<std::uint32_t> place_;  // per move
};

}  // namespace sample
