// Patterns: conjunctions of fluents that the rules ask for, as the lines of connect four.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ground/program.h"
#include "learn/features.h"
#include "learn/sample.h"

namespace woodstock::learn {

struct PatternLimits {
  std::uint32_t shortest = 3;  // fluents of a pattern
  std::uint32_t longest = 6;
  // Whether also the rules for moves and their effects are looked at, after those for goals and the
  // end.
  bool moves = false;
  std::uint64_t work = 500'000;  // conjunctions that are made at most while unfolding
  // Of what is found at most so much is kept: features, and counters of patterns that a move
  // changes, on the average of random games.
  std::uint32_t features = 8000;
  double steps = 200;
};

// Unfolds the bodies of rules down to the fluents that must hold. What always holds vanishes, and
// so does what must not hold; fluents that exclude each other make no pattern, and one that
// contains another is left out. A recursion is not followed. Patterns come by how often they are on
// their way in the sample, two of their fluents at least and none blocked; then by how many of
// their fluents the sample ever shows.
//
// Where a rule asks for one of several fluents that exclude each other ("a tall piece is on this
// square"), a pattern has them all; it is complete when one of each such set holds.
//
// Fluents are taken to exclude each other when they differ in the same arguments only, as all that
// a cell may hold, and no state of the sample has two of them. Those that exclude one of a
// pattern's block it, unless they hold at first: what was there at first may still change.
//
// `left_out` are fluents that patterns do without, such as those that tell whose turn it is.
// Bounded work on any program; the same input, the same answer.
std::vector<Pattern> rule_patterns(const GroundProgram& program, const Sample& sample,
                                   const std::vector<std::uint32_t>& left_out,
                                   const PatternLimits& limits = {});

}  // namespace woodstock::learn
