#include "check.h"
#include "csp/activity.h"
#include "csp/solver.h"
#include "csp_sample.h"

using namespace csp_sample;

namespace {

Options learning(Heuristic heuristic) {
  Options options;
  options.heuristic = heuristic;
  options.learning = true;
  return options;
}

constexpr Heuristic learners[] = {Heuristic::activity, Heuristic::lex, Heuristic::dom_wdeg};

}  // namespace

TEST(csp_learning_finds_a_solution_where_there_is_one) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Problem problem = random_problem(seed);
    const std::set<Row> expected = brute_force(problem, all_domains(problem));
    for (const Heuristic heuristic : learners) {
      Solver solver(problem, learning(heuristic));
      for (int again = 0; again < 2; ++again) {
        const Solutions found = solver.first();
        CHECK(found.count == (expected.empty() ? 0U : 1U));
        CHECK(found.complete == expected.empty());
        if (found.count == 1) CHECK(expected.count(found.values) == 1);
      }
      // What was learned takes no solution away.
      CHECK(rows(solver.solve()) == expected);
    }
  }
}

TEST(csp_learning_under_assumptions) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const Problem problem = random_problem(seed);
    const std::set<Row> expected = brute_force(problem, all_domains(problem));
    Solver solver(problem, learning(Heuristic::activity));
    for (std::uint32_t x = 0; x < problem.variables(); ++x) {
      for (std::uint32_t v = 0; v < problem.sizes()[x]; ++v) {
        const std::uint32_t y = (x + 1) % static_cast<std::uint32_t>(problem.variables());
        const Literal assumed[] = {{x, v}, {y, 0}};
        bool possible = false;
        for (const Row& row : expected) possible |= row[x] == v && row[y] == 0;
        const Solutions found = solver.first({}, assumed);
        CHECK(found.complete == !possible);
        CHECK(found.count == (possible ? 1U : 0U));
        if (found.count == 1) {
          CHECK(expected.count(found.values) == 1);
          CHECK(found.values[x] == v && found.values[y] == 0);
        }
      }
    }
    CHECK(rows(solver.solve()) == expected);
  }
}

TEST(csp_learning_forgets_with_the_level) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const Problem problem = random_problem(seed);
    const std::set<Row> expected = brute_force(problem, all_domains(problem));
    Solver solver(problem, learning(Heuristic::activity));
    for (std::uint32_t v = 0; v < problem.sizes()[0]; ++v) {
      bool possible = false;
      for (const Row& row : expected) possible |= row[0] == v;
      solver.push();
      const std::uint32_t value[] = {v};
      solver.restrict(0, value);
      CHECK(solver.first().count == (possible ? 1U : 0U));
      solver.pop();
    }
    CHECK(rows(solver.solve()) == expected);
  }
}

// Pigeons that do not fit: hard without learning's restarts, and long enough to reach all of it.
TEST(csp_learning_refutes_and_stops) {
  constexpr std::uint32_t pigeons = 7;
  Problem problem;
  for (std::uint32_t x = 0; x < pigeons; ++x) problem.add_variable(pigeons - 1);
  for (std::uint32_t x = 0; x < pigeons; ++x) {
    for (std::uint32_t y = 0; y < x; ++y) {
      std::vector<Entry> rows;
      for (Entry v = 0; v < static_cast<Entry>(pigeons) - 1; ++v) {
        rows.push_back(v);
        // Both kinds of constraints have to explain themselves.
        rows.push_back((x + y) % 2 == 0 ? v : except(v));
      }
      const std::uint32_t scope[] = {x, y};
      (x + y) % 2 == 0 ? problem.add_forbidden(scope, rows) : problem.add_table(scope, rows);
    }
  }
  Solver solver(problem, learning(Heuristic::activity));
  SolverLimits limits;
  limits.nodes = 20;
  const Solutions stopped = solver.first(limits);
  CHECK(!stopped.complete && stopped.count == 0);
  CHECK(solver.statistics().nodes == 20);
  CHECK(solver.first().complete);
  CHECK(solver.statistics().learned > 20);
  CHECK(solver.statistics().restarts > 0);
  CHECK(!solver.propagate());
}

TEST(csp_learning_wants_compact_table) {
  Problem problem;
  problem.add_variable(2);
  Options options = learning(Heuristic::lex);
  options.propagation = Propagation::str2;
  CHECK_THROWS(Solver(problem, options), std::invalid_argument);
  options = {};
  CHECK_THROWS(Solver(problem, options).first(), std::logic_error);
  options.heuristic = Heuristic::activity;
  CHECK_THROWS(Solver(problem, options), std::invalid_argument);
}

TEST(csp_activity_gives_the_busiest_first) {
  Activity activity(4);
  activity.bump(2);
  activity.decay();
  activity.bump(1);
  CHECK(activity.pop() == 1);
  CHECK(activity.pop() == 2);
  activity.insert(1);
  CHECK(activity.pop() == 1);
  CHECK(activity.pop() == 0);
  CHECK(activity.pop() == 3);
  CHECK(activity.pop() == Activity::none);
}
