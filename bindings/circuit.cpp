#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "circuit/circuit.h"
#include "circuit/isa.h"
#include "circuit/simulator.h"
#include "module.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace woodstock;

namespace {

using Ids = std::vector<std::uint32_t>;

std::span<const std::uint8_t> view(const nb::bytes& bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.c_str()), bytes.size()};
}

nb::bytes to_python(const std::vector<std::uint8_t>& bytes) {
  return nb::bytes(bytes.data(), bytes.size());
}

// Rows of a compressed table as lists.
std::vector<Ids> rows(const std::vector<std::uint32_t>& begin, const Ids& items) {
  std::vector<Ids> out;
  for (std::size_t i = 0; i + 1 < begin.size(); ++i) {
    out.emplace_back(items.begin() + begin[i], items.begin() + begin[i + 1]);
  }
  return out;
}

Ids to_roles(const std::vector<std::int64_t>& roles) {
  Ids out;
  for (std::int64_t role : roles) {
    out.push_back(role < 0 ? RoleTable::no_role : static_cast<std::uint32_t>(role));
  }
  return out;
}

void bind_circuit_class(nb::module_& m) {
  nb::class_<CircuitStatistics>(m, "CircuitStatistics", "The size of a circuit.")
      .def_ro("gates", &CircuitStatistics::gates)
      .def_ro("literals", &CircuitStatistics::literals)
      .def_ro("depth", &CircuitStatistics::depth)
      .def_ro("recursions", &CircuitStatistics::recursions)
      .def_ro("instructions", &CircuitStatistics::instructions)
      .def_ro("operands", &CircuitStatistics::operands)
      .def_ro("runs", &CircuitStatistics::runs)
      .def_ro("slots", &CircuitStatistics::slots)
      .def_ro("guards", &CircuitStatistics::guards)
      .def_ro("guarded", &CircuitStatistics::guarded)
      .def_ro("lanes", &CircuitStatistics::lanes)
      .def_ro("bytes", &CircuitStatistics::bytes);

  nb::class_<Circuit>(
      m, "Circuit",
      "A ground program compiled for many lines of play at once. Immutable, shared by threads.")
      .def(
          "__init__",
          [](Circuit* self, const GroundProgram& program, std::uint32_t roles,
             const std::vector<std::int64_t>& move_roles,
             const std::vector<std::int64_t>& goal_roles, const Ids& goal_values) {
            RoleTable table{roles, to_roles(move_roles), to_roles(goal_roles), goal_values};
            const nb::gil_scoped_release release;
            new (self) Circuit(program, std::move(table));
          },
          "program"_a, "roles"_a, "move_roles"_a, "goal_roles"_a, "goal_values"_a,
          "The role of each move and of each goal (-1: nobody's), and what each goal is worth.\n"
          "Raises ValueError when the program is not stratified or the lists do not fit it.")
      .def_prop_ro("state_size", &Circuit::state_size, "Length of a state in bytes.")
      .def_prop_ro(
          "lanes", [](const Circuit& c) { return c.width() * unit_lanes; },
          "Playouts that are worked on at once when there are enough.")
      .def(
          "initial", [](const Circuit& c) { return to_python(c.initial()); }, "The first state.")
      .def("statistics", &Circuit::statistics);
}

