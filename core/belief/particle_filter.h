// Following a match by what one role does and perceives: all hypotheses advance in lanes.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "belief/hypotheses.h"
#include "belief/hypothesis_index.h"
#include "belief/observed_turn.h"
#include "belief/turn_options.h"
#include "circuit/simulator.h"
#include "util/stopwatch.h"

namespace woodstock {

// Everybody else is taken to move at random. Weights of what comes out are not scaled to 1. Not for
// several threads at once.
class ParticleFilter {
 public:
  // All functions throw std::invalid_argument for lists that do not fit each other.
  ParticleFilter(std::shared_ptr<Simulator> simulator, std::uint32_t role);

  // Everything that may follow, equal hypotheses once. False, with nothing of use in `to`, when
  // there are more than `most_moves` joint moves to try, more than `most` hypotheses to keep, or
  // when time is up, or will be long before it is done.
  bool all(const Hypotheses& from, const ObservedTurn& observed, std::uint64_t most_moves,
           std::size_t most, Clock::time_point until, Hypotheses& to);

  // A sample: hypotheses are drawn by weight and played on with random moves until `count` of them
  // agree, `tries` have been made, or, from `until` on, one agrees; none is looked for after
  // `hopeless`. Weights count how often each came out, corrected for moves that are excluded.
  void some(const Hypotheses& from, const ObservedTurn& observed, std::size_t count,
            std::uint64_t tries, std::uint64_t seed, Clock::time_point until,
            Clock::time_point hopeless, Hypotheses& to);

  // Other matches that agree with all that was told, turn by turn, and what they lead to:
  // `count` matches are drawn by weight, one move of each at a time is changed, and the rest of it
  // is kept if it is still legal and perceived alike. A match is left for another as the Metropolis
  // rule says, so they remain a sample of what may have been. Where hypotheses are some turns
  // behind, what is missing is drawn, and all that comes to agree is kept, until that is an eighth
  // of `count`: many enough to change them in turn. Every turn of a match that is played is a step;
  // nothing is begun after so many `steps`, or after `until`.
  void rejuvenate(const Hypotheses& from, std::span<const ObservedTurn> told, std::size_t count,
                  std::uint64_t steps, std::uint64_t seed, Clock::time_point until, Hypotheses& to);

  // Makes hypotheses with equal states one: the memories are those of one of them, drawn by weight.
  void forget(Hypotheses& hypotheses, std::uint64_t seed);

 private:
  void look_at(const Hypotheses& from, const ObservedTurn& observed);
  void push(const Hypotheses& from, std::size_t hypothesis, double weight);
  // Plays on what was pushed and keeps what agrees; how many those were.
  std::size_t flush(const Hypotheses& from, const ObservedTurn& observed, Hypotheses& to,
                    Lineage& lineage);

  std::shared_ptr<Simulator> simulator_;
  std::size_t roles_;
  std::size_t size_;  // of a state
  std::uint32_t role_;
  Visits visits_;  // of the hypotheses as they are
  TurnOptions options_;
  std::vector<std::size_t> at_;  // a joint move: for each role the place among its options

  // What waits to be played on.
  std::vector<std::uint8_t> states_;
  std::vector<std::uint32_t> moves_;
  std::vector<double> weights_;
  std::vector<std::size_t> from_;
  Advances after_;

  HypothesisIndex index_;
  std::vector<std::uint64_t> memories_;
};

}  // namespace woodstock
