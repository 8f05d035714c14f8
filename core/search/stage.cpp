#include "search/stage.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace woodstock {

namespace {

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

std::optional<std::uint64_t> count_joint(const Choices& choices, std::uint64_t limit) {
  const std::size_t roles = choices.begin.size() - 1;
  for (std::size_t role = 0; role < roles; ++role) {
    if (choices.count(role) == 0) return 0;
  }
  std::uint64_t total = roles == 0 ? 0 : 1;
  for (std::size_t role = 0; role < roles; ++role) {
    // Divided rather than multiplied: the product may not fit.
    if (total > limit / choices.count(role)) return std::nullopt;
    total *= choices.count(role);
  }
  return total;
}

void clear(Visits& visits) {
  visits.states.clear();
  visits.keys.clear();
  visits.terminal.clear();
  visits.legal_begin.assign(1, 0);
  visits.legal.clear();
  visits.goals.clear();
}

CompiledStages::CompiledStages(std::shared_ptr<Simulator> simulator)
    : simulator_(std::move(simulator)),
      roles_(simulator_->circuit().roles()),
      expander_(simulator_->shared_circuit(), simulator_->isa()) {}

void CompiledStages::look(std::span<const std::uint8_t> state, Visits& out) {
  simulator_->visit(state, {}, out);
  end_finished(out, roles_);
}

void CompiledStages::open(std::span<const std::uint8_t> state, std::vector<std::uint32_t>& begin,
                          std::vector<std::uint32_t>& moves) {
  expander_.open(state, begin, moves);
}

bool CompiledStages::solve(const Choices& choices, std::uint64_t limit, Offspring& out) {
  const std::optional<std::uint64_t> total = count_joint(choices, limit);
  if (total) expander_.expand(choices, *total, out);
  return total.has_value();
}

}  // namespace woodstock
