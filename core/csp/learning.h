// What a failure teaches: lazy explanations and conflict analysis.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "csp/activity.h"
#include "csp/clauses.h"
#include "csp/domains.h"
#include "csp/facts.h"
#include "csp/prepare.h"

namespace woodstock::csp {

// Lazy clause generation (Ohrimenko, Stuckey and Codish 2009) on tables. Propagators only note who
// changed a domain. After a failure it is asked why: a value has left a domain because each row of
// a table that supports it needs some value that had gone before. Such reasons are put for facts of
// the level of the failure until one fact of that level is left: with it, the others make a clause
// that the problem implies, and that refuses this fact in an earlier level.
class Learning {
 public:
  static constexpr std::uint32_t decision = 0xffffffffU;  // the cause of changes that are chosen

  Learning(const Prepared& problem, const Domains& domains);

  // The changes behind the first `kept` were undone.
  void undo(std::size_t kept);
  // What follows from a failure. `starts` has the number of changes before each level of the
  // search; what was known before the first is taken for granted. False: so is the failure.
  bool analyse(std::uint32_t culprit, std::span<const std::size_t> starts);

  // Of the last analysis: facts that may not hold together, that of the latest level first and one
  // of the next-latest second; that level, 0 where there is one fact alone; and how many levels
  // they are of.
  std::span<const Fact> clause() const noexcept { return clause_; }
  std::size_t level() const noexcept { return level_; }
  std::uint32_t spread() const noexcept { return spread_; }

  // The value that the variable had last; its initial size where it never had any.
  std::uint32_t last_value(std::uint32_t variable) const noexcept { return last_value_[variable]; }

  Facts facts;
  Clauses clauses;
  Activity activity;

 private:
  void note();
  // When a fact that holds came to hold: twice the number of the change, and one more where the
  // fact follows from others of the same change.
  std::size_t when(Fact fact) const noexcept;
  std::size_t level_of(std::size_t when) const noexcept;
  const Domains::Change& change_of(Fact fact) const noexcept {
    return domains_.changes()[when(fact) / 2];
  }
  Fact normal(Fact fact) const;
  bool chosen_at_once(const Domains::Change& change) const;
  void want(Fact fact);
  void explain(Fact fact);
  void explain_table(const Table& table, Fact fact, std::size_t before);
  void explain_clause(std::uint32_t clause, Fact fact);
  void add_reason(Fact fact);
  bool implied(Fact fact);
  void finish(Fact first);

  const Prepared& problem_;
  const Domains& domains_;
  std::size_t noted_ = 0;
  std::vector<std::uint32_t> removed_at_;  // per literal, the change
  std::vector<std::uint32_t> bound_at_;    // per variable
  std::vector<std::uint32_t> last_value_;

  std::span<const std::size_t> starts_;
  std::size_t current_ = 0;         // the level of the failure
  std::vector<std::uint8_t> seen_;  // per fact
  std::vector<Fact> touched_;
  std::vector<std::pair<std::size_t, Fact>> open_;  // a heap: facts of the current level, by when
  std::vector<Fact> reasons_;
  std::vector<Fact> clause_;
  std::size_t level_ = 0;
  std::uint32_t spread_ = 0;
};

}  // namespace woodstock::csp
