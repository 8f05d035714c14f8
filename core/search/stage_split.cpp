#include "search/stage_split.h"

#include <algorithm>
#include <map>

namespace woodstock {

namespace {

constexpr std::uint32_t none = 0xffffffffU;
constexpr std::uint64_t most_rows = 65'536;  // of c_f

using Row = std::vector<std::uint32_t>;

}  // namespace

StageSplit::StageSplit(const csp::Problem& problem, std::uint32_t chance,
                       std::span<const std::uint32_t> columns, std::size_t moves,
                       const csp::Options& options)
    : problem_(problem),
      chance_(chance),
      columns_(columns.begin(), columns.end()),
      moves_(moves),
      options_(options),
      domains_(problem.variables()) {}

void StageSplit::read_domains(csp::Solver& whole) {
  for (std::uint32_t v = 0; v < domains_.size(); ++v) domains_[v] = whole.domain(v);
}

void StageSplit::add_variable(Part& part, std::uint32_t variable) const {
  if (part.numbers[variable] != none || domains_[variable].size() == 1) return;
  part.numbers[variable] =
      part.problem.add_variable(static_cast<std::uint32_t>(domains_[variable].size()));
  part.variables.push_back(variable);
}

// Rows that the domains rule out go, and so do the columns of decided variables.
void StageSplit::add_table(Part& part, const csp::Table& table) const {
  std::vector<std::uint32_t> scope;
  for (const std::uint32_t variable : table.scope) {
    if (domains_[variable].size() > 1) scope.push_back(part.numbers[variable]);
  }
  if (scope.empty()) return;
  std::vector<csp::Entry> rows;
  std::vector<csp::Entry> row;
  const std::size_t width = table.scope.size();
  for (std::size_t at = 0; at < table.rows.size(); at += width) {
    row.clear();
    bool fits = true;
    for (std::size_t i = 0; fits && i < width; ++i) {
      const csp::Entry entry = table.rows[at + i];
      const std::vector<std::uint32_t>& left = domains_[table.scope[i]];
      const bool one = entry >= 0;
      const auto named = static_cast<std::uint32_t>(one ? entry : csp::except(0) - entry);
      const auto found = std::lower_bound(left.begin(), left.end(), named);
      const bool there = entry != csp::any && found != left.end() && *found == named;
      const auto place = static_cast<csp::Entry>(found - left.begin());
      fits = entry == csp::any || (one ? there : !there || left.size() > 1);
      if (left.size() == 1) continue;
      row.push_back(!there ? csp::any : one ? place : csp::except(place));
    }
    if (fits) rows.insert(rows.end(), row.begin(), row.end());
  }
  if (!table.allowed && rows.empty()) return;
  if (table.allowed) {
    part.problem.add_table(scope, rows);
  } else {
    part.problem.add_forbidden(scope, rows);
  }
  ++part.tables;
}

// Algorithm 1, or Algorithm 2: the tables without chance, or those with it, and their variables.
StageSplit::Part StageSplit::make_part(bool with_chance) const {
  Part part;
  part.numbers.assign(domains_.size(), none);
  std::vector<std::uint8_t> named(domains_.size());
  std::vector<const csp::Table*> tables;
  for (const csp::Table& table : problem_.tables()) {
    const bool has =
        std::find(table.scope.begin(), table.scope.end(), chance_) != table.scope.end();
    if (has != with_chance) continue;
    tables.push_back(&table);
    for (const std::uint32_t variable : table.scope) named[variable] = 1;
  }
  named[chance_] = with_chance ? 1 : 0;
  if (!with_chance) {
    // c_f joins the hard part, and solutions are told with all of their columns.
    for (const std::uint32_t variable : scope_) named[variable] = 1;
    for (const std::uint32_t variable : columns_) named[variable] |= variable != chance_ ? 1 : 0;
  }
  for (std::uint32_t v = 0; v < named.size(); ++v) {
    if (named[v] != 0) add_variable(part, v);
  }
  for (const csp::Table* table : tables) add_table(part, *table);
  return part;
}

// A policy decides what comes before chance and must have an answer to every move of chance that is
// left: then its paths become rows of c_f.
void StageSplit::keep_feasible(const csp::Solutions& found, std::size_t chance_column) {
  const std::size_t width = found.width;
  std::map<Row, std::vector<std::uint64_t>> policies;
  for (std::uint64_t i = 0; i < found.count; ++i) {
    const auto from = found.values.begin() + static_cast<std::ptrdiff_t>(i * width);
    policies[Row(from, from + static_cast<std::ptrdiff_t>(chance_column))].push_back(i);
  }
  std::map<Row, std::size_t> places;
  for (const auto& [decisions, paths] : policies) {
    std::vector<std::uint8_t> answered(domains_[chance_].size());
    for (const std::uint64_t i : paths) answered[found.values[i * width + chance_column]] = 1;
    if (std::find(answered.begin(), answered.end(), 0) != answered.end()) continue;
    for (const std::uint64_t i : paths) {
      const auto from = found.values.begin() + static_cast<std::ptrdiff_t>(i * width);
      Row row(from, from + static_cast<std::ptrdiff_t>(width));
      const std::uint32_t draw = row[chance_column];
      row.erase(row.begin() + static_cast<std::ptrdiff_t>(chance_column));
      const auto [place, fresh] = places.emplace(row, draws_.size());
      if (fresh) {
        rows_.insert(rows_.end(), row.begin(), row.end());
        draws_.emplace_back();
      }
      draws_[place->second].push_back(draw);
    }
  }
}

bool StageSplit::solve_chance(const csp::SolverLimits& limits, csp::Solutions& out) {
  const Part part = make_part(true);
  chance_tables_ = part.tables;
  csp::Options options;
  options.propagation = csp::Propagation::forward;
  options.heuristic = csp::Heuristic::lex;
  csp::Solver solver(part.problem, options);
  csp::SolverLimits most = limits;
  most.solutions = most_rows;
  const csp::Solutions found = solver.solve(most);
  nodes_ += solver.statistics().nodes;
  out.complete = found.complete;
  if (!found.complete) return found.count < most_rows;  // or it was stopped
  const auto chance_column = static_cast<std::size_t>(
      std::find(part.variables.begin(), part.variables.end(), chance_) - part.variables.begin());
  scope_ = part.variables;
  scope_.erase(scope_.begin() + static_cast<std::ptrdiff_t>(chance_column));
  keep_feasible(found, chance_column);
  return true;
}

bool StageSplit::solve(csp::Solver& whole, const csp::SolverLimits& limits, csp::Solutions& out) {
  if (whole.domain(chance_).size() < 2) return false;
  read_domains(whole);
  scope_.clear();
  rows_.clear();
  draws_.clear();
  out = {};
  out.width = columns_.size();
  if (!solve_chance(limits, out)) return false;
  if (!out.complete) return true;

  Part hard = make_part(false);
  hard_tables_ = hard.tables;
  std::vector<std::uint32_t> scope;
  for (const std::uint32_t variable : scope_) scope.push_back(hard.numbers[variable]);
  if (!scope.empty()) {
    hard.problem.add_table(scope, std::vector<csp::Entry>(rows_.begin(), rows_.end()));
  }
  // What c_f names comes first in a solution: it tells which row this is.
  std::vector<std::uint32_t> project = scope;
  for (const std::uint32_t column : columns_) {
    if (column != chance_ && domains_[column].size() > 1) project.push_back(hard.numbers[column]);
  }
  csp::Options options = options_;
  options.first.clear();
  for (std::size_t i = 0; i < moves_; ++i) {
    const std::uint32_t move = columns_[i];
    if (move != chance_ && domains_[move].size() > 1) options.first.push_back(hard.numbers[move]);
  }
  std::map<Row, std::size_t> places;
  for (std::size_t i = 0; i < draws_.size(); ++i) {
    const auto from = rows_.begin() + static_cast<std::ptrdiff_t>(i * scope.size());
    places.emplace(Row(from, from + static_cast<std::ptrdiff_t>(scope.size())), i);
  }
  csp::Solutions found;
  found.complete = true;
  if (project.empty()) {
    found.count = draws_.empty() ? 0 : 1;  // all is decided but the move of chance
  } else {
    csp::Solver solver(hard.problem, options);
    found = solver.solve(limits, project);
    nodes_ += solver.statistics().nodes;
  }
  out.complete = found.complete;
  for (std::uint64_t i = 0; i < found.count; ++i) {
    const auto from = found.values.begin() + static_cast<std::ptrdiff_t>(i * project.size());
    const Row named(from, from + static_cast<std::ptrdiff_t>(scope.size()));
    for (const std::uint32_t draw : draws_[places.at(named)]) {
      std::size_t at = scope.size();
      for (const std::uint32_t column : columns_) {
        const std::vector<std::uint32_t>& left = domains_[column];
        const std::size_t place = column == chance_ ? draw
                                  : left.size() > 1 ? from[static_cast<std::ptrdiff_t>(at++)]
                                                    : 0;
        out.values.push_back(left[place]);
      }
      ++out.count;
    }
  }
  return true;
}

}  // namespace woodstock
