#include "search/stage_split.h"

#include <algorithm>
#include <random>
#include <set>

#include "check.h"

using namespace woodstock;

namespace {

using Rows = std::vector<csp::Entry>;
using Row = std::vector<std::uint32_t>;

csp::Options letter() {
  csp::Options options;
  options.propagation = csp::Propagation::str;
  options.heuristic = csp::Heuristic::dom_ddeg;
  return options;
}

std::set<Row> as_set(const csp::Solutions& found) {
  std::set<Row> out;
  for (std::uint64_t i = 0; i < found.count; ++i) {
    const auto from = found.values.begin() + static_cast<std::ptrdiff_t>(i * found.width);
    CHECK(out.emplace(from, from + static_cast<std::ptrdiff_t>(found.width)).second);
  }
  return out;
}

}  // namespace

// Constraints 2016, Example 3: x1 in {1, 2, 3}, x2 and y in {0, 1, 2}. Figure 4 is not in the text:
// the tables are made so that all that the text says holds.
TEST(the_split_of_example_3) {
  csp::Problem problem;
  const std::uint32_t x1 = problem.add_variable(3);
  const std::uint32_t x2 = problem.add_variable(3);
  const std::uint32_t y = problem.add_variable(3);
  problem.add_table(std::vector{x1, y}, Rows{0, 0, 0, 1, 1, csp::any, 2, 1, 2, 2});
  problem.add_table(std::vector{x2, y}, Rows{0, 0, 0, 1, 1, csp::any, 2, csp::any});
  problem.add_table(std::vector{x1, x2}, Rows{0, 1, 0, 2, 1, 2});  // x1 <= x2
  const std::vector columns{x1, x2, y};
  csp::Solver whole(problem);
  StageSplit split(problem, y, columns, 1, letter());
  csp::Solutions found;
  CHECK(split.solve(whole, {}, found));
  CHECK(found.complete);
  // Algorithms 1 and 2: c3 is the hard part, c1 and c2 are the chance part.
  CHECK(split.hard_tables() == 1 && split.chance_tables() == 2);
  // c_f over (x1, x2): (2, 1) and (2, 2), told by their places.
  CHECK(std::ranges::equal(split.scope(), std::vector{x1, x2}));
  CHECK(std::ranges::equal(split.rows(), Row{1, 1, 1, 2}));
  // MAC leaves x1 = 2, x2 = 2, whatever chance does.
  CHECK(as_set(found) == (std::set<Row>{{1, 2, 0}, {1, 2, 1}, {1, 2, 2}}));
}

TEST(there_is_nothing_to_split_where_chance_has_one_move) {
  csp::Problem problem;
  const std::uint32_t x = problem.add_variable(2);
  const std::uint32_t y = problem.add_variable(2);
  problem.add_table(std::vector{x, y}, Rows{0, 0, 1, 0, 1, 1});
  csp::Solver whole(problem);
  StageSplit split(problem, y, std::vector{x, y}, 1, letter());
  csp::Solutions found;
  CHECK(whole.restrict(y, std::vector<std::uint32_t>{0}) && whole.propagate());
  CHECK(!split.solve(whole, {}, found));
}

// What decisions and chance determine follows them: solutions are those of the whole network, but
// for decisions that leave some move of chance without an answer.
TEST(splits_solve_the_whole_network) {
  std::size_t rows = 0;
  std::size_t refused = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 rng(seed);
    const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(rng() % n); };
    csp::Problem problem;
    std::vector<std::uint32_t> variables;
    for (int i = 0; i < 6; ++i) variables.push_back(problem.add_variable(2 + below(2)));
    const std::uint32_t y = variables[3];
    for (int t = 0; t < 5; ++t) {
      std::vector<std::uint32_t> scope = variables;
      std::shuffle(scope.begin(), scope.end(), rng);
      scope.resize(2);
      Rows table;
      for (std::uint32_t a = 0; a < problem.sizes()[scope[0]]; ++a) {
        for (std::uint32_t b = 0; b < problem.sizes()[scope[1]]; ++b) {
          if (below(4) == 0) continue;
          table.push_back(below(5) == 0 ? csp::except(static_cast<csp::Entry>(a))
                                        : static_cast<csp::Entry>(a));
          table.push_back(below(6) == 0 ? csp::any : static_cast<csp::Entry>(b));
        }
      }
      problem.add_table(scope, table);
    }
    csp::Solver whole(problem);
    if (!whole.propagate() || whole.domain(y).size() < 2) continue;
    StageSplit split(problem, y, variables, seed % 3, letter());
    csp::Solutions found;
    CHECK(split.solve(whole, {}, found));
    rows += split.rows().size();
    // By definition, from all solutions of the tables with chance.
    std::set<Row> wanted;
    const std::vector<std::uint32_t> chances = whole.domain(y);
    std::set<std::uint32_t> named;
    for (const csp::Table& table : problem.tables()) {
      if (std::find(table.scope.begin(), table.scope.end(), y) == table.scope.end()) continue;
      for (const std::uint32_t v : table.scope) {
        if (v < y) named.insert(v);
      }
    }
    csp::Problem chance;
    for (const std::uint32_t size : problem.sizes()) chance.add_variable(size);
    for (const csp::Table& table : problem.tables()) {
      if (std::find(table.scope.begin(), table.scope.end(), y) == table.scope.end()) continue;
      chance.add_table(table.scope, table.rows);
    }
    csp::Solver alone(chance);
    bool left = true;
    for (const std::uint32_t v : variables) left = left && alone.restrict(v, whole.domain(v));
    CHECK(left);
    std::set<Row> paths;
    const csp::Solutions all_paths = alone.solve();
    for (const Row& path : as_set(all_paths)) {
      Row row;
      for (const std::uint32_t v : named) row.push_back(path[v]);
      row.push_back(path[y]);
      paths.insert(row);
    }
    for (const Row& solution : as_set(whole.solve())) {
      Row decisions;
      for (const std::uint32_t v : named) decisions.push_back(solution[v]);
      bool holds = true;
      for (const std::uint32_t value : chances) {
        Row path = decisions;
        path.push_back(value);
        holds = holds && paths.contains(path);
      }
      if (holds) wanted.insert(solution);
      refused += holds ? 0 : 1;
    }
    CHECK(as_set(found) == wanted);
  }
  CHECK(rows > 100 && refused > 100);
}
