// Which fluents exclude each other, as far as a sample of states shows.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ground/program.h"
#include "learn/sample.h"

namespace woodstock::learn {

// A sample seen fluent by fluent: a bit for each state in which it holds.
class Columns {
 public:
  Columns(const Sample& sample, std::size_t fluents);

  std::size_t words() const noexcept { return words_; }
  std::size_t states() const noexcept { return states_; }
  const std::uint64_t* column(std::uint32_t fluent) const { return bits_.data() + fluent * words_; }
  // In how many states one of the fluents holds at least.
  std::size_t count(std::span<const std::uint32_t> fluents) const;
  // Whether no state has two of them.
  bool exclusive(std::span<const std::uint32_t> fluents) const;

 private:
  std::size_t states_;
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

// Fluents of one name that differ in the same arguments only, as all that a cell may hold, and of
// which no state of the sample has two, nor of any others that differ in the same. No group lies
// within another; a fluent may be in several: all that may be in its place, and all places where
// its piece may be.
class Exclusion {
 public:
  Exclusion(const GroundProgram& program, const Columns& columns);

  // The groups of a fluent, the smallest first. One where no other is known: itself alone.
  std::span<const std::uint32_t> groups_of(std::uint32_t fluent) const {
    return groups_of_[fluent];
  }
  // Ascending.
  std::span<const std::uint32_t> group(std::uint32_t number) const { return groups_[number]; }
  bool contains(std::uint32_t group, std::span<const std::uint32_t> fluents) const;

 private:
  std::vector<std::vector<std::uint32_t>> groups_;
  std::vector<std::vector<std::uint32_t>> groups_of_;
};

}  // namespace woodstock::learn
