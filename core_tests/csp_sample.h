// Random problems, and their solutions the slow way.

#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "csp/problem.h"
#include "csp/solver.h"

namespace csp_sample {

using namespace woodstock::csp;

using Row = std::vector<std::uint32_t>;

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2 + 1) {}
  std::uint32_t below(std::uint32_t n) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint32_t>((state_ >> 33) % n);
  }

 private:
  std::uint64_t state_;
};

inline bool matches(const Table& table, std::size_t row, const Row& values) {
  for (std::size_t i = 0; i < table.scope.size(); ++i) {
    const Entry entry = table.rows[row * table.scope.size() + i];
    const auto value = static_cast<Entry>(values[table.scope[i]]);
    if (entry != any && (entry >= 0 ? entry != value : entry == except(value))) return false;
  }
  return true;
}

// Whether the assignment satisfies the table.
inline bool satisfies(const Table& table, const Row& values) {
  for (std::size_t r = 0; r < table.row_count(); ++r) {
    if (matches(table, r, values)) return table.allowed;
  }
  return !table.allowed;
}

// Calls f for every combination of values of the variables; the others of `values` stay.
template <class F>
void combinations(const std::vector<std::vector<std::uint32_t>>& domains,
                  const std::vector<std::uint32_t>& variables, Row& values, const F& f,
                  std::size_t at = 0) {
  if (at == variables.size()) {
    f();
    return;
  }
  for (const std::uint32_t v : domains[variables[at]]) {
    values[variables[at]] = v;
    combinations(domains, variables, values, f, at + 1);
  }
}

using DomainLists = std::vector<std::vector<std::uint32_t>>;

inline DomainLists all_domains(const Problem& problem) {
  DomainLists out;
  for (const std::uint32_t size : problem.sizes()) {
    out.emplace_back();
    for (std::uint32_t v = 0; v < size; ++v) out.back().push_back(v);
  }
  return out;
}

inline std::set<Row> brute_force(const Problem& problem, const DomainLists& domains) {
  std::set<Row> out;
  Row values(problem.variables());
  std::vector<std::uint32_t> everything;
  for (std::uint32_t x = 0; x < problem.variables(); ++x) everything.push_back(x);
  combinations(domains, everything, values, [&] {
    for (const Table& table : problem.tables()) {
      if (!satisfies(table, values)) return;
    }
    out.insert(values);
  });
  return out;
}

// Every allowed table and every forbidden row as a constraint of its own.
inline std::vector<Table> single_constraints(const Problem& problem) {
  std::vector<Table> out;
  for (const Table& table : problem.tables()) {
    if (table.allowed) {
      out.push_back(table);
      continue;
    }
    const std::size_t arity = table.scope.size();
    for (std::size_t r = 0; r < table.row_count(); ++r) {
      const auto from = table.rows.begin() + static_cast<std::ptrdiff_t>(r * arity);
      out.push_back({table.scope, {from, from + static_cast<std::ptrdiff_t>(arity)}, false});
    }
  }
  return out;
}

// Arc consistency by its definition; empty lists everywhere when a domain runs empty.
inline DomainLists arc_consistent(const Problem& problem, DomainLists domains) {
  const std::vector<Table> tables = single_constraints(problem);
  for (bool again = true; again;) {
    again = false;
    for (const Table& table : tables) {
      std::vector<std::set<std::uint32_t>> supported(table.scope.size());
      Row values(problem.variables());
      bool any_match = false;
      combinations(domains, table.scope, values, [&] {
        if (!satisfies(table, values)) return;
        any_match = true;
        for (std::size_t i = 0; i < table.scope.size(); ++i) {
          supported[i].insert(values[table.scope[i]]);
        }
      });
      if (!any_match) return DomainLists(domains.size());
      for (std::size_t i = 0; i < table.scope.size(); ++i) {
        auto& domain = domains[table.scope[i]];
        if (supported[i].size() < domain.size()) {
          domain.assign(supported[i].begin(), supported[i].end());
          again = true;
        }
      }
    }
  }
  return domains;
}

inline bool empty(const DomainLists& domains) {
  return std::any_of(domains.begin(), domains.end(), [](const auto& d) { return d.empty(); });
}

// Singleton arc consistency by its definition.
inline DomainLists singleton_consistent(const Problem& problem, DomainLists domains) {
  domains = arc_consistent(problem, std::move(domains));
  for (bool again = true; again && !empty(domains);) {
    again = false;
    for (std::size_t x = 0; x < domains.size() && !again; ++x) {
      for (const std::uint32_t v : domains[x]) {
        DomainLists single = domains;
        single[x] = {v};
        if (!empty(arc_consistent(problem, single))) continue;
        std::erase(domains[x], v);
        domains = arc_consistent(problem, std::move(domains));
        again = true;
        break;
      }
    }
  }
  return empty(domains) ? DomainLists(domains.size()) : domains;
}

inline Entry random_entry(Random& random, std::uint32_t size, bool allowed) {
  const std::uint32_t kind = random.below(6);
  const auto value = static_cast<Entry>(random.below(size));
  if (kind == 0) return any;
  if (kind == 1 && allowed) return except(value);
  return value;
}

