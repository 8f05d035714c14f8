#include "csp/solver.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "csp/busy.h"
#include "csp/compact_table.h"
#include "csp/tabular_reduction.h"

namespace woodstock::csp {

namespace {

std::unique_ptr<Propagator> make_propagator(const Prepared& problem, Domains& domains, Trail& trail,
                                            Propagation propagation) {
  switch (propagation) {
    case Propagation::compact_table:
      return std::make_unique<CompactTable>(problem, domains, trail, false);
    case Propagation::forward:
      return std::make_unique<CompactTable>(problem, domains, trail, true);
    case Propagation::str2:
      return std::make_unique<TabularReduction>(problem, domains, trail, true);
    case Propagation::str:
      return std::make_unique<TabularReduction>(problem, domains, trail, false);
  }
  throw std::invalid_argument("unknown propagation");
}

}  // namespace

Solver::Solver(const Problem& problem, const Options& options)
    : prepared_(problem),
      domains_(prepared_.sizes),
      tables_(make_propagator(prepared_, domains_, trail_, options.propagation)),
      nogoods_(prepared_, domains_),
      chooser_(prepared_, options.heuristic, options.seed),
      options_(options),
      failed_(!prepared_.consistent) {
  if (options.learning) {
    if (options.propagation != Propagation::compact_table) {
      throw std::invalid_argument("only Compact-Table can learn");
    }
    learning_ = std::make_unique<Learning>(prepared_, domains_);
    lasting_ = learning_->clauses.size();
  } else if (options.heuristic == Heuristic::activity) {
    throw std::invalid_argument("activity is for solvers that learn");
  }
  const bool compact = options.propagation == Propagation::compact_table ||
                       options.propagation == Propagation::forward;
  // Large networks are there twice otherwise.
  if (compact && !options.learning) prepared_.tables = {};  // it has its own form of them
  std::vector<std::uint32_t> everything;
  for (std::uint32_t x = 0; x < variables(); ++x) {
    everything.push_back(x);
    const std::uint32_t old = domains_.size(x);
    for (std::uint32_t v = 0; v < old; ++v) {
      if (prepared_.allowed[domains_.literal(x, v)] == 0) domains_.drop(x, v);
    }
    if (domains_.size(x) < old && !failed_) shrunk(x, old);
  }
  for (const std::uint32_t x : options.first) check(x);
  candidates_[2] = chooser_.candidates(options.first);
  candidates_[3] = chooser_.candidates(everything);
}

void Solver::open_level() {
  levels_.push_back({trail_.push(), domains_.changes().size(), domains_.unbound(), failed_});
}

void Solver::close_level() {
  const Level& level = levels_.back();
  tables_->clear();
  statistics_.propagations += domains_.changes().size() - level.changes;
  trail_.undo(level.trail);
  if (learning_) learning_->undo(level.changes);
  domains_.undo(level.changes, level.unbound);
  // Watches stay where they are, but changes may come again.
  nogoods_.undo(level.changes);
  failed_ = level.failed;
  levels_.pop_back();
}

bool Solver::fail() {
  failed_ = true;
  return false;
}

bool Solver::told(std::uint32_t variable, std::uint32_t old_size) {
  if (tables_->changed(variable, old_size)) return true;
  culprit_ = tables_->culprit();
  chooser_.blame(culprit_);
  return fail();
}

// The domain of the variable became smaller, and that is not recorded yet.
bool Solver::shrunk(std::uint32_t variable, std::uint32_t old_size) {
  domains_.commit(variable, old_size);
  if (domains_.size(variable) == 0) return fail();
  return told(variable, old_size);
}

bool Solver::bind(std::uint32_t variable, std::uint32_t value) {
  const std::uint32_t old = domains_.size(variable);
  if (!domains_.contains(variable, value)) return fail();
  if (old == 1) return true;
  domains_.bind(variable, value);
  return told(variable, old);
}

bool Solver::remove(std::uint32_t variable, std::uint32_t value) {
  const std::uint32_t old = domains_.size(variable);
  if (!domains_.contains(variable, value)) return true;
  domains_.drop(variable, value);
  return shrunk(variable, old);
}

bool Solver::fixpoint() {
  if (failed_) return false;
  do {
    if (!tables_->propagate()) {
      culprit_ = tables_->culprit();
      chooser_.blame(culprit_);
      return fail();
    }
    if (learning_) {
      Clauses& clauses = learning_->clauses;
      if (clauses.propagate(domains_, *tables_)) continue;
      culprit_ = clauses.culprit();
      if (!clauses.is_clause(culprit_)) chooser_.blame(culprit_);
      return fail();
    }
    if (!nogoods_.propagate(domains_, *tables_)) {
      chooser_.blame(nogoods_.culprit());
      return fail();
    }
    // Nogoods take values away, which may concern tables.
  } while (tables_->waiting());
  return true;
}

void Solver::check(std::uint32_t variable) const {
  if (variable >= variables()) {
    throw std::invalid_argument("no variable " + std::to_string(variable));
  }
}

void Solver::push() {
  const Busy busy(*this);
  // What follows from the level below is drawn there, once, and not again in every level above it.
  abandon();
  fixpoint();
  open_level();
  ++user_levels_;
}

void Solver::pop() {
  const Busy busy(*this);
  abandon();
  if (user_levels_ == 0) throw std::logic_error("pop() without push()");
  close_level();
  --user_levels_;
  // What was learned in the level took it for granted.
  if (learning_ && learning_->clauses.size() > lasting_) learning_->clauses.forget(lasting_);
}

bool Solver::restrict(std::uint32_t variable, std::span<const std::uint32_t> values) {
  const Busy busy(*this);
  check(variable);
  for (const std::uint32_t value : values) {
    if (value >= prepared_.sizes[variable]) {
      throw std::invalid_argument("variable " + std::to_string(variable) + " has no value " +
                                  std::to_string(value));
    }
  }
  abandon();
  if (failed_) return false;
  const std::uint32_t old = domains_.size(variable);
  std::uint32_t kept = 0;
  for (const std::uint32_t value : values) {
    // A value that was kept already lies before `kept`; naming it twice changes nothing.
    if (domains_.contains(variable, value) && !domains_.among(variable, value, kept)) {
      domains_.keep(variable, value, kept++);
    }
  }
  if (kept == old) return true;
  domains_.keep_only(variable, kept);
  return shrunk(variable, old);
}

bool Solver::assign(std::span<const std::uint32_t> variables,
                    std::span<const std::uint32_t> values) {
  const Busy busy(*this);
  if (variables.size() != values.size()) {
    throw std::invalid_argument(std::to_string(variables.size()) + " variables, but " +
                                std::to_string(values.size()) + " values");
  }
  for (std::size_t i = 0; i < variables.size(); ++i) {
    check(variables[i]);
    if (values[i] >= prepared_.sizes[variables[i]]) {
      throw std::invalid_argument("variable " + std::to_string(variables[i]) + " has no value " +
                                  std::to_string(values[i]));
    }
  }
  abandon();
  if (failed_) return false;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (!bind(variables[i], values[i])) return false;
  }
  return true;
}

