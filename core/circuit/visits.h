// What visits look up, made once for a circuit.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "circuit/circuit.h"

namespace woodstock {

struct Visits;

class Visitor {
 public:
  explicit Visitor(const Circuit& circuit);

  // The moves of the lanes' states go into the slots that the circuit reads them from, once the
  // state has been run.
  void make_moves(const Workspace& work, std::size_t words, const std::uint32_t* moves,
                  std::size_t lanes) const;

  // Nobody moves.
  void clear_moves(const Workspace& work, std::size_t words) const;

  // The legal moves of each role in the first lane, once the state has been run: those of role r
  // are moves[begin[r]] up to, not including, moves[begin[r + 1]], ascending.
  void list_legal(const Workspace& work, std::size_t words, std::vector<std::uint32_t>& begin,
                  std::vector<std::uint32_t>& moves) const;

  // What each role perceives in the first lanes, once percepts were run: lane * roles + role.
  void report_seen(const Workspace& work, std::size_t words, std::size_t lanes,
                   std::uint64_t* seen) const;

  // What the workspace says about its first lanes after the parts of state and goals were run goes
  // to the places of the states from `first` on, whose packed states are there already.
  void report(const Workspace& work, std::size_t words, std::size_t first, std::size_t lanes,
              Visits& out);

  // The goals of the first lanes: lane * roles + role.
  void report_goals(const Workspace& work, std::size_t words, std::size_t lanes,
                    std::uint32_t* goals) const;

  // The active lanes of a word in which the game is over or some role has no legal move.
  std::uint64_t ends(const Workspace& work, std::size_t words, std::size_t word) const;

  // How many legal moves each role has in the first lanes, 255 standing for more: lane * roles +
  // role, all of which are to be 0 before.
  void count_legal(const Workspace& work, std::size_t words, std::size_t lanes,
                   std::uint8_t* counts) const;

  // The exclusive or of the keys of the fluents whose bits are set.
  std::uint64_t key_of(std::uint64_t bits, std::size_t first_fluent) const noexcept;

  // The same of the legal moves.
  void report_legal(const Workspace& work, std::size_t words, std::size_t first, std::size_t lanes,
                    Visits& out);

 private:
  struct Legal {
    Plane plane;
    std::uint32_t move;
  };
  struct Percept {
    Plane plane;
    std::uint32_t role;
    std::uint64_t key;
  };
  const Circuit& circuit_;
  std::vector<Legal> legal_;             // role by role, moves ascending
  std::vector<std::size_t> legal_last_;  // per role: where its moves end
  std::vector<Slot> does_;
  std::vector<Percept> percepts_;
  std::vector<std::uint64_t> keys_;  // per fluent
  // Scratch: moves that are legal in some of 64 lanes, and in which of them.
  std::vector<std::uint64_t> rows_;
  std::vector<std::uint32_t> moves_;
  std::vector<std::size_t> last_;  // per role
  std::vector<std::uint32_t> list_;
};

}  // namespace woodstock
