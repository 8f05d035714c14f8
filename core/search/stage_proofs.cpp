#include "search/stage_proofs.h"

#include <cmath>

namespace woodstock {

void StageProofs::ask(NodeId root) {
  const Worth& worth = *graph_.worth(root);
  if (worth.settled()) return;
  // Also where another root has other bounds: what is above them all, or below, is no question.
  if (worth.lower < wanted_ && worth.upper >= wanted_) return;
  const bool hopeful = worth.value >= (worth.lower + worth.upper) / 2;
  wanted_ = hopeful ? worth.upper : std::nextafter(worth.lower, 2.0F);
  // Solutions are made after their stage, but for transpositions; what comes too late for these is
  // told when somebody comes by.
  for (auto id = static_cast<NodeId>(graph_.size()); id-- > 0;) recount(id);
}

bool StageProofs::recount(NodeId id) {
  const Proof found = of(id);
  graph_.proof(id) = found;
  return found.answered();
}

Proof StageProofs::of(NodeId id) {
  const Worth& worth = *graph_.worth(id);
  if (worth.lower >= wanted_) return Proof::yes();
  if (worth.upper < wanted_) return Proof::no();
  if (!graph_.solved(id)) {
    // All that is known of its moves is how many there are.
    const StageNode& node = graph_.node(id);
    return node.ours ? Proof{1, node.choices} : Proof{node.choices, 1};
  }
  const Stage& stage = graph_.stage(id);
  if (!stage.single) return of_matrix(stage);
  // One move is enough for who moves; to refute it takes all of them.
  const bool ours = stage.pivot == me_;
  const NodeId* const children = graph_.children(stage);
  std::uint32_t one = Proof::never;
  AllOf all;
  for (std::uint32_t i = 0; i < stage.width; ++i) {
    const Proof& known = graph_.proof(children[i]);
    one = std::min(one, ours ? known.proof : known.disproof);
    all.add(ours ? known.disproof : known.proof);
  }
  const std::uint32_t any = unanswered(one);
  const std::uint32_t every = unanswered(all.needed());
  return ours ? Proof{any, every} : Proof{every, any};
}

// One of our moves is enough, and all answers to it have to come out well.
Proof StageProofs::of_matrix(const Stage& stage) {
  answers_.assign(graph_.arms(stage, me_), Answers{});
  for (std::uint32_t joint = 0; joint < stage.width; ++joint) {
    graph_.joint_places(stage, joint, places_.data());
    Answers& to = answers_[places_[me_]];
    const NodeId child = graph_.child(stage, joint);
    const Proof& known = graph_.proof(child);
    to.proof.add(known.proof);
    if (known.disproof < to.disproof) {
      to.disproof = known.disproof;
      to.nearest = child;
    }
  }
  std::uint32_t one = Proof::never;
  AllOf all;
  for (const Answers& move : answers_) {
    one = std::min(one, move.proof.needed());
    all.add(move.disproof);
  }
  return {unanswered(one), unanswered(all.needed())};
}

NodeId StageProofs::nearest(NodeId id) {
  const Stage& stage = graph_.stage(id);
  std::uint32_t least = Proof::never;
  if (!stage.single) {
    of_matrix(stage);
    NodeId best = no_node;
    for (const Answers& move : answers_) {
      if (move.nearest != no_node && move.proof.needed() < least) {
        least = move.proof.needed();
        best = move.nearest;
      }
    }
    return best;
  }
  const bool ours = stage.pivot == me_;
  const NodeId* const children = graph_.children(stage);
  NodeId best = no_node;
  for (std::uint32_t i = 0; i < stage.width; ++i) {
    const Proof& known = graph_.proof(children[i]);
    const std::uint32_t needed = ours ? known.proof : known.disproof;
    if (needed < least) {
      least = needed;
      best = children[i];
    }
  }
  return best;
}

}  // namespace woodstock
