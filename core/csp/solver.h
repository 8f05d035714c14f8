// The solver: consistency, search, and levels for whoever asks the same network again and again.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "csp/chooser.h"
#include "csp/domains.h"
#include "csp/learning.h"
#include "csp/nogoods.h"
#include "csp/prepare.h"
#include "csp/problem.h"
#include "csp/propagator.h"
#include "csp/trail.h"

namespace woodstock::csp {

// How much is concluded after every decision. The first three reach the same arc consistency on
// every allowed table and every forbidden row, by Compact-Table, by STR2 or by STR; forward
// checking prunes the last variable of a constraint when all others are assigned.
enum class Propagation { compact_table, str2, str, forward };

// One branch for each value of a variable, or two: the value, and all others.
enum class Branching { values, binary };

struct Options {
  Propagation propagation = Propagation::compact_table;
  Heuristic heuristic = Heuristic::dom_ddeg;
  Branching branching = Branching::values;
  // Variables that are decided before all others, by the same heuristic: with the moves of a game
  // chosen, the rest follows.
  std::vector<std::uint32_t> first;
  std::uint64_t seed = 0;  // order among variables the heuristic finds equal; 0: by number
  // Whether first() learns clauses from failures and starts anew now and then. For Compact-Table.
  bool learning = false;
};

struct SolverLimits {
  std::uint64_t solutions = 0;  // 0: all
  std::uint64_t nodes = 0;      // 0: no limit
  // Asked now and then by the calling thread; false ends the call as stop() does.
  std::function<bool()> go_on;
};

struct Statistics {
  std::uint64_t nodes = 0;         // decisions made
  std::uint64_t fails = 0;         // decisions that propagation refuted at once
  std::uint64_t propagations = 0;  // domains that became smaller
  std::uint64_t revisions = 0;     // tables that were run
  std::uint64_t solutions = 0;
  std::uint64_t learned = 0;  // clauses
  std::uint64_t restarts = 0;
};

struct Solutions {
  std::uint64_t count = 0;
  bool complete = false;  // there are no others
  std::size_t width = 0;
  std::vector<std::uint32_t> values;  // width for each solution
};

// A solver keeps its own form of the problem it was made from. The same calls give the same
// results, in the same order. One thread at a time: a call during another one's throws
// std::runtime_error; stop() may be called by any thread at any time. Variables and values that are
// not there throw std::invalid_argument.
class Solver {
 public:
  explicit Solver(const Problem& problem, const Options& options = {});
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  std::size_t variables() const noexcept { return prepared_.sizes.size(); }

  // Levels: pop() undoes every change of domains since the matching push(), exactly. push()
  // propagates first. pop() without a level throws std::logic_error.
  void push();
  void pop();
  std::size_t depth() const noexcept { return user_levels_; }

  // These three take values away. They return false when that leaves no solution for sure; then so
  // do all later calls until the level is popped.
  bool restrict(std::uint32_t variable, std::span<const std::uint32_t> values);
  // One value for each of several variables. Costs less than restrict().
  bool assign(std::span<const std::uint32_t> variables, std::span<const std::uint32_t> values);
  bool propagate();
  // Singleton consistency: no value is left whose choice propagation refutes. A call that was
  // stopped has taken away some of them.
  bool sac(const std::function<bool()>& go_on = {});

  // The values a variable has left, ascending.
  std::vector<std::uint32_t> domain(std::uint32_t variable);

  // Searches below the current domains, which stay as they are. Without `project` a solution has a
  // value for every variable; with it, the values of these variables, and each combination that
  // some solution has is found once. A search that ended at a limit or was stopped can be resumed,
  // as long as no other method but stop(), statistics() and variables() was called since.
  Solutions solve(const SolverLimits& limits = {});
  Solutions solve(const SolverLimits& limits, std::span<const std::uint32_t> project);
  // Like solve(), but stores no solutions.
  Solutions count(const SolverLimits& limits = {});
  // Goes on. Throws std::logic_error when there is nothing to resume.
  Solutions resume(const SolverLimits& limits = {});

  // One solution in which these variables have these values, by a search that learns: complete and
  // without a solution where there is none. What it learns stays for later calls, until the level
  // is popped. Throws std::logic_error where the solver is not one that learns.
  Solutions first(const SolverLimits& limits = {}, std::span<const Literal> assumed = {});

  // Ends the solve(), count(), resume() or sac() that is running, soon.
  void stop() noexcept { stop_.store(true, std::memory_order_relaxed); }

  // Of all calls so far.
  Statistics statistics() const noexcept;

 private:
  struct Level {
    Trail::Level trail;
    std::size_t changes;
    std::uint32_t unbound;
    bool failed;
  };
  // Candidates: of the projection, those to be decided first, and all; then of all variables,
  // those to be decided first, and all.
  static constexpr std::size_t lists = 4;
  struct Frame {
    std::uint32_t variable;
    std::size_t next;  // in values_, up to the end of the list or the next frame's
    std::size_t end;
    std::uint32_t passed[lists];  // of each list of candidates
    bool inside;                  // its level is open
    bool refuted;                 // binary: the other branch was taken
  };
  class Busy;

  void open_level();
  void close_level();
  bool fail();
  bool fixpoint();
  bool bind(std::uint32_t variable, std::uint32_t value);
  bool told(std::uint32_t variable, std::uint32_t old_size);
  bool shrunk(std::uint32_t variable, std::uint32_t old_size);
  bool remove(std::uint32_t variable, std::uint32_t value);
  void check(std::uint32_t variable) const;
  void list_values(std::uint32_t variable, std::vector<std::uint32_t>& out) const;
  bool stopped(const std::function<bool()>& go_on);

  Solutions start(const SolverLimits& limits, std::span<const std::uint32_t> project,
                  bool projected, bool store);
  Solutions search(const SolverLimits& limits, bool descend);
  bool open_frame();
  void close_frame();
  bool try_next(Frame& frame);
  void emit(Solutions& out);
  void abandon();
  bool learn();
  bool decide(std::span<const Literal> assumed, bool& refuted);
  std::uint32_t choose_to_learn();
  Solutions learned(const SolverLimits& limits, std::span<const Literal> assumed);

  Prepared prepared_;
  Domains domains_;
  Trail trail_;
  std::unique_ptr<Propagator> tables_;
  Nogoods nogoods_;
  std::unique_ptr<Learning> learning_;  // in place of nogoods_, if there is one
  Chooser chooser_;
  Options options_;
  std::uint32_t culprit_ = 0;  // the cause of the last failure
  bool failed_ = false;
  std::size_t user_levels_ = 0;
  std::vector<Level> levels_;
  Statistics statistics_;
  std::atomic<bool> stop_ = false;
  std::atomic<bool> busy_ = false;
  std::uint64_t asked_at_ = 0;  // the work done when go_on was asked last

  // Of the search that learns.
  std::vector<std::size_t> starts_;  // changes before each of its levels
  std::size_t lasting_ = 0;          // clauses that were learned below all levels
  std::uint64_t failures_ = 0;
  std::uint64_t restarts_ = 0;
  std::size_t room_ = 0;  // for learned clauses

  // The search that is going on.
  bool searching_ = false;
  bool store_ = false;
  bool projected_ = false;
  std::vector<std::uint32_t> project_;
  Candidates candidates_[lists];
  std::vector<std::uint32_t> row_;  // the values of variables that were assigned from the start
  std::size_t row_changes_ = 0;     // changes of domains until then
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> values_;
  // The number of frames when all projected variables had values: below, one solution is enough.
  std::size_t boundary_ = 0;
};

}  // namespace woodstock::csp
