// Resample-move: the particles of a belief rejuvenated by Markov chains over whole matches.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "belief/hypotheses.h"
#include "belief/hypothesis_index.h"
#include "belief/observed_turn.h"
#include "belief/turn_options.h"
#include "circuit/simulator.h"
#include "util/random.h"
#include "util/stopwatch.h"

namespace woodstock {

// After Gilks and Berzuini (2001): a sample that is only ever filtered shrinks to the descendants
// of a few, so particles are drawn again by weight and then moved, by steps that leave the
// distribution as it is. Here a particle is a match with all of its moves. A step changes one of
// them, keeps the others if they are still legal and perceived alike, and is accepted as the
// Metropolis rule says.
//
// For one run. What it is given must outlive it.
class ResampleMove {
 public:
  // `observer` was told these turns. Throws std::invalid_argument for lists that do not fit.
  ResampleMove(Simulator& simulator, std::uint32_t observer, std::span<const ObservedTurn> told,
               std::uint64_t seed);

  // See ParticleFilter::rejuvenate.
  Hypotheses run(const Hypotheses& from, std::size_t count, std::uint64_t steps,
                 Clock::time_point until);

 private:
  // The match that each chain is at.
  struct Chains {
    std::vector<std::uint32_t> moves;     // (chain * turns + turn) * roles + role
    std::vector<double> chances;          // logarithms; impossible for what is not known to agree
    std::vector<std::uint8_t> states;     // where they lead, as far as their turns are known,
    std::vector<std::uint64_t> memories;  // and what roles remember there

    std::size_t size() const noexcept { return chances.size(); }
  };

  // A match that is played again, maybe with a change.
  struct Lane {
    std::size_t chain;
    std::size_t change;  // turn * roles + role; past the end where nothing is changed
    double chance = 0;   // of its moves, a logarithm
    double weight = 1;   // of what was drawn
  };

  void check(const Hypotheses& from) const;
  void begin(const Hypotheses& from, std::size_t count);
  std::vector<std::size_t> resample(const std::vector<double>& weights, std::size_t count);
  // Goes over the chains until there is nothing to change, or enough.
  template <class Enough>
  void move(const Enough& enough);
  // Plays the matches of some chains again, each with its change.
  void replay(std::size_t first, std::size_t last, bool changing);
  void enter(std::size_t first, std::size_t last, bool changing);
  std::size_t draw_change();
  // What becomes of the i-th lane that is alive before a turn: whether it goes on.
  bool settle(const Lane& lane, const std::uint32_t* path, std::size_t turn, std::size_t i);
  // Its joint move in that turn; whether there can have been such a one.
  bool choose(Lane& lane, std::uint32_t* path, std::size_t turn, std::size_t position, bool survey);
  // Lets the lanes that go on make their moves, and drops those that perceive something else.
  void advance(const ObservedTurn& observed);
  void keep(const std::uint8_t* state, const std::uint64_t* memories, const std::uint32_t* path,
            double weight);
  Hypotheses result();

  bool behind() const noexcept { return known_ < told_.size(); }
  const std::uint8_t* state_at(std::size_t position) const noexcept {
    return visits_.states.data() + position * size_;
  }

  Simulator& simulator_;
  std::span<const ObservedTurn> told_;
  std::size_t roles_;
  std::size_t size_;  // of a state
  std::uint32_t observer_;
  std::size_t width_;      // of a match: turns * roles
  std::size_t known_ = 0;  // turns of the matches; the moves of those told after them are drawn
  std::uint64_t steps_ = 0;
  RandomStream random_;
  Chains chains_;
  std::vector<std::uint64_t> open_;  // turn * roles + role: matches with more than one move there
  std::vector<std::uint64_t> sums_;  // the same, added up; empty until it is known

  // The lanes that are played, and of those that are still going: which, and where among visits_.
  std::vector<Lane> lanes_;
  std::vector<std::uint32_t> paths_;     // lane * width + turn * roles + role
  std::vector<std::uint64_t> memories_;  // lane * roles + role
  std::vector<std::size_t> alive_;
  std::vector<std::size_t> place_;
  Visits visits_;
  TurnOptions options_;
  std::vector<std::size_t>
      going_;  // lanes that make a move in this turn, and from where, and which
  std::vector<std::uint8_t> states_;
  std::vector<std::uint32_t> joints_;

  Hypotheses kept_;
  HypothesisIndex index_;
  std::vector<std::uint32_t> kept_paths_;  // one for each of those
};

}  // namespace woodstock
