// A problem made ready for propagation.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "csp/problem.h"

namespace woodstock::csp {

// Lists of numbers in compressed sparse rows.
struct Lists {
  std::vector<std::size_t> begin{0};
  std::vector<std::uint32_t> items;

  std::size_t count() const noexcept { return begin.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t i) const noexcept {
    return {items.data() + begin[i], begin[i + 1] - begin[i]};
  }
  void add(std::span<const std::uint32_t> list) {
    items.insert(items.end(), list.begin(), list.end());
    begin.push_back(items.size());
  }
};

struct Literal {
  std::uint32_t variable;
  std::uint32_t value;
};

// What is left of a problem after the obvious: rows that match nothing are gone, and so are
// columns that restrict nothing; constraints on one variable are in `allowed`; an entry "any but v"
// stays only where it stands for several values. Constraints are numbered tables first, then
// nogoods by the table of forbidden rows they come from.
struct Prepared {
  explicit Prepared(const Problem& problem);

  std::vector<std::uint32_t> sizes;
  bool consistent = true;             // false: some constraint cannot be satisfied
  std::vector<std::uint8_t> allowed;  // per literal
  std::vector<Table> tables;
  std::vector<std::size_t> nogood_begin{0};
  std::vector<Literal> nogood_literals;       // not all of a row may hold; two at least
  std::vector<std::uint32_t> nogood_origins;  // per nogood, the number of its constraint
  Lists scopes;                               // per constraint, its variables
  Lists constraints;                          // per variable, its constraints

 private:
  void add_allowed(const Table& table, std::span<const std::size_t> first);
  void add_forbidden(const Table& table, std::span<const std::size_t> first);
};

}  // namespace woodstock::csp
