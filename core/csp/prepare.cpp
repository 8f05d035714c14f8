#include "csp/prepare.h"

#include <algorithm>

namespace woodstock::csp {

namespace {

// The entry in the form the propagators know. `dead`: it stands for no value.
Entry normal(Entry entry, std::uint32_t size, bool& dead) {
  if (size == 1) {
    if (entry < any) dead = true;
    return any;
  }
  // All but one of two is the other one: propagators are quicker with values.
  if (size == 2 && entry < any) return 1 - (-2 - entry);
  return entry;
}

}  // namespace

Prepared::Prepared(const Problem& problem) : sizes(problem.sizes().begin(), problem.sizes().end()) {
  std::vector<std::size_t> first{0};
  for (const std::uint32_t size : sizes) first.push_back(first.back() + size);
  allowed.assign(first.back(), 1);
  for (const Table& table : problem.tables()) {
    if (table.allowed) add_allowed(table, first);
  }
  for (const Table& table : tables) scopes.add(table.scope);
  for (const Table& table : problem.tables()) {
    if (!table.allowed) add_forbidden(table, first);
  }
  std::vector<std::size_t> degree(sizes.size() + 1);
  for (const std::uint32_t variable : scopes.items) ++degree[variable + 1];
  for (std::size_t i = 1; i < degree.size(); ++i) degree[i] += degree[i - 1];
  constraints.begin = degree;
  constraints.items.resize(scopes.items.size());
  for (std::uint32_t c = 0; c < scopes.count(); ++c) {
    for (const std::uint32_t variable : scopes[c]) constraints.items[degree[variable]++] = c;
  }
}

void Prepared::add_allowed(const Table& table, std::span<const std::size_t> first) {
  const std::size_t arity = table.scope.size();
  std::vector<Entry> rows;
  rows.reserve(table.rows.size());
  for (std::size_t r = 0; r < table.row_count(); ++r) {
    bool dead = false;
    for (std::size_t i = 0; i < arity; ++i) {
      rows.push_back(normal(table.rows[r * arity + i], sizes[table.scope[i]], dead));
    }
    if (dead) rows.resize(rows.size() - arity);
  }
  if (rows.empty()) {
    consistent = false;
    return;
  }
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < arity; ++i) {
    bool says = false;
    for (std::size_t at = i; at < rows.size() && !says; at += arity) says = rows[at] != any;
    if (says) columns.push_back(i);
  }
  if (columns.empty()) return;
  Table out;
  for (const std::size_t i : columns) out.scope.push_back(table.scope[i]);
  for (std::size_t row = 0; row < rows.size(); row += arity) {
    for (const std::size_t i : columns) out.rows.push_back(rows[row + i]);
  }
  if (columns.size() > 1) {
    tables.push_back(std::move(out));
    return;
  }
  // A table of one variable is its domain, and costs nothing from then on.
  std::vector<std::uint8_t> matched(sizes[out.scope[0]]);
  for (const Entry entry : out.rows) {
    if (entry >= 0) {
      matched[static_cast<std::size_t>(entry)] = 1;
      continue;
    }
    for (std::size_t v = 0; v < matched.size(); ++v) {
      if (entry == any || except(static_cast<Entry>(v)) != entry) matched[v] = 1;
    }
  }
  for (std::size_t v = 0; v < matched.size(); ++v) allowed[first[out.scope[0]] + v] &= matched[v];
}

void Prepared::add_forbidden(const Table& table, std::span<const std::size_t> first) {
  const std::size_t arity = table.scope.size();
  std::vector<std::uint32_t> scope;
  std::vector<Literal> row;
  for (std::size_t r = 0; r < table.row_count(); ++r) {
    row.clear();
    for (std::size_t i = 0; i < arity; ++i) {
      const Entry entry = table.rows[r * arity + i];
      const std::uint32_t variable = table.scope[i];
      if (entry == any || sizes[variable] == 1) continue;
      row.push_back({variable, static_cast<std::uint32_t>(entry)});
    }
    if (row.empty()) {
      consistent = false;
    } else if (row.size() == 1) {
      allowed[first[row[0].variable] + row[0].value] = 0;
    } else {
      nogood_literals.insert(nogood_literals.end(), row.begin(), row.end());
      nogood_begin.push_back(nogood_literals.size());
      nogood_origins.push_back(static_cast<std::uint32_t>(scopes.count()));
      for (const Literal& literal : row) scope.push_back(literal.variable);
    }
  }
  if (scope.empty()) return;
  std::sort(scope.begin(), scope.end());
  scope.erase(std::unique(scope.begin(), scope.end()), scope.end());
  scopes.add(scope);
}

}  // namespace woodstock::csp
