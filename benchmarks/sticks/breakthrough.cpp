// Breakthrough by hand: a bit a cell, a byte a row; white walks towards the high bits.

#include "stick.h"

namespace {

using stick::Bits;
using stick::Random;
using stick::Result;

constexpr Bits west = 0x0101010101010101, east = west << 7;

// By so many bits towards the far row of the player.
template <bool white>
constexpr Bits ahead(Bits pieces, int by) noexcept {
  return white ? pieces << by : pieces >> by;
}

// One move of the player; whether it won. There always is one: on the two slants ahead of a
// foremost piece stands none of its own, and a piece on the far row has ended the game.
template <bool white>
inline bool move(Bits& mine, Bits& theirs, Random& random) noexcept {
  // The cells that can be entered from each of the three sides.
  const Bits low = ahead<white>(mine & ~(white ? west : east), 7) & ~mine;
  const Bits straight = ahead<white>(mine, 8) & ~(mine | theirs);
  const Bits high = ahead<white>(mine & ~(white ? east : west), 9) & ~mine;
  const unsigned lows = stick::count(low), both = lows + stick::count(straight);

  // The choice is a bit in the row of all moves. Which set it falls into would be a branch that
  // nobody can predict, so it is looked up in all three; two of them give nothing.
  const Bits choice = Bits{1} << random.below(both + stick::count(high));
  const Bits to_low = stick::deposit(choice, low);
  const Bits to_straight = stick::deposit(choice >> lows, straight);
  const Bits to_high = stick::deposit(choice >> both, high);

  const Bits to = to_low | to_straight | to_high;
  mine ^= to | ahead<!white>(to_low, 7) | ahead<!white>(to_straight, 8) | ahead<!white>(to_high, 9);
  theirs &= ~to;
  return (to & (white ? Bits{0xff} << 56 : Bits{0xff})) != 0 || theirs == 0;
}

Result playout(Random& random) noexcept {
  Bits white = 0xffff, black = Bits{0xffff} << 48;
  for (unsigned plies = 1;; plies += 2) {
    if (move<true>(white, black, random)) return {plies, 100};
    if (move<false>(black, white, random)) return {plies + 1, 0};
  }
}

}  // namespace

int main(int argc, char** argv) { return stick::measure<playout>("breakthrough", argc, argv); }
