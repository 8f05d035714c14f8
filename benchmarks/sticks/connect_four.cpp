// Connect four by hand: seven bits a column, lowest cell first, the seventh always empty.

#include "stick.h"

namespace {

using stick::Bits;
using stick::Lines;
using stick::Random;
using stick::Result;

constexpr Bits bottom = 0x0040810204081, column = 077;

// The empty seventh cell keeps lines from running over the edge into the next column.
bool has_line(Bits discs) noexcept {
  constexpr Lines steps = {1, 6, 7, 8};
  const Lines all = stick::in_all(discs), pairs = all & (all >> steps);
  return stick::any(pairs & (pairs >> 2 * steps));
}

// Where a disc comes to rest in a random column. A full column is drawn again: full ones are rare,
// and counting the open ones first would make every choice wait for the position.
Bits drop(Bits discs, Random& random) noexcept {
  for (;;) {
    const Bits cell = (discs + bottom) & (column << 7 * random.below(7));
    if (cell != 0) return cell;
  }
}

Result playout(Random& random) noexcept {
  Bits red = 0, black = 0;
  for (unsigned ply = 1; ply <= 42; ply += 2) {
    red |= drop(red | black, random);
    if (has_line(red)) return {ply, 100};
    black |= drop(red | black, random);
    if (has_line(black)) return {ply + 1, 0};
  }
  return {42, 50};
}

}  // namespace

int main(int argc, char** argv) { return stick::measure<playout>("connect-four", argc, argv); }
