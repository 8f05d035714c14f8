// Tic-tac-toe by hand: a player's marks are nine bits.

#include <array>

#include "stick.h"

namespace {

using stick::Bits;
using stick::Random;
using stick::Result;

constexpr Bits board = 0777;

// For every set of marks, whether it holds a line.
constexpr std::array<bool, board + 1> lines = [] {
  std::array<bool, board + 1> table{};
  for (Bits marks = 0; marks <= board; ++marks) {
    for (const Bits line : {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124}) {
      if ((marks & line) == line) table[marks] = true;
    }
  }
  return table;
}();

// How many cells are free is known at every ply, so the plies are written out by the compiler and
// one random number serves them all: seen as a fraction, its product with the number of moves has
// the choice before the point and an equally random fraction behind it. 9! is far below 2^64.
template <unsigned ply = 0>
inline Result play(Bits mine, Bits theirs, std::uint64_t fraction) noexcept {
  const stick::Wide product = stick::Wide{fraction} * (9 - ply);
  mine |= stick::deposit(Bits{1} << static_cast<unsigned>(product >> 64), board ^ mine ^ theirs);
  // Nobody has three marks before the fifth ply.
  if (ply >= 4 && lines[mine]) return {ply + 1, ply % 2 == 0 ? 100U : 0U};
  if constexpr (ply == 8) {
    return {9, 50};
  } else {
    return play<ply + 1>(theirs, mine, static_cast<std::uint64_t>(product));
  }
}

Result playout(Random& random) noexcept { return play(0, 0, random.next()); }

}  // namespace

int main(int argc, char** argv) { return stick::measure<playout>("tic-tac-toe", argc, argv); }
