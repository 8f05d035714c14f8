// Facts that may not hold together: the forbidden rows of a problem, and what a search learned.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "csp/facts.h"
#include "csp/prepare.h"
#include "csp/propagator.h"

namespace woodstock::csp {

// As Nogoods, with facts of both kinds, and the store grows: when all facts of a clause but one
// hold, the last is refused. Each clause watches two facts that do not hold yet. The cause of a
// change of domains is a table, a clause (numbered behind the tables), or a decision.
class Clauses {
 public:
  Clauses(const Prepared& problem, const Facts& facts);

  // As Nogoods::propagate.
  bool propagate(Domains& domains, Propagator& tables);
  void undo(std::size_t kept) noexcept {
    if (seen_ > kept) seen_ = kept;
  }
  // Two facts at least. The first of them are watched: they must be the last that came to hold, or
  // not hold. `spread`: the levels of the search that it ties together; few is good.
  std::uint32_t add(std::span<const Fact> facts, std::uint32_t spread);
  // Refuses the one fact of a clause that may be open.
  bool refuse(std::uint32_t clause, Fact fact, Domains& domains, Propagator& tables);

  // Forgets about half of what was learned, the widest spread first. Only where no change by a
  // clause will be explained any more.
  void halve();
  // Forgets what was learned behind the first `kept` clauses.
  void forget(std::size_t kept);

  std::size_t size() const noexcept { return begin_.size() - 1; }
  std::size_t learned() const noexcept { return size() - given_; }
  std::size_t given() const noexcept { return given_; }
  std::size_t stored() const noexcept { return literals_.size(); }
  std::span<const Fact> operator[](std::uint32_t clause) const noexcept {
    return {literals_.data() + begin_[clause], begin_[clause + 1] - begin_[clause]};
  }
  std::uint32_t cause(std::uint32_t clause) const noexcept { return tables_ + clause; }
  bool is_clause(std::uint32_t cause) const noexcept { return cause >= tables_; }
  std::uint32_t clause(std::uint32_t cause) const noexcept { return cause - tables_; }
  // The cause that left no solution.
  std::uint32_t culprit() const noexcept { return culprit_; }

 private:
  static constexpr std::uint32_t none = 0xffffffffU;
  bool visit(Fact fact, Domains& domains, Propagator& tables);
  void watch(std::uint32_t clause);
  void keep(std::span<const std::uint8_t> kept);

  const Facts& facts_;
  std::uint32_t tables_;
  std::size_t given_ = 0;
  std::vector<std::size_t> begin_{0};
  std::vector<Fact> literals_;  // the first two of each clause are watched
  std::vector<std::uint32_t> spread_;
  std::vector<std::uint32_t> head_;  // per fact; watch 2n + i is the i-th of clause n
  std::vector<std::uint32_t> next_;
  std::size_t seen_ = 0;
  std::uint32_t culprit_ = 0;
};

}  // namespace woodstock::csp
