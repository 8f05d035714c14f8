#include "circuit/simulator.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "circuit/isa.h"
#include "convert.h"
#include "module.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace woodstock;

namespace {

// Asks Python whether the user wants to go on. Not too often: with other Python threads at work,
// getting the lock takes milliseconds.
std::function<bool()> unless_interrupted() {
  return [last = std::chrono::steady_clock::now()]() mutable {
    const auto now = std::chrono::steady_clock::now();
    if (now - last < std::chrono::milliseconds(100)) return true;
    last = now;
    const nb::gil_scoped_acquire acquire;
    return PyErr_CheckSignals() == 0;
  };
}

// What searches ask, as Python sees it: the tables and the number of roles they go by.
struct PythonVisits {
  Visits visits;
  std::size_t roles;
};

struct PythonRollouts {
  Rollouts rollouts;
  std::size_t roles;
};

using PlayedMove = std::tuple<std::uint32_t, std::uint32_t, Ids>;

std::vector<std::vector<PlayedMove>> played(const PythonRollouts& p) {
  const Rollouts& r = p.rollouts;
  const std::vector<Ids> goals = table(r.played_goals, p.roles);
  std::vector<std::vector<PlayedMove>> out;
  for (std::size_t i = 0; i + 1 < r.played_begin.size(); ++i) {
    std::vector<PlayedMove>& moves = out.emplace_back();
    for (std::uint32_t j = r.played_begin[i]; j < r.played_begin[i + 1]; ++j) {
      moves.emplace_back(r.played[j].move, r.played[j].games, goals[j]);
    }
  }
  return out;
}

void bind_results(nb::module_& m) {
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

  nb::class_<PythonVisits>(m, "Visits", "What was found out about a batch of states.")
      .def_prop_ro(
          "states", [](const PythonVisits& p) { return to_python(p.visits.states); },
          "The states, one after the other.")
      .def_prop_ro(
          "keys", [](const PythonVisits& p) { return p.visits.keys; },
          "For each state its zobrist_hash.")
      .def_prop_ro(
          "terminal",
          [](const PythonVisits& p) {
            return std::vector<bool>(p.visits.terminal.begin(), p.visits.terminal.end());
          },
          "For each state whether the game is over.")
      .def_prop_ro(
          "legal",
          [](const PythonVisits& p) {
            return table(rows(p.visits.legal_begin, p.visits.legal), p.roles);
          },
          "For each state and role the indices of its legal moves.")
      .def_prop_ro(
          "goals", [](const PythonVisits& p) { return table(p.visits.goals, p.roles); },
          "For each state and role the highest goal that holds; 0 when there is none.");

  nb::class_<PythonRollouts>(m, "Rollouts", "What came of a few random games from each state.")
      .def_prop_ro(
          "goals", [](const PythonRollouts& p) { return table(p.rollouts.goals, p.roles); },
          "For each state and role the sum of its goals.")
      .def_prop_ro(
          "squares", [](const PythonRollouts& p) { return table(p.rollouts.squares, p.roles); },
          "For each state and role the sum of the squares of its goals.")
      .def_prop_ro("plies", [](const PythonRollouts& p) { return p.rollouts.plies; })
      .def_prop_ro("cut", [](const PythonRollouts& p) { return p.rollouts.cut; })
      .def_prop_ro("stuck", [](const PythonRollouts& p) { return p.rollouts.stuck; })
      .def_prop_ro(
          "played", &played,
          "With a trace: for each state (index of a move, number of games in which it was\n"
          "made, for each role the sum of its goals over those games).");
}

}  // namespace

void bind_simulator(nb::module_& m) {
  bind_results(m);
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
            options.go_on = unless_interrupted();
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
          "legal_weights",
          [](Simulator& s, const nb::bytes& states, const std::vector<double>& weights) {
            const auto span = view(states);
            const nb::gil_scoped_release release;
            return s.legal_weights(span, weights);
          },
          "states"_a, "weights"_a, "For each move the weights of the states in which it is legal.")
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
          "Every combination of legal moves, the states they lead to and indices of percepts.")
      .def(
          "visit",
          [](Simulator& s, const nb::bytes& states, const Ids& moves) {
            PythonVisits found{{}, s.circuit().roles()};
            const auto span = view(states);
            const nb::gil_scoped_release release;
            s.visit(span, moves, found.visits);
            return found;
          },
          "states"_a, "moves"_a = Ids(),
          "Visits of the states after one move of each role, state by state, or, without moves, "
          "of\n"
          "the states themselves.")
      .def(
          "rollouts",
          [](Simulator& s, const nb::bytes& states, std::uint32_t each, std::uint64_t seed,
             std::uint32_t max_plies, bool trace, const std::vector<std::uint8_t>& preferences) {
            RolloutOptions options;
            options.preferences = preferences;
            options.seed = seed;
            options.max_plies = max_plies;
            options.trace = trace;
            options.go_on = unless_interrupted();
            PythonRollouts found{{}, s.circuit().roles()};
            const auto span = view(states);
            try {
              const nb::gil_scoped_release release;
              s.rollouts(span, each, options, found.rollouts);
            } catch (const Interrupted&) {
              throw nb::python_error();
            }
            return found;
          },
          "states"_a, "each"_a, "seed"_a = 0, "max_plies"_a = 100'000, "trace"_a = false,
          "preferences"_a = std::vector<std::uint8_t>(),
          "Rollouts: `each` random games (1, 2, 4, ... 64) from every state. Moves are made with "
          "equal\n"
          "chances, or by preference: one level, 0 to 3, for each move.");

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
