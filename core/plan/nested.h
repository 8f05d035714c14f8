// Nested rollout policy adaptation (Rosin 2011): for goals that are reached by degrees.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "circuit/simulator.h"
#include "plan/relaxation.h"
#include "util/random.h"

namespace woodstock::plan {

struct NestedOptions {
  std::uint32_t role = 0;             // whose goal counts
  std::uint32_t horizon = 1'000'000;  // turns that a plan may take
  std::uint32_t lanes = 64;           // searches side by side
  std::uint32_t iterations = 32;      // of each of the two levels
  double rate = 1.0;                  // of adaptation
  bool by_turn = false;               // a move has a weight for every turn, or one for all of them
  std::uint64_t seed = 0;

  void check() const;
};

// A playout draws its moves by weights; after each of them, weights go towards the best moves so
// far. On the level above, the best of a whole run of such playouts does the same. Searches in all
// lanes are independent of each other, and begin anew when they have come to their end: only what
// the circuit has to say they ask for together. Of two ends with the same goal, with a relaxation
// the one is better that has fewer faults: so there is something to adapt to where goals are all or
// nothing. One thread at a time.
class NestedRollouts {
 public:
  // Throws std::invalid_argument for options without sense, or a state of the wrong size.
  NestedRollouts(std::shared_ptr<Simulator> simulator, std::shared_ptr<Relaxation> relaxation,
                 const NestedOptions& options, std::span<const std::uint8_t> start);

  // Goes on for so many seconds, or until an end with more than `above` is found: true.
  bool go_on(std::int64_t above, double seconds);

  // After that: the moves of all roles, turn by turn, and what the role gets.
  const std::vector<std::uint32_t>& moves() const noexcept { return plan_; }
  std::uint32_t goal() const noexcept { return goal_; }
  std::uint64_t playouts() const noexcept { return playouts_; }

 private:
  // What was played, and what could have been: choices of turn t and role r are those from
  // begin[t * roles + r] on, as places among the weights.
  struct Sequence {
    std::int64_t score = -1;  // goal and then faults; -1: it has no end
    std::int64_t goal = -1;
    std::vector<std::uint32_t> moves;
    std::vector<std::uint32_t> places;  // of the moves
    std::vector<std::uint32_t> begin;
    std::vector<std::uint32_t> choices;

    void clear();
  };
  // Weights, and what they are to the power of e: moves are drawn far more often than weights
  // change.
  struct Policy {
    std::vector<float> weights;
    std::vector<float> powers;
  };
  struct Lane {
    Policy upper;  // of the level above
    Policy lower;
    Sequence played;
    Sequence best_lower;
    Sequence best_upper;
    std::uint32_t outer = 0;
    std::uint32_t inner = 0;
    bool over = false;
  };

  std::uint32_t place_of(std::uint32_t move, std::size_t turn) const;
  void begin_anew(Lane& lane);
  void play();
  void draw(Lane& lane, std::size_t at, std::size_t turn);
  void judge();
  void adapt(Policy& policy, const Sequence& towards);
  void learn(Lane& lane);

  std::shared_ptr<Simulator> simulator_;
  std::shared_ptr<Relaxation> relaxation_;
  NestedOptions options_;
  std::uint32_t roles_;
  std::size_t size_;
  std::size_t weights_;  // a power of two where moves differ by turn
  std::vector<std::uint8_t> start_;
  RandomStream random_;
  std::vector<Lane> lanes_;
  std::vector<std::uint32_t> active_;  // lanes whose games go on
  std::vector<std::uint32_t> ended_;   // lanes whose games are over, and in which states
  std::vector<std::uint8_t> end_states_;
  std::vector<std::uint16_t> faults_;
  std::vector<std::uint8_t> states_;
  std::vector<std::uint32_t> moves_;
  std::vector<float> scratch_;
  std::vector<float> changes_;  // by place; 0 between two calls
  std::vector<std::uint32_t> changed_;
  Visits visits_;
  std::uint64_t playouts_ = 0;
  std::uint32_t goal_ = 0;
  std::vector<std::uint32_t> plan_;
};

}  // namespace woodstock::plan
