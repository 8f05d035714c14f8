#include "circuit/trace.h"

#include <algorithm>
#include <bit>
#include <map>

#include "circuit/simulator.h"

namespace woodstock {

Trace::Trace(const Circuit& circuit) : circuit_(circuit) {
  const CircuitView& view = circuit.view();
  groups_ = view.roles == 0 ? 0 : view.choices[view.roles - 1].last_group;
  // Every move that somebody asks about has a slot of its own.
  std::map<Slot, std::uint32_t> leaf_of;
  for (std::uint32_t leaf = 0; leaf < groups_ * group_size; ++leaf) {
    const Slot slot = view.groups[leaf / group_size].does[leaf % group_size];
    if (slot != zero_slot) leaf_of.emplace(slot, leaf);
  }
  const std::vector<Slot>& does = circuit.code().does;
  for (std::uint32_t move = 0; move < does.size(); ++move) {
    const auto found = leaf_of.find(does[move]);
    if (found != leaf_of.end()) moves_.push_back({move, found->second});
  }
  numbers_.resize(moves_.size() + 1);
  lanes_.resize(moves_.size() + 1);
}

void Trace::begin(Workspace& work, std::size_t words) {
  work.made = made_.reserve(2 * groups_ * group_size * words);
  met_.assign((1 + rollout_compactions) * groups_, 0);
  work.met = met_.data();
}

void Trace::add_up_goals(const Games& games) {
  const CircuitView& view = circuit_.view();
  const std::size_t roles = view.roles;
  // The goals of any set of lanes are wanted, once for each move and state. With the sums of all
  // sixteen sets of four neighbouring lanes at hand, that is one look for every four lanes.
  const std::size_t row = 16 * roles;  // of four lanes
  subsets_.assign(games.words * 16 * row, 0);
  // One lane alone.
  for (std::uint32_t role = 0; role < roles; ++role) {
    for (std::uint32_t g = view.goals_begin[role]; g < view.goals_begin[role + 1]; ++g) {
      const std::uint64_t* plane = games.goals + g * games.words;
      for (std::size_t w = 0; w < games.words; ++w) {
        for (std::uint64_t lanes = plane[w]; lanes != 0; lanes &= lanes - 1) {
          const std::size_t lane = w * 64 + static_cast<std::size_t>(std::countr_zero(lanes));
          const std::size_t alone = std::size_t{1} << (lane % 4);
          subsets_[lane / 4 * row + alone * roles + role] = view.goals[g].value;
        }
      }
    }
  }
  for (std::size_t at = 0; at < subsets_.size(); at += row) {
    for (std::size_t highest = 2; highest < 16; highest *= 2) {
      const std::uint32_t* alone = subsets_.data() + at + highest * roles;
      for (std::size_t rest = 1; rest < highest; ++rest) {
        for (std::size_t role = 0; role < roles; ++role) {
          subsets_[at + (highest + rest) * roles + role] =
              alone[role] + subsets_[at + rest * roles + role];
        }
      }
    }
  }
}

void Trace::sum_up(const Games& games, Rollouts& out) {
  add_up_goals(games);
  live_.clear();
  for (const Move& move : moves_) {
    if (met_[move.leaf / group_size] != 0) live_.push_back(move);
  }
  const std::size_t roles = circuit_.roles();
  const std::size_t per_word = 64 / games.each;
  std::size_t at = out.played_begin.back();
  for (std::size_t w = 0; w * per_word < games.states; ++w) {
    here_ = 0;
    for (const Move& move : live_) {
      const std::uint64_t lanes = made_.data()[move.leaf * games.words + w];
      numbers_[here_] = move.number;
      lanes_[here_] = lanes;
      here_ += lanes != 0 ? 1 : 0;
    }
    for (std::size_t i = 0; i < std::min(per_word, games.states - w * per_word); ++i) {
      if (out.played.size() < at + here_ + 1) out.played.resize(at + here_ + 1);
      if (out.played_goals.size() < (at + here_ + 1) * roles) {
        out.played_goals.resize((at + here_ + 1) * roles);
      }
      at = roles == 1   ? list<1>(games, w, i, at, out)
           : roles == 2 ? list<2>(games, w, i, at, out)
                        : list<0>(games, w, i, at, out);
      out.played_begin.push_back(static_cast<std::uint32_t>(at));
    }
  }
}

// Writes the list of one state, the i-th of a word; gives its end. What is written for a move that
// was not made there is overwritten by the next: that costs less than to ask. R: number of roles,
// or 0.
template <std::size_t R>
std::size_t Trace::list(const Games& games, std::size_t word, std::size_t i, std::size_t at,
                        Rollouts& out) const {
  static constexpr std::uint8_t size[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
  const std::size_t roles = R == 0 ? circuit_.roles() : R;
  const std::size_t first = i * games.each;  // lane of the word
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - games.each) << (first % 4);
  const std::size_t fours = std::max<std::size_t>(1, games.each / 4);
  const std::uint32_t* subsets = subsets_.data() + (word * 16 + first / 4) * 16 * roles;
  Played* played = out.played.data() + at;
  std::uint32_t* goals = out.played_goals.data() + at * roles;
  for (std::size_t m = 0; m < here_; ++m) {
    std::uint64_t lanes = (lanes_[m] >> (first / 4 * 4)) & mask;
    const bool made = lanes != 0;
    std::uint32_t count = 0;
    for (std::size_t role = 0; role < roles; ++role) goals[role] = 0;
    const std::uint32_t* four = subsets;
    for (std::size_t f = 0; f < fours; ++f, lanes >>= 4, four += 16 * roles) {
      const std::size_t subset = lanes & 15U;
      count += size[subset];
      for (std::size_t role = 0; role < roles; ++role) goals[role] += four[subset * roles + role];
    }
    *played = {numbers_[m], count};
    played += made ? 1 : 0;
    goals += made ? roles : 0;
  }
  return static_cast<std::size_t>(played - out.played.data());
}

}  // namespace woodstock
