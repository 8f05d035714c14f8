// What a thread needs for rollouts, and how a chunk of them is summed up.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "circuit/circuit.h"
#include "circuit/kernel.h"
#include "circuit/lanes.h"
#include "circuit/trace.h"

namespace woodstock {

struct Rollouts;

// A stretch of states whose games are played in one batch.
struct RolloutChunk {
  std::span<const std::uint8_t> states;  // packed
  std::uint32_t each = 1;
  std::uint32_t words = unit_words;  // of the batch
  std::uint64_t key = 0;             // of the random numbers
  std::uint32_t max_plies = 0;
  bool (*go_on)(void* context) = nullptr;
  void* context = nullptr;
  bool trace = false;
  const std::uint8_t* preferences = nullptr;  // as in Workspace
};

class RolloutMemory {
 public:
  // The workspace is borrowed, and used only while playing.
  RolloutMemory(const Circuit& circuit, const Workspace& work);

  // Plays the games of a chunk. Sums are added to `goals` and `squares` (state * roles + role),
  // which are zero at first, everything else to `out`: moves made as Trace does it.
  void play(const Kernel& kernel, const RolloutChunk& chunk, std::uint32_t* goals,
            std::uint64_t* squares, Rollouts& out);

 private:
  void add_goals(const RolloutChunk& chunk, std::uint32_t* goals, std::uint64_t* squares) const;

  const Circuit& circuit_;
  Workspace work_;
  std::vector<std::uint64_t> states_;  // planes with a bit for each state
  Planes goals_;
  Trace trace_;
};

}  // namespace woodstock
