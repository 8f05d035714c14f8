// Searching up to symmetry: states are folded as they are met, and what is found is unfolded.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "circuit/simulator.h"
#include "search/decision.h"
#include "symmetry/quotient.h"

namespace woodstock {

// Stands between a search and its simulator. Behind it every state is the representative of those
// that are equal to it up to symmetry, and of moves that are equal up to symmetries of the state
// one is left, where a single player chooses. Without a quotient nothing changes and nothing costs.
class Folding {
 public:
  using Element = symmetry::Quotient::Element;

  // `role` searches; the moves of `chance` are never left out, for they have equal weight.
  Folding(std::shared_ptr<Simulator> simulator, std::uint32_t role, std::uint32_t chance);

  // Throws std::invalid_argument when it is for another game. nullptr: no symmetries.
  void use(std::shared_ptr<const symmetry::Quotient> quotient);
  bool on() const noexcept { return quotient_ != nullptr; }

  // Folds all states in place; elements() then tells by what each got there. Moves stay ascending.
  void fold(Visits& visits);
  // The same of states alone, whose keys change with them; elements() tells nothing then.
  void fold(std::vector<std::uint8_t>& states, std::vector<std::uint64_t>& keys);
  // Of the moves of a representative, as in Choices, leaves one of those that are equal up to
  // symmetry.
  void merge(std::span<const std::uint8_t> state, std::vector<std::uint32_t>& begin,
             std::vector<std::uint32_t>& moves);
  std::span<const Element> elements() const noexcept { return elements_; }
  // What a move behind a symmetry is called before it.
  std::uint32_t move_back(Element by, std::uint32_t move) const noexcept {
    return by == 0 ? move : quotient_->move_back(by, move);
  }
  Element join(Element first, Element second) const noexcept {
    return first == 0 || second == 0 ? first | second : quotient_->join(first, second);
  }

  // Folds the only state of the visits, the one that is thought about. Which of several equal
  // moves will be answered depends on `luck`.
  void enter(Visits& visits, std::uint64_t luck);
  // From the representative's words to those of the state that was entered.
  void unfold(Decision& decision);

 private:
  bool merges(const std::uint32_t* begin) const;
  void fold_legal(Visits& visits, std::size_t state, const std::uint32_t* begin, std::uint32_t& to);
  void unfold_moves(Decision& decision) const;
  void unfold_line(Decision& decision);

  std::shared_ptr<Simulator> simulator_;
  std::uint32_t roles_;
  std::uint32_t role_;
  std::uint32_t chance_;
  std::shared_ptr<const symmetry::Quotient> quotient_;
  symmetry::Quotient::Image image_;
  std::vector<Element> elements_;
  std::vector<std::uint32_t> begin_;  // scratch: one state's legal moves as they were
  std::vector<std::uint8_t> state_;   // scratch

  // Of the state that was entered.
  Element by_ = 0;
  std::vector<std::uint8_t> root_;       // its representative
  std::vector<std::uint32_t> own_;       // our moves
  std::vector<std::uint32_t> own_arms_;  // and what each is called there
  Visits next_;
};

}  // namespace woodstock
