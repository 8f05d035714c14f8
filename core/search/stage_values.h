// Values of stages: how those of successors make that of a stage.

#pragma once

#include <cstdint>
#include <vector>

#include "search/concept.h"
#include "search/tree.h"

namespace woodstock {

// Passes values up by the papers' operators: expectation over the moves of chance, each player's
// best over its own moves; where several move at once, the best against the worst that the others
// can do (maximin), everybody's own such choice (maxn), or the best joint move (team).
class StageValues {
 public:
  StageValues(Tree& tree, std::uint32_t roles, std::uint32_t me, std::uint32_t chance,
              Concept solution_concept);

  // Sets the values of a solved stage from its children; the greatest change of any of them.
  float update(NodeId id);

  // Where utilities are tied, sets the values of all others from that of our role.
  void tie(RoleValue* values) const;

  // The value of each of our role's moves at a solved stage, to us: as `update` sees it.
  void own_moves(NodeId id, std::vector<double>& values);

  // The joint move everybody would make at a solved stage, as places among the arms. `bonus(role,
  // place)` is added to a player's value of a move, but where a team moves together. Chance's place
  // is left as it is.
  template <class Bonus>
  void choose(NodeId id, std::uint32_t* places, Bonus bonus);

 private:
  // The values of all roles after the players' moves at places_, over the moves of chance.
  void look_at(NodeId id, double* out);
  // Fills worth_: for each arm of each role what it is worth to the role, the others doing what
  // they are taken to do.
  void weigh(NodeId id);

  Tree& tree_;
  std::uint32_t roles_;
  std::uint32_t me_;
  std::uint32_t chance_;
  Concept concept_;
  std::vector<std::uint32_t> places_;
  std::vector<std::uint32_t> best_;
  std::vector<std::uint32_t> together_;  // the best joint move of a team
  std::vector<double> cell_;
  std::vector<std::size_t> begin_;
  std::vector<double> worth_;
};

template <class Bonus>
void StageValues::choose(NodeId id, std::uint32_t* places, Bonus bonus) {
  weigh(id);
  const bool together = concept_ == Concept::team && tree_.node(id).choosers > 1;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    if (r == chance_) continue;
    if (together) {
      places[r] = together_[r];
      continue;
    }
    double best = -1;
    for (std::size_t i = begin_[r]; i < begin_[r + 1]; ++i) {
      const auto place = static_cast<std::uint32_t>(i - begin_[r]);
      const double worth = worth_[i] + bonus(r, place);
      if (worth > best) {
        best = worth;
        places[r] = place;
      }
    }
  }
}

}  // namespace woodstock
