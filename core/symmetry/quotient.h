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
// every element. States have the same representative just when an element takes one to the other.
class Quotient {
 public:
  // The number of an element; 0 moves nothing.
  using Element = std::uint8_t;
  static constexpr std::size_t most_elements = 256;

  // The group acts on points: the fluents, then the moves, then others that do not matter here. Of
  // a group with more elements than `limit` a part is used, see Group::part(). `idle` are fluents
  // that nothing depends on: representatives do not hold them. Throws std::invalid_argument for
  // numbers that do not fit each other.
  Quotient(std::size_t fluents, std::size_t moves, const Group& group, std::size_t limit,
           std::span<const Point> idle = {});

  // Elements in use, that which moves nothing included.
  std::size_t size() const noexcept { return elements_; }
  std::size_t fluents() const noexcept { return fluents_; }
  std::size_t moves() const noexcept { return moves_; }

  // Whether any element takes a fluent to another.
  bool moves_fluent(std::size_t fluent) const noexcept { return rows_[fluent] != unmoved; }

  // What became of a state: all the elements that lead to its representative, ascending.
  struct Image {
    std::uint64_t hash = 0;
    std::vector<Element> elements;
    // Scratch.
    std::vector<Point> held;
    std::vector<std::uint64_t> hashes;
  };
  // Replaces a packed state by its representative.
  void fold(std::span<std::uint8_t> state, Image& image) const;

  // Replaces a packed state by its image; idle fluents go.
  void apply(Element by, std::span<std::uint8_t> state) const;

  // Where a move goes, and what goes there.
  Point move(Element by, Point move) const noexcept { return move_images_[by * moves_ + move]; }
  Point move_back(Element by, Point move) const noexcept {
    return move_origins_[by * moves_ + move];
  }
  // One element for two, one after the other.
  Element join(Element first, Element second) const noexcept {
    return products_[first * elements_ + second];
  }
  // Of what a move can become in the representative, the smallest. Moves with the same are equal
  // up to symmetries of the state.
  Point smallest(const Image& image, Point move) const noexcept;

 private:
  static constexpr std::uint32_t unmoved = 0xffffffffU;

  void find_products(const std::vector<Permutation>& elements);

  std::size_t fluents_;
  std::size_t moves_;
  std::size_t elements_ = 0;
  std::size_t stride_ = 0;            // of the table, in hashes
  std::vector<std::uint8_t> kept_;    // the bits of a state that are not idle
  std::vector<std::uint32_t> rows_;   // of each fluent in the table, or unmoved
  std::vector<std::uint64_t> table_;  // hashes of the images
  std::vector<std::uint64_t> keys_;   // of each fluent
  std::vector<Point> fluent_images_;  // element after element
  std::vector<Point> move_images_;    // the same
  std::vector<Point> move_origins_;   // of the inverse elements
  std::vector<Element> products_;
};

}  // namespace woodstock::symmetry
