#include <atomic>
#include <chrono>
#include <thread>

#include "check.h"
#include "csp/solver.h"
#include "csp_sample.h"

using namespace csp_sample;

TEST(csp_all_ways_find_the_same_solutions) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Problem problem = random_problem(seed);
    const std::set<Row> expected = brute_force(problem, all_domains(problem));
    for (const Propagation propagation : propagations) {
      for (const Heuristic heuristic : heuristics) {
        for (const Branching branching : branchings) {
          Options options{propagation, heuristic, branching, {}, seed % 3};
          if (seed % 5 == 0)
            options.first = {static_cast<std::uint32_t>(seed % problem.variables())};
          Solver solver(problem, options);
          const Solutions found = solver.solve();
          CHECK(found.complete);
          CHECK(found.count == expected.size());
          CHECK(rows(found) == expected);
          CHECK(solver.count().count == expected.size());
        }
      }
    }
  }
}

TEST(csp_propagation_is_arc_consistency) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Problem problem = random_problem(seed);
    const DomainLists expected = arc_consistent(problem, all_domains(problem));
    for (const Propagation propagation :
         {Propagation::compact_table, Propagation::str2, Propagation::str}) {
      Solver solver(problem, with(propagation));
      const bool consistent = solver.propagate();
      CHECK(consistent == !empty(expected));
      if (consistent) CHECK(domains(solver) == expected);
    }
  }
}

TEST(csp_sac_is_singleton_arc_consistency) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Problem problem = random_problem(seed);
    const DomainLists expected = singleton_consistent(problem, all_domains(problem));
    for (const Propagation propagation :
         {Propagation::compact_table, Propagation::str2, Propagation::str}) {
      Solver solver(problem, with(propagation));
      const bool consistent = solver.sac();
      CHECK(consistent == !empty(expected));
      if (consistent) CHECK(domains(solver) == expected);
    }
  }
}

// What is taken away from one variable can make a value of one before it impossible: z cannot be 0
// for the sake of p and q, and when it is 1, x cannot be 0 for the sake of w.
TEST(csp_sac_goes_round_again) {
  Problem problem;
  enum : std::uint32_t { x, z, w, p, q };
  for (int i = 0; i < 5; ++i) problem.add_variable(2);
  const std::vector<std::uint32_t> xzw{x, z, w};
  problem.add_table(xzw, std::vector<Entry>{0, 0, 0, 0, 1, 1, 1, any, any});
  problem.add_table(xzw, std::vector<Entry>{0, 0, 1, 0, 1, 0, 1, any, any});
  for (const std::uint32_t other : {p, q}) {
    problem.add_table(std::vector<std::uint32_t>{z, other}, std::vector<Entry>{0, 0, 1, any});
  }
  problem.add_table(std::vector<std::uint32_t>{p, q}, std::vector<Entry>{1, any, any, 1});
  Solver solver(problem);
  CHECK(solver.propagate());
  CHECK(domains(solver) == all_domains(problem));
  CHECK(solver.sac());
  CHECK(domains(solver) == singleton_consistent(problem, all_domains(problem)));
  CHECK(solver.domain(x) == std::vector<std::uint32_t>{1});
}

// Restrictions at random, up and down, against arc consistency by its definition each time.
TEST(csp_levels_are_undone_exactly) {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const Problem problem = random_problem(seed);
    for (const Propagation propagation :
         {Propagation::compact_table, Propagation::str2, Propagation::str}) {
      Random random(seed + 77);
      Solver solver(problem, with(propagation));
      if (!solver.propagate()) continue;
      std::vector<DomainLists> stack{domains(solver)};
      for (int step = 0; step < 30; ++step) {
        if (stack.size() > 1 && random.below(3) == 0) {
          solver.pop();
          stack.pop_back();
          CHECK(domains(solver) == stack.back());
          continue;
        }
        DomainLists next = stack.back();
        solver.push();
        bool possible = true;
        for (std::uint32_t k = random.below(3); k-- > 0;) {
          const std::uint32_t x = random.below(static_cast<std::uint32_t>(problem.variables()));
          std::vector<std::uint32_t> keep;
          for (std::uint32_t v = 0; v < problem.sizes()[x]; ++v) {
            if (random.below(2) == 0) keep.push_back(v);
          }
          if (random.below(4) == 0) keep.insert(keep.end(), keep.begin(), keep.end());
          possible = solver.restrict(x, keep) && possible;
          std::erase_if(next[x], [&](std::uint32_t v) {
            return std::find(keep.begin(), keep.end(), v) == keep.end();
          });
        }
        const DomainLists closed =
            empty(next) ? DomainLists(next.size()) : arc_consistent(problem, next);
        CHECK(solver.propagate() == !empty(closed));
        if (empty(closed)) {
          CHECK(!solver.propagate());
          CHECK(solver.solve().count == 0);
          solver.pop();
          CHECK(domains(solver) == stack.back());
          continue;
        }
        CHECK(domains(solver) == closed);
        CHECK(rows(solver.solve()) == brute_force(problem, closed));
        CHECK(domains(solver) == closed);
        stack.push_back(closed);
      }
    }
  }
}

