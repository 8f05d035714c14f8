// Stages solved as constraint networks, by the table solver.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "circuit/simulator.h"
#include "csp/problem.h"
#include "csp/solver.h"
#include "search/stage.h"
#include "search/stage_split.h"

namespace woodstock {

// Which variable of a game's template is what. Lists have an entry for each value of a variable.
struct StageMap {
  static constexpr std::uint32_t none = 0xffffffffU;

  // A variable of the state and the same one of the next state.
  struct Slot {
    std::uint32_t now = 0;
    std::uint32_t after = 0;
    std::vector<std::uint32_t> fluents;  // the one that holds; none: no fluent
  };
  struct Role {
    std::uint32_t action = 0;
    std::vector<std::uint32_t> moves;  // ascending; none: no move, the game is over
    std::uint32_t score = 0;
    std::vector<std::uint32_t> goals;  // none: no goal holds, or several
  };

  std::uint32_t terminal = 0;   // value 1: the game is over
  std::uint32_t chance = none;  // the role whose moves are drawn
  std::vector<Slot> slots;
  std::vector<Role> roles;
  std::vector<std::uint32_t> always;  // fluents that hold in every state and have no slot
};

// How a stage is solved.
struct CspStageOptions {
  csp::Propagation propagation = csp::Propagation::compact_table;
  // Along the order of the network moves come before what they determine, so that nothing is
  // guessed that propagation would have told.
  csp::Heuristic heuristic = csp::Heuristic::lex;
  bool sac = false;    // singleton arc consistency before a stage is solved
  bool split = false;  // hard part and chance part apart, as in the papers; see StageSplit
};

// One template serves all states: a state is injected by giving the variables of now their values,
// and taken back afterwards.
//
// The papers split a stage into a hard part and a chance part, solve the chance part by forward
// checking, hand its feasible decisions to the hard part as one more constraint, c_f, and solve
// that by MAC: `split` does just that. Without it both parts lie in one search along the order of
// the network: the players' moves are decided first, the move of chance after them, and everything
// else follows from these. What the tables about the move of chance leave of its domain, given the
// players' moves, is exactly what c_f says of them: it runs empty where no move of chance is legal.
// The values that are left complete the solution of the hard part, one by one. So the solutions are
// those of the split, found once each.
//
// What depends on the state alone needs no search: every such variable is defined by tables over
// variables before it, so propagation decides it, by forward checking as well as by arc
// consistency, and leaves the actions their legal moves. A network in which that is not so is found
// out and throws std::logic_error.
//
// The network does not tell several goals from none, and has no solution where some role cannot
// move. In these two cases the circuit is asked.
class CspStages final : public StageSolver {
 public:
  // Throws std::invalid_argument when problem, map and circuit do not fit each other.
  CspStages(std::shared_ptr<Simulator> simulator, const csp::Problem& problem,
            const CspStageOptions& options, const StageMap& map);
  ~CspStages() override;

  // The first two throw std::invalid_argument for a state that the slots cannot hold.
  void look(std::span<const std::uint8_t> state, Visits& out) override;
  void open(std::span<const std::uint8_t> state, std::vector<std::uint32_t>& begin,
            std::vector<std::uint32_t>& moves) override;
  bool solve(const Choices& choices, std::uint64_t limit, Offspring& out) override;
  std::uint64_t nodes() const override {
    return solver_.statistics().nodes + (split_ ? split_->nodes() : 0);
  }

 private:
  class Injected;
  struct Home {
    std::uint32_t slot = StageMap::none;  // none: the fluent always holds
    std::uint32_t value = 0;
  };

  void close_stage();
  void read_values(std::span<const std::uint8_t> state);
  std::uint32_t value_of(std::uint32_t variable);
  std::uint64_t list_moves(std::uint64_t limit);
  void number(const csp::Solutions& found, std::uint64_t total);
  // Appends the state that these values are, and gives its key.
  std::uint64_t pack(std::span<const std::uint32_t> values, std::vector<std::uint8_t>& states);
  // The goals that the network tells, appended; false where it does not tell all of them.
  bool read_goals(std::vector<std::uint32_t>& goals);
  void report(std::span<const std::uint32_t> values, Offspring& out);
  void look_stuck(std::span<const std::uint8_t> state, Visits& out);
  void ask_goals(std::span<const std::uint8_t> states, std::vector<std::uint32_t>& goals);

  std::shared_ptr<Simulator> simulator_;
  std::vector<StageMap::Role> roles_;
  std::uint32_t terminal_;
  CspStageOptions options_;
  csp::Solver solver_;
  std::optional<StageSplit> split_;
  std::unique_ptr<Injected> stage_;  // the one that is open, until it is solved

  std::vector<std::uint32_t> now_;
  std::vector<std::uint32_t> columns_;  // of a solution: actions, slots of the next state
  std::vector<Home> homes_;             // per fluent
  std::vector<std::uint32_t> empty_;    // per slot: the value without a fluent, or none
  std::vector<std::uint32_t> begin_;    // per slot, into the next two
  std::vector<std::uint32_t> fluents_;  // per value
  std::vector<std::uint64_t> keys_;     // per value
  std::vector<std::uint8_t> base_;      // the state in which only what always holds does
  std::uint64_t base_key_ = 0;
  std::size_t always_;  // how many fluents always hold

  // Scratch.
  std::vector<std::uint32_t> values_;              // of the slots, now
  std::vector<std::vector<std::uint32_t>> legal_;  // per role: values of its action
  std::vector<std::uint32_t> places_;              // value of an action -> among the legal ones
  std::vector<std::uint64_t> joint_;               // joint number of each solution
  std::vector<std::uint64_t> order_;               // solution of each joint number
  std::vector<std::uint32_t> unclear_;             // states whose goals the network does not tell
  std::vector<std::uint8_t> asked_states_;
  Visits asked_;
};

}  // namespace woodstock
