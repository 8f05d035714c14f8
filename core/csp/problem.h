// A constraint satisfaction problem over finite domains: what a solver is made from.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace woodstock::csp {

// An entry of a row stands for a set of values: one value (its number), any value, or any but one.
using Entry = std::int32_t;
constexpr Entry any = -1;
constexpr Entry except(Entry value) noexcept { return -2 - value; }

// Rows over a scope, one after the other. An assignment matches a row when each value lies in the
// set its entry stands for. Allowed rows: some row has to match. Forbidden rows: none may.
struct Table {
  std::vector<std::uint32_t> scope;
  std::vector<Entry> rows;
  bool allowed = true;

  std::size_t row_count() const noexcept { return scope.empty() ? 0 : rows.size() / scope.size(); }
};

// Variables are numbered from 0 in the order they are added, and so are the values of each.
class Problem {
 public:
  // A variable with the values 0 .. size-1. Throws std::invalid_argument when size is 0 and
  // std::length_error when all domains together hold 2^31 values or more.
  std::uint32_t add_variable(std::uint32_t size);

  // Both throw std::invalid_argument when the scope names an unknown variable or one variable
  // twice, when the rows do not fill up, or when an entry is outside the domain; and leave the
  // problem as it was then. No rows at all: an allowed table that nothing satisfies, or nothing
  // forbidden; the empty scope has no rows.
  void add_table(std::span<const std::uint32_t> scope, std::span<const Entry> rows);
  // Entries are values or `any`. Every row is a constraint of its own for arc consistency.
  void add_forbidden(std::span<const std::uint32_t> scope, std::span<const Entry> rows);

  std::size_t variables() const noexcept { return sizes_.size(); }
  std::size_t constraints() const noexcept { return tables_.size(); }
  std::span<const std::uint32_t> sizes() const noexcept { return sizes_; }
  std::span<const Table> tables() const noexcept { return tables_; }

 private:
  void add(std::span<const std::uint32_t> scope, std::span<const Entry> rows, bool allowed);

  std::vector<std::uint32_t> sizes_;
  std::vector<Table> tables_;
  std::uint64_t values_ = 0;
};

}  // namespace woodstock::csp
