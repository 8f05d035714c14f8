// Simple tabular reduction: arc consistency on tables by lists of rows.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "csp/prepare.h"
#include "csp/propagator.h"

namespace woodstock::csp {

// Each table keeps a reversible list of the rows that match the domains (Ullmann). A table is run
// when a domain of its scope changed: it goes through its rows, throws out those that do not match
// any more, and collects the values that the others support. With `second` it is STR2 (Lecoutre):
// only columns whose domains changed since the last run are checked, and only columns that still
// lack supports are collected.
class TabularReduction final : public Propagator {
 public:
  TabularReduction(const Prepared& problem, Domains& domains, Trail& trail, bool second);

  bool changed(std::uint32_t variable, std::uint32_t old_size) override;
  bool propagate() override;

 private:
  static constexpr std::uint32_t none = 0xffffffffU;
  // What the rows seen so far support in a column, apart from the values that are marked.
  struct Collected {
    std::uint32_t missing;  // values that lack a support
    std::uint32_t spared;   // all values but this one are supported, when it is not none
  };
  bool filter(std::uint32_t table);
  bool matches(const Entry* row, const Table& table) const;
  void collect(const Entry* row, const Table& table);
  bool shrink(std::uint32_t number, const Table& table);
  bool valid(Entry entry, std::uint32_t variable) const {
    return entry >= 0     ? domains_.contains(variable, static_cast<std::uint32_t>(entry))
           : entry == any ? true
                          : !domains_.is(variable, static_cast<std::uint32_t>(-2 - entry));
  }

  const Prepared& problem_;
  bool second_;
  std::vector<std::size_t> order_begin_;    // per table
  std::vector<std::uint32_t> order_;        // rows, those that match in front
  std::vector<std::uint32_t> sizes_begin_;  // per table: its columns' last sizes among the words
  // Of the run at hand.
  std::vector<std::uint32_t> checked_;    // columns that may have lost values
  std::vector<std::uint32_t> collected_;  // columns that lack supports
  std::vector<Collected> supports_;       // per column
  std::vector<std::uint64_t> marks_;      // per literal
  std::uint64_t mark_ = 0;
};

}  // namespace woodstock::csp
