// The moves that roles may have made in a turn of which one of them knows something.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "belief/observed_turn.h"
#include "circuit/simulator.h"

namespace woodstock {

// Everybody but `observer` is taken to have moved at random. Percepts are not looked at: they come
// after the turn.
class TurnOptions {
 public:
  TurnOptions(std::size_t roles, std::uint32_t observer);

  // Looks at one of the visited positions.
  void find(const Visits& visits, std::size_t position, const ObservedTurn& observed);

  // Of the position that was looked at last: the moves that a role may have made, in order, how
  // many joint moves they are, at most 2^64 - 1, none in a terminal position, and how likely each
  // of those is.
  std::span<const std::uint32_t> of(std::size_t role) const noexcept {
    return std::span(moves_).subspan(begin_[role], begin_[role + 1] - begin_[role]);
  }
  std::uint64_t joints() const noexcept { return joints_; }
  double chance() const noexcept { return chance_; }

  // Any other of the options of a role, as luck will have it; the move itself where there is none.
  std::uint32_t another(std::uint32_t move, std::size_t role, std::uint64_t luck) const;

  // How likely a joint move is in one of the visited positions; 0 where it cannot have been.
  double chance_of(const Visits& visits, std::size_t position, const std::uint32_t* joint,
                   const ObservedTurn& observed) const;

 private:
  bool knows(std::size_t role, const ObservedTurn& observed) const noexcept {
    return role == observer_ && observed.move != ObservedTurn::any_move;
  }

  std::size_t roles_;
  std::uint32_t observer_;
  std::uint64_t joints_ = 1;
  double chance_ = 1;
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> moves_;
};

}  // namespace woodstock
