// The moves that were made in random games, game by game in planes, state by state in lists.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "circuit/circuit.h"
#include "circuit/kernel.h"
#include "circuit/lanes.h"

namespace woodstock {

struct Rollouts;

class Trace {
 public:
  explicit Trace(const Circuit& circuit);

  // Gives the workspace what kernels need to trace the next games, in batches of so many words.
  void begin(Workspace& work, std::size_t words);

  // The games of a batch as they lie in its lanes.
  struct Games {
    std::size_t words;
    std::size_t states;
    std::uint32_t each;          // a power of two
    const std::uint64_t* goals;  // as in RolloutTask
  };

  // Adds the lists of all states behind those that are there: out.played_begin ends where these
  // begin. `played` and `played_goals` may be left longer than that, with anything behind it.
  void sum_up(const Games& games, Rollouts& out);

 private:
  void add_up_goals(const Games& games);
  template <std::size_t R>
  std::size_t list(const Games& games, std::size_t word, std::size_t state, std::size_t at,
                   Rollouts& out) const;

  struct Move {
    std::uint32_t number;
    std::uint32_t leaf;  // group * group_size + place
  };
  const Circuit& circuit_;
  std::size_t groups_;
  std::vector<Move> moves_;  // those that somebody asks about, ascending
  Planes made_;
  std::vector<std::uint8_t> met_;
  // For every four lanes, each of their 16 subsets and each role, the sum of the goals.
  std::vector<std::uint32_t> subsets_;
  // The moves made in some game of a word of lanes, and in which.
  std::vector<Move> live_;
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint64_t> lanes_;
  std::size_t here_ = 0;  // how many
};

}  // namespace woodstock
