#include "ground/sampling.h"

#include <utility>
#include <vector>

#include "ground/evaluator.h"
#include "util/random.h"

namespace woodstock {

namespace {

// One move a role; moves are sorted by role. Fewer than `roles` moves: somebody cannot move.
std::vector<std::uint32_t> pick(const GroundProgram& program,
                                const std::vector<std::uint32_t>& legal, RandomStream& random) {
  std::vector<std::uint32_t> chosen;
  for (std::size_t first = 0; first < legal.size();) {
    std::size_t last = first;
    const TermId role = program.moves()[legal[first]].role;
    while (last < legal.size() && program.moves()[legal[last]].role == role) ++last;
    chosen.push_back(legal[first + random.below(last - first)]);
    first = last;
  }
  return chosen;
}

}  // namespace

void sample_states(std::shared_ptr<const GroundProgram> program, const SamplingLimits& limits,
                   const std::function<void(std::span<const std::uint8_t>)>& visit) {
  const std::uint64_t cost =
      program->tables().literals.size() + program->atom_count() + program->fluents().size() + 1;
  const std::size_t roles = program->roles().size();
  Evaluator evaluator(program);
  RandomStream random(limits.seed);
  std::uint64_t spent = 0;
  for (std::uint64_t game = 0; game < limits.games; ++game) {
    StateBytes state = evaluator.initial();
    for (std::uint64_t ply = 0; ply < limits.plies; ++ply) {
      // In steps, not in seconds: the same states on every machine.
      spent += cost;
      if (spent > limits.literals) return;
      visit(state);
      const Position position = evaluator.analyse(state);
      if (position.terminal) break;
      const auto moves = pick(*program, position.legal, random);
      if (moves.size() < roles) break;
      state = evaluator.next(state, moves).state;
    }
  }
}

}  // namespace woodstock