void bind_simulator(nb::module_& m) {
  nb::class_<Tally>(m, "Tally", "What came of the playouts from one state.")
      .def_prop_ro("playouts", [](const Tally& t) { return t.lengths.playouts; })
      .def_prop_ro(
          "stuck", [](const Tally& t) { return t.lengths.stuck; },
          "Playouts that ended because some role had no legal move.")
      .def_prop_ro(
          "cut", [](const Tally& t) { return t.lengths.cut; },
          "Playouts that ended at the limit of plies.")
      .def_prop_ro(
          "unclear", [](const Tally& t) { return t.lengths.unclear; },
          "How often a role did not have exactly one goal at the end.")
      .def_prop_ro("length_sum", [](const Tally& t) { return t.lengths.length; })
      .def_prop_ro("length_squares", [](const Tally& t) { return t.lengths.length_squares; })
      .def_prop_ro("shortest", [](const Tally& t) { return t.lengths.shortest; })
      .def_prop_ro("longest", [](const Tally& t) { return t.lengths.longest; })
      .def_prop_ro(
          "goal_sums",
          [](const Tally& t) {
            std::vector<std::uint64_t> out;
            for (const GoalTally& goal : t.goals) out.push_back(goal.sum);
            return out;
          },
          "For each role, the sum of its goals.")
      .def_prop_ro(
          "goal_squares",
          [](const Tally& t) {
            std::vector<std::uint64_t> out;
            for (const GoalTally& goal : t.goals) out.push_back(goal.squares);
            return out;
          },
          "For each role, the sum of the squares of its goals.");

  nb::class_<Simulator>(
      m, "Simulator",
      "Plays on a circuit, with threads and memory of its own. States are bytes, one after the\n"
      "other; results do not depend on the instruction set or the number of threads.")
      .def(
          "__init__",
          [](Simulator* self, std::shared_ptr<Circuit> circuit, const std::string& isa,
             unsigned threads) { new (self) Simulator(std::move(circuit), isa, threads); },
          "circuit"_a, "isa"_a = "auto", "threads"_a = 1,
          "Raises ValueError for an instruction set this machine does not have.")
      .def_prop_ro("isa", &Simulator::isa, "The instruction set in use.")
      .def_prop_ro("threads", &Simulator::threads)
      .def(
          "playouts",
          [](Simulator& s, const nb::bytes& states, const std::vector<std::uint64_t>& budgets,
             std::uint64_t seed, std::uint32_t max_plies) {
            PlayoutOptions options;
            options.seed = seed;
            options.max_plies = max_plies;
            // Not too often: with other Python threads at work, getting the lock takes
            // milliseconds.
            auto last = std::chrono::steady_clock::now();
            options.go_on = [&last] {
              const auto now = std::chrono::steady_clock::now();
              if (now - last < std::chrono::milliseconds(100)) return true;
              last = now;
              const nb::gil_scoped_acquire acquire;
              return PyErr_CheckSignals() == 0;
            };
            const auto span = view(states);
            try {
              const nb::gil_scoped_release release;
              return s.playouts(span, budgets, options);
            } catch (const Interrupted&) {
              throw nb::python_error();
            }
          },
          "states"_a, "budgets"_a, "seed"_a = 0, "max_plies"_a = 100'000,
          "Plays budgets[i] random games from the i-th state; a Tally for each.")
      .def(
          "analyse",
          [](Simulator& s, const nb::bytes& states) {
            Positions p;
            const auto span = view(states);
            {
              const nb::gil_scoped_release release;
              p = s.analyse(span);
            }
            const std::vector<Ids> legal = rows(p.legal_begin, p.legal);
            const std::vector<Ids> goals = rows(p.goals_begin, p.goals);
            std::vector<std::tuple<bool, Ids, Ids>> out;
            for (std::size_t i = 0; i < p.terminal.size(); ++i) {
              out.emplace_back(p.terminal[i] != 0, legal[i], goals[i]);
            }
            return out;
          },
          "states"_a, "For each state (terminal, indices of legal moves, indices of goals).")
      .def(
          "next",
          [](Simulator& s, const nb::bytes& states, const Ids& moves, bool percepts) {
            Successors after;
            const auto span = view(states);
            {
              const nb::gil_scoped_release release;
              after = s.next(span, moves, percepts);
            }
            return std::make_pair(to_python(after.states),
                                  rows(after.percepts_begin, after.percepts));
          },
          "states"_a, "moves"_a, "percepts"_a = true,
          "The states after one move of each role, state by state, and indices of percepts.\n"
          "Legality is not checked; what illegal moves lead to has no meaning.")
      .def(
          "expand",
          [](Simulator& s, const nb::bytes& state, std::uint64_t limit, bool percepts) {
            Expansion e;
            const auto span = view(state);
            {
              const nb::gil_scoped_release release;
              e = s.expand(span, limit, percepts);
            }
            std::vector<Ids> moves;
            const std::size_t roles = s.circuit().roles();
            for (std::size_t i = 0; i + roles <= e.moves.size() && roles != 0; i += roles) {
              const auto from = e.moves.begin() + static_cast<std::ptrdiff_t>(i);
              moves.emplace_back(from, from + static_cast<std::ptrdiff_t>(roles));
            }
            return std::make_tuple(std::move(moves), to_python(e.after.states),
                                   rows(e.after.percepts_begin, e.after.percepts));
          },
          "state"_a, "limit"_a = 1'000'000, "percepts"_a = true,
          "Every combination of legal moves, the states they lead to and indices of percepts.");

  m.def(
      "zobrist_hash", [](const nb::bytes& state) { return zobrist_hash(view(state)); }, "state"_a,
      "A 64-bit hash of a state: equal states, equal hashes.");
  m.def(
      "instruction_sets",
      [] {
        std::vector<std::string> names;
        for (const Kernel* kernel : available_kernels()) names.emplace_back(kernel->name);
        return names;
      },
      "The instruction sets the circuit can use here, the fastest first.");
}

}  // namespace

void bind_circuit(nb::module_& m) {
  bind_circuit_class(m);
  bind_simulator(m);
}
