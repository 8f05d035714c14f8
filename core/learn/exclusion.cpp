#include "learn/exclusion.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace woodstock::learn {

namespace {

// Of more arguments, not all sets of those that vary are tried.
constexpr std::size_t most_arguments = 6;

using Group = std::vector<std::uint32_t>;

// All sets of two fluents or more that differ in the same arguments only. Where one such set breaks
// in the sample, others that differ in the same arguments are not believed either: that all of a
// row are never seen together says little, if they are hardly ever seen at all.
std::vector<Group> groups_seen(const GroundProgram& program, const Columns& columns) {
  std::map<std::pair<std::uint32_t, std::size_t>, Group> relations;
  for (std::uint32_t f = 0; f < program.fluents().size(); ++f) {
    const TermId term = program.fluents()[f].term;
    const std::size_t arity = program.term_args(term).size();
    if (arity >= 1 && arity <= most_arguments) {
      relations[{program.term_symbol(term), arity}].push_back(f);
    }
  }
  std::vector<Group> out;
  for (const auto& [name, members] : relations) {
    for (std::size_t varying = 1; varying < std::size_t{1} << name.second; ++varying) {
      std::map<std::vector<TermId>, Group> alike;
      for (std::uint32_t f : members) {
        std::vector<TermId> fixed;
        const auto args = program.term_args(program.fluents()[f].term);
        for (std::size_t i = 0; i < args.size(); ++i) {
          if ((varying >> i & 1U) == 0) fixed.push_back(args[i]);
        }
        alike[fixed].push_back(f);
      }
      const bool all = std::all_of(alike.begin(), alike.end(),
                                   [&](const auto& one) { return columns.exclusive(one.second); });
      for (auto& [fixed, group] : alike) {
        if (all && group.size() > 1) out.push_back(std::move(group));
      }
    }
  }
  return out;
}

}  // namespace

Columns::Columns(const Sample& sample, std::size_t fluents)
    : states_(sample.size), words_((sample.size + 63) / 64), bits_(fluents * words_, 0) {
  if (states_ == 0) return;
  const std::size_t size = sample.states.size() / sample.size;
  for (std::size_t i = 0; i < states_; ++i) {
    for (std::size_t byte = 0; byte < size; ++byte) {
      for (unsigned rest = sample.states[i * size + byte]; rest != 0; rest &= rest - 1) {
        const auto fluent = byte * 8 + static_cast<std::size_t>(std::countr_zero(rest));
        bits_[fluent * words_ + i / 64] |= std::uint64_t{1} << (i % 64);
      }
    }
  }
}

std::size_t Columns::count(std::span<const std::uint32_t> fluents) const {
  std::size_t found = 0;
  for (std::size_t w = 0; w < words_; ++w) {
    std::uint64_t any = 0;
    for (std::uint32_t f : fluents) any |= column(f)[w];
    found += static_cast<std::size_t>(std::popcount(any));
  }
  return found;
}

bool Columns::exclusive(std::span<const std::uint32_t> fluents) const {
  for (std::size_t w = 0; w < words_; ++w) {
    std::uint64_t any = 0;
    for (std::uint32_t f : fluents) {
      if ((any & column(f)[w]) != 0) return false;
      any |= column(f)[w];
    }
  }
  return true;
}

Exclusion::Exclusion(const GroundProgram& program, const Columns& columns) {
  std::vector<Group> found = groups_seen(program, columns);
  // The largest first, to leave out what lies within another.
  std::stable_sort(found.begin(), found.end(),
                   [](const Group& a, const Group& b) { return a.size() > b.size(); });
  groups_of_.resize(program.fluents().size());
  for (Group& group : found) {
    const auto& others = groups_of_[group.front()];
    const bool within = std::any_of(others.begin(), others.end(),
                                    [&](std::uint32_t other) { return contains(other, group); });
    if (within) continue;
    for (std::uint32_t f : group) {
      groups_of_[f].push_back(static_cast<std::uint32_t>(groups_.size()));
    }
    groups_.push_back(std::move(group));
  }
  for (std::uint32_t f = 0; f < groups_of_.size(); ++f) {
    std::reverse(groups_of_[f].begin(), groups_of_[f].end());
    if (!groups_of_[f].empty()) continue;
    groups_of_[f].push_back(static_cast<std::uint32_t>(groups_.size()));
    groups_.push_back({f});
  }
}

bool Exclusion::contains(std::uint32_t group, std::span<const std::uint32_t> fluents) const {
  const Group& all = groups_[group];
  return std::includes(all.begin(), all.end(), fluents.begin(), fluents.end());
}

}  // namespace woodstock::learn
