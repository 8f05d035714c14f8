// Machine words that can be put back to what they were.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace woodstock::csp {

// A word is saved at most once in the life of a level: its stamp tells in which level it was saved
// last. Below all levels (stamp 0) nothing is saved, for nothing is ever undone there.
class Trail {
 public:
  struct Word {
    std::uint64_t bits = 0;
    std::uint64_t stamp = 0;
  };
  struct Level {
    std::uint64_t stamp;
    std::size_t saved;
  };

  void resize(std::size_t words) { words_.resize(words); }
  std::size_t size() const noexcept { return words_.size(); }
  std::uint64_t operator[](std::size_t word) const noexcept { return words_[word].bits; }
  Word* words() noexcept { return words_.data(); }

  void set(std::uint32_t index, std::uint64_t bits) { set(words_[index], index, bits); }
  void set(Word& word, std::uint32_t index, std::uint64_t bits) {
    if (word.stamp != stamp_) {
      saved_.push_back({word.bits, index});
      word.stamp = stamp_;
    }
    word.bits = bits;
  }

  // Opens a level; undo() with what it returned closes it again.
  Level push() {
    const Level level{stamp_, saved_.size()};
    stamp_ = ++last_stamp_;
    return level;
  }
  void undo(const Level& level) noexcept {
    for (std::size_t i = saved_.size(); i-- > level.saved;) {
      words_[saved_[i].index].bits = saved_[i].bits;
    }
    saved_.resize(level.saved);
    stamp_ = level.stamp;
  }

 private:
  struct Saved {
    std::uint64_t bits;
    std::uint32_t index;
  };

  std::vector<Word> words_;
  std::vector<Saved> saved_;
  std::uint64_t stamp_ = 0;
  std::uint64_t last_stamp_ = 0;
};

}  // namespace woodstock::csp
