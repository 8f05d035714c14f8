#include "search/stage_settling.h"

#include <algorithm>

namespace woodstock {

void StageSettling::weigh(const Stage& stage) {
  const bool chosen = stage.choosers == 1;
  const bool ours = !chosen || stage.pivot == me_;
  const std::uint32_t draws = graph_.arms(stage, chance_);
  std::fill(places_.begin(), places_.end(), 0);
  moves_.assign(chosen ? graph_.arms(stage, stage.pivot) : 1, Move{});
  sure_ = -1;
  for (std::uint32_t i = 0; i < moves_.size(); ++i) {
    Move& move = moves_[i];
    if (chosen) places_[stage.pivot] = i;
    for (std::uint32_t draw = 0; draw < draws; ++draw) {
      places_[chance_] = draw;
      const NodeId after = graph_.child(stage, graph_.joint_of(stage, places_.data()));
      const Worth& worth = *graph_.worth(after);
      move.value += ours ? worth.value : -worth.value;
      move.lower += ours ? worth.lower : -worth.upper;
      move.upper += ours ? worth.upper : -worth.lower;
      if (worth.settled()) continue;
      const std::uint32_t needed = graph_.proof(after).proof;
      move.needed.add(needed);
      if (move.nearest == no_node || needed < move.least) {
        move.least = needed;
        move.nearest = after;
      }
    }
    sure_ = i == 0 ? move.lower : std::max(sure_, move.lower);
  }
}

bool StageSettling::recount(NodeId id) {
  std::uint32_t& needed = graph_.proof(id).proof;
  if (graph_.worth(id)->settled()) {
    needed = 0;
  } else if (!graph_.solved(id)) {
    // All that is known of its moves is how many there are.
    needed = graph_.node(id).choices;
  } else if (graph_.stage(id).choosers > 1) {
    needed = Proof::never;
  } else {
    weigh(graph_.stage(id));
    AllOf all;
    for (const Move& move : moves_) {
      if (is_open(move)) all.add(move.needed.needed());
    }
    needed = unanswered(all.needed());
  }
  return needed == 0;
}

NodeId StageSettling::nearest(NodeId id) {
  const Stage& stage = graph_.stage(id);
  if (stage.choosers > 1) return no_node;
  weigh(stage);
  // The best first: what it is worth closes the others. Nobody has valued the moves of a stage that
  // was not sampled: of these the one that needs least.
  const Move* best = nullptr;
  for (const Move& move : moves_) {
    if (!is_open(move)) continue;
    if (best == nullptr || move.value > best->value ||
        (move.value == best->value && move.needed.needed() < best->needed.needed())) {
      best = &move;
    }
  }
  return best == nullptr ? no_node : best->nearest;
}

}  // namespace woodstock
