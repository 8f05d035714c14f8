#include "csp/learning.h"

#include <algorithm>
#include <stdexcept>

namespace woodstock::csp {

Learning::Learning(const Prepared& problem, const Domains& domains)
    : facts(domains),
      clauses(problem, facts),
      activity(domains.variables()),
      problem_(problem),
      domains_(domains),
      removed_at_(domains.literals()),
      bound_at_(domains.variables()),
      last_value_(problem.sizes),
      seen_(facts.count()) {}

void Learning::note() {
  for (; noted_ < domains_.changes().size(); ++noted_) {
    const Domains::Change& change = domains_.changes()[noted_];
    const auto at = static_cast<std::uint32_t>(noted_);
    for (const std::uint32_t gone : domains_.removed_by(change)) {
      removed_at_[domains_.literal(change.variable, gone)] = at;
    }
    if (change.new_size == 1) bound_at_[change.variable] = at;
  }
}

void Learning::undo(std::size_t kept) {
  const auto changes = domains_.changes();
  for (std::size_t i = kept; i < changes.size(); ++i) {
    const std::uint32_t x = changes[i].variable;
    if (domains_.size(x) == 1) last_value_[x] = domains_.value(x);
    activity.insert(x);
  }
  noted_ = std::min(noted_, kept);
  clauses.undo(kept);
}

std::size_t Learning::when(Fact fact) const noexcept {
  return positive(fact) ? 2 * std::size_t{bound_at_[facts.variable(fact)]} + 1
                        : 2 * std::size_t{removed_at_[literal_of(fact)]};
}

std::size_t Learning::level_of(std::size_t when) const noexcept {
  return static_cast<std::size_t>(std::upper_bound(starts_.begin(), starts_.end(), when / 2) -
                                  starts_.begin());
}

// Whether the change gave the variable its value, rather than taking away others.
bool Learning::chosen_at_once(const Domains::Change& change) const {
  if (change.cause == decision) return true;
  // Of what was taken for granted the clause may be forgotten.
  if (!clauses.is_clause(change.cause) || clauses.clause(change.cause) >= clauses.size()) {
    return false;
  }
  const auto clause = clauses[clauses.clause(change.cause)];
  const Fact refused = facts.impossible(clause[0]) ? clause[0] : clause[1];
  return !positive(refused);
}

// That a variable is not a value since it was given another one is that it has that other one.
Fact Learning::normal(Fact fact) const {
  if (positive(fact)) return facts.normal(fact);
  const std::uint32_t x = facts.variable(fact);
  if (domains_.initial_size(x) == 2 || domains_.size(x) != 1) return fact;
  const Domains::Change& change = change_of(fact);
  if (change.new_size != 1 || !chosen_at_once(change)) return fact;
  return is(domains_.literal(x, domains_.value(x)));
}

void Learning::want(Fact raw) {
  const Fact fact = normal(raw);
  if (seen_[fact] != 0) return;
  const std::size_t time = when(fact);
  const std::size_t level = level_of(time);
  if (level == 0) return;
  seen_[fact] = 1;
  touched_.push_back(fact);
  activity.bump(facts.variable(fact));
  if (level < current_) {
    clause_.push_back(fact);
  } else {
    open_.emplace_back(time, fact);
    std::push_heap(open_.begin(), open_.end());
  }
}

void Learning::add_reason(Fact fact) { reasons_.push_back(fact); }

// Each row that gives the variable of `fact` its value needs something that had gone `before`. All
// rows do where the fact is that of no row.
void Learning::explain_table(const Table& table, Fact fact, std::size_t before) {
  constexpr Fact nothing = 0xffffffffU;
  const std::size_t arity = table.scope.size();
  std::size_t own = arity;
  Entry value = any;
  if (fact != nothing) {
    own = static_cast<std::size_t>(
        std::find(table.scope.begin(), table.scope.end(), facts.variable(fact)) -
        table.scope.begin());
    value = static_cast<Entry>(facts.value(fact));
  }
  for (std::size_t row = 0; row < table.rows.size(); row += arity) {
    const Entry* const entries = table.rows.data() + row;
    if (own < arity) {
      const Entry entry = entries[own];
      if (entry != any && (entry >= 0 ? entry != value : entry == except(value))) continue;
    }
    Fact best = nothing;
    std::size_t earliest = before;
    for (std::size_t i = 0; i < arity; ++i) {
      if (i == own || entries[i] == any) continue;
      const std::uint32_t x = table.scope[i];
      Fact reason;
      if (entries[i] >= 0) {
        const auto needed = static_cast<std::uint32_t>(entries[i]);
        if (domains_.contains(x, needed)) continue;
        reason = is_not(domains_.literal(x, needed));
      } else {
        const auto refused = static_cast<std::uint32_t>(-2 - entries[i]);
        if (!domains_.is(x, refused)) continue;
        reason = is(domains_.literal(x, refused));
      }
      const std::size_t time = when(reason);
      if (time >= before) continue;
      // What is known already costs nothing; of the others the earliest goes back the furthest.
      if (seen_[normal(reason)] != 0) {
        best = reason;
        break;
      }
      if (time < earliest || best == nothing) {
        best = reason;
        earliest = time;
      }
    }
    if (best == nothing) throw std::logic_error("a table took a value away without a reason");
    add_reason(best);
  }
}

void Learning::explain_clause(std::uint32_t clause, Fact fact) {
  for (const Fact other : clauses[clause]) {
    if (fact == decision || !facts.impossible(other)) add_reason(other);
  }
}

// Facts from which this one follows, all of them earlier.
void Learning::explain(Fact fact) {
  reasons_.clear();
  const std::size_t time = when(fact);
  const Domains::Change& change = domains_.changes()[time / 2];
  if (positive(fact) && !chosen_at_once(change)) {
    const std::uint32_t x = facts.variable(fact);
    for (std::uint32_t v = 0; v < domains_.initial_size(x); ++v) {
      if (const std::uint32_t other = domains_.literal(x, v); other != literal_of(fact)) {
        add_reason(is_not(other));
      }
    }
  } else if (clauses.is_clause(change.cause)) {
    explain_clause(clauses.clause(change.cause), fact);
  } else {
    explain_table(problem_.tables[change.cause], fact, 2 * (time / 2));
  }
}

bool Learning::analyse(std::uint32_t culprit, std::span<const std::size_t> starts) {
  note();
  starts_ = starts;
  clause_.clear();
  reasons_.clear();
  open_.clear();
  if (clauses.is_clause(culprit)) {
    explain_clause(clauses.clause(culprit), decision);
  } else {
    // A domain that lost its last value did so because nothing supported it before.
    std::size_t before = domains_.changes().size();
    if (before > 0 && domains_.size(domains_.changes()[before - 1].variable) == 0) --before;
    explain_table(problem_.tables[culprit], decision, 2 * before);
  }
  current_ = 0;
  for (const Fact fact : reasons_) current_ = std::max(current_, level_of(when(normal(fact))));
  if (current_ == 0) return false;
  for (const Fact fact : reasons_) want(fact);
  for (;;) {
    std::pop_heap(open_.begin(), open_.end());
    const Fact fact = open_.back().second;
    open_.pop_back();
    if (open_.empty()) {
      finish(fact);
      break;
    }
    explain(fact);
    for (const Fact reason : reasons_) want(reason);
  }
  activity.decay();
  for (const Fact fact : touched_) seen_[fact] = 0;
  touched_.clear();
  return true;
}

// Whether the fact follows from others of the clause.
bool Learning::implied(Fact fact) {
  if (domains_.changes()[when(fact) / 2].cause == decision) return false;
  explain(fact);
  return std::all_of(reasons_.begin(), reasons_.end(), [this](Fact raw) {
    const Fact reason = normal(raw);
    return seen_[reason] != 0 || level_of(when(reason)) == 0;
  });
}

void Learning::finish(Fact first) {
  // What is implied follows from earlier facts of the clause, which follow from those that stay.
  std::vector<Fact> kept{first};
  for (const Fact fact : clause_) {
    if (!implied(fact)) kept.push_back(fact);
  }
  // A variable that is a value is no other: the latter need not be said.
  std::erase_if(kept, [this, &kept](Fact fact) {
    const std::uint32_t x = facts.variable(fact);
    if (positive(fact) || domains_.initial_size(x) == 2 || domains_.size(x) != 1) return false;
    const Fact whole = is(domains_.literal(x, domains_.value(x)));
    return std::find(kept.begin(), kept.end(), whole) != kept.end();
  });
  clause_ = std::move(kept);
  level_ = 0;
  spread_ = 1;
  std::vector<std::size_t> levels;
  for (std::size_t i = 1; i < clause_.size(); ++i) {
    const std::size_t level = level_of(when(clause_[i]));
    levels.push_back(level);
    if (level > level_) {
      level_ = level;
      std::swap(clause_[1], clause_[i]);
      std::swap(levels.front(), levels.back());
    }
  }
  std::sort(levels.begin(), levels.end());
  spread_ += static_cast<std::uint32_t>(std::unique(levels.begin(), levels.end()) - levels.begin());
}

}  // namespace woodstock::csp
