#include "symmetry/difference.h"

#include <algorithm>
#include <numeric>

namespace woodstock::symmetry {

Difference::Difference(const Graph& graph, const Partition& partition)
    : graph_(graph), partition_(partition) {}

void Difference::remember_first() {
  const std::size_t size = partition_.size();
  first_.assign(partition_.vertices().begin(), partition_.vertices().end());
  first_positions_.resize(size);
  for (std::uint32_t i = 0; i < size; ++i) first_positions_[first_[i]] = i;
  states_.assign(size, same);
  counts_[same] = size;
  images_.resize(size);
  std::iota(images_.begin(), images_.end(), Vertex{0});
  marks_.assign(size, 0);
}

void Difference::set(Vertex v, State state) noexcept {
  --counts_[states_[v]];
  ++counts_[state];
  states_[v] = state;
}

void Difference::note(Vertex v, State now) {
  if (now == states_[v]) return;
  log_.push_back({v, states_[v]});
  set(v, now);
}

// The vertices of one cell, in the one partition and in the other.
void Difference::look_at(Partition::Cell cell) {
  const std::uint32_t length = partition_.length(cell);
  const auto inside = [&](std::uint32_t position) { return position - cell < length; };
  for (std::uint32_t i = cell; i < cell + length; ++i) {
    const Vertex second = partition_.vertex_at(i);
    // The cell has the same positions in both. Who is there now and was not differs, and so does
    // who was there and is not.
    const std::uint32_t before = first_positions_[second];
    if (inside(before)) {
      note(second, same);
    } else if (length == 1) {
      note(second, placed);
    } else {
      note(second, partition_.is_alone(partition_.vertex_at(before)) ? leaving : loose);
    }
    const Vertex first = first_[i];
    if (first == second) continue;
    if (inside(partition_.position(first))) {
      note(first, same);
    } else if (partition_.is_alone(first)) {
      note(first, placed);
    } else {
      note(first, length == 1 ? leaving : loose);
    }
  }
}

void Difference::update(std::size_t splits) {
  for (const Partition::Split& split : partition_.splits().subspan(splits)) {
    look_at(split.part);
    // What leaves a cell is looked at where it goes; but that the rest has become a single vertex
    // is news as well.
    if (partition_.length(split.front) == 1) look_at(split.front);
  }
}

void Difference::undo(std::size_t mark) noexcept {
  while (log_.size() > mark) {
    set(log_.back().vertex, log_.back().before);
    log_.pop_back();
  }
}

void Difference::forget_permutation() noexcept {
  for (const Vertex v : moved_) images_[v] = v;
  moved_.clear();
}

// Vertices that are leaving begin a chain, for nothing goes to them; its end goes there. The two
// have to be in one cell, the end in the first partition and the beginning in the second.
bool Difference::close_chains() {
  const std::size_t chains = counts_[leaving];
  std::size_t closed = 0;
  for (std::size_t i = 0; closed < chains; ++i) {
    const Vertex begin = moved_[i];
    if (states_[begin] != leaving) continue;
    Vertex end = images_[begin];
    while (images_[end] != end) end = images_[end];
    const Vertex there = partition_.vertex_at(first_positions_[end]);
    if (partition_.cell_of(begin) != partition_.cell_of(there)) return false;
    images_[end] = begin;
    moved_.push_back(end);
    ++closed;
  }
  return true;
}

bool Difference::is_automorphism(Meter& meter) {
  forget_permutation();
  for (const Change& change : log_) {
    const Vertex image = change.vertex;
    if (states_[image] != placed) continue;
    // Placed: alone in the second partition. Who had that place in the first goes there.
    const Vertex v = first_[partition_.position(image)];
    if (images_[v] != v) continue;
    images_[v] = image;
    moved_.push_back(v);
  }
  if (!close_chains()) return false;
  for (const Vertex v : moved_) {
    const Vertex image = images_[v];
    const std::uint32_t degree = graph_.degree(v);
    if (graph_.colors[v] != graph_.colors[image] || degree != graph_.degree(image)) return false;
    if (++mark_ == 0) {  // all numbers were used once: old marks must not look like new ones
      std::fill(marks_.begin(), marks_.end(), 0U);
      mark_ = 1;
    }
    // Equal degrees, and all neighbours go to neighbours: then no edge is left over.
    for (const Vertex other : graph_.neighbours(image)) marks_[other] = mark_;
    for (const Vertex other : graph_.neighbours(v)) {
      if (marks_[images_[other]] != mark_) return false;
    }
    if (meter.spend(2 * degree)) return false;
  }
  return true;
}

}  // namespace woodstock::symmetry
