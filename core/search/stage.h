// The stages of a game: what a search is told about a position and all that follows on it.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "circuit/simulator.h"

namespace woodstock {

// Moves of every role, ascending, all of them legal: those of role r are moves[begin[r]] up to, not
// including, moves[begin[r + 1]].
struct Choices {
  std::span<const std::uint32_t> begin;
  std::span<const std::uint32_t> moves;
};

// All legal moves of the only state that was looked at.
inline Choices all_choices(const Visits& here) { return {here.legal_begin, here.legal}; }

// All solvers of the same game give the same answers, to the bit. States are packed as for a
// Simulator, moves are numbers of the ground program; vectors keep their capacity from call to
// call. One thread at a time.
class StageSolver {
 public:
  virtual ~StageSolver() = default;

  // Looks at one state: as Simulator::visit without moves, but that nobody has a move where the
  // game is over, whatever the rules allow there.
  virtual void look(std::span<const std::uint8_t> state, Visits& out) = 0;

  // The solutions of the stage of a state with these choices: every joint move, that of chance
  // included, with the state it leads to and what can be said of that one. `moves` gets one move a
  // role, solution by solution, in the order of joint numbers: the last role's moves change first,
  // and those of each role are ascending. There are none where some role has no choice.
  //
  // False when there are more than `limit`, or go_on said no: what was written then means nothing.
  virtual bool solve(std::span<const std::uint8_t> state, const Choices& choices,
                     std::uint64_t limit, std::vector<std::uint32_t>& moves, Visits& out) = 0;

  // Asked now and then by a solver that may take long; not set: nothing stops it.
  std::function<bool()> go_on;

  // Search nodes of a table solver so far.
  virtual std::uint64_t nodes() const { return 0; }
};

// The circuit is the network evaluated: all joint moves of a stage go through it side by side.
class CompiledStages final : public StageSolver {
 public:
  explicit CompiledStages(std::shared_ptr<Simulator> simulator);

  void look(std::span<const std::uint8_t> state, Visits& out) override;
  bool solve(std::span<const std::uint8_t> state, const Choices& choices, std::uint64_t limit,
             std::vector<std::uint32_t>& moves, Visits& out) override;

 private:
  void visit(std::span<const std::uint8_t> states, std::span<const std::uint32_t> moves,
             Visits& out);

  std::shared_ptr<Simulator> simulator_;
  std::uint32_t roles_;
  std::vector<std::uint8_t> copies_;
};

// No states at all, as a visit of none leaves it.
void clear(Visits& visits);

}  // namespace woodstock
