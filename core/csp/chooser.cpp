#include "csp/chooser.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "util/random.h"

namespace woodstock::csp {

Chooser::Chooser(const Prepared& problem, Heuristic heuristic, std::uint64_t seed)
    : problem_(problem),
      heuristic_(heuristic),
      weights_(problem.scopes.count(), 1),
      ranks_(problem.sizes.size()) {
  for (std::size_t x = 0; x < ranks_.size(); ++x) bounds_.push_back(problem.constraints[x].size());
  std::iota(ranks_.begin(), ranks_.end(), 0U);
  if (seed == 0) return;
  RandomStream random(seed);
  // Fisher and Yates.
  for (std::size_t i = ranks_.size(); i > 1; --i) {
    std::swap(ranks_[i - 1], ranks_[random.below(i)]);
  }
}

std::uint64_t Chooser::degree(const Domains& domains, std::uint32_t variable) const {
  std::uint64_t sum = 0;
  for (const std::uint32_t constraint : problem_.constraints[variable]) {
    // A constraint counts while it still ties the variable to another one that is open.
    for (const std::uint32_t other : problem_.scopes[constraint]) {
      if (other == variable || domains.size(other) == 1) continue;
      sum += weights_[constraint];
      break;
    }
  }
  return sum;
}

Candidates Chooser::candidates(std::span<const std::uint32_t> variables) const {
  Candidates out{{variables.begin(), variables.end()}, 0};
  std::sort(out.variables.begin(), out.variables.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (heuristic_ == Heuristic::lex) return a < b;
    const std::size_t degree_a = problem_.constraints[a].size();
    const std::size_t degree_b = problem_.constraints[b].size();
    return degree_a != degree_b ? degree_a > degree_b : ranks_[a] < ranks_[b];
  });
  return out;
}

std::uint32_t Chooser::choose(const Domains& domains, Candidates& candidates) const {
  const std::vector<std::uint32_t>& variables = candidates.variables;
  while (candidates.passed < variables.size() && domains.size(variables[candidates.passed]) == 1) {
    ++candidates.passed;
  }
  if (candidates.passed == variables.size()) return none;
  switch (heuristic_) {
    case Heuristic::dom_ddeg:
      return best<Heuristic::dom_ddeg>(domains, candidates);
    case Heuristic::dom_wdeg:
      return best<Heuristic::dom_wdeg>(domains, candidates);
    case Heuristic::dom:
      return best<Heuristic::dom>(domains, candidates);
    case Heuristic::lex:
    case Heuristic::activity:
      break;
  }
  return variables[candidates.passed];
}

template <Heuristic H>
std::uint32_t Chooser::best(const Domains& domains, const Candidates& candidates) const {
  std::uint32_t found = none;
  std::uint64_t found_size = 0;
  std::uint64_t found_degree = 0;
  for (std::size_t i = candidates.passed; i < candidates.variables.size(); ++i) {
    const std::uint32_t x = candidates.variables[i];
    const std::uint64_t size = domains.size(x);
    if (size == 1) continue;
    if constexpr (H == Heuristic::dom) {
      if (found != none && size >= found_size) continue;
      found = x;
      found_size = size;
      if (size == 2) break;
    } else {
      if (found != none && size * found_degree >= found_size * bounds_[x]) {
        // Those that come later are in no more constraints, and have two values at least.
        if (H == Heuristic::dom_ddeg && 2 * found_degree >= found_size * bounds_[x]) break;
        continue;
      }
      const std::uint64_t mine = degree(domains, x);
      if (found != none && size * found_degree >= found_size * mine) continue;
      found = x;
      found_size = size;
      found_degree = mine;
    }
  }
  return found;
}

void Chooser::blame(std::uint32_t constraint) {
  if (heuristic_ != Heuristic::dom_wdeg) return;
  ++weights_[constraint];
  for (const std::uint32_t x : problem_.scopes[constraint]) ++bounds_[x];
}

}  // namespace woodstock::csp
