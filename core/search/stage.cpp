#include "search/stage.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace woodstock {

namespace {

std::uint64_t moves_of(const Choices& choices, std::size_t role) {
  return choices.begin[role + 1] - choices.begin[role];
}

// How many joint moves there are; nothing when there are more than `limit`.
std::optional<std::uint64_t> count_joint(const Choices& choices, std::uint32_t roles,
                                         std::uint64_t limit) {
  for (std::uint32_t role = 0; role < roles; ++role) {
    if (moves_of(choices, role) == 0) return 0;
  }
  std::uint64_t total = roles == 0 ? 0 : 1;
  for (std::uint32_t role = 0; role < roles; ++role) {
    // Divided rather than multiplied: the product may not fit.
    if (total > limit / moves_of(choices, role)) return std::nullopt;
    total *= moves_of(choices, role);
  }
  return total;
}

void list_joint(const Choices& choices, std::uint32_t roles, std::uint64_t total,
                std::vector<std::uint32_t>& moves) {
  moves.resize(total * roles);
  std::uint64_t same = total;  // solutions in a row with the same move of the role
  for (std::uint32_t role = 0; role < roles && total != 0; ++role) {
    same /= moves_of(choices, role);
    std::uint32_t at = choices.begin[role];
    for (std::uint64_t i = 0; i < total;) {
      for (const std::uint64_t end = i + same; i < end; ++i) {
        moves[i * roles + role] = choices.moves[at];
      }
      if (++at == choices.begin[role + 1]) at = choices.begin[role];
    }
  }
}

// Takes away the moves of states in which the game is over.
void end_finished(Visits& visits, std::uint32_t roles) {
  std::size_t state = 0;
  while (state < visits.terminal.size() && visits.terminal[state] == 0) ++state;
  if (state == visits.terminal.size()) return;
  std::uint32_t from = visits.legal_begin[state * roles];
  std::uint32_t to = from;
  for (; state < visits.terminal.size(); ++state) {
    for (std::size_t i = state * roles + 1; i <= (state + 1) * roles; ++i) {
      const std::uint32_t end = visits.legal_begin[i];
      if (visits.terminal[state] != 0) from = end;
      while (from < end) visits.legal[to++] = visits.legal[from++];
      visits.legal_begin[i] = to;
    }
  }
  visits.legal.resize(to);
}

}  // namespace

void clear(Visits& visits) {
  visits.states.clear();
  visits.keys.clear();
  visits.terminal.clear();
  visits.legal_begin.assign(1, 0);
  visits.legal.clear();
  visits.goals.clear();
}

CompiledStages::CompiledStages(std::shared_ptr<Simulator> simulator)
    : simulator_(std::move(simulator)), roles_(simulator_->circuit().roles()) {}

void CompiledStages::visit(std::span<const std::uint8_t> states,
                           std::span<const std::uint32_t> moves, Visits& out) {
  simulator_->visit(states, moves, out);
  end_finished(out, roles_);
}

void CompiledStages::look(std::span<const std::uint8_t> state, Visits& out) {
  visit(state, {}, out);
}

bool CompiledStages::solve(std::span<const std::uint8_t> state, const Choices& choices,
                           std::uint64_t limit, std::vector<std::uint32_t>& moves, Visits& out) {
  const std::optional<std::uint64_t> total = count_joint(choices, roles_, limit);
  if (!total) return false;
  list_joint(choices, roles_, *total, moves);
  if (*total == 0) {
    clear(out);
    return true;
  }
  // One lane a joint move: all of them go through the circuit side by side.
  copies_.resize(*total * state.size());
  for (std::uint64_t i = 0; i < *total; ++i) {
    std::copy(state.begin(), state.end(),
              copies_.begin() + static_cast<std::ptrdiff_t>(i * state.size()));
  }
  visit(copies_, moves, out);
  return true;
}

}  // namespace woodstock
