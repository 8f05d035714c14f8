#include <algorithm>
#include <stdexcept>

#include "batch/state_batch.h"
#include "circuit_sample.h"

using namespace sample;
using namespace woodstock;

namespace {

constexpr std::uint32_t none = BatchLayout::none;

// Columns in reverse order of the ground program, with one for nothing behind.
BatchLayout layout_of(const Circuit& circuit) {
  BatchLayout layout;
  for (std::size_t f = circuit.fluents(); f-- > 0;) {
    layout.fluents.push_back(static_cast<std::uint32_t>(f));
  }
  const RoleTable& table = circuit.role_table();
  for (std::uint32_t role = 0; role < table.roles; ++role) {
    for (std::size_t m = circuit.moves(); m-- > 0;) {
      layout.actions.push_back(table.move_role[m] == role ? static_cast<std::uint32_t>(m) : none);
    }
    layout.actions.push_back(none);
    for (std::size_t p = table.percept_role.size(); p-- > 0;) {
      layout.percepts.push_back(table.percept_role[p] == role ? static_cast<std::uint32_t>(p)
                                                              : none);
    }
    layout.percepts.push_back(none);
  }
  return layout;
}

std::vector<std::uint8_t> states_of(const StateBatch& batch) {
  std::vector<std::uint8_t> states(batch.count() * batch.circuit().state_size());
  batch.get(states);
  return states;
}

std::vector<std::uint8_t> legal_of(StateBatch& batch) {
  std::vector<std::uint8_t> legal(batch.count() * batch.roles() * batch.actions());
  batch.read_legal(legal, StateBatch::Bits::unpacked);
  return legal;
}

std::uint32_t some_move(const Circuit& circuit, std::size_t role) {
  const std::vector<std::uint32_t>& movers = circuit.role_table().move_role;
  const auto found = std::find(movers.begin(), movers.end(), static_cast<std::uint32_t>(role));
  return static_cast<std::uint32_t>(found - movers.begin());
}

// A legal action for everybody, the nth that there is, where the game goes on.
std::vector<std::int32_t> some_actions(StateBatch& batch, std::size_t nth) {
  const std::vector<std::uint8_t> legal = legal_of(batch);
  std::vector<std::int32_t> actions;
  for (std::size_t row = 0; row < batch.count() * batch.roles(); ++row) {
    std::vector<std::int32_t> open;
    for (std::size_t a = 0; a < batch.actions(); ++a) {
      if (legal[row * batch.actions() + a] != 0) open.push_back(static_cast<std::int32_t>(a));
    }
    actions.push_back(open.empty() ? 0 : open[(nth + row) % open.size()]);
  }
  return actions;
}

}  // namespace

TEST(a_batch_says_what_visits_say) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const auto circuit = compile(random_game(seed));
    const std::size_t roles = circuit->roles();
    const std::size_t size = circuit->state_size();
    if (roles == 0) continue;
    const BatchLayout layout = layout_of(*circuit);
    for (const Kernel* kernel : available_kernels()) {
      Simulator simulator(circuit, kernel->name, 1);
      StateBatch batch(circuit, layout, kernel->name, 2, 1100, seed);
      for (std::size_t step = 0; step < 4; ++step) {
        const std::vector<std::uint8_t> before = states_of(batch);
        std::vector<std::uint8_t> over(batch.count()), stuck(batch.count());
        batch.read_over(over);
        batch.read_stuck(stuck);
        Visits visits;
        simulator.visit(before, {}, visits);
        const std::vector<std::uint8_t> legal = legal_of(batch);
        for (std::size_t i = 0; i < batch.count(); ++i) {
          CHECK((over[i] != 0) == (visits.terminal[i] != 0 || stuck[i] != 0));
          std::vector<std::uint8_t> wanted(roles * batch.actions(), 0);
          for (std::size_t r = 0; r < roles && over[i] == 0; ++r) {
            for (std::uint32_t at = visits.legal_begin[i * roles + r];
                 at < visits.legal_begin[i * roles + r + 1]; ++at) {
              wanted[r * batch.actions() + circuit->moves() - 1 - visits.legal[at]] = 1;
            }
          }
          CHECK(std::equal(wanted.begin(), wanted.end(),
                           legal.begin() + static_cast<std::ptrdiff_t>(i * wanted.size())));
        }
        // One state alone may have nobody to move in; such games are stuck and stay.
        const std::vector<std::int32_t> actions = some_actions(batch, step);
        bool all_move = true;
        for (std::size_t i = 0; i < batch.count() && all_move; ++i) {
          for (std::size_t r = 0; r < roles; ++r) {
            const auto a = static_cast<std::size_t>(actions[i * roles + r]);
            if (over[i] == 0 && legal[(i * roles + r) * batch.actions() + a] == 0) all_move = false;
          }
        }
        if (!all_move) break;
        batch.step(actions, {.percepts = true});
        std::vector<std::uint32_t> moves;
        for (std::size_t i = 0; i < batch.count(); ++i) {
          for (std::size_t r = 0; r < roles; ++r) {
            const auto a = static_cast<std::size_t>(actions[i * roles + r]);
            // Where the game is over it does not matter which.
            moves.push_back(over[i] != 0 ? some_move(*circuit, r)
                                         : layout.actions[r * batch.actions() + a]);
          }
        }
        const Successors after = simulator.next(before, moves, false);
        const std::vector<std::uint8_t> found = states_of(batch);
        for (std::size_t i = 0; i < batch.count(); ++i) {
          const std::uint8_t* wanted = (over[i] != 0 ? before : after.states).data() + i * size;
          CHECK(std::equal(wanted, wanted + size, found.data() + i * size));
        }
      }
    }
  }
}

TEST(random_steps_of_a_batch_are_the_same_everywhere) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const auto circuit = compile(random_game(seed));
    if (circuit->roles() == 0) continue;
    const BatchLayout layout = layout_of(*circuit);
    const StepOptions options{.drawn = ~std::uint64_t{0}, .restart = true};
    std::vector<std::uint8_t> first;
    for (const Kernel* kernel : available_kernels()) {
      for (const unsigned threads : {1U, 3U}) {
        StateBatch batch(circuit, layout, kernel->name, threads, 5000, 7);
        for (int step = 0; step < 6; ++step) batch.step({}, options);
        if (first.empty()) first = states_of(batch);
        CHECK(states_of(batch) == first);
      }
    }
  }
}

TEST(a_batch_refuses_what_does_not_fit) {
  const auto circuit = compile(random_game(3));
  const BatchLayout layout = layout_of(*circuit);
  StateBatch batch(circuit, layout, "auto", 1, 3, 1);
  const std::vector<std::uint8_t> before = states_of(batch);
  const std::vector<std::int32_t> nothing(3 * batch.roles(),
                                          static_cast<std::int32_t>(batch.actions()) - 1);
  CHECK_THROWS(batch.step(nothing, {}), std::invalid_argument);
  CHECK_THROWS(batch.step(std::vector<std::int32_t>(1), {}), std::invalid_argument);
  CHECK(states_of(batch) == before);
  BatchLayout wrong = layout;
  wrong.fluents.push_back(static_cast<std::uint32_t>(circuit->fluents()));
  CHECK_THROWS(StateBatch(circuit, wrong, "auto", 1, 1, 1), std::invalid_argument);
  wrong = layout;
  wrong.actions.pop_back();
  CHECK_THROWS(StateBatch(circuit, wrong, "auto", 1, 1, 1), std::invalid_argument);
}
