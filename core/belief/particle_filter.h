// Following a match by what one role does and perceives: all hypotheses advance in lanes.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "belief/hypotheses.h"
#include "circuit/simulator.h"
#include "util/stopwatch.h"

namespace woodstock {

// What a role knows of a turn that has gone by.
struct ObservedTurn {
  static constexpr std::uint32_t any_move = 0xffffffffU;

  std::uint32_t move = any_move;           // its own
  bool blind = false;                      // nothing is known of what it perceived
  std::uint64_t seen = 0;                  // percept_key of its percepts
  std::span<const std::uint8_t> excluded;  // per move, 1: cannot have been made; empty: none
};

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
  struct Options {
    double chance = 1;         // of each joint move
    std::uint64_t joints = 1;  // that are left
  };

  struct Matches;

  void look_at(const Hypotheses& from, const ObservedTurn& observed);
  // Fills begin_ and options_ with the moves that each role may have made.
  Options options(std::size_t hypothesis, const ObservedTurn& observed);
  void push(const Hypotheses& from, std::size_t hypothesis, double weight);
  // Plays on what was pushed and keeps what agrees; how many those were.
  std::size_t flush(const Hypotheses& from, const ObservedTurn& observed, Hypotheses& to,
                    Lineage& lineage);
  // Adds a hypothesis, or its weight where it is there already; tells its place.
  std::size_t keep(Hypotheses& to, const std::uint8_t* state, const std::uint64_t* memories,
                   double weight);
  // Any other of the options of a role; the move itself where there is none.
  std::uint32_t another(std::uint32_t move, std::size_t role, std::uint64_t luck) const;
  // How likely a joint move is in one of the visited positions; 0 where it cannot be.
  double chance_of(std::size_t position, const std::uint32_t* moves,
                   const ObservedTurn& observed) const;
  // Plays some of the matches again, each with its change, and lets those that agree take it.
  void replay(Matches& matches, std::size_t first, std::size_t last, Hypotheses& to);
  void grow(const Hypotheses& to);
  std::uint64_t key_of(const std::uint8_t* state, const std::uint64_t* memories) const;

  std::shared_ptr<Simulator> simulator_;
  std::size_t roles_;
  std::size_t size_;  // of a state
  std::uint32_t role_;
  Visits visits_;  // of the hypotheses as they are
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> options_;
  std::vector<std::size_t> at_;

  // What waits to be played on.
  std::vector<std::uint8_t> states_;
  std::vector<std::uint32_t> moves_;
  std::vector<double> weights_;
  std::vector<std::size_t> from_;
  Advances after_;

  std::vector<std::uint32_t> index_;  // open addressing into what is kept, a power of two
  std::vector<std::uint64_t> memories_;
};

}  // namespace woodstock
