#include "learn/patterns.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>

#include "learn/exclusion.h"
#include "learn/unfolding.h"

namespace woodstock::learn {

namespace {

// A part that more fluents fulfil says little, and they cost a lot; and a pattern that so much
// blocks is hardly ever open. Such are sums and other counting, not places on a board.
constexpr std::size_t most_alternatives = 8;
constexpr std::size_t most_in_the_way = 64;

struct Candidate {
  Pattern pattern;
  std::size_t states = 0;  // of the sample, in which it is on its way
  std::size_t seen = 0;    // parts that hold somewhere in the sample
  double steps = 0;        // counters that a move changes
};

std::vector<AtomId> goal_atoms(const GroundProgram& program) {
  std::vector<AtomId> atoms;
  if (program.terminal_atom() != no_atom) atoms.push_back(program.terminal_atom());
  for (const RoleTerm& goal : program.goals()) atoms.push_back(goal.atom);
  return atoms;
}

std::vector<AtomId> move_atoms(const GroundProgram& program) {
  std::vector<AtomId> atoms;
  for (const Move& move : program.moves()) atoms.push_back(move.legal_atom);
  for (const Fluent& fluent : program.fluents()) atoms.push_back(fluent.next_atom);
  std::erase(atoms, no_atom);
  return atoms;
}

// Leaves out conjunctions that contain another one.
void keep_smallest(std::vector<Unfolding::Conjunction>& all) {
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.size() < b.size(); });
  std::map<Part, std::vector<std::size_t>> by_first;
  std::vector<Unfolding::Conjunction> kept;
  for (auto& one : all) {
    const bool contains = std::any_of(one.begin(), one.end(), [&](Part part) {
      const auto found = by_first.find(part);
      if (found == by_first.end()) return false;
      return std::any_of(found->second.begin(), found->second.end(), [&](std::size_t i) {
        return std::includes(one.begin(), one.end(), kept[i].begin(), kept[i].end());
      });
    });
    if (contains) continue;
    by_first[one.front()].push_back(kept.size());
    kept.push_back(std::move(one));
  }
  all = std::move(kept);
}

class Maker {
 public:
  Maker(const GroundProgram& program, const Sample& sample,
        const std::vector<std::uint32_t>& left_out, const PatternLimits& limits)
      : program_(program),
        sample_(sample),
        limits_(limits),
        columns_(sample, program.fluents().size()),
        exclusion_(program, columns_),
        unfolding_(program, columns_, exclusion_, left_out, limits.longest, limits.work) {}

  // The best of what the atoms' rules give, as far as the limits allow.
  void add(const std::vector<AtomId>& atoms, std::vector<Pattern>& out) {
    auto conjunctions = unfolding_.conjunctions(atoms);
    std::erase_if(conjunctions, [&](const auto& one) {
      const auto vague = [&](Part p) { return unfolding_.fluents(p).size() > most_alternatives; };
      return one.size() < limits_.shortest || std::any_of(one.begin(), one.end(), vague);
    });
    keep_smallest(conjunctions);
    std::vector<Candidate> candidates;
    for (const auto& one : conjunctions) {
      Candidate candidate = make(one);
      const auto& [fluents, blockers] = candidate.pattern;
      if (fluents.size() > longest_pattern || blockers.size() > most_in_the_way) continue;
      candidates.push_back(std::move(candidate));
    }
    std::stable_sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
      return std::pair(a.states, a.seen) > std::pair(b.states, b.seen);
    });
    for (Candidate& candidate : candidates) {
      const double features = static_cast<double>(candidate.pattern.fluents.size());
      if (features_ + features > limits_.features || steps_ + candidate.steps > limits_.steps) {
        continue;
      }
      if (!taken_.insert(candidate.pattern.fluents).second) continue;
      features_ += features;
      steps_ += candidate.steps;
      out.push_back(std::move(candidate.pattern));
    }
  }

 private:
  Candidate make(const Unfolding::Conjunction& parts) const {
    Candidate made;
    auto& [fluents, blockers] = made.pattern;
    for (Part part : parts) {
      const auto members = unfolding_.fluents(part);
      fluents.insert(fluents.end(), members.begin(), members.end());
    }
    std::sort(fluents.begin(), fluents.end());
    for (Part part : parts) {
      for (std::uint32_t f : exclusion_.group(unfolding_.group(part))) {
        const bool inside = std::binary_search(fluents.begin(), fluents.end(), f);
        if (!inside && !program_.fluents()[f].initial) blockers.push_back(f);
      }
    }
    std::sort(blockers.begin(), blockers.end());
    blockers.erase(std::unique(blockers.begin(), blockers.end()), blockers.end());
    made.states = on_its_way(made.pattern);
    for (Part part : parts) made.seen += columns_.count(unfolding_.fluents(part)) > 0 ? 1 : 0;
    if (sample_.plies == 0) return made;
    for (const auto* list : {&fluents, &blockers}) {
      for (std::uint32_t f : *list) made.steps += static_cast<double>(sample_.changes[f]);
    }
    made.steps /= static_cast<double>(sample_.plies);
    return made;
  }

  // In how many states two of the fluents hold and no blocker does.
  std::size_t on_its_way(const Pattern& pattern) const {
    std::size_t found = 0;
    for (std::size_t w = 0; w < columns_.words(); ++w) {
      std::uint64_t one = 0;
      std::uint64_t two = 0;
      for (std::uint32_t f : pattern.fluents) {
        two |= one & columns_.column(f)[w];
        one |= columns_.column(f)[w];
      }
      for (std::uint32_t f : pattern.blockers) two &= ~columns_.column(f)[w];
      found += static_cast<std::size_t>(std::popcount(two));
    }
    return found;
  }

  const GroundProgram& program_;
  const Sample& sample_;
  const PatternLimits& limits_;
  Columns columns_;
  Exclusion exclusion_;
  Unfolding unfolding_;
  std::set<std::vector<std::uint32_t>> taken_;
  double features_ = 0;
  double steps_ = 0;
};

}  // namespace

std::vector<Pattern> rule_patterns(const GroundProgram& program, const Sample& sample,
                                   const std::vector<std::uint32_t>& left_out,
                                   const PatternLimits& limits) {
  std::vector<Pattern> out;
  Maker maker(program, sample, left_out, limits);
  maker.add(goal_atoms(program), out);
  if (limits.moves) maker.add(move_atoms(program), out);
  return out;
}

}  // namespace woodstock::learn
