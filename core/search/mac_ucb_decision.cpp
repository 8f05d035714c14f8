// What MAC-UCB answers.

#include <algorithm>

#include "search/mac_ucb.h"

namespace woodstock {

Decision MacUcb::decide(const Watch& watch) {
  Decision out;
  const StageNode& root = graph_.node(root_);
  for (std::uint32_t r = 0; r < roles_; ++r) out.values.push_back(values_.worth(root_, r).value);
  out.proved = root.proved && !believed_;
  if (graph_.solved(root_)) {
    const Stage& stage = graph_.stage(root_);
    const std::span<const Worth> worth = values_.arms(stage, options_.role);
    for (std::uint32_t i = 0; i < worth.size(); ++i) {
      MoveValue move;
      move.move = graph_.move(stage, options_.role, i);
      move.visits = graph_.followed(stage, options_.role, i);
      if (plays() && stage.single && worth.size() > 1) {
        move.visits += graph_.samples(graph_.child(stage, i))->visits;
      }
      // Without a choice of ours all there is to say is what the whole is worth.
      const bool known = stage.choosers > 1 || stage.pivot == options_.role;
      move.value = worth[i].value;
      move.lower = known && !believed_ ? worth[i].lower : 0;
      move.upper = known && !believed_ ? worth[i].upper : 1;
      out.moves.push_back(move);
    }
  } else {
    // Our moves, as they were looked up.
    for (std::uint32_t i = visits_.legal_begin[options_.role];
         i < visits_.legal_begin[options_.role + 1]; ++i) {
      MoveValue move;
      move.move = visits_.legal[i];
      move.value = out.values[options_.role];
      out.moves.push_back(move);
    }
  }
  std::stable_sort(out.moves.begin(), out.moves.end(), [&](const MoveValue& a, const MoveValue& b) {
    // An estimate may come up to what is proved of another move, but no more.
    if (out.proved && a.lower != b.lower) return a.lower > b.lower;
    if (a.value != b.value) return a.value > b.value;
    return a.lower > b.lower;
  });
  if (options_.answer == Answer::followed && !out.proved) {
    // What was followed most was found best most often, not only at the end; but not what has been
    // found out to be worse than something that is sure.
    double sure = 0;
    for (const MoveValue& move : out.moves) sure = std::max(sure, move.lower);
    const auto tries = [&](const MoveValue& move) { return move.upper < sure ? 0 : move.visits; };
    const auto most =
        std::max_element(out.moves.begin(), out.moves.end(),
                         [&](const auto& a, const auto& b) { return tries(a) < tries(b); });
    std::rotate(out.moves.begin(), most, most + 1);
  }
  out.move = out.moves.front().move;
  out.value = out.proved ? out.values[options_.role] : out.moves.front().value;
  NodeId id = root_;
  for (std::size_t turn = 0; turn < 24 && graph_.solved(id); ++turn) {
    const Stage& stage = graph_.stage(id);
    values_.choose(stage, places_.data(),
                   [](std::uint32_t, std::uint32_t, const Worth&) { return 0.0; });
    if (options_.chance < roles_) places_[options_.chance] = 0;
    if (turn == 0) {
      std::uint32_t& own = places_[options_.role];
      for (own = 0; graph_.move(stage, options_.role, own) != out.move; ++own) continue;
    }
    for (std::uint32_t r = 0; r < roles_; ++r) {
      out.line.push_back(graph_.move(stage, r, places_[r]));
    }
    id = graph_.child(stage, graph_.joint_of(stage, places_.data()));
  }
  folding_.unfold(out);
  out.nodes = nodes_;
  out.simulations = simulations_;
  out.tree_nodes = graph_.size();
  out.bytes = graph_.bytes() + sizeof(Open) * open_.size();
  out.depth = depth_;
  out.seconds = watch.seconds();
  out.cpu_seconds = watch.cpu_seconds();
  return out;
}

}  // namespace woodstock
