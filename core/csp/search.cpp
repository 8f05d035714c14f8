#include <algorithm>
#include <limits>
#include <stdexcept>

#include "csp/busy.h"
#include "csp/solver.h"

namespace woodstock::csp {

namespace {

constexpr std::size_t no_boundary = std::numeric_limits<std::size_t>::max();

}  // namespace

Solutions Solver::solve(const SolverLimits& limits) { return start(limits, {}, false, true); }

Solutions Solver::solve(const SolverLimits& limits, std::span<const std::uint32_t> project) {
  return start(limits, project, true, true);
}

Solutions Solver::count(const SolverLimits& limits) { return start(limits, {}, false, false); }

Solutions Solver::start(const SolverLimits& limits, std::span<const std::uint32_t> project,
                        bool projected, bool store) {
  const Busy busy(*this);
  for (const std::uint32_t variable : project) check(variable);
  abandon();
  projected_ = projected;
  // To sort candidates costs more than many a search: only for another projection.
  if (!std::equal(project.begin(), project.end(), project_.begin(), project_.end())) {
    project_.assign(project.begin(), project.end());
    std::vector<std::uint32_t> both;
    for (const std::uint32_t x : options_.first) {
      if (std::find(project_.begin(), project_.end(), x) != project_.end()) both.push_back(x);
    }
    candidates_[0] = chooser_.candidates(both);
    candidates_[1] = chooser_.candidates(project_);
  }
  for (Candidates& list : candidates_) list.passed = 0;
  store_ = store;
  boundary_ = no_boundary;
  stop_.store(false, std::memory_order_relaxed);
  if (!fixpoint()) {
    Solutions none;
    none.complete = true;
    none.width = projected ? project.size() : variables();
    return none;
  }
  searching_ = true;
  if (store && !projected) {
    row_.resize(variables());
    for (std::uint32_t x = 0; x < row_.size(); ++x) row_[x] = domains_.value(x);
    row_changes_ = domains_.changes().size();
  }
  return search(limits, true);
}

Solutions Solver::resume(const SolverLimits& limits) {
  const Busy busy(*this);
  if (!searching_) throw std::logic_error("no search to resume");
  stop_.store(false, std::memory_order_relaxed);
  return search(limits, false);
}

// Depth first. `descend`: the node at hand is new; else go on behind it.
Solutions Solver::search(const SolverLimits& limits, bool descend) {
  Solutions out;
  out.width = projected_ ? project_.size() : variables();
  std::uint64_t nodes = 0;
  for (;;) {
    if (descend && !open_frame()) {
      emit(out);
      // Below the boundary only what is not projected was decided: another solution there would be
      // the same.
      if (projected_) {
        while (frames_.size() > boundary_) close_frame();
      }
      if (out.count == limits.solutions) return out;
    }
    descend = false;
    while (!descend) {
      if (frames_.empty()) {
        searching_ = false;
        out.complete = true;
        return out;
      }
      // Back among the projected variables, which are not all decided any more.
      if (frames_.size() <= boundary_) boundary_ = no_boundary;
      Frame& frame = frames_.back();
      if (frame.inside) {
        close_level();
        frame.inside = false;
      }
      if (frame.next == frame.end) {
        close_frame();
        continue;
      }
      if ((nodes == limits.nodes && nodes != 0) || stopped(limits.go_on)) return out;
      ++nodes;
      descend = try_next(frame);
    }
  }
}

// Chooses a variable; false when all have values.
bool Solver::open_frame() {
  if (domains_.unbound() == 0) {
    boundary_ = std::min(boundary_, frames_.size());
    return false;
  }
  Frame frame{};
  std::uint32_t variable = Chooser::none;
  for (std::size_t i = 0; i < lists; ++i) {
    frame.passed[i] = candidates_[i].passed;
    if (variable != Chooser::none) continue;
    // The first two lists had nothing left: all projected variables have values.
    if (i == 2) boundary_ = std::min(boundary_, frames_.size());
    variable = chooser_.choose(domains_, candidates_[i]);
  }
  const std::size_t begin = values_.size();
  list_values(variable, values_);
  // The other branch takes the value away, and what comes next is chosen anew.
  if (options_.branching == Branching::binary) values_.resize(begin + 1);
  frame.variable = variable;
  frame.next = begin;
  frame.end = values_.size();
  frames_.push_back(frame);
  return true;
}

void Solver::close_frame() {
  const Frame& frame = frames_.back();
  if (frame.inside) close_level();
  for (std::size_t i = 0; i < lists; ++i) candidates_[i].passed = frame.passed[i];
  frames_.pop_back();
  values_.resize(frames_.empty() ? 0 : frames_.back().end);
}

bool Solver::try_next(Frame& frame) {
  open_level();
  frame.inside = true;
  ++statistics_.nodes;
  const std::uint32_t value = values_[frame.next];
  bool possible;
  if (options_.branching == Branching::values) {
    ++frame.next;
    possible = bind(frame.variable, value);
  } else if (!frame.refuted) {
    frame.refuted = true;
    possible = bind(frame.variable, value);
  } else {
    ++frame.next;
    possible = remove(frame.variable, value);
  }
  if (possible && fixpoint()) return true;
  ++statistics_.fails;
  return false;
}

void Solver::emit(Solutions& out) {
  ++out.count;
  ++statistics_.solutions;
  if (!store_) return;
  if (projected_) {
    for (const std::uint32_t x : project_) out.values.push_back(domains_.value(x));
    return;
  }
  // Most variables have had their values since before the search: only what changed is written.
  out.values.insert(out.values.end(), row_.begin(), row_.end());
  std::uint32_t* const row = out.values.data() + out.values.size() - row_.size();
  for (const Domains::Change& change : domains_.changes().subspan(row_changes_)) {
    row[change.variable] = domains_.value(change.variable);
  }
}

void Solver::abandon() {
  while (!frames_.empty()) close_frame();
  searching_ = false;
}

}  // namespace woodstock::csp
