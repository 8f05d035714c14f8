#include "symmetry/partition.h"

#include <algorithm>

namespace woodstock::symmetry {

Partition::Partition(std::span<const std::uint32_t> colors)
    : vertices_(colors.size()),
      positions_(colors.size()),
      places_(colors.size()),
      intervals_(colors.size()) {
  const auto size = static_cast<std::uint32_t>(colors.size());
  std::vector<std::uint64_t> by_color(size);
  // Sorted as pairs in one word, which is faster than by a comparison that looks the colours up.
  for (Vertex v = 0; v < size; ++v) by_color[v] = std::uint64_t{colors[v]} << 32 | v;
  std::sort(by_color.begin(), by_color.end());
  for (Vertex v = 0; v < size; ++v) vertices_[v] = static_cast<Vertex>(by_color[v]);
  std::uint32_t begin = 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    if (colors[vertices_[i]] != colors[vertices_[begin]]) begin = i;
    cells_ += begin == i ? 1 : 0;
    positions_[vertices_[i]] = i;
    places_[vertices_[i]] = {begin, 0};
    ++intervals_[begin].length;
  }
  for (Place& place : places_) {
    if (intervals_[place.cell].length == 1) place.cell |= alone;
  }
}

Partition::Cell Partition::split(Cell cell, std::uint32_t size) {
  Interval& front = intervals_[cell];
  front.length -= size;
  const Cell part = cell + front.length;
  intervals_[part].length = size;
  const std::uint32_t name = size == 1 ? part | alone : part;
  for (std::uint32_t i = part; i < part + size; ++i) places_[vertices_[i]].cell = name;
  if (front.length == 1) places_[vertices_[cell]].cell = cell | alone;
  splits_.push_back({cell, part});
  ++cells_;
  return part;
}

void Partition::undo(std::size_t splits) noexcept {
  while (splits_.size() > splits) {
    const auto [cell, part] = splits_.back();
    splits_.pop_back();
    Interval& front = intervals_[cell];
    // It is not alone any more.
    if (front.length == 1) places_[vertices_[cell]].cell = cell;
    const std::uint32_t size = intervals_[part].length;
    for (std::uint32_t i = part; i < part + size; ++i) places_[vertices_[i]].cell = cell;
    front.length += size;
    --cells_;
  }
}

}  // namespace woodstock::symmetry
