// States up to symmetry: every state is replaced by one of those that symmetries take it to.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "symmetry/group.h"

namespace woodstock::symmetry {

// Made once for a group, shared by everybody who folds by it.
//
// The representative of a state is the image with the smallest zobrist_hash. The hashes of all
// images come from one pass over the fluents that hold: each has a row of a table, its key under
// every element. With all elements of the group (exact()), states have the same representative just
// when some symmetry takes one to the other. Of a large group some elements are used, up to four
// times one after the other, as long as the hash gets smaller: states with the same representative
// are still equal up to symmetry, but not the other way round.
class Quotient {
 public:
  // Elements that are applied one after the other, the first in the lowest byte. 0: nothing moves.
  using Word = std::uint32_t;
  static constexpr std::size_t most_elements = 256;
  static constexpr unsigned longest_word = 4;

  // The group acts on points: the fluents, then the moves, then others that do not matter here.
  // `idle` are fluents that nothing depends on: representatives do not hold them. Throws
  // std::invalid_argument for numbers that do not fit each other.
  Quotient(std::size_t fluents, std::size_t moves, const Group& group, std::size_t limit,
           std::span<const Point> idle = {});

  bool exact() const noexcept { return exact_; }
  // Elements in use, that which moves nothing included.
  std::size_t size() const noexcept { return elements_; }
  std::size_t fluents() const noexcept { return fluents_; }
  std::size_t moves() const noexcept { return moves_; }

  // What became of a state. It leads to the representative by `word`; the elements `last` lead
  // there as well, all of them, after `first`.
  struct Image {
    std::uint64_t hash = 0;
    Word word = 0;
    Word first = 0;
    std::vector<std::uint8_t> last;
    // Scratch.
    std::vector<Point> held;
    std::vector<std::uint64_t> hashes;
  };
  // Replaces a packed state by its representative.
  void fold(std::span<std::uint8_t> state, Image& image) const;

  // Where a move goes, and what goes there.
  Point move(Word word, Point move) const noexcept;
  Point move_back(Word word, Point move) const noexcept;
  // The word with one more element after it; there is room only after image.first.
  static Word then(Word word, std::uint8_t element) noexcept;
  // One word for two, one after the other. Only where the quotient is exact: then words are single
  // elements.
  Word join(Word first, Word second) const noexcept {
    return first == 0 || second == 0 ? first | second : products_[first * elements_ + second];
  }
  // Of what a move can become in the representative, the smallest. Moves with the same are equal
  // up to symmetries of the state.
  Point smallest(const Image& image, Point move) const noexcept;

 private:
  void find_products(const std::vector<Permutation>& elements);

  static constexpr std::uint32_t unmoved = 0xffffffffU;

  std::size_t fluents_;
  std::size_t moves_;
  std::size_t elements_ = 0;
  std::size_t stride_ = 0;  // of the table, in hashes
  bool exact_ = true;
  std::vector<std::uint8_t> kept_;      // the bits of a state that are not idle
  std::vector<std::uint32_t> rows_;     // of each fluent in the table, or unmoved
  std::vector<std::uint64_t> table_;    // hashes of the images
  std::vector<std::uint64_t> keys_;     // of each fluent
  std::vector<Point> fluent_images_;    // element after element
  std::vector<Point> move_images_;      // the same
  std::vector<std::uint8_t> products_;  // of two elements, where it is exact
  std::vector<Point> move_origins_;     // of the inverse elements
};

}  // namespace woodstock::symmetry