TEST(csp_forward_checking_under_levels) {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const Problem problem = random_problem(seed);
    Random random(seed + 5);
    Solver solver(problem, with(Propagation::forward));
    for (int step = 0; step < 10; ++step) {
      solver.push();
      const std::uint32_t x = random.below(static_cast<std::uint32_t>(problem.variables()));
      const std::uint32_t v = random.below(problem.sizes()[x]);
      solver.assign(std::vector{x}, std::vector{v});
      DomainLists now = all_domains(problem);
      now[x] = {v};
      CHECK(rows(solver.solve()) == brute_force(problem, now));
      solver.pop();
    }
  }
}

TEST(csp_forward_checking_prunes_the_last_variable) {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const Problem problem = random_problem(seed);
    const std::vector<Table> constraints = single_constraints(problem);
    Random random(seed + 7);
    Solver solver(problem, with(Propagation::forward));
    bool possible = solver.propagate();
    while (possible) {
      DomainLists left = domains(solver);
      for (const Table& table : constraints) {
        const auto several = [&](std::uint32_t x) { return left[x].size() > 1; };
        const auto last = std::find_if(table.scope.begin(), table.scope.end(), several);
        if (std::count_if(table.scope.begin(), table.scope.end(), several) > 1) continue;
        const std::uint32_t x = last == table.scope.end() ? table.scope[0] : *last;
        Row values(problem.variables());
        for (const std::uint32_t y : table.scope) values[y] = left[y][0];
        for (const std::uint32_t v : left[x]) {
          values[x] = v;
          CHECK(satisfies(table, values));
        }
      }
      std::vector<std::uint32_t> open;
      for (std::uint32_t x = 0; x < left.size(); ++x) {
        if (left[x].size() > 1) open.push_back(x);
      }
      if (open.empty()) break;
      const std::uint32_t x = open[random.below(static_cast<std::uint32_t>(open.size()))];
      const std::uint32_t v = left[x][random.below(static_cast<std::uint32_t>(left[x].size()))];
      possible = solver.assign(std::vector{x}, std::vector{v}) && solver.propagate();
    }
  }
}

TEST(csp_projections_are_found_once) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Problem problem = random_problem(seed);
    Random random(seed);
    std::vector<std::uint32_t> project;
    for (std::uint32_t x = 0; x < problem.variables(); ++x) {
      if (random.below(2) == 0) project.push_back(x);
    }
    std::set<Row> expected;
    for (const Row& row : brute_force(problem, all_domains(problem))) {
      Row part;
      for (const std::uint32_t x : project) part.push_back(row[x]);
      expected.insert(part);
    }
    for (const Branching branching : branchings) {
      Solver solver(problem, with(branching));
      const Solutions found = solver.solve({}, project);
      CHECK(found.complete);
      CHECK(found.count == expected.size());
      CHECK(rows(found) == expected);
    }
  }
}

TEST(csp_limits_and_resuming) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Problem problem = random_problem(seed);
    for (const Branching branching : branchings) {
      const Options options = with(branching);
      const Solutions whole = Solver(problem, options).solve();
      Solver solver(problem, options);
      SolverLimits limits;
      limits.solutions = 1;
      if (seed % 2 == 0) limits.nodes = 2;
      std::vector<std::uint32_t> pieces;
      Solutions part = solver.solve(limits);
      for (;;) {
        CHECK(part.count <= 1);
        pieces.insert(pieces.end(), part.values.begin(), part.values.end());
        if (part.complete) break;
        part = solver.resume(limits);
      }
      CHECK(pieces == whole.values);
      CHECK_THROWS(solver.resume(), std::logic_error);
    }
  }
}

