#include "search/mast.h"

#include <algorithm>

namespace woodstock {

Mast::Mast(const Circuit& circuit, std::uint32_t chance, double step)
    : table_(circuit.role_table()),
      roles_(circuit.roles()),
      chance_(chance),
      step_(step),
      moves_(circuit.moves()),
      usual_(roles_),
      values_(roles_) {}

void Mast::hear(const Rollouts& rollouts, const Utilities& utilities) {
  const bool listened = listens();
  ++heard_;
  if (!listened) return;
  for (std::size_t i = 0; i < rollouts.played.size(); ++i) {
    const Played& played = rollouts.played[i];
    const std::uint32_t role = table_.move_role[played.move];
    if (role == chance_) continue;
    utilities(rollouts.played_goals.data() + i * roles_, played.games, values_.data());
    for (Record* record : {&moves_[played.move], &usual_[role]}) {
      record->games += played.games;
      record->sum += played.games * values_[role];
    }
  }
  rank();
}

void Mast::rank() {
  levels_.assign(moves_.size(), 0);
  for (std::size_t move = 0; move < moves_.size(); ++move) {
    const Record& record = moves_[move];
    if (record.games == 0) continue;
    const Record& all = usual_[table_.move_role[move]];
    const double usual = all.sum / all.games;
    // A move that was made in a few lucky games is not yet better than usual.
    const double mean = (record.sum + doubt * usual) / (record.games + doubt);
    const double level = (mean - usual) / step_ + 1;
    levels_[move] = static_cast<std::uint8_t>(std::clamp(level, 0.0, preference_levels - 1.0));
  }
}

}  // namespace woodstock
