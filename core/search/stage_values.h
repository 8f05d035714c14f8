// Values and proved bounds of stages: how those of successors make that of a stage.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/concept.h"
#include "search/stage_graph.h"

namespace woodstock {

// Passes them up by the papers' operators: expectation over the moves of chance, each player's best
// over its own moves; where several move at once, the best against the worst that the others can do
// (maximin), everybody's own such choice (maxn), or the best joint move (team). Bounds only ever
// become narrower.
//
// Where utilities are tied, a state has one worth, that to the role which searches; what others get
// follows from it to the bit, since numbers are rounded to multiples of 2^-24, of which 1 - x is
// one as well. Otherwise each role has its own.
class StageValues {
 public:
  StageValues(StageGraph& graph, std::uint32_t roles, std::uint32_t me, std::uint32_t chance,
              Concept solution_concept);

  // How many numbers a state needs.
  static std::uint32_t worths(Concept solution_concept, std::uint32_t roles) {
    return tied(solution_concept) ? 1 : roles;
  }

  // What a state is worth to a role.
  Worth worth(NodeId id, std::uint32_t role) const {
    const Worth* const known = graph_.worth(id);
    return tied_ ? seen_by(role, known[0]) : known[role];
  }

  // The exact utilities of a state in which the game is over.
  void settle(NodeId id, const double* utilities);
  // Estimates of them, kept within the bounds; or of one of the numbers that a state has.
  void estimate(NodeId id, const double* utilities);
  void estimate(NodeId id, std::uint32_t place, double value);

  // Looks at the children of a solved stage again; tells whether anything has changed that is worth
  // telling.
  bool update(NodeId id);

  // What each move of a player is worth to it at a solved stage, the others doing what they are
  // taken to do. The same until the next call.
  std::span<const Worth> arms(const Stage& stage, std::uint32_t role);

  // The joint move everybody would make at a solved stage, as places among the arms. `bonus(role,
  // place, worth)` is added to a player's value of a move, but where a team moves together.
  // Chance's place is left as it is.
  template <class Bonus>
  void choose(const Stage& stage, std::uint32_t* places, Bonus bonus);

  // Whether its worth is the best, or the worst, of those of its successors.
  bool is_simple(const Stage& stage) const noexcept {
    return tied_ && stage.single && (stage.pivot != chance_ || stage.width == 1);
  }
  // Whether the only player who chooses there wants what we want.
  bool ours(const Stage& stage) const noexcept {
    return stage.pivot == me_ || concept_ == Concept::team;
  }

 private:
  Worth seen_by(std::uint32_t role, const Worth& mine) const {
    if (role == me_ || concept_ == Concept::team) return mine;
    return {1 - mine.value, 1 - mine.upper, 1 - mine.lower};
  }
  bool keep(NodeId id, const Worth* fresh);
  // The worths after the players' moves at places_, over the moves of chance.
  void look_at(const Stage& stage, Worth* out);
  // Fills worth_: for each arm of each role what it is worth to the role.
  void weigh(const Stage& stage);
  // Where everybody is for himself.
  void apart(Stage& stage, Worth* out);
  void bounds_by_pivot(Stage& stage, Worth* out);
  void bounds_by_matrix(const Stage& stage, Worth* out);

  StageGraph& graph_;
  std::uint32_t roles_;
  std::uint32_t me_;
  std::uint32_t chance_;
  Concept concept_;
  bool tied_;
  float least_change_;  // that is worth telling
  std::vector<std::uint32_t> places_;
  std::vector<std::uint32_t> best_;
  std::vector<std::uint32_t> together_;  // the best joint move of a team
  std::vector<Worth> cell_;
  std::vector<Worth> fresh_;
  std::vector<Worth> cells_;
  std::vector<double> sums_;
  std::vector<std::size_t> begin_;
  std::vector<Worth> worth_;
};

template <class Bonus>
void StageValues::choose(const Stage& stage, std::uint32_t* places, Bonus bonus) {
  weigh(stage);
  const bool together = concept_ == Concept::team && stage.choosers > 1;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    if (r == chance_) continue;
    if (together) {
      places[r] = together_[r];
      continue;
    }
    double best = -1;
    for (std::size_t i = begin_[r]; i < begin_[r + 1]; ++i) {
      const auto place = static_cast<std::uint32_t>(i - begin_[r]);
      const double worth = worth_[i].value + bonus(r, place, worth_[i]);
      if (worth > best) {
        best = worth;
        places[r] = place;
      }
    }
  }
}

}  // namespace woodstock
