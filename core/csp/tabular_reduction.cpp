#include "csp/tabular_reduction.h"

#include <algorithm>
#include <utility>

namespace woodstock::csp {

TabularReduction::TabularReduction(const Prepared& problem, Domains& domains, Trail& trail,
                                   bool second)
    : Propagator(domains, trail, problem.tables.size()), problem_(problem), second_(second) {
  const auto tables = static_cast<std::uint32_t>(problem.tables.size());
  trail.resize(tables);  // a word for each table: how many of its rows match
  std::size_t widest = 0;
  for (std::uint32_t t = 0; t < tables; ++t) {
    const auto rows = static_cast<std::uint32_t>(problem.tables[t].row_count());
    order_begin_.push_back(order_.size());
    for (std::uint32_t row = 0; row < rows; ++row) order_.push_back(row);
    trail.words()[t].bits = rows;
    widest = std::max(widest, problem.tables[t].scope.size());
    sizes_begin_.push_back(static_cast<std::uint32_t>(trail.size()));
    if (second) trail.resize(trail.size() + problem.tables[t].scope.size());
  }
  supports_.resize(widest);
  checked_.reserve(widest);
  collected_.reserve(widest);
  marks_.resize(domains.literals());
}

bool TabularReduction::changed(std::uint32_t variable, std::uint32_t) {
  for (const std::uint32_t c : problem_.constraints[variable]) {
    if (c < problem_.tables.size()) queue_.insert(c);
  }
  return true;
}

bool TabularReduction::propagate() {
  for (std::uint32_t table; queue_.pop(table);) {
    ++revisions_;
    if (!filter(table)) {
      culprit_ = table;
      return false;
    }
    queue_.erase(table);  // it changed domains, and nothing more follows from that for itself
  }
  return true;
}

bool TabularReduction::filter(std::uint32_t t) {
  const Table& table = problem_.tables[t];
  const std::size_t arity = table.scope.size();
  checked_.clear();
  collected_.clear();
  for (std::uint32_t i = 0; i < arity; ++i) {
    const std::uint32_t size = domains_.size(table.scope[i]);
    // STR2: columns whose domain is as it was when the table had its last turn match still, and a
    // column with one value needs no support.
    if (!second_ || trail_[sizes_begin_[t] + i] != size) checked_.push_back(i);
    if (!second_ || size > 1) {
      collected_.push_back(i);
      supports_[i] = {size, none};
    }
  }
  ++mark_;
  std::uint32_t* const order = order_.data() + order_begin_[t];
  auto count = static_cast<std::uint32_t>(trail_[t]);
  for (std::uint32_t i = 0; i < count;) {
    const Entry* const row = table.rows.data() + order[i] * arity;
    if (matches(row, table)) {
      collect(row, table);
      ++i;
    } else {
      // A sparse set: rows behind the count are gone, and undoing writes the count back.
      std::swap(order[i], order[--count]);
    }
  }
  if (count == 0) return false;
  if (count != trail_[t]) trail_.set(t, count);
  return shrink(t, table);
}

bool TabularReduction::matches(const Entry* row, const Table& table) const {
  for (const std::uint32_t i : checked_) {
    if (!valid(row[i], table.scope[i])) return false;
  }
  return true;
}

void TabularReduction::collect(const Entry* row, const Table& table) {
  for (std::size_t k = 0; k < collected_.size();) {
    const std::uint32_t i = collected_[k];
    const std::uint32_t variable = table.scope[i];
    Collected& column = supports_[i];
    const Entry entry = row[i];
    if (column.missing == 0) {
      ++k;
      continue;
    }
    if (entry == any) {
      column.missing = 0;
    } else if (entry >= 0) {
      const auto value = static_cast<std::uint32_t>(entry);
      std::uint64_t& mark = marks_[domains_.literal(variable, value)];
      // All but one value have a support; so the spared one is all that is missing.
      if (column.spared != none) {
        if (column.spared == value) column.missing = 0;
      } else if (mark != mark_) {
        --column.missing;
      }
      mark = mark_;
    } else {
      const auto value = static_cast<std::uint32_t>(-2 - entry);
      if (column.spared == none) {
        column.spared = value;
        const bool lacks = domains_.contains(variable, value) &&
                           marks_[domains_.literal(variable, value)] != mark_;
        column.missing = lacks ? 1 : 0;
        // All but one, and all but another: together all.
      } else if (column.spared != value) {
        column.missing = 0;
      }
    }
    if (column.missing == 0 && second_) {
      collected_[k] = collected_.back();
      collected_.pop_back();
    } else {
      ++k;
    }
  }
}

bool TabularReduction::shrink(std::uint32_t number, const Table& table) {
  for (const std::uint32_t i : collected_) {
    const std::uint32_t variable = table.scope[i];
    const Collected& column = supports_[i];
    if (column.missing == 0) continue;
    const std::uint32_t old = domains_.size(variable);
    if (column.spared != none) {
      domains_.drop(variable, column.spared);
    } else {
      const std::uint32_t* const values = domains_.values(variable).data();
      for (std::uint32_t k = old; k-- > 0;) {
        const std::uint32_t value = values[k];
        if (marks_[domains_.literal(variable, value)] != mark_) domains_.drop(variable, value);
      }
    }
    domains_.commit(variable, old);
    if (domains_.size(variable) == 0 || !changed(variable, old)) return false;
  }
  if (!second_) return true;
  for (std::uint32_t i = 0; i < table.scope.size(); ++i) {
    const std::uint32_t size = domains_.size(table.scope[i]);
    const std::uint32_t word = sizes_begin_[number] + i;
    if (trail_[word] != size) trail_.set(word, size);
  }
  return true;
}

}  // namespace woodstock::csp
