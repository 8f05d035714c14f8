// How a second partition differs from the first path's, and the permutation this gives.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "symmetry/graph.h"
#include "symmetry/meter.h"
#include "symmetry/partition.h"

namespace woodstock::symmetry {

// The first path ends in a discrete partition. Splits only reorder cells inside, so this one array
// tells the vertices of each cell of every partition on the path. While the second partition has
// the cells of one of them, a vertex differs when its cell in the one is not its cell in the
// other.
class Difference {
 public:
  Difference(const Graph& graph, const Partition& partition);

  // The partition is the first path's last, all vertices alone.
  void remember_first();
  Vertex first_at(std::uint32_t position) const noexcept { return first_[position]; }

  // Takes into account the splits since the first `splits`; costs about what they cost.
  void update(std::size_t splits);
  std::size_t mark() const noexcept { return log_.size(); }
  void undo(std::size_t mark) noexcept;

  // Whether all vertices that differ are alone in both partitions. Then a vertex that is alone in
  // the first goes to the one in its place in the second, and all others stay where they are.
  bool settled() const noexcept { return counts_[loose] == 0 && counts_[leaving] == 0; }
  // Whether all vertices that differ are alone in one of the partitions at least. Then chains of
  // vertices that follow each other can be closed: what the last one goes to is the first one.
  // Thus two pieces of a graph change places though only one of them has been gone through.
  bool closable() const noexcept { return counts_[loose] == 0; }
  // Builds the permutation and looks at every edge of a vertex that moves. When it is no
  // automorphism and was settled, no partition below these two gives one: both are equitable, so
  // edges to vertices that are not alone are in order.
  bool is_automorphism(Meter& meter);
  // What was built last, by vertex, and the vertices it moves.
  const std::vector<Vertex>& moved() const noexcept { return moved_; }
  Vertex image(Vertex v) const noexcept { return images_[v]; }

 private:
  // Different and alone in neither partition, in the first, in the second whatever the first.
  enum State : std::uint8_t { same, loose, leaving, placed };
  struct Change {
    Vertex vertex;
    State before;
  };

  void look_at(Partition::Cell cell);
  void note(Vertex v, State now);
  void set(Vertex v, State state) noexcept;
  bool close_chains();
  void forget_permutation() noexcept;

  const Graph& graph_;
  const Partition& partition_;
  std::vector<Vertex> first_;
  std::vector<std::uint32_t> first_positions_;
  std::vector<State> states_;
  std::vector<Change> log_;
  std::size_t counts_[4] = {};

  std::vector<Vertex> images_;  // the identity but for moved_
  std::vector<Vertex> moved_;
  std::vector<std::uint32_t> marks_;
  std::uint32_t mark_ = 0;
};

}  // namespace woodstock::symmetry
