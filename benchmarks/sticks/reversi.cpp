// Reversi by hand: a bit a cell, a byte a row, four directions and their opposites at once.

#include <utility>

#include "stick.h"

namespace {

using stick::Bits;
using stick::Lines;
using stick::Random;
using stick::Result;

constexpr Lines steps = {1, 7, 8, 9};
// A disc on the edge can be enclosed along that edge only. Without the others no line of discs runs
// over the edge.
constexpr Bits files = 0x7e7e7e7e7e7e7e7e, rows = 0x00ffffffffffff00;
constexpr Lines inner = {files, files & rows, rows, files & rows};

// Runs of enemy discs, found in steps of one, one, two and two: six is the longest.
struct Runs {
  explicit Runs(Lines enemy) noexcept
      : one(enemy & inner), two_up(one & (one << steps)), two_down(one & (one >> steps)) {}

  // Those that begin beside a cell of `from` and go on away from it.
  Lines up(Lines from) const noexcept {
    Lines run = one & (from << steps);
    run |= one & (run << steps);
    run |= two_up & (run << 2 * steps);
    return run | (two_up & (run << 2 * steps));
  }
  Lines down(Lines from) const noexcept {
    Lines run = one & (from >> steps);
    run |= one & (run >> steps);
    run |= two_down & (run >> 2 * steps);
    return run | (two_down & (run >> 2 * steps));
  }

  Lines one, two_up, two_down;
};

// The cells of all directions, in each of the lanes. The boards stay in this form throughout, since
// carrying them from vectors to numbers and back would cost more than working on them.
Lines joined(Lines lines) noexcept {
  lines |= Lines{lines[2], lines[3], lines[0], lines[1]};
  return lines | Lines{lines[1], lines[0], lines[3], lines[2]};
}

// What the player in control can do.
struct Options {
  Options(Lines mine, Lines theirs) noexcept
      : runs(theirs), up(runs.up(mine)), down(runs.down(mine)) {
    moves = (joined((up << steps) | (down >> steps)) & ~(mine | theirs))[0];
  }

  // A run that begins at the new disc and at an old one, seen from the other side, is enclosed.
  Lines turned(Lines cell) const noexcept {
    return joined((runs.up(cell) & down) | (runs.down(cell) & up));
  }

  Runs runs;
  Lines up, down;  // from the player's discs
  Bits moves;
};

Result playout(Random& random) noexcept {
  Lines mine = stick::in_all(0x0000000810000000), theirs = stick::in_all(0x0000001008000000);
  unsigned plies = 0;
  for (;; ++plies) {
    const Options options(mine, theirs);
    const Bits moves = options.moves;
    if (moves != 0) {
      const unsigned choice = random.below(stick::count(moves));
      const Lines cell = stick::in_all(stick::deposit(Bits{1} << choice, moves));
      const Lines turned = options.turned(cell);
      mine ^= turned | cell;
      theirs ^= turned;
    } else if (Options(theirs, mine).moves == 0) {
      break;
    }
    std::swap(mine, theirs);  // a pass is a ply, too
  }
  if (plies % 2 != 0) std::swap(mine, theirs);
  const unsigned first = stick::count(mine[0]), second = stick::count(theirs[0]);
  return {plies, first > second ? 100U : first < second ? 0U : 50U};
}

}  // namespace

int main(int argc, char** argv) { return stick::measure<playout>("reversi", argc, argv); }
