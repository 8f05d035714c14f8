#include "belief/turn_options.h"

#include <algorithm>
#include <limits>

namespace woodstock {

TurnOptions::TurnOptions(std::size_t roles, std::uint32_t observer)
    : roles_(roles), observer_(observer), begin_(roles + 1) {}

void TurnOptions::find(const Visits& visits, std::size_t position, const ObservedTurn& observed) {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  moves_.clear();
  chance_ = 1;
  joints_ = visits.terminal[position] != 0 ? 0 : 1;
  for (std::size_t r = 0; r < roles_; ++r) {
    const std::uint32_t* begin = visits.legal_begin.data() + position * roles_ + r;
    const bool known = knows(r, observed);
    for (std::uint32_t i = begin[0]; i < begin[1]; ++i) {
      const std::uint32_t move = visits.legal[i];
      if (known ? move == observed.move : observed.allows(move)) moves_.push_back(move);
    }
    begin_[r + 1] = static_cast<std::uint32_t>(moves_.size());
    // A role draws among all of its legal moves, and not only among those that are not excluded:
    // that something was excluded is evidence, and makes what is left less likely.
    const std::uint32_t legal = begin[1] - begin[0];
    if (!known && legal != 0) chance_ /= legal;
    // More than can be counted is too much in any case.
    const std::uint64_t left = begin_[r + 1] - begin_[r];
    if (left != 0 && joints_ > most / left) joints_ = most / left;
    joints_ *= left;
  }
}

std::uint32_t TurnOptions::another(std::uint32_t move, std::size_t role, std::uint64_t luck) const {
  const std::span<const std::uint32_t> options = of(role);
  const auto at = std::lower_bound(options.begin(), options.end(), move);
  // The move need not be among them: a match that came to differ may have lost the right to it.
  const bool there = at != options.end() && *at == move;
  const std::size_t others = options.size() - there;
  if (others == 0) return move;
  const std::size_t one = luck % others;
  const bool skips = there && one >= static_cast<std::size_t>(at - options.begin());
  return options[one + skips];
}

double TurnOptions::chance_of(const Visits& visits, std::size_t position,
                              const std::uint32_t* joint, const ObservedTurn& observed) const {
  if (visits.terminal[position] != 0) return 0;
  double chance = 1;
  for (std::size_t r = 0; r < roles_; ++r) {
    const std::uint32_t* begin = visits.legal_begin.data() + position * roles_ + r;
    const std::uint32_t* legal = visits.legal.data();
    if (!std::binary_search(legal + begin[0], legal + begin[1], joint[r])) return 0;
    if (knows(r, observed)) {
      if (joint[r] != observed.move) return 0;
    } else {
      if (!observed.allows(joint[r])) return 0;
      chance /= begin[1] - begin[0];
    }
  }
  return chance;
}

}  // namespace woodstock
