#include "symmetry/refinement.h"

#include <algorithm>
#include <utility>

namespace woodstock::symmetry {

namespace {

// Sums of these over the edges of a splitter tell apart where the edges lead to.
constexpr std::uint32_t mix(std::uint32_t x) noexcept {
  x *= 0x9e3779b1U;
  x ^= x >> 15;
  return x * 0x85ebca77U;
}

}  // namespace

Refinement::Refinement(const Graph& graph, Partition& partition, Meter& meter)
    : graph_(graph), partition_(partition), meter_(meter) {}

Refinement::Outcome Refinement::refine_all() {
  record_ = nullptr;
  expected_ = nullptr;
  for (Cell cell = 0; cell < partition_.size(); cell += partition_.length(cell)) enqueue(cell);
  return run();
}

Refinement::Outcome Refinement::record(Vertex v, std::vector<std::uint32_t>& trace) {
  record_ = &trace;
  expected_ = nullptr;
  return begin_with(v);
}

Refinement::Outcome Refinement::compare(Vertex v, const std::vector<std::uint32_t>& trace,
                                        std::size_t begin, std::size_t end) {
  record_ = nullptr;
  expected_ = trace.data() + begin;
  expected_end_ = trace.data() + end;
  const Outcome outcome = begin_with(v);
  return outcome == Outcome::done && expected_ != expected_end_ ? Outcome::different : outcome;
}

Refinement::Outcome Refinement::begin_with(Vertex v) {
  const Cell cell = partition_.cell_of(v);
  partition_.move(v, cell + partition_.length(cell) - 1);
  enqueue(partition_.split(cell, 1));
  return run();
}

Refinement::Outcome Refinement::run() {
  different_ = false;
  Cell cell = 0;
  // What is left in the queue of a discrete partition could not split anything.
  while (!partition_.discrete() && take(cell)) {
    const bool go_on = partition_.length(cell) == 1 ? split_by_vertex(partition_.vertex_at(cell))
                                                    : split_by_cell(cell);
    if (!go_on || meter_.spend(16)) break;
  }
  forget_queue();
  if (meter_.stopped()) return Outcome::stopped;
  return different_ ? Outcome::different : Outcome::done;
}

void Refinement::enqueue(Cell cell) {
  Partition::Interval& interval = partition_.interval(cell);
  interval.queued = true;
  (interval.length == 1 ? singles_ : queue_).push_back(cell);
}

bool Refinement::take(Cell& cell) {
  // Single vertices first: they cost least.
  if (!singles_.empty()) {
    cell = singles_.back();
    singles_.pop_back();
  } else if (queue_head_ < queue_.size()) {
    cell = queue_[queue_head_++];
  } else {
    return false;
  }
  partition_.interval(cell).queued = false;
  return true;
}

void Refinement::forget_queue() {
  Cell cell = 0;
  while (take(cell)) {
  }
  queue_.clear();
  queue_head_ = 0;
}

bool Refinement::note(std::uint32_t number) {
  if (record_ != nullptr) {
    record_->push_back(number);
  } else if (expected_ != nullptr) {
    if (expected_ == expected_end_ || *expected_ != number) {
      different_ = true;
    } else {
      ++expected_;
    }
  }
  return !different_;
}

// The neighbours of one vertex come last in their cells at once: all of them count 1.
bool Refinement::split_by_vertex(Vertex v) {
  hit_.clear();
  std::uint32_t edges = 1;
  const std::span<const Vertex> neighbours = graph_.neighbours(v);
  for (const Vertex other : neighbours) {
    const std::uint32_t cell = partition_.place(other).cell;
    // Where edges lead is compared as a sum: it does not depend on the order of the vertices, and
    // is nearly never equal by chance. If it is, the automorphism is still checked edge by edge.
    edges += mix(cell);
    if ((cell & Partition::alone) != 0) continue;
    Partition::Interval& interval = partition_.interval(cell);
    if (interval.touched == 0) hit_.push_back(cell);
    partition_.move(other, cell + interval.length - 1 - interval.touched++);
  }
  note(edges);
  std::sort(hit_.begin(), hit_.end());
  for (const Cell cell : hit_) {
    Partition::Interval& interval = partition_.interval(cell);
    const std::uint32_t size = std::exchange(interval.touched, 0);
    if (size == interval.length || different_) continue;
    const Cell part = partition_.split(cell, size);
    if (!note(part)) continue;
    // Hopcroft: of a cell that has had its turn, the smaller part is enough; one that waits stands
    // for its front part itself.
    enqueue(interval.queued || size <= interval.length ? part : cell);
  }
  return !meter_.spend(neighbours.size()) && !different_;
}

bool Refinement::split_by_cell(Cell cell) {
  hit_.clear();
  const bool counted = count_neighbours(cell);
  if (!counted) {
    for (const Vertex v : touched_) partition_.place(v).count = 0;
    touched_.clear();
    return false;
  }
  // Cells are split in the order of their names, not in that in which vertices were met: a second
  // path has to do the same in the same order.
  gather();
  std::sort(hit_.begin(), hit_.end());
  for (const Cell hit : hit_) {
    const std::size_t splits_before = partition_.splits().size();
    split_by_count(hit);
    if (!different_) enqueue_parts(hit, splits_before);
  }
  return !different_;
}

bool Refinement::count_neighbours(Cell cell) {
  std::uint32_t edges = 2;
  for (const Vertex v : partition_.vertices(cell)) {
    const std::span<const Vertex> neighbours = graph_.neighbours(v);
    for (const Vertex other : neighbours) {
      Partition::Place& place = partition_.place(other);
      edges += mix(place.cell);
      if ((place.cell & Partition::alone) != 0) continue;
      if (place.count++ == 0) touched_.push_back(other);
    }
    if (meter_.spend(neighbours.size())) return false;
  }
  return note(edges);
}

// Leaves in hit_ the cells that split, their touched vertices last, and empties touched_.
void Refinement::gather() {
  for (const Vertex v : touched_) {
    const Partition::Place& place = partition_.place(v);
    Partition::Interval& interval = partition_.interval(place.cell);
    if (interval.touched++ == 0) {
      hit_.push_back(place.cell);
      interval.count = place.count;
    } else if (interval.count != place.count) {
      interval.mixed = true;
    }
  }
  std::erase_if(hit_, [&](Cell cell) {
    Partition::Interval& interval = partition_.interval(cell);
    const bool whole = interval.touched == interval.length && !interval.mixed;
    interval.touched = 0;
    if (whole) interval.count = 0;
    return whole;
  });
  for (const Vertex v : touched_) {
    Partition::Place& place = partition_.place(v);
    Partition::Interval& interval = partition_.interval(place.cell);
    if (interval.count != 0) {
      partition_.move(v, place.cell + interval.length - 1 - interval.touched++);
    }
    // Where counts differ they are needed once more, for sorting.
    if (!interval.mixed) place.count = 0;
  }
  touched_.clear();
}

void Refinement::split_by_count(Cell cell) {
  Partition::Interval& interval = partition_.interval(cell);
  const std::uint32_t touched = std::exchange(interval.touched, 0);
  const std::uint32_t count = std::exchange(interval.count, 0);
  if (!std::exchange(interval.mixed, false)) {
    note(mix(partition_.split(cell, touched)) + count);
    return;
  }
  const std::uint32_t end = cell + interval.length;
  const std::uint32_t begin = end - touched;
  // No more buckets than edges were counted, whatever the counts are.
  buckets_.clear();
  sorted_.assign(partition_.vertices().begin() + begin, partition_.vertices().begin() + end);
  for (const Vertex v : sorted_) {
    const std::uint32_t c = partition_.place(v).count;
    if (c >= buckets_.size()) buckets_.resize(c + 1, 0);
    ++buckets_[c];
  }
  std::uint32_t sum = begin;
  for (std::uint32_t& bucket : buckets_) sum += std::exchange(bucket, sum);
  for (const Vertex v : sorted_) {
    partition_.put(v, buckets_[std::exchange(partition_.place(v).count, 0)]++);
  }
  // Now buckets_[c] is where the vertices that count c end.
  for (std::uint32_t c = static_cast<std::uint32_t>(buckets_.size()); c-- > 1;) {
    const std::uint32_t first = buckets_[c - 1];
    // Nobody has this count, or all that is left of the cell does.
    if (first == buckets_[c] || first == cell) continue;
    note(mix(partition_.split(cell, buckets_[c] - first)) + c);
  }
}

// Hopcroft: when a cell's neighbours are accounted for, so are those of its largest part when all
// others are.
void Refinement::enqueue_parts(Cell cell, std::size_t splits_before) {
  const std::span<const Partition::Split> splits = partition_.splits().subspan(splits_before);
  Cell largest = cell;
  if (!partition_.interval(cell).queued) {
    for (const Partition::Split& split : splits) {
      if (partition_.length(split.part) > partition_.length(largest)) largest = split.part;
    }
    if (largest != cell) enqueue(cell);
  }
  for (const Partition::Split& split : splits) {
    if (split.part != largest) enqueue(split.part);
  }
}

}  // namespace woodstock::symmetry
