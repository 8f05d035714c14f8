// What a search found out.

#pragma once

#include <cstdint>
#include <vector>

namespace woodstock {

// A move of the role that searched. Utilities are between 0 and 1; lower and upper are proved
// bounds.
struct MoveValue {
  std::uint32_t move = 0;
  double value = 0;
  double share = 0;  // of all visits, or the probability with which it should be played
  std::uint64_t visits = 0;
  double lower = 0;
  double upper = 1;
};

struct Decision {
  std::uint32_t move = 0;
  double value = 0;                 // of the move, to the role that searched
  bool proved = false;              // whether the value is exact
  std::vector<double> values;       // the position's value to each role
  std::vector<MoveValue> moves;     // all legal moves, best first
  std::vector<std::uint32_t> line;  // expected play: one move for each role, turn by turn
  std::uint64_t nodes = 0;          // made in this call
  std::uint64_t simulations = 0;    // in this call
  std::uint64_t tree_nodes = 0;     // kept
  std::uint64_t bytes = 0;          // of memory in use
  std::uint32_t depth = 0;          // the deepest line in this call
  double seconds = 0;
  double cpu_seconds = 0;  // of the calling thread
};

}  // namespace woodstock
