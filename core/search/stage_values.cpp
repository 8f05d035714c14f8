#include "search/stage_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace woodstock {

namespace {

// Expectations may come closer to each other for ever, where states lead back to each other.
constexpr float smallest_change = 1e-6F;

// Below a half a float is finer than what is left of it to 1, which is what this keeps.
float rounded(double x) { return 1.0F - (1.0F - static_cast<float>(x)); }

Worth higher(const Worth& a, const Worth& b) {
  return {std::max(a.value, b.value), std::max(a.lower, b.lower), std::max(a.upper, b.upper)};
}

Worth lower(const Worth& a, const Worth& b) {
  return {std::min(a.value, b.value), std::min(a.lower, b.lower), std::min(a.upper, b.upper)};
}

}  // namespace

StageValues::StageValues(StageGraph& graph, std::uint32_t roles, std::uint32_t me,
                         std::uint32_t chance, Concept solution_concept)
    : graph_(graph),
      roles_(roles),
      me_(me),
      chance_(chance),
      concept_(solution_concept),
      tied_(tied(solution_concept)),
      least_change_(chance < roles ? smallest_change : std::numeric_limits<float>::min()),
      places_(roles),
      best_(roles),
      together_(roles),
      cell_(worths(solution_concept, roles)),
      fresh_(cell_.size()),
      sums_(3 * cell_.size()),
      begin_(roles + 1) {}

void StageValues::settle(NodeId id, const double* utilities) {
  Worth* const worth = graph_.worth(id);
  for (std::uint32_t i = 0; i < cell_.size(); ++i) {
    const float exact = rounded(utilities[tied_ ? me_ : i]);
    worth[i] = {exact, exact, exact};
  }
  graph_.node(id).proved = true;
}

void StageValues::estimate(NodeId id, std::uint32_t place, double value) {
  Worth& worth = graph_.worth(id)[place];
  worth.value = std::clamp(rounded(value), worth.lower, worth.upper);
}

void StageValues::estimate(NodeId id, const double* utilities) {
  for (std::uint32_t i = 0; i < cell_.size(); ++i) estimate(id, i, utilities[tied_ ? me_ : i]);
}

bool StageValues::keep(NodeId id, const Worth* fresh) {
  Worth* const worth = graph_.worth(id);
  bool changed = false;
  bool met = true;
  for (std::uint32_t i = 0; i < cell_.size(); ++i) {
    // Never looser than before: stages may have been forgotten, what was proved stays so.
    float least = std::max(worth[i].lower, fresh[i].lower);
    float most = std::min(worth[i].upper, fresh[i].upper);
    // A stage that was forgotten and solved again may settle on another of its mover's equal moves,
    // which is worth something else to the others: the first proof stays.
    if (least > most) {
      least = worth[i].lower;
      most = worth[i].upper;
    }
    // What solutions are worth that nobody has valued says nothing; their bounds do.
    const float known = graph_.node(id).bare ? worth[i].value : fresh[i].value;
    const float value = std::clamp(known, least, most);
    changed = changed || least > worth[i].lower || most < worth[i].upper ||
              std::abs(value - worth[i].value) >= least_change_;
    worth[i] = {value, least, most};
    // Nobody asks what the game is worth to chance.
    if (least < most && (tied_ || i != chance_)) met = false;
  }
  graph_.node(id).proved = met;
  return changed;
}

bool StageValues::update(NodeId id) {
  if (graph_.node(id).proved) return false;
  Stage& stage = graph_.stage(id);
  if (!tied_) {
    apart(stage, fresh_.data());
    return keep(id, fresh_.data());
  }
  if (is_simple(stage)) {
    // Most stages of most games: one of two sides takes its best.
    const NodeId* const children = graph_.children(stage);
    Worth best = *graph_.worth(children[0]);
    if (ours(stage)) {
      for (std::uint32_t i = 1; i < stage.width; ++i) {
        best = higher(best, *graph_.worth(children[i]));
      }
    } else {
      for (std::uint32_t i = 1; i < stage.width; ++i) {
        best = lower(best, *graph_.worth(children[i]));
      }
    }
    return keep(id, &best);
  }
  weigh(stage);
  const auto own = worth_.begin() + static_cast<std::ptrdiff_t>(begin_[me_]);
  Worth best = *own;
  for (auto arm = own; arm != worth_.begin() + static_cast<std::ptrdiff_t>(begin_[me_ + 1]);
       ++arm) {
    best = higher(best, *arm);
  }
  return keep(id, &best);
}

void StageValues::look_at(const Stage& stage, Worth* out) {
  const std::uint32_t draws = chance_ < roles_ ? graph_.arms(stage, chance_) : 1;
  if (draws == 1) {
    if (chance_ < roles_) places_[chance_] = 0;
    const NodeId child = graph_.child(stage, graph_.joint_of(stage, places_.data()));
    std::copy_n(graph_.worth(child), cell_.size(), out);
    return;
  }
  std::fill(sums_.begin(), sums_.end(), 0.0);
  for (std::uint32_t draw = 0; draw < draws; ++draw) {
    places_[chance_] = draw;
    const Worth* const worth =
        graph_.worth(graph_.child(stage, graph_.joint_of(stage, places_.data())));
    for (std::size_t i = 0; i < cell_.size(); ++i) {
      sums_[3 * i] += worth[i].value;
      sums_[3 * i + 1] += worth[i].lower;
      sums_[3 * i + 2] += worth[i].upper;
    }
  }
  for (std::size_t i = 0; i < cell_.size(); ++i) {
    out[i] = {rounded(sums_[3 * i] / draws), rounded(sums_[3 * i + 1] / draws),
              rounded(sums_[3 * i + 2] / draws)};
  }
}

