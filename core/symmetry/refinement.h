// Equitable refinement: cells are split until each vertex of a cell has as many neighbours in
// every cell as the others have.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "symmetry/graph.h"
#include "symmetry/meter.h"
#include "symmetry/partition.h"

namespace woodstock::symmetry {

// Refines one partition of one graph. What is done depends on the graph's structure alone, not on
// the vertices' numbers, and is noted as a trace of numbers. A later refinement can be compared
// with a trace: it ends as soon as it does something else, for then no automorphism leads from one
// partition to the other.
class Refinement {
 public:
  enum class Outcome { done, different, stopped };

  // All three must outlive it. A refinement ends when the meter says so.
  Refinement(const Graph& graph, Partition& partition, Meter& meter);

  // Begins with all cells, for a partition nothing is known about. Notes no trace.
  Outcome refine_all();
  // Makes v a cell of its own, the last in its cell (which has others), and begins with it; the
  // partition was equitable. record() appends to the trace, compare() compares with the part from
  // `begin` to `end`. Stops at a discrete partition, equitable or not. When the outcome is not
  // `done`, the partition has been split somehow and wants to be undone.
  Outcome record(Vertex v, std::vector<std::uint32_t>& trace);
  Outcome compare(Vertex v, const std::vector<std::uint32_t>& trace, std::size_t begin,
                  std::size_t end);

 private:
  using Cell = Partition::Cell;

  Outcome run();
  Outcome begin_with(Vertex v);
  void enqueue(Cell cell);
  bool take(Cell& cell);
  void forget_queue();
  // These two return false when the refinement is to end; the meter was stopped or different_ is
  // set.
  bool split_by_vertex(Vertex v);
  bool split_by_cell(Cell cell);
  bool count_neighbours(Cell cell);
  void gather();
  void split_by_count(Cell cell);
  void enqueue_parts(Cell cell, std::size_t splits_before);
  bool note(std::uint32_t number);

  const Graph& graph_;
  Partition& partition_;
  Meter& meter_;

  std::vector<Cell> singles_;  // splitters: those of one vertex come first, they cost least
  std::vector<Cell> queue_;
  std::size_t queue_head_ = 0;

  std::vector<std::uint32_t>* record_ = nullptr;
  const std::uint32_t* expected_ = nullptr;
  const std::uint32_t* expected_end_ = nullptr;
  bool different_ = false;

  std::vector<Vertex> touched_;  // neighbours of the splitter that are not alone
  std::vector<Cell> hit_;        // their cells
  std::vector<std::uint32_t> buckets_;
  std::vector<Vertex> sorted_;
};

}  // namespace woodstock::symmetry
