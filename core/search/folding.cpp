#include "search/folding.h"

#include <algorithm>
#include <stdexcept>

namespace woodstock {

Folding::Folding(std::shared_ptr<Simulator> simulator, std::uint32_t role, std::uint32_t chance)
    : simulator_(std::move(simulator)),
      roles_(simulator_->circuit().roles()),
      role_(role),
      chance_(chance) {}

void Folding::use(std::shared_ptr<const symmetry::Quotient> quotient) {
  const Circuit& circuit = simulator_->circuit();
  if (quotient &&
      (quotient->fluents() != circuit.fluents() || quotient->moves() != circuit.moves())) {
    throw std::invalid_argument("symmetries of another game");
  }
  quotient_ = std::move(quotient);
}

void Folding::fold(Visits& visits) {
  if (!on()) return;
  const std::size_t size = simulator_->circuit().state_size();
  const std::size_t count = visits.terminal.size();
  elements_.resize(count);
  // Equal moves become one, so the lists of legal moves get shorter: they are packed anew in place.
  std::uint32_t to = 0;
  std::uint32_t from = visits.legal_begin[0];
  for (std::size_t i = 0; i < count; ++i) {
    quotient_->fold({visits.states.data() + i * size, size}, image_);
    visits.keys[i] = image_.hash;
    // Several symmetries may lead to the representative; any will do, and the first is the same
    // every time.
    elements_[i] = image_.elements[0];
    begin_.assign(1, from);
    for (std::uint32_t role = 1; role <= roles_; ++role) {
      begin_.push_back(visits.legal_begin[i * roles_ + role]);
    }
    from = begin_.back();
    fold_legal(visits, i, begin_.data(), to);
  }
  visits.legal.resize(to);
}

void Folding::fold(std::vector<std::uint8_t>& states, std::vector<std::uint64_t>& keys) {
  if (!on()) return;
  const std::size_t size = simulator_->circuit().state_size();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    quotient_->fold({states.data() + i * size, size}, image_);
    keys[i] = image_.hash;
  }
}

void Folding::merge(std::span<const std::uint8_t> state, std::vector<std::uint32_t>& begin,
                    std::vector<std::uint32_t>& moves) {
  if (!on()) return;
  state_.assign(state.begin(), state.end());
  quotient_->fold(state_, image_);
  if (!merges(begin.data())) return;
  auto to = moves.begin();
  for (std::uint32_t role = 0, from = 0; role < roles_; ++role) {
    const auto first = moves.begin() + from;
    const auto last = moves.begin() + begin[role + 1];
    from = begin[role + 1];
    const auto out = to;
    for (auto at = first; at != last; ++at) {
      *to++ = role == chance_ ? *at : quotient_->smallest(image_, *at);
    }
    std::sort(out, to);
    to = std::unique(out, to);
    begin[role + 1] = static_cast<std::uint32_t>(to - moves.begin());
  }
  moves.erase(to, moves.end());
}

// Symmetries of the representative itself make moves equal. Where several choose at once they do so
// for joint moves alone: each role's moves then have to stay apart.
bool Folding::merges(const std::uint32_t* begin) const {
  std::uint32_t choosers = 0;
  for (std::uint32_t role = 0; role < roles_; ++role) {
    if (role != chance_ && begin[role + 1] - begin[role] > 1) ++choosers;
  }
  return image_.elements.size() > 1 && choosers == 1;
}

// Moves what lies at `begin` to `to`, which is never ahead of it.
void Folding::fold_legal(Visits& visits, std::size_t state, const std::uint32_t* begin,
                         std::uint32_t& to) {
  const bool several = merges(begin);
  std::uint32_t* const legal = visits.legal.data();
  for (std::uint32_t role = 0; role < roles_; ++role) {
    std::uint32_t* const out = legal + to;
    std::uint32_t* end = out;
    const bool merge = several && role != chance_;
    for (std::uint32_t at = begin[role]; at < begin[role + 1]; ++at) {
      *end++ = merge ? quotient_->smallest(image_, legal[at])
                     : quotient_->move(image_.elements[0], legal[at]);
    }
    // Renaming has put them out of order, and everybody counts on ascending moves.
    if (merge || image_.elements[0] != 0) std::sort(out, end);
    if (merge) end = std::unique(out, end);
    visits.legal_begin[state * roles_ + role] = to;
    to += static_cast<std::uint32_t>(end - out);
  }
  visits.legal_begin[(state + 1) * roles_] = to;
}

void Folding::enter(Visits& visits, std::uint64_t luck) {
  if (!on()) return;
  own_.assign(visits.legal.begin() + visits.legal_begin[role_],
              visits.legal.begin() + visits.legal_begin[role_ + 1]);
  fold(visits);
  root_ = visits.states;
  // By luck, so that the answer is not always the same of several equal moves.
  by_ = image_.elements[luck % image_.elements.size()];
  // Of arms that stand for several moves, each of ours must find its own again.
  const bool merged = visits.legal_begin[role_ + 1] - visits.legal_begin[role_] < own_.size();
  own_arms_.clear();
  for (const std::uint32_t move : own_) {
    own_arms_.push_back(merged ? quotient_->smallest(image_, move) : quotient_->move(by_, move));
  }
}

void Folding::unfold(Decision& decision) {
  if (!on()) return;
  unfold_line(decision);
  unfold_moves(decision);
}

void Folding::unfold_moves(Decision& decision) const {
  const std::uint32_t chosen = quotient_->move_back(by_, decision.move);
  std::vector<MoveValue> moves;
  for (const MoveValue& arm : decision.moves) {
    const std::size_t first = moves.size();
    // The answer comes first among its equals, as decisions have it.
    if (arm.move == decision.move) {
      moves.push_back(arm);
      moves.back().move = chosen;
    }
    for (std::size_t i = 0; i < own_.size(); ++i) {
      if (own_arms_[i] != arm.move || own_[i] == chosen) continue;
      moves.push_back(arm);
      moves.back().move = own_[i];
    }
    // They are visited together.
    for (std::size_t i = first; i < moves.size(); ++i) {
      moves[i].share /= static_cast<double>(moves.size() - first);
    }
  }
  decision.moves = std::move(moves);
  decision.move = chosen;
}

void Folding::unfold_line(Decision& decision) {
  Element by = by_;  // from the line as it is played to the state at hand
  std::vector<std::uint8_t> state = root_;
  std::vector<std::uint32_t> joint;
  for (std::size_t at = 0; at < decision.line.size(); at += roles_) {
    const auto turn = decision.line.begin() + static_cast<std::ptrdiff_t>(at);
    joint.assign(turn, turn + roles_);
    for (std::uint32_t role = 0; role < roles_; ++role) turn[role] = move_back(by, turn[role]);
    // Only GRAVE keeps by what links were folded: the line is played once more to find out.
    simulator_->visit(state, joint, next_);
    quotient_->fold(next_.states, image_);
    by = join(by, image_.elements[0]);
    state = next_.states;
  }
}

}  // namespace woodstock