void StageValues::weigh(const Stage& stage) {
  begin_[0] = 0;
  for (std::uint32_t r = 0; r < roles_; ++r) begin_[r + 1] = begin_[r] + graph_.arms(stage, r);
  // A team takes the best that can come of a move, everybody else the worst.
  const bool team = concept_ == Concept::team;
  const float start = team ? 0.0F : 1.0F;
  worth_.assign(begin_[roles_], Worth{start, start, start});
  std::fill(places_.begin(), places_.end(), 0);
  float most = -1;
  do {
    look_at(stage, cell_.data());
    // All of a team have the same utility: the best cell is the best for everybody, and they need
    // not meet it by luck.
    if (team && cell_[0].value > most) {
      most = cell_[0].value;
      together_ = places_;
    }
    for (std::uint32_t r = 0; r < roles_; ++r) {
      if (r == chance_) continue;
      Worth& worth = worth_[begin_[r] + places_[r]];
      const Worth cell = tied_ ? seen_by(r, cell_[0]) : cell_[r];
      worth = team ? higher(worth, cell) : lower(worth, cell);
    }
  } while (graph_.next_players(stage, places_.data()));
}

std::span<const Worth> StageValues::arms(const Stage& stage, std::uint32_t role) {
  weigh(stage);
  return {worth_.data() + begin_[role], begin_[role + 1] - begin_[role]};
}

void StageValues::apart(Stage& stage, Worth* out) {
  choose(stage, best_.data(), [](std::uint32_t, std::uint32_t, const Worth&) { return 0.0; });
  std::copy(best_.begin(), best_.end(), places_.begin());
  look_at(stage, out);
  // With nobody to choose, bounds are expectations like the value.
  if (stage.choosers == 1) {
    bounds_by_pivot(stage, out);
  } else if (stage.choosers > 1) {
    bounds_by_matrix(stage, out);
  }
}

// One player decides. It is sure of the best lower bound, and gets no more than the best upper one.
// What the others get depends on which move it takes: any that may still be best. A player takes
// its best move; among moves of equal value the one proved first.
void StageValues::bounds_by_pivot(Stage& stage, Worth* out) {
  const std::uint32_t mover = stage.pivot;
  const std::uint32_t arms = graph_.arms(stage, mover);
  std::fill(places_.begin(), places_.end(), 0);
  cells_.resize(std::size_t{arms} * roles_);
  std::uint32_t best = 0;
  float most = 0;
  const auto cell = [&](std::uint32_t arm) { return cells_.data() + std::size_t{arm} * roles_; };
  for (std::uint32_t i = 0; i < arms; ++i) {
    places_[mover] = i;
    look_at(stage, cell(i));
    const Worth& arm = cell(i)[mover];
    const Worth& known = cell(best)[mover];
    most = std::max(most, arm.upper);
    // Of equals one that is proved: with it the stage may be.
    if (arm.lower > known.lower ||
        (arm.lower == known.lower && arm.settled() && !known.settled())) {
      best = i;
    }
  }
  // Once settled on, a move stays: another that turns out as good must not take its place, since
  // the others' bounds are those of this one.
  if (stage.taken != StageGraph::none) best = stage.taken;
  const float sure = cell(best)[mover].lower;
  std::uint32_t left = 0;
  for (std::uint32_t r = 0; r < roles_; ++r) out[r].lower = 1, out[r].upper = 0;
  for (std::uint32_t i = 0; i < arms; ++i) {
    // It may tie with the best, but then the player can take the best.
    if (i != best && cell(i)[mover].upper <= sure) continue;
    ++left;
    for (std::uint32_t r = 0; r < roles_; ++r) {
      out[r].lower = std::min(out[r].lower, cell(i)[r].lower);
      out[r].upper = std::max(out[r].upper, cell(i)[r].upper);
    }
  }
  if (left == 1) stage.taken = best;
  out[mover].lower = sure;
  out[mover].upper = most;
}

// Several choose at once: whatever happens lies within the cells, and everybody can insist on its
// own maximin, whatever the others want.
void StageValues::bounds_by_matrix(const Stage& stage, Worth* out) {
  for (std::uint32_t r = 0; r < roles_; ++r) out[r].lower = 1, out[r].upper = 0;
  std::fill(places_.begin(), places_.end(), 0);
  do {
    look_at(stage, cell_.data());
    for (std::uint32_t r = 0; r < roles_; ++r) {
      out[r].lower = std::min(out[r].lower, cell_[r].lower);
      out[r].upper = std::max(out[r].upper, cell_[r].upper);
    }
  } while (graph_.next_players(stage, places_.data()));
  for (std::uint32_t r = 0; r < roles_; ++r) {
    if (r == chance_) continue;
    for (std::size_t i = begin_[r]; i < begin_[r + 1]; ++i) {
      out[r].lower = std::max(out[r].lower, worth_[i].lower);
    }
  }
}

}  // namespace woodstock