bool Solver::propagate() {
  const Busy busy(*this);
  abandon();
  return fixpoint();
}

void Solver::list_values(std::uint32_t variable, std::vector<std::uint32_t>& out) const {
  const auto values = domains_.values(variable);
  const std::uint32_t full = domains_.initial_size(variable);
  // Values lie in no order. To look at all of them costs less than to sort many.
  if (values.size() > full / 8) {
    for (std::uint32_t v = 0; v < full; ++v) {
      if (domains_.contains(variable, v)) out.push_back(v);
    }
  } else {
    const auto begin = static_cast<std::ptrdiff_t>(out.size());
    out.insert(out.end(), values.begin(), values.end());
    std::sort(out.begin() + begin, out.end());
  }
}

std::vector<std::uint32_t> Solver::domain(std::uint32_t variable) {
  const Busy busy(*this);
  check(variable);
  abandon();
  std::vector<std::uint32_t> out;
  list_values(variable, out);
  return out;
}

bool Solver::stopped(const std::function<bool()>& go_on) {
  if (stop_.load(std::memory_order_relaxed)) return true;
  // Some milliseconds' work at most between two questions.
  const std::uint64_t work = tables_->revisions() + 8 * statistics_.nodes;
  if (!go_on || work - asked_at_ < 20'000) return false;
  asked_at_ = work;
  return !go_on();
}

bool Solver::sac(const std::function<bool()>& go_on) {
  const Busy busy(*this);
  abandon();
  stop_.store(false, std::memory_order_relaxed);
  if (!fixpoint()) return false;
  // A value that some solution has need not be tried.
  std::vector<std::uint8_t> witnessed(domains_.literals());
  std::vector<std::uint32_t> values;
  const std::uint32_t count = domains_.variables();
  std::uint32_t settled = 0;  // variables gone through since a value was taken away
  for (std::uint32_t x = 0; settled < count; x = (x + 1) % count) {
    ++settled;
    if (domains_.size(x) == 1) continue;
    values.clear();
    list_values(x, values);
    for (const std::uint32_t value : values) {
      if (domains_.size(x) == 1) break;
      if (witnessed[domains_.literal(x, value)] != 0 || !domains_.contains(x, value)) continue;
      if (stopped(go_on)) return true;
      open_level();
      ++statistics_.nodes;
      const bool possible = bind(x, value) && fixpoint();
      // Propagation alone has found a solution: all of its values are possible.
      if (possible && domains_.unbound() == 0) {
        for (std::uint32_t y = 0; y < count; ++y) {
          witnessed[domains_.literal(y, domains_.value(y))] = 1;
        }
      }
      close_level();
      if (possible) continue;
      ++statistics_.fails;
      // A value less may refute others that were tried: all have to be tried again.
      settled = 0;
      if (!remove(x, value) || !fixpoint()) return false;
    }
  }
  return true;
}

Statistics Solver::statistics() const noexcept {
  Statistics out = statistics_;
  out.propagations += domains_.changes().size();
  out.revisions = tables_->revisions();
  return out;
}

}  // namespace woodstock::csp
