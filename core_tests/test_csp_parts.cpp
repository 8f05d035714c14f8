#include <set>

#include "check.h"
#include "csp/domains.h"
#include "csp/prepare.h"
#include "csp/queue.h"
#include "csp/trail.h"
#include "csp_sample.h"

using namespace csp_sample;

namespace {

std::set<std::uint32_t> as_set(const Domains& domains, std::uint32_t x) {
  const auto values = domains.values(x);
  return {values.begin(), values.end()};
}

}  // namespace

TEST(csp_domains_come_back) {
  const std::vector<std::uint32_t> sizes{5, 2, 1, 70};
  Domains domains(sizes);
  CHECK(domains.unbound() == 3);
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::set<std::uint32_t>> before;
    for (std::uint32_t x = 0; x < 4; ++x) before.push_back(as_set(domains, x));
    const std::size_t mark = domains.changes().size();
    const std::uint32_t unbound = domains.unbound();
    for (int step = 0; step < 6; ++step) {
      const std::uint32_t x = random.below(4);
      const std::uint32_t old = domains.size(x);
      const std::uint32_t value = random.below(sizes[x]);
      if (old == 1 || !domains.contains(x, value)) continue;
      if (random.below(3) == 0) {
        domains.bind(x, value);
        CHECK(domains.is(x, value));
        CHECK(domains.removed(x, old).size() == old - 1);
      } else {
        domains.drop(x, value);
        domains.commit(x, old);
        CHECK(!domains.contains(x, value));
        CHECK(domains.removed(x, old)[0] == value);
      }
    }
    domains.undo(mark, unbound);
    for (std::uint32_t x = 0; x < 4; ++x) CHECK(as_set(domains, x) == before[x]);
    CHECK(domains.unbound() == 3);
  }
}

TEST(csp_keeping_values) {
  const std::vector<std::uint32_t> sizes{6};
  Domains domains(sizes);
  domains.keep(0, 4, 0);
  domains.keep(0, 1, 1);
  CHECK(domains.among(0, 4, 2) && domains.among(0, 1, 2) && !domains.among(0, 0, 2));
  domains.keep_only(0, 2);
  domains.commit(0, 6);
  CHECK(as_set(domains, 0) == (std::set<std::uint32_t>{1, 4}));
  CHECK(domains.removed(0, 6).size() == 4);
  domains.undo(0, 1);
  CHECK(domains.size(0) == 6);
}

TEST(csp_trail_puts_words_back) {
  Trail trail;
  trail.resize(8);
  Random random(9);
  std::vector<Trail::Level> levels;
  std::vector<std::vector<std::uint64_t>> models{std::vector<std::uint64_t>(8)};
  for (int step = 0; step < 5000; ++step) {
    const std::uint32_t what = random.below(8);
    if (what == 0) {
      levels.push_back(trail.push());
      models.push_back(models.back());
    } else if (what == 1 && !levels.empty()) {
      trail.undo(levels.back());
      levels.pop_back();
      models.pop_back();
    } else {
      const std::uint32_t word = random.below(8);
      const std::uint64_t bits = random.below(1000);
      trail.set(word, bits);
      models.back()[word] = bits;
    }
    for (std::size_t i = 0; i < 8; ++i) CHECK(trail[i] == models.back()[i]);
  }
}

TEST(csp_queue_goes_in_rounds) {
  Random random(4);
  for (const std::uint32_t size : {1U, 64U, 65U, 5000U, 20000U}) {
    Queue queue(size);
    std::set<std::uint32_t> model;
    std::uint32_t turn = 0;
    for (int step = 0; step < 3000; ++step) {
      if (random.below(5) < 3) {
        const std::uint32_t item = random.below(size);
        queue.insert(item);
        model.insert(item);
      } else if (random.below(4) == 0) {
        const std::uint32_t item = random.below(size);
        queue.erase(item);
        model.erase(item);
      } else {
        std::uint32_t item = 0;
        CHECK(queue.pop(item) == !model.empty());
        auto next = model.lower_bound(turn);
        if (next == model.end()) next = model.begin();
        if (next == model.end()) {
          turn = 0;
          continue;
        }
        CHECK(item == *next);
        turn = item;
        model.erase(next);
      }
      CHECK(queue.empty() == model.empty());
      if (random.below(500) == 0) {
        queue.clear();
        model.clear();
        turn = 0;
        CHECK(queue.empty());
      }
    }
  }
}

TEST(csp_preparing_drops_the_obvious) {
  Problem problem;
  const std::uint32_t x = problem.add_variable(3);
  const std::uint32_t one = problem.add_variable(1);
  const std::uint32_t b = problem.add_variable(2);
  const std::vector<std::uint32_t> all{x, one, b};
  // The last row matches nothing, the column of `one` says nothing.
  problem.add_table(all, std::vector<Entry>{0, 0, except(0), except(0), any, 0, 1, except(0), 1});
  const std::vector<std::uint32_t> alone{x, one};
  problem.add_table(alone, std::vector<Entry>{0, 0, 2, any});
  problem.add_forbidden(all, std::vector<Entry>{any, 0, 1, 0, 0, 0, 0, any, 1});
  const Prepared prepared(problem);
  CHECK(prepared.consistent);
  CHECK(prepared.tables.size() == 1);
  CHECK(prepared.tables[0].scope == (std::vector<std::uint32_t>{x, b}));
  CHECK(prepared.tables[0].rows == (std::vector<Entry>{0, 1, except(0), 0}));
  CHECK(prepared.allowed == (std::vector<std::uint8_t>{1, 0, 1, 1, 1, 0}));
  CHECK(prepared.nogood_origins.size() == 2);
  CHECK(prepared.scopes.count() == 2);
  CHECK(prepared.constraints[one].empty());
  CHECK(prepared.constraints[b].size() == 2);
}

TEST(csp_tables_that_say_nothing_more_stay_quiet) {
  Problem problem;
  std::vector<std::uint32_t> scope;
  for (int i = 0; i < 6; ++i) scope.push_back(problem.add_variable(2));
  // The last is the conjunction of the others.
  std::vector<Entry> rows(6, 1);
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t k = 0; k < 5; ++k) rows.push_back(k == i ? 0 : any);
    rows.push_back(0);
  }
  problem.add_table(scope, rows);
  Solver solver(problem);
  solver.push();
  CHECK(solver.assign(std::vector{scope[2]}, std::vector<std::uint32_t>{0}));
  CHECK(solver.propagate());
  CHECK(solver.domain(scope[5]) == std::vector<std::uint32_t>{0});
  const std::uint64_t before = solver.statistics().revisions;
  CHECK(solver.solve().count == 16);
  CHECK(solver.statistics().revisions == before);
  solver.pop();
  CHECK(solver.solve().count == 32);
}