TEST(csp_other_calls_end_a_search) {
  Problem problem;
  for (int i = 0; i < 3; ++i) problem.add_variable(3);
  Solver solver(problem);
  SolverLimits one;
  one.solutions = 1;
  CHECK(!solver.solve(one).complete);
  CHECK(solver.domain(0).size() == 3);
  CHECK_THROWS(solver.resume(), std::logic_error);
  CHECK(solver.solve().count == 27);
}

TEST(csp_empty_problems) {
  const Problem nothing;
  CHECK(Solver(nothing).solve().count == 1);
  CHECK(Solver(nothing).sac());
  CHECK(Solver(nothing).propagate());
  Problem never;
  never.add_variable(2);
  never.add_table({}, {});
  CHECK(Solver(never).solve().count == 0);
  CHECK(!Solver(never).propagate());
  CHECK(!Solver(never).sac());
  Problem always;
  always.add_variable(2);
  always.add_forbidden({}, {});
  CHECK(Solver(always).solve().count == 2);
}

TEST(csp_arity_one_and_many) {
  Problem problem;
  std::vector<std::uint32_t> scope;
  for (int i = 0; i < 200; ++i) scope.push_back(problem.add_variable(2));
  std::vector<Entry> rows;
  for (std::size_t r = 0; r < 100; ++r) {
    for (std::size_t i = 0; i < 200; ++i) rows.push_back(i == r ? 1 : 0);
  }
  problem.add_table(scope, rows);
  const std::vector<std::uint32_t> third{2};
  problem.add_table(third, std::vector<Entry>{0});
  for (const Propagation propagation : propagations) {
    Solver solver(problem, with(propagation));
    const Solutions found = solver.solve();
    CHECK(found.complete && found.count == 99);
  }
}

TEST(csp_large_domains) {
  constexpr std::uint32_t moves = 5000;
  Problem problem;
  const std::uint32_t action = problem.add_variable(moves);
  const std::uint32_t lone = problem.add_variable(1);
  std::vector<std::uint32_t> does;
  for (std::uint32_t m = 0; m < moves; ++m) {
    does.push_back(problem.add_variable(2));
    const auto move = static_cast<Entry>(m);
    const std::vector<std::uint32_t> scope{action, does.back(), lone};
    problem.add_table(scope, std::vector<Entry>{move, 1, 0, except(move), 0, any});
  }
  for (const Propagation propagation : propagations) {
    Solver solver(problem, with(propagation));
    CHECK(solver.propagate());
    solver.push();
    // Every move but seven is impossible.
    std::vector<std::uint32_t> off;
    for (std::uint32_t m = 0; m < moves; ++m) {
      if (m % 800 != 3) off.push_back(does[m]);
    }
    CHECK(solver.assign(off, std::vector<std::uint32_t>(off.size(), 0)));
    CHECK(solver.propagate());
    if (propagation != Propagation::forward) {
      CHECK(solver.domain(action) ==
            (std::vector<std::uint32_t>{3, 803, 1603, 2403, 3203, 4003, 4803}));
    }
    const Solutions found = solver.solve({}, std::vector{action});
    CHECK(found.count == 7 && found.complete);
    CHECK(solver.assign(std::vector{does[803]}, std::vector<std::uint32_t>{1}));
    CHECK(solver.propagate());
    CHECK(solver.domain(action) == std::vector<std::uint32_t>{803});
    solver.pop();
    CHECK(solver.domain(action).size() == moves);
    CHECK(solver.assign(std::vector{action}, std::vector<std::uint32_t>{4999}));
    CHECK(solver.propagate());
    CHECK(solver.domain(does[4999]) == std::vector<std::uint32_t>{1});
    CHECK(solver.domain(does[0]) == std::vector<std::uint32_t>{0});
  }
}

TEST(csp_functions_need_no_choice) {
  // y = x0 and x1, z = not y: with x assigned nothing is left to try.
  Problem problem;
  for (int i = 0; i < 4; ++i) problem.add_variable(2);
  const std::vector<std::uint32_t> conjunction{0, 1, 2};
  problem.add_table(conjunction, std::vector<Entry>{1, 1, 1, 0, any, 0, any, 0, 0});
  const std::vector<std::uint32_t> negation{2, 3};
  problem.add_table(negation, std::vector<Entry>{0, 1, 1, 0});
  Solver solver(problem);
  CHECK(solver.solve().count == 4);
  const Statistics statistics = solver.statistics();
  CHECK(statistics.solutions == 4);
  CHECK(statistics.fails == 0);
  CHECK(statistics.nodes == 6 || statistics.nodes == 5);
}

