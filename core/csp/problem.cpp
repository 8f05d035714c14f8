#include "csp/problem.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace woodstock::csp {

std::uint32_t Problem::add_variable(std::uint32_t size) {
  if (size == 0) throw std::invalid_argument("a variable needs at least one value");
  if (values_ + size > std::numeric_limits<std::int32_t>::max()) {
    throw std::length_error("too many values in all domains together");
  }
  sizes_.push_back(size);
  values_ += size;
  return static_cast<std::uint32_t>(sizes_.size() - 1);
}

void Problem::add_table(std::span<const std::uint32_t> scope, std::span<const Entry> rows) {
  add(scope, rows, true);
}

void Problem::add_forbidden(std::span<const std::uint32_t> scope, std::span<const Entry> rows) {
  add(scope, rows, false);
}

void Problem::add(std::span<const std::uint32_t> scope, std::span<const Entry> rows, bool allowed) {
  std::vector<std::uint32_t> sorted(scope.begin(), scope.end());
  std::sort(sorted.begin(), sorted.end());
  if (!sorted.empty() && sorted.back() >= sizes_.size()) {
    throw std::invalid_argument("no variable " + std::to_string(sorted.back()));
  }
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    throw std::invalid_argument("variable " + std::to_string(*twice) + " is twice in the scope");
  }
  if (scope.empty() ? !rows.empty() : rows.size() % scope.size() != 0) {
    throw std::invalid_argument(std::to_string(rows.size()) + " entries do not make rows of " +
                                std::to_string(scope.size()));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint32_t variable = scope[i % scope.size()];
    const std::int64_t entry = rows[i];
    const std::int64_t value = entry < any ? -2 - entry : entry;
    if (value >= static_cast<std::int64_t>(sizes_[variable])) {
      throw std::invalid_argument("variable " + std::to_string(variable) + " has no value " +
                                  std::to_string(value));
    }
    if (!allowed && entry < any) {
      throw std::invalid_argument("a forbidden row holds values and `any` only");
    }
  }
  tables_.push_back({{scope.begin(), scope.end()}, {rows.begin(), rows.end()}, allowed});
}

}  // namespace woodstock::csp