inline void random_constraint(Problem& problem, Random& random, std::uint32_t max_arity,
                              std::uint32_t max_rows) {
  std::vector<std::uint32_t> scope;
  const std::uint32_t arity = 1 + random.below(max_arity);
  while (scope.size() < std::min<std::size_t>(arity, problem.variables())) {
    const std::uint32_t x = random.below(static_cast<std::uint32_t>(problem.variables()));
    if (std::find(scope.begin(), scope.end(), x) == scope.end()) scope.push_back(x);
  }
  const bool allowed = random.below(3) != 0;
  const std::uint32_t rows = allowed ? 1 + random.below(max_rows) : random.below(5);
  std::vector<Entry> entries;
  for (std::uint32_t r = 0; r < rows; ++r) {
    for (const std::uint32_t x : scope) {
      entries.push_back(random_entry(random, problem.sizes()[x], allowed));
    }
  }
  allowed ? problem.add_table(scope, entries) : problem.add_forbidden(scope, entries);
}

inline Problem mixed_problem(Random& random) {
  Problem problem;
  const std::uint32_t variables = 1 + random.below(6);
  const std::uint32_t largest = 1 + random.below(6);
  for (std::uint32_t x = 0; x < variables; ++x) problem.add_variable(1 + random.below(largest));
  const std::uint32_t constraints = random.below(7);
  // Now and then more rows than fit a word.
  const std::uint32_t max_rows = random.below(4) == 0 ? 200 : 12;
  for (std::uint32_t c = 0; c < constraints; ++c) random_constraint(problem, random, 4, max_rows);
  return problem;
}

// A large domain of which tables name a few values, or many in more rows than fit a word.
inline Problem wide_problem(Random& random) {
  Problem problem;
  const std::uint32_t values = 15 + random.below(30);
  problem.add_variable(values);
  problem.add_variable(2 + random.below(5));
  problem.add_variable(2 + random.below(2));
  for (std::uint32_t c = 2 + random.below(6); c-- > 0;) {
    const std::uint32_t other = 1 + random.below(2);
    std::vector<std::uint32_t> scope{0, other};
    if (random.below(3) == 0) scope.push_back(3 - other);
    const bool large = random.below(2) == 0;
    const std::uint32_t names = large ? values / (1 + 2 * random.below(2)) : 1 + random.below(3);
    const std::uint32_t first = random.below(values - names + 1);
    std::vector<Entry> entries;
    for (std::uint32_t r = large ? 65 + random.below(100) : 2 + random.below(6); r-- > 0;) {
      const auto value = static_cast<Entry>(first + random.below(names));
      const std::uint32_t kind = random.below(large ? 40 : 3);
      entries.push_back(kind == 0 ? except(value) : kind == 1 && large ? any : value);
      for (std::size_t i = 1; i < scope.size(); ++i) {
        const std::uint32_t size = problem.sizes()[scope[i]];
        entries.push_back(random_entry(random, large ? 1 + size / 2 : size, true));
      }
    }
    problem.add_table(scope, entries);
  }
  return problem;
}

// Many constraints on pairs, each allowing about half of the combinations.
inline Problem tight_problem(Random& random, std::uint32_t variables) {
  Problem problem;
  for (std::uint32_t x = 0; x < variables; ++x) problem.add_variable(2 + random.below(3));
  for (std::uint32_t c = variables + random.below(variables); c-- > 0;) {
    const std::uint32_t x = random.below(variables);
    const std::uint32_t y = (x + 1 + random.below(variables - 1)) % variables;
    std::vector<Entry> entries;
    for (std::uint32_t v = 0; v < problem.sizes()[x]; ++v) {
      for (std::uint32_t w = 0; w < problem.sizes()[y]; ++w) {
        if (random.below(5) < 2) continue;
        entries.insert(entries.end(), {static_cast<Entry>(v), static_cast<Entry>(w)});
      }
    }
    problem.add_table(std::vector{x, y}, entries);
  }
  return problem;
}

inline Problem random_problem(std::uint64_t seed) {
  Random random(seed);
  if (seed % 4 == 1) return wide_problem(random);
  if (seed % 4 == 2) return tight_problem(random, 4 + static_cast<std::uint32_t>(seed / 4 % 2));
  return mixed_problem(random);
}

inline std::set<Row> rows(const Solutions& found) {
  std::set<Row> out;
  for (std::size_t i = 0; i < found.count; ++i) {
    const auto from = found.values.begin() + static_cast<std::ptrdiff_t>(i * found.width);
    out.insert(Row(from, from + static_cast<std::ptrdiff_t>(found.width)));
  }
  return out;
}

inline DomainLists domains(Solver& solver) {
  DomainLists out;
  for (std::uint32_t x = 0; x < solver.variables(); ++x) out.push_back(solver.domain(x));
  return out;
}

inline Options with(Propagation propagation) {
  Options options;
  options.propagation = propagation;
  return options;
}

inline Options with(Branching branching) {
  Options options;
  options.branching = branching;
  return options;
}

constexpr Propagation propagations[] = {Propagation::compact_table, Propagation::str2,
                                        Propagation::str, Propagation::forward};
constexpr Heuristic heuristics[] = {Heuristic::dom_ddeg, Heuristic::dom_wdeg, Heuristic::dom,
                                    Heuristic::lex};
constexpr Branching branchings[] = {Branching::values, Branching::binary};

}  // namespace csp_sample