TEST(csp_wrong_arguments) {
  Problem problem;
  CHECK_THROWS(problem.add_variable(0), std::invalid_argument);
  CHECK_THROWS(problem.add_variable(0x80000000U), std::length_error);
  problem.add_variable(3);
  problem.add_variable(2);
  const std::vector<std::uint32_t> both{0, 1};
  const std::vector<std::uint32_t> twice{0, 0};
  const std::vector<std::uint32_t> unknown{0, 2};
  const std::vector<std::uint32_t> first{0};
  CHECK_THROWS(problem.add_table(twice, std::vector<Entry>{0, 0}), std::invalid_argument);
  CHECK_THROWS(problem.add_table(unknown, std::vector<Entry>{0, 0}), std::invalid_argument);
  CHECK_THROWS(problem.add_table(both, std::vector<Entry>{0}), std::invalid_argument);
  CHECK_THROWS(problem.add_table({}, std::vector<Entry>{0}), std::invalid_argument);
  CHECK_THROWS(problem.add_table(both, std::vector<Entry>{0, 2}), std::invalid_argument);
  CHECK_THROWS(problem.add_table(both, std::vector<Entry>{0, except(2)}), std::invalid_argument);
  CHECK_THROWS(problem.add_table(first, std::vector<Entry>{-0x7fffffff - 1}),
               std::invalid_argument);
  CHECK_THROWS(problem.add_forbidden(both, std::vector<Entry>{0, except(1)}),
               std::invalid_argument);
  CHECK(problem.constraints() == 0);
  Solver solver(problem);
  CHECK_THROWS(solver.pop(), std::logic_error);
  CHECK_THROWS(solver.domain(2), std::invalid_argument);
  CHECK_THROWS(solver.restrict(2, first), std::invalid_argument);
  CHECK_THROWS(solver.restrict(1, std::vector<std::uint32_t>{2}), std::invalid_argument);
  CHECK_THROWS(solver.assign(both, first), std::invalid_argument);
  CHECK_THROWS(solver.solve({}, unknown), std::invalid_argument);
  CHECK_THROWS(solver.resume(), std::logic_error);
  CHECK(solver.solve().count == 6);
}

TEST(csp_can_be_stopped) {
  Problem problem;
  for (int i = 0; i < 60; ++i) problem.add_variable(10);
  const std::vector<std::uint32_t> pair{0, 1};
  problem.add_forbidden(pair, std::vector<Entry>{0, 0});
  Solver solver(problem);
  std::atomic<bool> done = false;
  std::thread other([&] {
    while (!done) {
      solver.stop();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  const Solutions found = solver.count();
  done = true;
  other.join();
  CHECK(!found.complete);
  CHECK(solver.domain(59).size() == 10);
}

TEST(csp_asks_whether_to_go_on) {
  Problem problem;
  std::vector<Entry> rows;
  for (Entry a = 0; a < 10; ++a) rows.insert(rows.end(), {a, a});
  for (std::uint32_t i = 0; i < 40; ++i) {
    problem.add_variable(10);
    problem.add_variable(10);
    const std::vector<std::uint32_t> pair{2 * i, 2 * i + 1};
    problem.add_table(pair, rows);
  }
  Solver solver(problem);
  int asked = 0;
  SolverLimits limits;
  limits.go_on = [&] { return ++asked < 3; };
  CHECK(!solver.count(limits).complete);
  CHECK(asked == 3);
}

TEST(csp_one_thread_at_a_time) {
  Problem problem;
  for (int i = 0; i < 60; ++i) problem.add_variable(10);
  Solver solver(problem);
  std::atomic<bool> refused = false;
  std::thread other([&] {
    for (;;) {
      try {
        solver.domain(0);
        std::this_thread::yield();
      } catch (const std::runtime_error&) {
        refused = true;
        solver.stop();
        return;
      }
    }
  });
  while (!refused) {
    try {
      solver.count();
    } catch (const std::runtime_error&) {
    }
  }
  other.join();
  CHECK(refused);
}
