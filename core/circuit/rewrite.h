// Making a new logic from an old one, node by node.

#pragma once

#include <utility>
#include <vector>

#include "circuit/synthesis.h"

namespace woodstock {

class Rewriter {
 public:
  explicit Rewriter(const GameLogic& game) : game_(game), now_(game.logic.size(), ref_false) {}

  Logic& logic() noexcept { return out_.logic; }
  // What a reference to the old logic has become; only for nodes already rewritten.
  Ref now(Ref ref) const noexcept {
    return is_negated(ref) ? negate(now_[node_of(ref)]) : now_[node_of(ref)];
  }

  // Sources are copied; conjunction(n) gives the new reference for every old conjunction n, in
  // order.
  template <class Conjunction>
  GameLogic run(Conjunction conjunction) {
    const Logic& old = game_.logic;
    for (NodeId n = 1; n < old.size(); ++n) {
      now_[n] = old.kind(n) == NodeKind::conjunction
                    ? conjunction(n)
                    : out_.logic.add_source(old.kind(n), old.index(n));
    }
    out_.legal = all(game_.legal);
    out_.does = all(game_.does);
    out_.next = all(game_.next);
    out_.goals = all(game_.goals);
    out_.percepts = all(game_.percepts);
    out_.terminal = now(game_.terminal);
    for (const Recursion& recursion : game_.recursions) {
      Recursion copy;
      copy.first = recursion.first;
      for (NodeId n : recursion.inner) copy.inner.push_back(node_of(now_[n]));
      for (NodeId n : recursion.outer) copy.outer.push_back(node_of(now_[n]));
      copy.update = all(recursion.update);
      out_.recursions.push_back(std::move(copy));
    }
    return std::move(out_);
  }

 private:
  std::vector<Ref> all(const std::vector<Ref>& refs) const {
    std::vector<Ref> result;
    result.reserve(refs.size());
    for (Ref ref : refs) result.push_back(now(ref));
    return result;
  }

  const GameLogic& game_;
  GameLogic out_;
  std::vector<Ref> now_;  // per old node
};

}  // namespace woodstock
