// All successors of one state in one go, for searches that ask for little else.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "circuit/circuit.h"
#include "circuit/kernel.h"
#include "circuit/visits.h"

namespace woodstock {

// Moves of every role, ascending, all of them legal: those of role r are moves[begin[r]] up to, not
// including, moves[begin[r + 1]].
struct Choices {
  std::span<const std::uint32_t> begin;
  std::span<const std::uint32_t> moves;

  std::uint32_t count(std::size_t role) const { return begin[role + 1] - begin[role]; }
};

// Where joint moves lead, one after the other. Vectors keep their capacity from call to call.
struct Offspring {
  std::vector<std::uint8_t> states;  // packed
  std::vector<std::uint64_t> keys;   // zobrist_hash of each
  std::vector<std::uint8_t> over;    // 1: the game is over, or some role has no legal move
  // state * roles + role: what playouts score where it is over, 0 elsewhere.
  std::vector<std::uint32_t> goals;
  // state * roles + role: how many legal moves it has, 255 standing for more; 0 where it is over.
  // Empty unless asked for.
  std::vector<std::uint8_t> choices;
  bool asked_choices = false;

  void resize(std::size_t count, std::size_t state_size, std::size_t roles) {
    states.resize(count * state_size);
    keys.resize(count);
    over.resize(count);
    goals.assign(count * roles, 0);
    choices.assign(asked_choices ? count * roles : 0, 0);
  }
};

// A state goes into all lanes at once, its moves into one lane each: nothing is copied or packed
// that is the same in all of them. Has memory of its own; one thread at a time.
class Expander {
 public:
  // Throws std::invalid_argument when the instruction set cannot be had here.
  Expander(std::shared_ptr<const Circuit> circuit, std::string_view isa);

  // Takes a packed state in and tells the legal moves of each role, as in Choices, whether the game
  // is over or not. Throws std::invalid_argument for what is no state.
  void open(std::span<const std::uint8_t> state, std::vector<std::uint32_t>& begin,
            std::vector<std::uint32_t>& moves);

  // Makes `count` joint moves, the product of the choices of all roles, in the state that was last
  // taken in. They are numbered: the last role's moves change first.
  void expand(const Choices& choices, std::uint64_t count, Offspring& out);

 private:
  void load(std::size_t words);
  void make_moves(const Choices& choices, std::size_t words, std::uint64_t first,
                  std::size_t lanes);
  void report(std::size_t words, std::uint64_t first, std::size_t lanes, Offspring& out);

  std::shared_ptr<const Circuit> circuit_;
  const Kernel& kernel_;
  CircuitMemory memory_;
  Visitor visitor_;
  std::vector<std::uint8_t> state_;
  std::uint64_t key_ = 0;             // of the state
  std::vector<std::uint64_t> words_;  // the state, 64 fluents each
  std::vector<std::uint64_t> rows_;   // scratch: 64 lanes, as many words each
};

}  // namespace woodstock
