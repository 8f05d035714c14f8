// What a state shows a value net: fluents, and how far the patterns of the rules are on their way.

#pragma once

#include <cstdint>
#include <vector>

namespace woodstock::learn {

// A conjunction of fluents that some rule asks for, as the four stones of a line. It is open as
// long as none of its blockers holds. Some of the fluents may stand for each other, as the tall
// pieces on one square.
struct Pattern {
  std::vector<std::uint32_t> fluents;   // ascending, two to `longest_pattern`
  std::vector<std::uint32_t> blockers;  // ascending, none of them among the fluents
};

constexpr std::size_t longest_pattern = 64;
constexpr std::size_t most_blockers = 200;

// Features are numbered: first the fluents; then, pattern by pattern, "open, and 1 of its fluents
// holds", "open, and 2 hold", up to all of them. Immutable.
class Features {
 public:
  // Throws std::invalid_argument for patterns that are none.
  Features(std::uint32_t fluents, std::vector<Pattern> patterns);

  std::uint32_t fluents() const noexcept { return fluents_; }
  // Bytes of a packed state.
  std::size_t state_size() const noexcept { return fluents_ == 0 ? 1 : (fluents_ + 7) / 8; }
  const std::vector<Pattern>& patterns() const noexcept { return patterns_; }
  // How many features there are.
  std::uint32_t size() const noexcept { return size_; }

  // The patterns that a fluent belongs to or blocks: what it adds to their counters.
  struct Step {
    std::uint32_t pattern;
    std::uint32_t add;  // 1, or `blocked`
  };
  // Counters of patterns: how many fluents hold, and `blocked` for each blocker that does.
  static constexpr std::uint32_t blocked = 1U << 8;
  const Step* steps_begin(std::uint32_t fluent) const { return steps_.data() + begin_[fluent]; }
  const Step* steps_end(std::uint32_t fluent) const { return steps_.data() + begin_[fluent + 1]; }
  static bool open(std::uint32_t counter) noexcept { return counter != 0 && counter < blocked; }
  // The feature of a pattern whose counter is open.
  std::uint32_t feature(std::uint32_t pattern, std::uint32_t counter) const {
    return first_[pattern] + counter - 1;
  }

  // The features that a packed state has, in no order. For who is not in a hurry.
  std::vector<std::uint32_t> of(const std::uint8_t* state) const;

 private:
  std::uint32_t fluents_;
  std::vector<Pattern> patterns_;
  std::uint32_t size_ = 0;
  std::vector<std::uint32_t> begin_;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> first_;
};

}  // namespace woodstock::learn
