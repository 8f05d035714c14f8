// The stages of a game: what a search is told about a position and all that follows on it.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "circuit/expander.h"
#include "circuit/simulator.h"

namespace woodstock {

// All solvers of the same game give the same answers, to the bit. States are packed as for a
// Simulator, moves are numbers of the ground program; vectors keep their capacity from call to
// call. One thread at a time.
class StageSolver {
 public:
  virtual ~StageSolver() = default;

  // Looks at one state: as Simulator::visit without moves, but that nobody has a move where the
  // game is over, whatever the rules allow there.
  virtual void look(std::span<const std::uint8_t> state, Visits& out) = 0;

  // Takes a state in whose stage is to be solved, and tells everybody's legal moves as in Choices.
  // The game must not be over there.
  virtual void open(std::span<const std::uint8_t> state, std::vector<std::uint32_t>& begin,
                    std::vector<std::uint32_t>& moves) = 0;

  // The solutions of the stage that was opened, with these choices: every joint move, that of
  // chance included, with the state it leads to and whether that is the end. They come in the order
  // of joint numbers: the last role's moves change first. There are none where some role has no
  // choice.
  //
  // False when there are more than `limit`, or go_on said no: what was written then means nothing.
  virtual bool solve(const Choices& choices, std::uint64_t limit, Offspring& out) = 0;

  // Asked now and then by a solver that may take long; not set: nothing stops it.
  std::function<bool()> go_on;

  // Search nodes of a table solver so far.
  virtual std::uint64_t nodes() const { return 0; }
};

// How many joint moves there are; nothing when there are more than `limit`.
std::optional<std::uint64_t> count_joint(const Choices& choices, std::uint64_t limit);

// The circuit is the network evaluated: all joint moves of a stage go through it side by side.
class CompiledStages final : public StageSolver {
 public:
  explicit CompiledStages(std::shared_ptr<Simulator> simulator);

  void look(std::span<const std::uint8_t> state, Visits& out) override;
  void open(std::span<const std::uint8_t> state, std::vector<std::uint32_t>& begin,
            std::vector<std::uint32_t>& moves) override;
  bool solve(const Choices& choices, std::uint64_t limit, Offspring& out) override;

 private:
  std::shared_ptr<Simulator> simulator_;
  std::uint32_t roles_;
  Expander expander_;
};

// No states at all, as a visit of none leaves it.
void clear(Visits& visits);

}  // namespace woodstock
