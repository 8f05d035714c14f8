#include "search/bounds.h"

#include <algorithm>

namespace woodstock {

namespace {

// Joint moves beyond which nobody waits for all of them to be proved.
constexpr std::uint64_t widest = 4096;

// Below a half a float is finer than what is left of it to 1, which is what this keeps.
float rounded(float x) { return 1.0F - (1.0F - x); }

}  // namespace

Bounds::Bounds(Tree& tree, std::uint32_t roles, std::uint32_t me, std::uint32_t chance,
               Concept solution_concept, Simultaneous simultaneous)
    : tree_(tree),
      roles_(roles),
      me_(me),
      chance_(chance),
      concept_(solution_concept),
      simultaneous_(simultaneous),
      fresh_(roles),
      places_(roles) {}

void Bounds::settle(NodeId id, const double* utilities) {
  RoleValue* values = tree_.values(id);
  for (std::uint32_t r = 0; r < roles_; ++r) {
    const float mine = rounded(static_cast<float>(utilities[tied(concept_) ? me_ : r]));
    const bool other = tied(concept_) && r != me_;
    values[r].lower = values[r].upper = other ? other_side(concept_, mine) : mine;
  }
  tree_.node(id).proved = true;
}

bool Bounds::tighten(NodeId id) {
  Node& node = tree_.node(id);
  // All joint moves are gone through; where there are very many, that costs more than a proof is
  // worth.
  if (node.terminal || node.proved || node.width > widest) return false;
  if (node.choosers == 0) {
    by_chance(id);
  } else if (node.choosers == 1) {
    by_pivot(id);
  } else {
    by_matrix(id);
  }
  RoleValue* values = tree_.values(id);
  bool changed = false;
  bool met = true;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    RoleValue& value = values[r];
    // Never looser than before: children may have been forgotten, what was proved stays so.
    if (fresh_[r].lower > value.lower) {
      value.lower = fresh_[r].lower;
      changed = true;
    }
    if (fresh_[r].upper < value.upper) {
      value.upper = fresh_[r].upper;
      changed = true;
    }
    // Nobody asks what the game is worth to chance.
    if (value.lower < value.upper && r != chance_) met = false;
  }
  node.proved = met;
  return changed;
}

void Bounds::share(std::uint32_t role, Range range, Range* out) const {
  const auto turned = [this](Range one) {
    const Range other{other_side(concept_, one.lower), other_side(concept_, one.upper)};
    return Range{std::min(other.lower, other.upper), std::max(other.lower, other.upper)};
  };
  const Range mine = role == me_ ? range : turned(range);
  std::fill_n(out, roles_, turned(mine));
  out[me_] = mine;
}

void Bounds::look_at(NodeId id, Range* out) {
  const std::size_t draws = chance_ < roles_ ? tree_.arms(id, chance_).size() : 1;
  std::fill_n(out, roles_, Range{0, 0});
  for (std::size_t draw = 0; draw < draws; ++draw) {
    if (chance_ < roles_) places_[chance_] = static_cast<std::uint32_t>(draw);
    const NodeId child = tree_.child(id, tree_.joint_of(id, places_.data()));
    // Of a child that is not made yet, or forgotten, nothing is known but that utilities are
    // between 0 and 1.
    const RoleValue* values = child == no_node ? nullptr : tree_.values(child);
    for (std::uint32_t r = 0; r < roles_; ++r) {
      out[r].lower += values == nullptr ? 0.0F : values[r].lower;
      out[r].upper += values == nullptr ? 1.0F : values[r].upper;
    }
  }
  if (draws == 1) return;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    out[r].lower = rounded(out[r].lower / static_cast<float>(draws));
    out[r].upper = rounded(out[r].upper / static_cast<float>(draws));
  }
  // Each has been rounded in its own way.
  if (tied(concept_)) share(me_, out[me_], out);
}

std::vector<Bounds::Range> Bounds::own_moves(NodeId id) {
  const bool team = concept_ == Concept::team;
  // The worst that the others can do to a move; of a team, the best that they can make of it.
  const float start = team ? 0.0F : 1.0F;
  std::vector<Range> out(tree_.arms(id, me_).size(), Range{start, start});
  if (tree_.node(id).width > widest) {
    std::fill(out.begin(), out.end(), Range{0, 1});
    return out;
  }
  std::vector<Range> cell(roles_);
  std::fill(places_.begin(), places_.end(), 0);
  do {
    look_at(id, cell.data());
    Range& arm = out[places_[me_]];
    arm.lower = team ? std::max(arm.lower, cell[me_].lower) : std::min(arm.lower, cell[me_].lower);
    arm.upper = team ? std::max(arm.upper, cell[me_].upper) : std::min(arm.upper, cell[me_].upper);
  } while (tree_.next_players(id, places_.data()));
  return out;
}

void Bounds::by_chance(NodeId id) {
  std::fill(places_.begin(), places_.end(), 0);
  look_at(id, fresh_.data());
}

