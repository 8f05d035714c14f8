// Constraints that wait for their turn.

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace woodstock::csp {

// A set of numbers that are taken out in rounds, ascending. Encoders write constraints in the order
// in which things follow from one another: run in that order, most have their turn once. And what
// comes in anew behind the turn waits for the next round, so that many changes of one variable are
// looked at together.
class Queue {
 public:
  explicit Queue(std::size_t size = 0) : bits_(size / 64 + 1), summary_(bits_.size() / 64 + 1) {}

  void insert(std::uint32_t item) noexcept {
    bits_[item / 64] |= bit(item);
    summary_[item / 4096] |= bit(item / 64);
  }
  void erase(std::uint32_t item) noexcept {
    bits_[item / 64] &= ~bit(item);
    if (bits_[item / 64] == 0) summary_[item / 4096] &= ~bit(item / 64);
  }
  // Takes out the next of the round, or else the first of a new one; false when there is none.
  bool pop(std::uint32_t& item) noexcept {
    std::size_t word = turn_ / 64;
    std::uint64_t rest = bits_[word] & from(turn_);
    if (rest == 0) {
      word = next_word(turn_ / 64 + 1);
      if (word == none) word = next_word(0);
      turn_ = 0;
      if (word == none) return false;
      rest = bits_[word];
    }
    item = static_cast<std::uint32_t>(word * 64) + low(rest);
    turn_ = item;
    erase(item);
    return true;
  }
  bool empty() const noexcept { return next_word(0) == none; }
  void clear() noexcept {
    for (std::size_t word; (word = next_word(0)) != none;) {
      bits_[word] = 0;
      summary_[word / 64] &= ~bit(static_cast<std::uint32_t>(word));
    }
    turn_ = 0;
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  static std::uint64_t bit(std::uint32_t item) noexcept { return std::uint64_t{1} << (item % 64); }
  static std::uint64_t from(std::uint32_t item) noexcept {
    return ~std::uint64_t{0} << (item % 64);
  }
  static std::uint32_t low(std::uint64_t bits) noexcept {
    return static_cast<std::uint32_t>(std::countr_zero(bits));
  }
  // The first word that is not zero, `word` or later.
  std::size_t next_word(std::uint32_t word) const noexcept {
    std::size_t group = word / 64;
    if (group >= summary_.size()) return none;
    std::uint64_t found = summary_[group] & from(word);
    while (found == 0) {
      if (++group == summary_.size()) return none;
      found = summary_[group];
    }
    return group * 64 + low(found);
  }

  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> summary_;  // which words of bits_ are not zero
  std::uint32_t turn_ = 0;              // the round has come so far
};

}  // namespace woodstock::csp
