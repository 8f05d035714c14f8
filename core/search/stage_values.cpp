#include "search/stage_values.h"

#include <algorithm>
#include <cmath>

namespace woodstock {

StageValues::StageValues(Tree& tree, std::uint32_t roles, std::uint32_t me, std::uint32_t chance,
                         Concept solution_concept)
    : tree_(tree),
      roles_(roles),
      me_(me),
      chance_(chance),
      concept_(solution_concept),
      places_(roles),
      best_(roles),
      together_(roles),
      cell_(roles),
      begin_(roles + 1) {}

void StageValues::look_at(NodeId id, double* out) {
  const std::size_t draws = chance_ < roles_ ? tree_.arms(id, chance_).size() : 1;
  std::fill_n(out, roles_, 0.0);
  for (std::size_t draw = 0; draw < draws; ++draw) {
    if (chance_ < roles_) places_[chance_] = static_cast<std::uint32_t>(draw);
    const RoleValue* values = tree_.values(tree_.child(id, tree_.joint_of(id, places_.data())));
    for (std::uint32_t r = 0; r < roles_; ++r) out[r] += values[r].value;
  }
  for (std::uint32_t r = 0; r < roles_; ++r) out[r] /= static_cast<double>(draws);
}

void StageValues::weigh(NodeId id) {
  begin_[0] = 0;
  for (std::uint32_t r = 0; r < roles_; ++r) begin_[r + 1] = begin_[r] + tree_.arms(id, r).size();
  // A team takes the best that can come of a move, everybody else the worst.
  const bool team = concept_ == Concept::team;
  worth_.assign(begin_[roles_], team ? 0.0 : 1.0);
  std::fill(places_.begin(), places_.end(), 0);
  double most = -1;
  do {
    look_at(id, cell_.data());
    // All of a team have the same utility: the best cell is the best for everybody, and they need
    // not meet it by luck.
    if (cell_[me_] > most) {
      most = cell_[me_];
      together_ = places_;
    }
    for (std::uint32_t r = 0; r < roles_; ++r) {
      if (r == chance_) continue;
      double& worth = worth_[begin_[r] + places_[r]];
      worth = team ? std::max(worth, cell_[r]) : std::min(worth, cell_[r]);
    }
  } while (tree_.next_players(id, places_.data()));
}

float StageValues::update(NodeId id) {
  const Node& node = tree_.node(id);
  choose(id, best_.data(), [](std::uint32_t, std::uint32_t) { return 0.0; });
  std::copy(best_.begin(), best_.end(), places_.begin());
  look_at(id, cell_.data());
  if (concept_ == Concept::maximin && node.choosers > 1) {
    // The others answer our move, so the value is what it is worth at worst.
    const double mine =
        *std::max_element(worth_.begin() + static_cast<std::ptrdiff_t>(begin_[me_]),
                          worth_.begin() + static_cast<std::ptrdiff_t>(begin_[me_ + 1]));
    cell_[me_] = mine;
  }
  RoleValue* values = tree_.values(id);
  float change = 0;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    if (tied(concept_) && r != me_) continue;
    const float value = std::clamp(static_cast<float>(cell_[r]), values[r].lower, values[r].upper);
    change = std::max(change, std::abs(value - values[r].value));
    values[r].value = value;
  }
  tie(values);
  return change;
}

void StageValues::tie(RoleValue* values) const {
  for (std::uint32_t r = 0; r < roles_ && tied(concept_); ++r) {
    if (r != me_) values[r].value = other_side(concept_, values[me_].value);
  }
}

void StageValues::own_moves(NodeId id, std::vector<double>& values) {
  weigh(id);
  values.assign(worth_.begin() + static_cast<std::ptrdiff_t>(begin_[me_]),
                worth_.begin() + static_cast<std::ptrdiff_t>(begin_[me_ + 1]));
}

}  // namespace woodstock
