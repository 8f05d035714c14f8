// Exact values of connect four positions: what the moves of players are held against.
//
// Each line of the input is a position, the columns (1 to 7) of its discs in the order in which
// they were dropped; each line of the output a JSON array with the value of every column to who
// moves next: 1 wins, 0 draws, -1 loses, null is full. Positions in which play is over are refused.
//
//     g++ -O3 -march=native -std=c++20 benchmarks/sticks/connect_four_solver.cpp -o solver
//     echo 4444 | ./solver
//
// Negamax with alpha-beta over the three values. What makes it fast is well known (John Tromp's and
// Pascal Pons's solvers): moves that let the opponent win at once are never made, those that make
// most threats are looked at first, and bounds of positions are kept in a table.

#include <algorithm>
#include <array>
#include <iostream>
#include <string>
#include <vector>

#include "stick.h"

namespace {

using stick::Bits;
using stick::count;

// Seven bits a column, lowest cell first, the seventh always empty, as in connect_four.cpp.
constexpr int columns = 7, rows = 6, stride = rows + 1;
constexpr Bits bottom = 0x0040810204081, board = bottom * 077;

constexpr Bits column(int number) noexcept { return Bits{077} << stride * number; }

// The empty cells that would complete a line of `discs`.
Bits completing(Bits discs, Bits taken) noexcept {
  Bits found = (discs << 1) & (discs << 2) & (discs << 3);
  for (const int step : {stride - 1, stride, stride + 1}) {
    const Bits up = (discs << step) & (discs << 2 * step);
    const Bits down = (discs >> step) & (discs >> 2 * step);
    found |= up & (discs << 3 * step);
    found |= up & (discs >> step);
    found |= down & (discs << step);
    found |= down & (discs >> 3 * step);
  }
  return found & (board ^ taken);
}

struct Position {
  Bits own = 0, taken = 0;  // the discs of who moves, and all discs

  Bits other() const noexcept { return own ^ taken; }
  Bits possible() const noexcept { return (taken + bottom) & board; }
  bool can_win() const noexcept { return (completing(own, taken) & possible()) != 0; }
  Position after(Bits cell) const noexcept { return {other(), taken | cell}; }
  bool is_full() const noexcept { return taken == board; }
  // With a bit above the discs of each column, no two positions look the same.
  Bits key() const noexcept { return own + taken + bottom; }

  // The moves after which the opponent does not win at once.
  Bits not_losing() const noexcept {
    const Bits threats = completing(other(), taken);
    Bits moves = possible();
    if (const Bits forced = moves & threats; forced != 0) {
      if ((forced & (forced - 1)) != 0) return 0;
      moves = forced;
    }
    return moves & ~(threats >> 1);
  }
};

// Lower and upper bounds of values by position; a newer position takes the place of an older one.
class Table {
 public:
  struct Bounds {
    int lower = -1, upper = 1;
  };

  Bounds get(Bits key) const noexcept {
    const Bits entry = entries_[key % size];
    if (entry >> 4 != key) return {};
    return {static_cast<int>(entry >> 2 & 3) - 1, static_cast<int>(entry & 3) - 1};
  }

  void put(Bits key, Bounds bounds) noexcept {
    const auto packed = static_cast<Bits>((bounds.lower + 1) << 2 | (bounds.upper + 1));
    entries_[key % size] = key << 4 | packed;
  }

 private:
  static constexpr Bits size = 8'388'593;  // a prime
  std::vector<Bits> entries_ = std::vector<Bits>(size);
};

class Solver {
 public:
  // The value of a position in which nobody has won yet.
  int solve(Position position) {
    if (position.is_full()) return 0;
    return position.can_win() ? 1 : search(position, -1, 1);
  }

 private:
  struct Move {
    Bits cell;
    unsigned threats;
  };

  // Who moves here cannot win at once.
  int search(Position position, int alpha, int beta) {
    const Bits moves = position.not_losing();
    if (moves == 0) return position.is_full() ? 0 : -1;
    if (count(position.taken) >= columns * rows - 2) return 0;
    const Bits key = position.key();
    Table::Bounds bounds = table_.get(key);
    alpha = std::max(alpha, bounds.lower);
    beta = std::min(beta, bounds.upper);
    if (alpha >= beta) return alpha;
    std::array<Move, columns> order;
    const int found = sort(position, moves, order);
    // What is known of the moves already may be enough.
    for (int i = 0; i < found; ++i) {
      const Position next = position.after(order[i].cell);
      if (-table_.get(next.key()).upper >= beta) return beta;
    }
    int best = -1;
    for (int i = 0; i < found && best < beta; ++i) {
      const int value = -search(position.after(order[i].cell), -beta, -std::max(alpha, best));
      best = std::max(best, value);
    }
    if (best <= alpha) {
      bounds.upper = std::min(bounds.upper, best);
    } else if (best >= beta) {
      bounds.lower = std::max(bounds.lower, best);
    } else {
      bounds = {best, best};
    }
    table_.put(key, bounds);
    return best;
  }

  // The moves, those that make most threats first, of equal ones the middle.
  static int sort(Position position, Bits moves, std::array<Move, columns>& order) noexcept {
    int found = 0;
    for (const int number : {3, 2, 4, 1, 5, 0, 6}) {
      const Bits cell = moves & column(number);
      if (cell == 0) continue;
      const unsigned threats = count(completing(position.own | cell, position.taken | cell));
      int place = found++;
      for (; place > 0 && order[place - 1].threats < threats; --place) {
        order[place] = order[place - 1];
      }
      order[place] = {cell, threats};
    }
    return found;
  }

  Table table_;
};

// The position after these drops; false if they are no drops, or somebody has won before the end.
bool read(const std::string& drops, Position& position) {
  for (const char drop : drops) {
    if (drop < '1' || drop > '7') return false;
    const Bits cell = position.possible() & column(drop - '1');
    if (cell == 0 || (cell & completing(position.own, position.taken)) != 0) return false;
    position = position.after(cell);
  }
  return !position.is_full();
}

std::string values(Position position, Solver& solver) {
  std::string text = "[";
  for (int number = 0; number < columns; ++number) {
    if (number > 0) text += ", ";
    const Bits cell = position.possible() & column(number);
    if (cell == 0) {
      text += "null";
    } else if ((cell & completing(position.own, position.taken)) != 0) {
      text += "1";
    } else {
      text += std::to_string(-solver.solve(position.after(cell)));
    }
  }
  return text + "]";
}

}  // namespace

int main() {
  Solver solver;
  for (std::string line; std::getline(std::cin, line);) {
    Position position;
    if (!read(line, position)) {
      std::cerr << "no position in which somebody has to move: " << line << '\n';
      return 2;
    }
    std::cout << values(position, solver) << std::endl;
  }
  return 0;
}
