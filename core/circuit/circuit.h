// The circuit: a game's rules compiled for playing many lines of play at once.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "circuit/code.h"
#include "circuit/guards.h"
#include "circuit/kernel.h"
#include "circuit/synthesis.h"
#include "ground/program.h"

namespace woodstock {

// The largest goal whose squares can be summed over billions of playouts.
constexpr std::uint32_t max_goal = 65'535;

// How the moves and goals of a ground program belong to roles. Roles are numbered 0 .. roles-1 in
// the order of the rulesheet; a move or goal of nobody carries no_role.
struct RoleTable {
  static constexpr std::uint32_t no_role = 0xffffffffU;
  std::uint32_t roles = 0;
  std::vector<std::uint32_t> move_role;     // per move
  std::vector<std::uint32_t> goal_role;     // per goal; no_role also where the value is no number
  std::vector<std::uint32_t> goal_value;    // per goal, at most max_goal
  std::vector<std::uint32_t> percept_role;  // per percept; empty: nobody's
};

struct CircuitStatistics {
  std::uint64_t gates = 0;         // conjunctions
  std::uint64_t literals = 0;      // references they join
  std::uint64_t depth = 0;         // gates on the longest path
  std::uint64_t recursions = 0;    // components that are run to their fixpoint
  std::uint64_t instructions = 0;  // of all parts; of recursions, one sweep in each direction
  std::uint64_t operands = 0;
  std::uint64_t runs = 0;
  std::uint64_t slots = 0;
  std::uint64_t guards = 0;
  std::uint64_t guarded = 0;  // operands of instructions that are skipped while a guard sleeps
  std::uint64_t lanes = 0;
  std::uint64_t bytes = 0;
};

// Immutable; threads share it.
class Circuit {
 public:
  // Throws std::invalid_argument when the program is not stratified, when legality, the end or
  // goals depend on moves, when the table does not fit the program or there are more than max_roles
  // roles.
  Circuit(const GroundProgram& program, RoleTable roles);
  Circuit(const Circuit&) = delete;  // the view points into the circuit
  Circuit& operator=(const Circuit&) = delete;

  // Bytes of a packed state: bit i % 8 of byte i / 8 is fluent i. At least one.
  std::size_t state_size() const noexcept { return initial_.size(); }
  std::size_t fluents() const noexcept { return code_.fluents; }
  std::size_t moves() const noexcept { return code_.legal.size(); }
  std::uint32_t roles() const noexcept { return roles_.roles; }
  const RoleTable& role_table() const noexcept { return roles_; }
  const Code& code() const noexcept { return code_; }
  const std::vector<std::uint8_t>& initial() const noexcept { return initial_; }  // packed
  // The width of batch that pays best when there is enough to do.
  std::uint32_t width() const noexcept { return width_; }
  // Where a move lies in the groups of the view; no_leaf where it is never legal.
  static constexpr std::uint32_t no_leaf = 0xffffffffU;
  std::uint32_t leaf_of(std::size_t move) const noexcept { return leaf_of_[move]; }
  std::size_t leaves() const noexcept { return groups_.size() * group_size; }
  const CircuitView& view() const noexcept { return view_; }
  CircuitStatistics statistics() const noexcept { return statistics_; }

 private:
  void compile(const GameLogic& game, std::span<const Ref> guards);
  Observation observe() const;
  void lay_out_choices(const GameLogic& game, const Guards& guards);
  void lay_out_view();

  RoleTable roles_;
  std::vector<std::uint8_t> initial_;
  Code code_;
  std::vector<Segment> segments_;
  std::vector<RoleChoice> choices_;
  std::vector<ChoiceGroup> groups_;
  std::vector<std::uint32_t> leaf_of_;
  std::vector<GoalPlane> goals_;
  std::vector<std::uint32_t> goals_begin_;
  CircuitView view_{};
  std::uint32_t width_ = 1;
  CircuitStatistics statistics_;
};

// Memory of one thread that works on a circuit, for batches of its width or less.
class CircuitMemory {
 public:
  explicit CircuitMemory(const Circuit& circuit) : CircuitMemory(circuit, circuit.width()) {}
  CircuitMemory(const Circuit& circuit, std::uint32_t width);
  const Workspace& workspace() const noexcept { return workspace_; }

 private:
  struct Free {
    void operator()(void* p) const noexcept;
  };
  std::unique_ptr<void, Free> memory_;
  Workspace workspace_{};
};

}  // namespace woodstock
