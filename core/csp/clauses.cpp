#include "csp/clauses.h"

#include <algorithm>
#include <utility>

namespace woodstock::csp {

Clauses::Clauses(const Prepared& problem, const Facts& facts)
    : facts_(facts),
      tables_(static_cast<std::uint32_t>(problem.tables.size())),
      head_(facts.count(), none) {
  std::vector<std::size_t> first{0};
  for (const std::uint32_t size : problem.sizes) first.push_back(first.back() + size);
  std::vector<Fact> row;
  for (std::size_t n = 0; n < problem.nogood_origins.size(); ++n) {
    row.clear();
    for (std::size_t i = problem.nogood_begin[n]; i < problem.nogood_begin[n + 1]; ++i) {
      const Literal& literal = problem.nogood_literals[i];
      row.push_back(
          facts.normal(is(static_cast<std::uint32_t>(first[literal.variable]) + literal.value)));
    }
    add(row, 0);
  }
  given_ = size();
}

void Clauses::watch(std::uint32_t clause) {
  for (std::uint32_t i = 0; i < 2; ++i) {
    std::uint32_t& head = head_[literals_[begin_[clause] + i]];
    next_[2 * clause + i] = std::exchange(head, 2 * clause + i);
  }
}

std::uint32_t Clauses::add(std::span<const Fact> facts, std::uint32_t spread) {
  const auto clause = static_cast<std::uint32_t>(size());
  literals_.insert(literals_.end(), facts.begin(), facts.end());
  begin_.push_back(literals_.size());
  spread_.push_back(spread);
  next_.resize(2 * size());
  watch(clause);
  return clause;
}

bool Clauses::propagate(Domains& domains, Propagator& tables) {
  for (; seen_ < domains.changes().size(); ++seen_) {
    const Domains::Change change = domains.changes()[seen_];
    const std::uint32_t variable = change.variable;
    for (const std::uint32_t gone : domains.removed_by(change)) {
      if (!visit(is_not(domains.literal(variable, gone)), domains, tables)) return false;
    }
    if (change.new_size != 1 || domains.initial_size(variable) == 2) continue;
    if (!visit(is(domains.literal(variable, domains.value(variable))), domains, tables)) {
      return false;
    }
  }
  return true;
}

bool Clauses::visit(Fact fact, Domains& domains, Propagator& tables) {
  std::uint32_t* link = &head_[fact];
  while (*link != none) {
    const std::uint32_t watch = *link;
    const std::uint32_t clause = watch / 2;
    Fact* const facts = literals_.data() + begin_[clause];
    const std::size_t size = begin_[clause + 1] - begin_[clause];
    const Fact other = facts[1 - watch % 2];
    if (facts_.impossible(other)) {
      link = &next_[watch];
      continue;
    }
    std::size_t i = 2;
    while (i < size && facts_.holds(facts[i])) ++i;
    if (i < size) {
      std::swap(facts[watch % 2], facts[i]);
      *link = next_[watch];
      next_[watch] = std::exchange(head_[facts[watch % 2]], watch);
      continue;
    }
    if (!refuse(clause, other, domains, tables)) return false;
    link = &next_[watch];
  }
  return true;
}

bool Clauses::refuse(std::uint32_t clause, Fact fact, Domains& domains, Propagator& tables) {
  culprit_ = cause(clause);
  if (facts_.holds(fact)) return false;
  const std::uint32_t variable = facts_.variable(fact);
  const std::uint32_t old = domains.size(variable);
  domains.blame(culprit_);
  if (positive(fact)) {
    domains.drop(variable, facts_.value(fact));
    domains.commit(variable, old);
  } else {
    domains.bind(variable, facts_.value(fact));
  }
  if (tables.changed(variable, old)) return true;
  culprit_ = tables.culprit();
  return false;
}

void Clauses::halve() {
  std::vector<std::uint32_t> order(spread_.begin() + static_cast<std::ptrdiff_t>(given_),
                                   spread_.end());
  if (order.empty()) return;
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2);
  std::nth_element(order.begin(), middle, order.end());
  const std::uint32_t most = *middle;
  std::vector<std::uint8_t> kept(size(), 1);
  for (std::size_t n = given_; n < size(); ++n) {
    // The older of two of the same spread goes; what ties two levels together stays.
    const bool old = n - given_ < learned() / 2;
    kept[n] = spread_[n] <= 2 || spread_[n] < most || (spread_[n] == most && !old);
  }
  keep(kept);
}

void Clauses::forget(std::size_t kept) {
  std::vector<std::uint8_t> all(size(), 0);
  std::fill(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(kept, size())),
            std::uint8_t{1});
  keep(all);
}

void Clauses::keep(std::span<const std::uint8_t> kept) {
  std::size_t clauses = 0;
  std::size_t end = 0;
  for (std::size_t n = 0; n < kept.size(); ++n) {
    if (kept[n] == 0) continue;
    const std::size_t from = begin_[n];
    const std::size_t to = begin_[n + 1];
    begin_[clauses] = end;
    for (std::size_t i = from; i < to; ++i) literals_[end++] = literals_[i];
    spread_[clauses++] = spread_[n];
  }
  begin_[clauses] = end;
  begin_.resize(clauses + 1);
  literals_.resize(end);
  spread_.resize(clauses);
  next_.resize(2 * clauses);
  std::fill(head_.begin(), head_.end(), none);
  for (std::uint32_t n = 0; n < clauses; ++n) watch(n);
}

}  // namespace woodstock::csp
