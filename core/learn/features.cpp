#include "learn/features.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace woodstock::learn {

namespace {

bool ascends(const std::vector<std::uint32_t>& list, std::uint32_t end) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] >= end || (i != 0 && list[i] <= list[i - 1])) return false;
  }
  return true;
}

}  // namespace

Features::Features(std::uint32_t fluents, std::vector<Pattern> patterns)
    : fluents_(fluents), patterns_(std::move(patterns)), size_(fluents), begin_(fluents + 1, 0) {
  const auto refuse = [](std::size_t pattern, const char* why) {
    throw std::invalid_argument("pattern " + std::to_string(pattern) + " " + why);
  };
  for (std::size_t p = 0; p < patterns_.size(); ++p) {
    const Pattern& pattern = patterns_[p];
    if (pattern.fluents.size() < 2 || pattern.fluents.size() > longest_pattern) {
      refuse(p, "has too few or too many fluents");
    }
    if (!ascends(pattern.fluents, fluents) || !ascends(pattern.blockers, fluents)) {
      refuse(p, "does not list fluents in ascending order");
    }
    for (std::uint32_t f : pattern.blockers) {
      if (std::binary_search(pattern.fluents.begin(), pattern.fluents.end(), f)) {
        refuse(p, "blocks itself");
      }
    }
    // Counters have 16 bits: each blocker takes 256 of them.
    if (pattern.blockers.size() > most_blockers) refuse(p, "has too many blockers");
    first_.push_back(size_);
    size_ += static_cast<std::uint32_t>(pattern.fluents.size());
    for (std::uint32_t f : pattern.fluents) ++begin_[f + 1];
    for (std::uint32_t f : pattern.blockers) ++begin_[f + 1];
  }
  for (std::uint32_t f = 0; f < fluents; ++f) begin_[f + 1] += begin_[f];
  steps_.resize(begin_[fluents]);
  std::vector<std::uint32_t> at(begin_.begin(), begin_.end() - 1);
  for (std::uint32_t p = 0; p < patterns_.size(); ++p) {
    for (std::uint32_t f : patterns_[p].fluents) steps_[at[f]++] = {p, 1};
    for (std::uint32_t f : patterns_[p].blockers) steps_[at[f]++] = {p, blocked};
  }
}

std::vector<std::uint32_t> Features::of(const std::uint8_t* state) const {
  const auto holds = [&](std::uint32_t f) { return (state[f / 8] >> (f % 8) & 1) != 0; };
  std::vector<std::uint32_t> out;
  for (std::uint32_t f = 0; f < fluents_; ++f) {
    if (holds(f)) out.push_back(f);
  }
  for (std::uint32_t p = 0; p < patterns_.size(); ++p) {
    const Pattern& pattern = patterns_[p];
    const auto there = std::count_if(pattern.fluents.begin(), pattern.fluents.end(), holds);
    if (there == 0 || std::any_of(pattern.blockers.begin(), pattern.blockers.end(), holds)) {
      continue;
    }
    out.push_back(feature(p, static_cast<std::uint32_t>(there)));
  }
  return out;
}

}  // namespace woodstock::learn
