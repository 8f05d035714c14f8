#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "csp/problem.h"
#include "csp/solver.h"
#include "module.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace woodstock::csp;

namespace {

using Numbers = std::vector<std::uint32_t>;

template <class Enum>
using Named = std::vector<std::pair<const char*, Enum>>;

template <class Enum>
Enum choose(const char* what, const std::string& name, const Named<Enum>& all) {
  std::string names;
  for (const auto& [known, value] : all) {
    if (name == known) return value;
    names += (names.empty() ? "" : ", ") + std::string(known);
  }
  throw std::invalid_argument("no " + std::string(what) + " '" + name + "': choose one of " +
                              names);
}

Options to_options(const std::string& propagation, const std::string& heuristic,
                   const std::string& branching, const Numbers& first, std::uint64_t seed,
                   bool learning) {
  Options options;
  options.propagation = choose<Propagation>("propagation", propagation,
                                            {{"ct", Propagation::compact_table},
                                             {"str2", Propagation::str2},
                                             {"str", Propagation::str},
                                             {"fc", Propagation::forward}});
  options.heuristic = choose<Heuristic>("heuristic", heuristic,
                                        {{"dom/ddeg", Heuristic::dom_ddeg},
                                         {"dom/wdeg", Heuristic::dom_wdeg},
                                         {"dom", Heuristic::dom},
                                         {"lex", Heuristic::lex},
                                         {"activity", Heuristic::activity}});
  options.branching = choose<Branching>(
      "branching", branching, {{"values", Branching::values}, {"binary", Branching::binary}});
  options.first = first;
  options.seed = seed;
  options.learning = learning;
  return options;
}

// Runs something long without Python's lock. Signals are looked for now and then, not too often:
// with other Python threads at work, getting the lock takes milliseconds. `wanted` is asked as
// often.
template <class Work>
auto interruptible(const Work& work, const nb::object& wanted = nb::none()) {
  bool interrupted = false;
  auto last = std::chrono::steady_clock::now();
  const std::function<bool()> go_on = [&] {
    const auto now = std::chrono::steady_clock::now();
    if (now - last < std::chrono::milliseconds(50)) return true;
    last = now;
    const nb::gil_scoped_acquire acquire;
    interrupted = PyErr_CheckSignals() != 0;
    if (interrupted || wanted.is_none()) return !interrupted;
    PyObject* const answer = PyObject_CallNoArgs(wanted.ptr());
    const int truth = answer == nullptr ? -1 : PyObject_IsTrue(answer);
    Py_XDECREF(answer);
    interrupted = truth < 0;
    return truth > 0;
  };
  auto result = [&] {
    const nb::gil_scoped_release release;
    return work(go_on);
  }();
  if (interrupted) throw nb::python_error();
  return result;
}

void bind_results(nb::module_& m) {
  nb::class_<Statistics>(m, "CspStatistics", "The work of a solver, of all its calls together.")
      .def_ro("nodes", &Statistics::nodes, "Decisions made.")
      .def_ro("fails", &Statistics::fails, "Decisions that propagation refuted at once.")
      .def_ro("propagations", &Statistics::propagations, "Domains that became smaller.")
      .def_ro("revisions", &Statistics::revisions, "Tables that were run.")
      .def_ro("solutions", &Statistics::solutions)
      .def_ro("learned", &Statistics::learned, "Clauses learned from failures.")
      .def_ro("restarts", &Statistics::restarts);

  nb::class_<Solutions>(m, "SolveResult", "What a search found.")
      .def_ro("count", &Solutions::count)
      .def_ro("complete", &Solutions::complete, "Whether there are no others.")
      .def_ro("width", &Solutions::width, "Values of a solution.")
      .def_prop_ro(
          "solutions",
          [](const Solutions& s) {
            return nb::bytes(s.values.data(), s.values.size() * sizeof(std::uint32_t));
          },
          "All values, solution by solution, as unsigned 32-bit numbers of this machine:\n"
          "memoryview(...).cast('I') reads them.")
      .def(
          "rows",
          [](const Solutions& s) {
            nb::list out;
            for (std::size_t i = 0; i < s.values.size(); i += s.width) {
              nb::list row;
              for (std::size_t k = 0; k < s.width; ++k) row.append(s.values[i + k]);
              out.append(nb::tuple(row));
            }
            // A solution of nothing is a solution.
            for (std::size_t i = 0; s.width == 0 && i < s.count; ++i) out.append(nb::make_tuple());
            return out;
          },
          nb::sig("def rows(self) -> list[tuple[int, ...]]"),
          "The solutions that were stored, as tuples.");
}

void bind_problem(nb::module_& m) {
  nb::class_<Problem>(m, "CspProblem",
                      "Variables with finite domains, and tables of allowed or forbidden rows.")
      .def(nb::init<>())
      .def("add_variable", &Problem::add_variable, "size"_a,
           "A variable with the values 0 .. size-1; its number.")
      .def(
          "add_table",
          [](Problem& p, const Numbers& scope, const std::vector<Entry>& rows) {
            p.add_table(scope, rows);
          },
          "scope"_a, "rows"_a,
          "Some row must match. Rows come one after the other in one list; an entry is a value,\n"
          "-1 for any value, or -2 - v for any value but v.")
      .def(
          "add_forbidden",
          [](Problem& p, const Numbers& scope, const std::vector<Entry>& rows) {
            p.add_forbidden(scope, rows);
          },
          "scope"_a, "rows"_a, "No row may match. Entries are values, or -1 for any value.")
      .def_prop_ro("variables", &Problem::variables, "How many there are.")
      .def_prop_ro("constraints", &Problem::constraints, "How many tables there are.");
}

void bind_solver(nb::module_& m) {
  nb::class_<Solver>(
      m, "CspSolver",
      "Consistency and search on a problem as it was when the solver was made. One thread at a\n"
      "time: others get a RuntimeError. The same calls give the same results in the same order.")
      .def(
          "__init__",
          [](Solver* self, const Problem& problem, const std::string& propagation,
             const std::string& heuristic, const std::string& branching, const Numbers& first,
             std::uint64_t seed, bool learning) {
            new (self) Solver(problem,
                              to_options(propagation, heuristic, branching, first, seed, learning));
          },
          "problem"_a, nb::kw_only(), "propagation"_a = "ct", "heuristic"_a = "dom/ddeg",
          "branching"_a = "values", "first"_a = Numbers{}, "seed"_a = 0, "learning"_a = false,
          "propagation: 'ct', 'str2', 'str' (all arc consistency) or 'fc' (forward checking);\n"
          "heuristic: 'dom/ddeg', 'dom/wdeg', 'dom' or 'lex'; branching: 'values' or 'binary';\n"
          "first: variables to be decided before all others; learning: whether first() learns "
          "from\n"
          "failures, for 'ct' alone; with it 'activity' is a heuristic too.")
      .def_prop_ro("variables", &Solver::variables, "How many there are.")
      .def_prop_ro("depth", &Solver::depth, "Levels that are open.")
      .def("push", &Solver::push, nb::call_guard<nb::gil_scoped_release>(),
           "Propagates and opens a level.")
      .def("pop", &Solver::pop, "Undoes what was done to domains since the last push().")
      .def(
          "restrict",
          [](Solver& s, std::uint32_t variable, const Numbers& values) {
            return s.restrict(variable, values);
          },
          "variable"_a, "values"_a, "Keeps these values and no others. False: no solution is left.")
      .def(
          "assign",
          [](Solver& s, const Numbers& variables, const Numbers& values) {
            return s.assign(variables, values);
          },
          "variables"_a, "values"_a, "Gives each variable a value. False: no solution is left.")
      .def("propagate", &Solver::propagate, nb::call_guard<nb::gil_scoped_release>(),
           "Makes the domains consistent. False: no solution is left.")
      .def(
          "sac",
          [](Solver& s) { return interruptible([&](const auto& go_on) { return s.sac(go_on); }); },
          "Takes away every value whose choice propagation refutes. False: no solution is left.")
      .def("domain", &Solver::domain, "variable"_a, "The values that are left, ascending.")
      .def(
          "solve",
          [](Solver& s, std::uint64_t limit, const std::optional<Numbers>& project,
             std::uint64_t max_nodes) {
            return interruptible([&](const auto& go_on) {
              const SolverLimits limits{limit, max_nodes, go_on};
              return project ? s.solve(limits, *project) : s.solve(limits);
            });
          },
          "limit"_a = 0, "project"_a = nb::none(), "max_nodes"_a = 0,
          "Solutions within the domains, which stay as they are; 0: no limit. With `project` only\n"
          "the values of these variables, and each combination once.")
      .def(
          "count",
          [](Solver& s, std::uint64_t limit) {
            return interruptible(
                [&](const auto& go_on) { return s.count({limit, 0, go_on}).count; });
          },
          "limit"_a = 0, "How many solutions there are, up to the limit.")
      .def(
          "resume",
          [](Solver& s, std::uint64_t limit, std::uint64_t max_nodes) {
            return interruptible(
                [&](const auto& go_on) { return s.resume({limit, max_nodes, go_on}); });
          },
          "limit"_a = 0, "max_nodes"_a = 0,
          "Goes on with a solve() that ended at a limit; any other call in between ends it for\n"
          "good, and then this raises RuntimeError.")
      .def(
          "first",
          [](Solver& s, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& assumed,
             std::uint64_t max_nodes, const nb::object& go_on) {
            std::vector<Literal> literals;
            for (const auto& [variable, value] : assumed) literals.push_back({variable, value});
            return interruptible(
                [&](const auto& asked) { return s.first({1, max_nodes, asked}, literals); }, go_on);
          },
          "assumed"_a = std::vector<std::pair<std::uint32_t, std::uint32_t>>{}, "max_nodes"_a = 0,
          "go_on"_a = nb::none(),
          nb::sig("def first(self, assumed: Sequence[tuple[int, int]] = [], max_nodes: int = 0, "
                  "go_on: Callable[[], bool] | None = None) -> SolveResult"),
          "A solution in which these variables have these values, by a search that learns and\n"
          "starts anew; complete and without one where there is none. go_on is asked now and "
          "then;\n"
          "False ends the call.")
      .def("stop", &Solver::stop,
           "Ends the solve(), count(), first() or sac() that another thread is running, soon.")
      .def("statistics", &Solver::statistics);
}

}  // namespace

void bind_csp(nb::module_& m) {
  bind_problem(m);
  bind_results(m);
  bind_solver(m);
}
