// Playouts, one lane after the other: what a block must come to, move by move.

#include <map>
#include <tuple>

#include "circuit/random.h"
#include "circuit_sample.h"

using namespace sample;
using namespace woodstock;

namespace {

// Plays a block as the kernel does, with the same random numbers, but by the evaluator and without
// guards: only games whose playouts all begin together are modelled.
class Model {
 public:
  Model(std::shared_ptr<GroundProgram> program, const Circuit& circuit)
      : circuit_(circuit), evaluator_(std::move(program)) {
    // The order in which the kernel numbers the moves of a role. Moves of the same legality that
    // nobody asks about stand in the order of their numbers.
    const CircuitView& view = circuit.view();
    const Code& code = circuit.code();
    std::map<std::tuple<std::uint32_t, Plane, Slot>, std::vector<std::uint32_t>> places;
    for (std::uint32_t role = 0; role < circuit.roles(); ++role) {
      std::uint32_t place = 0;
      for (std::uint32_t g = view.choices[role].first_group; g < view.choices[role].last_group;
           ++g) {
        for (std::size_t i = 0; i < group_size; ++i) {
          places[{role, view.groups[g].legal[i], view.groups[g].does[i]}].push_back(place++);
        }
      }
    }
    std::map<std::tuple<std::uint32_t, Plane, Slot>, std::size_t> taken;
    for (std::uint32_t move = 0; move < code.legal.size(); ++move) {
      const std::tuple leaf(circuit.role_table().move_role[move], code.legal[move],
                            code.does[move]);
      place_.push_back(code.legal[move] == plane_false ? 0 : places[leaf].at(taken[leaf]++));
    }
  }

  void play_lane(std::uint64_t key, std::size_t lane, std::uint32_t max_plies, Tally& tally) {
    StateBytes state = evaluator_.initial();
    for (std::uint32_t pass = 0;; ++pass) {
      const Position position = evaluator_.analyse(state);
      std::vector<std::vector<std::uint32_t>> options(circuit_.roles());
      for (std::uint32_t move : position.legal) {
        options[circuit_.role_table().move_role[move]].push_back(move);
      }
      bool stuck = false;
      for (auto& list : options) {
        std::stable_sort(list.begin(), list.end(), [this](std::uint32_t a, std::uint32_t b) {
          return place_[a] < place_[b];
        });
        stuck = stuck || list.empty();
      }
      if (position.terminal || stuck || pass == max_plies) {
        if (!position.terminal) ++(stuck ? tally.lengths.stuck : tally.lengths.cut);
        score(position, pass, tally);
        return;
      }
      std::vector<std::uint32_t> joint;
      for (std::uint32_t role = 0; role < circuit_.roles(); ++role) {
        const std::uint64_t u = draw(key, pass, role, lane);
        joint.push_back(options[role][(u * options[role].size()) >> 32]);
      }
      state = evaluator_.next(state, joint).state;
    }
  }

 private:
  std::uint64_t draw(std::uint64_t key, std::uint32_t pass, std::uint32_t role,
                     std::size_t lane) const {
    constexpr std::uint64_t plane = unit_words * max_width;  // counters of one random bit
    const std::uint64_t first = (std::uint64_t{pass} * circuit_.roles() + role) * 32 * plane;
    std::uint64_t u = 0;
    for (std::uint64_t bit = 0; bit < 32; ++bit) {
      const std::uint64_t word = scatter(key + (first + bit * plane + lane / 64) * golden_gamma);
      u |= ((word >> (lane % 64)) & 1U) << bit;
    }
    return u;
  }

  void score(const Position& position, std::uint32_t length, Tally& tally) {
    ++tally.lengths.playouts;
    tally.lengths.length += length;
    for (std::uint32_t role = 0; role < circuit_.roles(); ++role) {
      std::uint64_t best = 0;
      std::size_t found = 0;
      for (std::uint32_t goal : position.goals) {
        if (circuit_.role_table().goal_role[goal] != role) continue;
        best = std::max<std::uint64_t>(best, circuit_.role_table().goal_value[goal]);
        ++found;
      }
      tally.goals[role].sum += best;
      tally.goals[role].squares += best * best;
      tally.lengths.unclear += found == 1 ? 0 : 1;
    }
  }

  const Circuit& circuit_;
  Evaluator evaluator_;
  std::vector<std::uint32_t> place_;  // per move
};

}  // namespace

TEST(playouts_are_what_the_evaluator_makes_of_the_same_random_numbers) {
  constexpr std::uint64_t playouts = 300;  // fewer than lanes: all begin at once, none is refilled
  constexpr std::uint32_t max_plies = 12;
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    const auto program = std::make_shared<GroundProgram>(random_game(seed));
    const auto circuit = compile(*program);
    Model model(program, *circuit);
    Tally wanted;
    wanted.goals.resize(circuit->roles());
    const std::uint64_t key = scatter(scatter(seed + golden_gamma));
    for (std::size_t lane = 0; lane < playouts; ++lane) {
      model.play_lane(key, lane, max_plies, wanted);
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
