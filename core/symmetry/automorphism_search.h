// The search behind find_automorphisms().

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "symmetry/automorphisms.h"
#include "symmetry/difference.h"
#include "symmetry/graph.h"
#include "symmetry/meter.h"
#include "symmetry/orbits.h"
#include "symmetry/partition.h"
#include "symmetry/refinement.h"

namespace woodstock::symmetry {

class AutomorphismSearch {
 public:
  // Both must outlive the search, which runs once.
  AutomorphismSearch(const Graph& graph, const SearchLimits& limits);

  Automorphisms run();

 private:
  using Cell = Partition::Cell;

  // A decision on the first path: `vertex` was made a cell of its own.
  struct Level {
    Cell cell;
    std::uint32_t length;  // of the cell, before
    Vertex vertex;
    std::size_t trace;   // where the trace of the refinement after it begins
    std::size_t splits;  // before
  };
  // A decision on a second path, instead of that of the first path's level.
  struct Choice {
    std::size_t level;
    std::size_t splits;       // before
    std::size_t differences;  // before
    Vertex vertex;
    bool listed = false;
    std::vector<Vertex> others{};  // once `vertex` has failed, what is left to try
  };
  // Positions of the first path's array that a level has looked at.
  struct Searched {
    std::uint32_t end;
    std::vector<Vertex> representatives;  // one vertex of each orbit there
  };
  enum class Step { found, deeper, dead };

  // These three return false when the meter has stopped them.
  bool first_path();
  bool search_levels();
  bool search_level(std::size_t level);

  Cell choose_cell();
  std::vector<Vertex> candidates(const Level& level);
  void keep(const Level& level, std::vector<Vertex> vertices);

  bool find_automorphism(std::size_t level, Vertex image);
  void choose(std::size_t level, Vertex vertex);
  Step step(const Choice& choice);
  bool change(Choice& choice);
  void undo(const Choice& choice);
  void add_generator(std::size_t level);

  const Graph& graph_;
  Meter meter_;
  Partition partition_;
  Refinement refinement_;
  Difference difference_;

  std::vector<Level> levels_;
  std::vector<std::uint32_t> trace_;
  std::vector<Cell> offers_;  // cells to choose from, the last first; some have become single
  std::vector<Choice> choices_;
  std::size_t next_attempt_ = 0;  // size of the difference

  Orbits orbits_;
  std::vector<std::size_t> failed_;             // by root: the last level that it failed at
  std::map<std::uint32_t, Searched> searched_;  // by begin; disjoint
  Automorphisms answer_;
};

}  // namespace woodstock::symmetry
