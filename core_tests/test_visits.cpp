#include <stdexcept>

#include "circuit_sample.h"
#include "util/random.h"

using namespace sample;
using namespace woodstock;

namespace {

std::vector<std::uint32_t> row(const std::vector<std::uint32_t>& begin,
                               const std::vector<std::uint32_t>& items, std::size_t i) {
  return {items.begin() + begin[i], items.begin() + begin[i + 1]};
}

// What the older services say of the same states.
void check_visits(Simulator& simulator, const Visits& found,
                  const std::vector<std::uint8_t>& states) {
  const Circuit& circuit = simulator.circuit();
  const RoleTable& table = circuit.role_table();
  const std::size_t size = circuit.state_size();
  const std::size_t roles = circuit.roles();
  const std::size_t count = states.size() / size;
  const Positions wanted = simulator.analyse(states);
  CHECK(found.states == states);
  CHECK(found.terminal == wanted.terminal);
  CHECK(found.keys.size() == count);
  CHECK(found.goals.size() == count * roles);
  CHECK(found.legal_begin.size() == count * roles + 1);
  CHECK(found.legal_begin.back() == found.legal.size());
  for (std::size_t i = 0; i < count; ++i) {
    CHECK(found.keys[i] == zobrist_hash({states.data() + i * size, size}));
    for (std::uint32_t role = 0; role < roles; ++role) {
      std::vector<std::uint32_t> moves;
      for (std::uint32_t move : row(wanted.legal_begin, wanted.legal, i)) {
        if (table.move_role[move] == role) moves.push_back(move);
      }
      CHECK(row(found.legal_begin, found.legal, i * roles + role) == moves);
      std::uint32_t best = 0;
      for (std::uint32_t goal : row(wanted.goals_begin, wanted.goals, i)) {
        if (table.goal_role[goal] == role) best = std::max(best, table.goal_value[goal]);
      }
      CHECK(found.goals[i * roles + role] == best);
    }
  }
}

}  // namespace

TEST(visits_say_what_analyse_and_next_say) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const auto circuit = compile(random_game(seed));
    const std::size_t roles = circuit->roles();
    const std::size_t size = circuit->state_size();
    std::mt19937 rng(seed);
    for (const Kernel* kernel : available_kernels()) {
      Simulator simulator(circuit, kernel->name, 1);
      Visits visits;  // reused: nothing of a former call may be left
      for (std::size_t count : {600U, 1U, 63U, 64U, 65U, 200U, 257U, 2100U, 0U}) {
        // Random states, reachable or not, and random moves, legal or not: all are functions.
        std::vector<std::uint8_t> states(count * size, 0);
        for (std::size_t i = 0; i < count; ++i) {
          for (std::size_t f = 0; f < circuit->fluents(); ++f) {
            if (rng() % 2 == 0) continue;
            std::uint8_t& byte = states[i * size + f / 8];
            byte = static_cast<std::uint8_t>(byte | (1U << f % 8));
          }
        }
        simulator.visit(states, {}, visits);
        check_visits(simulator, visits, states);
        std::vector<std::vector<std::uint32_t>> of_role(roles);
        for (std::uint32_t move = 0; move < circuit->moves(); ++move) {
          of_role[circuit->role_table().move_role[move]].push_back(move);
        }
        bool complete = true;
        for (const auto& list : of_role) complete = complete && !list.empty();
        if (!complete) continue;
        std::vector<std::uint32_t> moves;
        for (std::size_t i = 0; i < count * roles; ++i) {
          const auto& list = of_role[i % roles];
          moves.push_back(list[rng() % list.size()]);
        }
        const Successors after = simulator.next(states, moves, false);
        simulator.visit(states, moves, visits);
        check_visits(simulator, visits, after.states);
      }
    }
  }
}

TEST(visits_know_many_moves) {
  // More moves than a word has bits, for two roles.
  const auto circuit = compile(filling_game(150));
  Simulator simulator(circuit, "auto", 1);
  std::vector<std::uint8_t> states;
  std::vector<std::uint8_t> state = circuit->initial();
  std::mt19937 rng(1);
  Visits visits;
  for (std::size_t i = 0; i < 100; ++i) {
    states.insert(states.end(), state.begin(), state.end());
    simulator.visit(state, {}, visits);
    std::vector<std::uint32_t> joint;
    for (std::size_t role = 0; role < 2; ++role) {
      const auto moves = row(visits.legal_begin, visits.legal, role);
      joint.push_back(moves[rng() % moves.size()]);
    }
    state = simulator.next(state, joint, false).states;
  }
  simulator.visit(states, {}, visits);
  check_visits(simulator, visits, states);
}

TEST(visits_refuse_what_does_not_fit) {
  const auto circuit = compile(filling_game(3));
  Simulator simulator(circuit, "auto", 1);
  Visits visits;
  std::vector<std::uint8_t> state = circuit->initial();
  const std::vector<std::uint32_t> unknown{0, 9999};
  CHECK_THROWS(simulator.visit(state, unknown, visits), std::invalid_argument);
  const std::vector<std::uint32_t> one{0};
  CHECK_THROWS(simulator.visit(state, one, visits), std::invalid_argument);
  state.back() = 0xff;
  CHECK_THROWS(simulator.visit(state, {}, visits), std::invalid_argument);
}

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
