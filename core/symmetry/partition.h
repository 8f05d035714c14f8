// An ordered partition that is split in place and put together again.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "symmetry/graph.h"

namespace woodstock::symmetry {

// Cells are intervals of one array of vertices and are called by where they start. A split takes
// the last vertices of a cell away as a new cell, so the old one keeps its name; undoing splits
// costs as much as making them. Which vertices a cell has is restored exactly, their order inside
// the cell is not.
class Partition {
 public:
  using Cell = std::uint32_t;

  // Set in Place::cell for a vertex that is alone in its cell, so that walking over edges need not
  // look at the cell.
  static constexpr std::uint32_t alone = std::uint32_t{1} << 31;

  struct Place {
    std::uint32_t cell;   // with the bit `alone`
    std::uint32_t count;  // scratch of the refinement, 0 between calls
  };
  struct Interval {
    std::uint32_t length = 0;
    std::uint32_t touched = 0;  // scratch of the refinement, as are the others; 0 between calls
    std::uint32_t count = 0;
    bool mixed = false;
    bool queued = false;
  };
  struct Split {
    Cell front;
    Cell part;
  };

  // One cell for each colour, in the order of the colours.
  explicit Partition(std::span<const std::uint32_t> colors);

  std::size_t size() const noexcept { return vertices_.size(); }
  std::size_t cells() const noexcept { return cells_; }
  bool discrete() const noexcept { return cells_ == vertices_.size(); }

  Cell cell_of(Vertex v) const noexcept { return places_[v].cell & ~alone; }
  bool is_alone(Vertex v) const noexcept { return (places_[v].cell & alone) != 0; }
  std::uint32_t length(Cell cell) const noexcept { return intervals_[cell].length; }
  Vertex vertex_at(std::uint32_t position) const noexcept { return vertices_[position]; }
  std::uint32_t position(Vertex v) const noexcept { return positions_[v]; }
  std::span<const Vertex> vertices() const noexcept { return vertices_; }
  std::span<const Vertex> vertices(Cell cell) const noexcept {
    return {vertices_.data() + cell, intervals_[cell].length};
  }

  Place& place(Vertex v) noexcept { return places_[v]; }
  Interval& interval(Cell cell) noexcept { return intervals_[cell]; }

  // Makes v the vertex at a position of its own cell.
  void move(Vertex v, std::uint32_t position) noexcept {
    const Vertex other = vertices_[position];
    const std::uint32_t from = positions_[v];
    vertices_[from] = other;
    positions_[other] = from;
    put(v, position);
  }
  void put(Vertex v, std::uint32_t position) noexcept {
    vertices_[position] = v;
    positions_[v] = position;
  }

  // The last `size` vertices of a cell that has more become a cell of their own.
  Cell split(Cell cell, std::uint32_t size);

  // All splits that have not been undone, the oldest first; undo(k) leaves the first k.
  std::span<const Split> splits() const noexcept { return splits_; }
  void undo(std::size_t splits) noexcept;

 private:
  std::vector<Vertex> vertices_;          // by position
  std::vector<std::uint32_t> positions_;  // by vertex
  std::vector<Place> places_;             // by vertex
  std::vector<Interval> intervals_;       // by start; others than starts mean nothing
  std::vector<Split> splits_;
  std::size_t cells_ = 0;
};

}  // namespace woodstock::symmetry
