#include <algorithm>
#include <bit>
#include <stdexcept>

#include "csp/busy.h"
#include "csp/solver.h"

namespace woodstock::csp {

namespace {

constexpr std::uint64_t patience = 64;  // failures before the first restart
constexpr std::size_t least_room = 4000;

// 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ... (Luby, Sinclair and Zuckerman 1993), from 1 on.
std::uint64_t luby(std::uint64_t i) {
  for (;;) {
    const auto bits = static_cast<int>(std::bit_width(i));
    if (i == (std::uint64_t{1} << bits) - 1) return std::uint64_t{1} << (bits - 1);
    i -= (std::uint64_t{1} << (bits - 1)) - 1;
  }
}

}  // namespace

Solutions Solver::first(const SolverLimits& limits, std::span<const Literal> assumed) {
  const Busy busy(*this);
  if (!learning_) throw std::logic_error("the solver is not one that learns");
  for (const Literal& literal : assumed) {
    check(literal.variable);
    if (literal.value >= prepared_.sizes[literal.variable]) {
      throw std::invalid_argument("variable " + std::to_string(literal.variable) +
                                  " has no value " + std::to_string(literal.value));
    }
  }
  abandon();
  stop_.store(false, std::memory_order_relaxed);
  projected_ = false;
  store_ = true;
  Solutions out;
  out.width = variables();
  if (!fixpoint()) {
    out.complete = true;
    return out;
  }
  row_.resize(variables());
  for (std::uint32_t x = 0; x < row_.size(); ++x) row_[x] = domains_.value(x);
  row_changes_ = domains_.changes().size();
  out = learned(limits, assumed);
  while (!starts_.empty()) {
    close_level();
    starts_.pop_back();
  }
  if (user_levels_ == 0) lasting_ = learning_->clauses.size();
  return out;
}

Solutions Solver::learned(const SolverLimits& limits, std::span<const Literal> assumed) {
  Solutions out;
  out.width = variables();
  const std::uint64_t begun = statistics_.nodes;
  std::uint64_t until = failures_ + patience * luby(restarts_ + 1);
  Clauses& clauses = learning_->clauses;
  room_ = std::max(room_, least_room + clauses.given() / 3);
  for (;;) {
    if (!fixpoint()) {
      ++failures_;
      ++statistics_.fails;
      if (!learn()) {
        out.complete = true;
        return out;
      }
      continue;
    }
    if (failures_ >= until) {
      while (!starts_.empty()) {
        close_level();
        starts_.pop_back();
      }
      ++restarts_;
      ++statistics_.restarts;
      until = failures_ + patience * luby(restarts_ + 1);
      // Here nothing that a clause did has to be explained any more.
      if (clauses.learned() > room_) {
        const std::size_t lasting = std::min(lasting_, clauses.size());
        clauses.halve();
        lasting_ = user_levels_ == 0 ? clauses.size() : std::min(lasting, clauses.given());
        room_ += room_ / 20;
      }
      continue;
    }
    const std::uint64_t nodes = statistics_.nodes - begun;
    if ((nodes >= limits.nodes && limits.nodes != 0) || stopped(limits.go_on)) return out;
    bool refuted = false;
    if (decide(assumed, refuted)) continue;
    out.complete = refuted;
    if (!refuted) emit(out);
    return out;
  }
}

// Learns from the failure at hand and goes back; false where it follows from what is given.
bool Solver::learn() {
  Learning& learning = *learning_;
  if (!learning.analyse(culprit_, starts_)) {
    // The level below all others fails, and stays so.
    while (!starts_.empty()) {
      close_level();
      starts_.pop_back();
    }
    return fail();
  }
  while (starts_.size() > learning.level()) {
    close_level();
    starts_.pop_back();
  }
  ++statistics_.learned;
  const auto clause = learning.clause();
  if (clause.size() == 1) {
    const std::uint32_t x = learning.facts.variable(clause[0]);
    const std::uint32_t value = learning.facts.value(clause[0]);
    positive(clause[0]) ? remove(x, value) : bind(x, value);
    return true;
  }
  Clauses& clauses = learning.clauses;
  const std::uint32_t added = clauses.add(clause, learning.spread());
  if (clauses.refuse(added, clause[0], domains_, *tables_)) return true;
  culprit_ = clauses.culprit();
  fail();
  return true;
}

// The next decision, in a level of its own; false where all variables have values, or where what is
// assumed is refuted.
bool Solver::decide(std::span<const Literal> assumed, bool& refuted) {
  Literal next{Chooser::none, 0};
  if (starts_.size() < assumed.size()) {
    next = assumed[starts_.size()];
    if (!domains_.contains(next.variable, next.value)) {
      refuted = true;
      return false;
    }
  } else {
    if (domains_.unbound() == 0) return false;
    next.variable = choose_to_learn();
    // The value that it had last: what was found to fit together stays together.
    const std::uint32_t last = learning_->last_value(next.variable);
    next.value = last;
    if (last == prepared_.sizes[next.variable] || !domains_.contains(next.variable, last)) {
      const auto values = domains_.values(next.variable);
      next.value = *std::min_element(values.begin(), values.end());
    }
  }
  ++statistics_.nodes;
  open_level();
  starts_.push_back(domains_.changes().size());
  domains_.blame(Learning::decision);
  bind(next.variable, next.value);
  return true;
}

std::uint32_t Solver::choose_to_learn() {
  for (const std::size_t list : {std::size_t{2}, std::size_t{3}}) {
    candidates_[list].passed = 0;
    if (options_.heuristic == Heuristic::activity && list == 3) break;
    const std::uint32_t found = chooser_.choose(domains_, candidates_[list]);
    if (found != Chooser::none) return found;
  }
  for (;;) {
    const std::uint32_t x = learning_->activity.pop();
    if (x == Activity::none) throw std::logic_error("an open variable is not on offer");
    if (domains_.size(x) > 1) return x;
  }
}

}  // namespace woodstock::csp