// One player decides. It is sure of the best lower bound, and gets no more than the best upper one.
// Where nothing follows from that for the others, what they get depends on which move it takes: any
// that may still be best.
void Bounds::by_pivot(NodeId id) {
  const std::uint32_t mover = tree_.node(id).pivot;
  const std::span<Arm> arms = tree_.arms(id, mover);
  std::fill(places_.begin(), places_.end(), 0);
  cells_.resize(arms.size() * roles_);
  std::size_t best = 0;
  float upper = 0;
  const auto proved = [&](std::size_t i) { return arms[i].lower == arms[i].upper; };
  for (std::size_t i = 0; i < arms.size(); ++i) {
    places_[mover] = static_cast<std::uint32_t>(i);
    Range* cell = cells_.data() + i * roles_;
    look_at(id, cell);
    // Arms keep their bounds: choosing looks at them all the time, and proofs outlive the child.
    arms[i].lower = std::max(arms[i].lower, cell[mover].lower);
    arms[i].upper = std::min(arms[i].upper, cell[mover].upper);
    upper = std::max(upper, arms[i].upper);
    // Of equals one that is proved: with it the node may be.
    if (arms[i].lower > arms[best].lower ||
        (arms[i].lower == arms[best].lower && proved(i) && !proved(best))) {
      best = i;
    }
  }
  if (tied(concept_)) {
    share(mover, {arms[best].lower, upper}, fresh_.data());
    return;
  }
  // Once settled on, a move stays: another that turns out as good must not take its place, since
  // the others' bounds are those of this one.
  Node& node = tree_.node(id);
  if (node.taken != Node::none) best = node.taken;
  const float lower = arms[best].lower;
  std::size_t left = 0;
  std::fill(fresh_.begin(), fresh_.end(), Range{1, 0});
  for (std::size_t i = 0; i < arms.size(); ++i) {
    // It may tie with the best, but then the player can take the best.
    if (i != best && arms[i].upper <= lower) continue;
    ++left;
    for (std::uint32_t r = 0; r < roles_; ++r) {
      fresh_[r].lower = std::min(fresh_[r].lower, cells_[i * roles_ + r].lower);
      fresh_[r].upper = std::max(fresh_[r].upper, cells_[i * roles_ + r].upper);
    }
  }
  if (left == 1) node.taken = static_cast<std::uint32_t>(best);
  fresh_[mover] = {lower, upper};
}

// Several players choose at once: a matrix of joint moves. By pure strategies we get the maximin of
// its cells; by mixed ones that at least, and at most what any of the others can hold us down to.
void Bounds::by_matrix(NodeId id) {
  std::vector<std::size_t> begin(roles_ + 1, 0);
  for (std::uint32_t r = 0; r < roles_; ++r) begin[r + 1] = begin[r] + tree_.arms(id, r).size();
  // Of each arm, the worst that the others can make of it, and of the others' arms the best that is
  // left to us.
  cells_.assign(begin[roles_], Range{1, 1});
  std::vector<float> left(begin[roles_], 0.0F);
  std::vector<Range> cell(roles_);
  Range together{0, 0};                                  // the best joint move
  std::fill(fresh_.begin(), fresh_.end(), Range{1, 0});  // whatever happens
  std::fill(places_.begin(), places_.end(), 0);
  do {
    look_at(id, cell.data());
    for (std::uint32_t r = 0; r < roles_; ++r) {
      fresh_[r].lower = std::min(fresh_[r].lower, cell[r].lower);
      fresh_[r].upper = std::max(fresh_[r].upper, cell[r].upper);
      if (r == chance_) continue;
      Range& arm = cells_[begin[r] + places_[r]];
      arm.lower = std::min(arm.lower, cell[r].lower);
      arm.upper = std::min(arm.upper, cell[r].upper);
      float& ours = left[begin[r] + places_[r]];
      ours = std::max(ours, cell[me_].upper);
    }
    together.lower = std::max(together.lower, cell[me_].lower);
    together.upper = std::max(together.upper, cell[me_].upper);
  } while (tree_.next_players(id, places_.data()));
  if (concept_ == Concept::team) {
    share(me_, together, fresh_.data());
    return;
  }
  const auto sure = [&](std::uint32_t role) {
    Range found{0, 0};
    for (std::size_t i = begin[role]; i < begin[role + 1]; ++i) {
      found.lower = std::max(found.lower, cells_[i].lower);
      found.upper = std::max(found.upper, cells_[i].upper);
    }
    return found;
  };
  if (concept_ == Concept::maxn) {
    // Everybody can insist on its own maximin, whatever the others want.
    for (std::uint32_t r = 0; r < roles_; ++r) {
      if (r != chance_) fresh_[r].lower = std::max(fresh_[r].lower, sure(r).lower);
    }
    return;
  }
  Range mine = sure(me_);
  if (simultaneous_ == Simultaneous::mixed) {
    // Each of the others can hold us down to something on its own.
    mine.upper = fresh_[me_].upper;
    for (std::uint32_t r = 0; r < roles_; ++r) {
      if (r == me_ || r == chance_) continue;
      for (std::size_t i = begin[r]; i < begin[r + 1]; ++i) {
        mine.upper = std::min(mine.upper, left[i]);
      }
    }
  }
  // Everybody else wants what we do not.
  share(me_, mine, fresh_.data());
}

}  // namespace woodstock
