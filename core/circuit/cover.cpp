#include "circuit/cover.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace woodstock {

namespace {

constexpr std::uint32_t none = 0xffffffffU;
// Neighbours in depth-first order among which instructions of one shape are brought together.
// Longer windows make longer runs and longer lives of values.
constexpr std::size_t window = 256;

class Covering {
 public:
  Covering(const GameLogic& game, const Guards& guards)
      : game_(game),
        logic_(game.logic),
        guards_(guards),
        uses_(logic_.size(), 0),
        reached_(logic_.size(), 0),
        owner_(logic_.size(), 0),
        rank_(logic_.size(), 0),
        kind_(logic_.size(), 0),
        level_(logic_.size(), 0),
        emitted_(logic_.size(), 0),
        looked_(logic_.size(), 0),
        counted_(game.recursions.size(), 0) {
    out_.inverted.assign(logic_.size(), 0);
    out_.in_state.assign(logic_.size(), 0);
    for (std::uint32_t r = 0; r < game.recursions.size(); ++r) {
      const Recursion& recursion = game.recursions[r];
      for (std::size_t i = 0; i < recursion.inner.size(); ++i) {
        recursion_of_.push_back(r);
        owner_[recursion.inner[i]] = r + 1;
        // An instruction stores a conjunction. Most updates are disjunctions, that is negated ones:
        // then the slot holds the negation, and who reads it turns it round.
        const std::uint8_t inverted = is_negated(recursion.update[i]) ? 1 : 0;
        out_.inverted[recursion.inner[i]] = inverted;
        out_.inverted[recursion.outer[i]] = inverted;
      }
    }
    // What reads an inner node changes from sweep to sweep and is computed inside the recursion.
    // Nobody can read those of two: outside, there are the outer nodes.
    for (NodeId n = 1; n < logic_.size(); ++n) {
      for (Ref input : logic_.inputs(n)) owner_[n] = std::max(owner_[n], owner_[node_of(input)]);
    }
  }

  Cover run() {
    std::array<std::vector<Ref>, 4> roots;
    roots[index(Part::state)] = game_.legal;
    roots[index(Part::state)].push_back(game_.terminal);
    roots[index(Part::goals)] = game_.goals;
    roots[index(Part::percepts)] = game_.percepts;
    roots[index(Part::move)] = game_.next;

    for (NodeId n : reach(roots[index(Part::state)], 1)) out_.in_state[n] = 1;
    // All parts are looked at before the first is covered: what another one reads must not vanish
    // into its only user in the state part.
    std::uint8_t stamp = 1;
    for (Part part : {Part::goals, Part::percepts, Part::move}) {
      reach(roots[index(part)], ++stamp);
    }
    cover_part(Part::state, roots[index(Part::state)]);
    for (Part part : {Part::goals, Part::percepts, Part::move}) {
      // Nodes outside the state part are counted anew: each part computes its own.
      for (NodeId n = 0; n < logic_.size(); ++n) {
        if (!out_.in_state[n]) {
          uses_[n] = 0;
          emitted_[n] = 0;
        }
      }
      reach(roots[index(part)], ++stamp);
      cover_part(part, roots[index(part)]);
    }
    return std::move(out_);
  }

 private:
  static std::size_t index(Part part) noexcept { return static_cast<std::size_t>(part); }

  // Everything the roots need outside the state part, and who uses it how often. Uses of nodes of
  // the state part are counted in the first round alone.
  std::vector<NodeId> reach(const std::vector<Ref>& roots, std::uint8_t stamp) {
    std::vector<NodeId> found;
    const bool first_round = stamp <= 4;
    const auto use = [&](NodeId n) {
      if (!out_.in_state[n] || first_round) ++uses_[n];
      if (reached_[n] == stamp || out_.in_state[n]) return;
      reached_[n] = stamp;
      found.push_back(n);
    };
    for (Ref root : roots) {
      use(node_of(root));
      use(node_of(root));  // never inside its user
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      const NodeId n = found[i];
      for (Ref input : logic_.inputs(n)) use(node_of(input));
      if (logic_.kind(n) == NodeKind::outer &&
          std::exchange(counted_[recursion_of_[logic_.index(n)]], stamp) != stamp) {
        const Recursion& recursion = game_.recursions[recursion_of_[logic_.index(n)]];
        for (NodeId inner : recursion.inner) use(inner);
        for (Ref update : recursion.update) {
          use(node_of(update));
          use(node_of(update));
        }
        for (NodeId outer : recursion.outer) {
          if (reached_[outer] != stamp && !out_.in_state[outer]) {
            reached_[outer] = stamp;  // its recursion is being looked at
            found.push_back(outer);
          }
        }
      }
    }
    return found;
  }

  bool computed_here(NodeId n) const noexcept {
    return logic_.kind(n) == NodeKind::conjunction && (part_ == Part::state || !out_.in_state[n]);
  }

  bool inlined(NodeId n, NodeId user) const noexcept {
    // Under another guard it would sleep at other times than its user, and in another recursion it
    // would be computed at other times.
    return uses_[n] == 1 && computed_here(n) && guards_.guard_of[n] == guards_.guard_of[user] &&
           owner_[n] == owner_[user];
  }

  // Collects what a conjunction reads: what is used only here is taken in.
  void gather(NodeId top, NodeId n, int depth = 0) {
    constexpr int deepest = 200;  // of our own stack
    for (Ref input : logic_.inputs(n)) {
      const NodeId m = node_of(input);
      if (inlined(m, top)) {
        if (!is_negated(input) && depth < deepest) {
          gather(top, m, depth + 1);
          continue;
        }
        const auto pair = logic_.inputs(m);
        // A pair has room for two slots: no part of it may be one that is taken in itself.
        if (is_negated(input) && pair.size() == 2 && !takes_in(pair[0], top) &&
            !takes_in(pair[1], top)) {
          add_pair(pair[0], pair[1]);
          continue;
        }
      }
      if (is_negated(input) != (out_.inverted[m] != 0)) {
        negated_.push_back(m);
      } else {
        plain_.push_back(m);
      }
    }
  }

  bool takes_in(Ref ref, NodeId top) const noexcept {
    return !is_negated(ref) && inlined(node_of(ref), top);
  }

  void add_pair(Ref a, Ref b) {
    const bool a_negated = is_negated(a) != (out_.inverted[node_of(a)] != 0);
    const bool b_negated = is_negated(b) != (out_.inverted[node_of(b)] != 0);
    auto& list = a_negated && b_negated ? either_ : (a_negated || b_negated ? but_ : both_);
    const bool swap = a_negated && !b_negated;
    list.push_back(node_of(swap ? b : a));
    list.push_back(node_of(swap ? a : b));
  }

  // An instruction for a node that holds what `value` says.
  Instruction instruction(NodeId node, Ref value) {
    plain_.clear();
    negated_.clear();
    both_.clear();
    but_.clear();
    either_.clear();
    const NodeId n = node_of(value);
    // Roots count twice, so two uses are one: an update that nobody else reads is computed straight
    // into the slot of its atom.
    if (n == node || (owner_[n] != 0 && computed_here(n) && uses_[n] == 2)) {
      gather(n, n);
    } else {
      // A copy: of a constant, of a source, of what others read too.
      (out_.inverted[n] != 0 ? negated_ : plain_).push_back(n);
    }
    Instruction made;
    made.node = node;
    made.operands = static_cast<std::uint32_t>(out_.operands.size());
    made.plain = static_cast<std::uint32_t>(plain_.size());
    made.negated = static_cast<std::uint32_t>(negated_.size());
    made.both = static_cast<std::uint32_t>(both_.size() / 2);
    made.but = static_cast<std::uint32_t>(but_.size() / 2);
    made.either = static_cast<std::uint32_t>(either_.size() / 2);
    for (const auto* list : {&plain_, &negated_, &both_, &but_, &either_}) {
      out_.operands.insert(out_.operands.end(), list->begin(), list->end());
    }
    return made;
  }

  struct Item {
    std::uint32_t rank = 0;
    std::uint32_t kind = 0;  // guard, or 256 + recursion
    std::uint32_t at = 0;    // into pending_, or the recursion
  };

  // Depth first over everything that is not yet there; items come out users last.
  void visit(NodeId root, std::uint32_t owner, std::vector<Item>& items) {
    struct Frame {
      NodeId node;
      std::uint32_t at;    // into pending_, or none for a recursion
      std::uint32_t next;  // operand
    };
    // Not by calling itself: chains of dependencies are longer than the stack of a thread.
    std::vector<Frame> stack;
    const auto enter = [&](NodeId n) {
      if (emitted_[n] || (part_ != Part::state && out_.in_state[n])) return;
      if (logic_.kind(n) == NodeKind::outer) {
        const std::uint32_t r = recursion_of_[logic_.index(n)];
        // All atoms of a recursion are computed together, as soon as one of them is wanted.
        for (NodeId outer : game_.recursions[r].outer) emitted_[outer] = 1;
        frames_.push_back(outside(r));
        stack.push_back({n, none, 0});
      } else if (logic_.kind(n) == NodeKind::conjunction && owner_[n] == owner) {
        emitted_[n] = 1;
        pending_.push_back(instruction(n, ref_of(n)));
        stack.push_back({n, static_cast<std::uint32_t>(pending_.size() - 1), 0});
      }
    };
    enter(root);
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.at == none) {
        if (top.next < frames_.back().size()) {
          enter(frames_.back()[top.next++]);
          continue;
        }
        const std::uint32_t r = recursion_of_[logic_.index(top.node)];
        std::uint32_t rank = 0;
        for (NodeId n : frames_.back()) rank = std::max(rank, rank_[n] + 1);
        for (NodeId outer : game_.recursions[r].outer) {
          rank_[outer] = rank;
          kind_[outer] = 256 + r;
        }
        items.push_back({rank, 256 + r, r});
        frames_.pop_back();
        stack.pop_back();
        continue;
      }
      const Instruction& made = pending_[top.at];
      if (top.next < made.operand_count()) {
        enter(out_.operands[made.operands + top.next++]);
        continue;
      }
      const std::uint32_t kind = guards_.guard_of[top.node];
      std::uint32_t rank = 0;
      for (std::uint32_t i = 0; i < made.operand_count(); ++i) {
        const NodeId n = out_.operands[made.operands + i];
        if (part_ != Part::state && out_.in_state[n]) continue;
        if (!emitted_[n]) continue;  // a source
        // The rank counts how often the guard changes on the longest way from the sources. What has
        // the same rank and guard needs nothing from between, and can be one stretch.
        rank = std::max(rank, rank_[n] + (kind_[n] == kind ? 0 : 1));
      }
      rank_[top.node] = rank;
      kind_[top.node] = kind;
      items.push_back({rank, kind, top.at});
      stack.pop_back();
    }
  }

  // The nodes a recursion reads that do not belong to it.
  std::vector<NodeId> outside(std::uint32_t r) {
    std::vector<NodeId> found;
    std::vector<NodeId> work;
    std::vector<NodeId> seen;
    const auto look = [&](NodeId n) {
      if (looked_[n]) return;
      looked_[n] = 1;
      seen.push_back(n);
      (owner_[n] == r + 1 ? work : found).push_back(n);
    };
    for (Ref update : game_.recursions[r].update) look(node_of(update));
    while (!work.empty()) {
      const NodeId n = work.back();
      work.pop_back();
      for (Ref input : logic_.inputs(n)) look(node_of(input));
    }
    for (NodeId n : seen) looked_[n] = 0;
    return found;
  }

  void cover_part(Part part, const std::vector<Ref>& roots) {
    part_ = part;
    pending_.clear();
    std::vector<Item> items;
    for (Ref root : roots) visit(node_of(root), 0, items);
    // Stable, so that within a stretch it stays depth first and values are used soon.
    std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
      return std::tie(a.rank, a.kind) < std::tie(b.rank, b.kind);
    });
    for (std::size_t i = 0; i < items.size();) {
      std::size_t last = i;
      while (last < items.size() && items[last].rank == items[i].rank &&
             items[last].kind == items[i].kind) {
        ++last;
      }
      Stretch stretch;
      stretch.first = static_cast<std::uint32_t>(out_.instructions.size());
      if (items[i].kind >= 256) {
        add_recursion(items[i].at, stretch);
      } else {
        stretch.guard = static_cast<std::uint8_t>(items[i].kind);
        for (; i < last; i += window) {
          add_window({items.data() + i, std::min(window, last - i)});
        }
      }
      i = last;
      stretch.last = static_cast<std::uint32_t>(out_.instructions.size());
      out_.parts[index(part)].push_back(stretch);
    }
  }

  // Sorted by shape, as far as they do not need one another.
  void add_window(std::span<const Item> items) {
    std::vector<std::pair<std::uint32_t, const Instruction*>> order;
    for (const Item& item : items) {
      const Instruction& made = pending_[item.at];
      // Levels are 0 outside of the window: only what needs another one of it has to come later.
      std::uint32_t level = 1;
      for (std::uint32_t i = 0; i < made.operand_count(); ++i) {
        level = std::max(level, level_[out_.operands[made.operands + i]] + 1);
      }
      level_[made.node] = level;
      order.emplace_back(level, &made);
    }
    const auto key = [](const std::pair<std::uint32_t, const Instruction*>& x) {
      const Instruction& i = *x.second;
      return std::tuple(x.first, i.plain, i.negated, i.both, i.but, i.either);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](const auto& a, const auto& b) { return key(a) < key(b); });
    for (const auto& [level, made] : order) {
      level_[made->node] = 0;
      out_.instructions.push_back(*made);
    }
  }

  // Two sweeps over the atoms of a recursion, forwards and backwards.
  void add_recursion(std::uint32_t r, Stretch& stretch) {
    const Recursion& recursion = game_.recursions[r];
    const std::vector<std::uint32_t> order = sweep_order(recursion);
    stretch.recursive = true;
    stretch.recursion = r;
    for (bool backwards : {false, true}) {
      std::vector<NodeId> helpers;
      for (std::size_t k = 0; k < order.size(); ++k) {
        const std::uint32_t i = order[backwards ? order.size() - 1 - k : k];
        const Instruction update = instruction(recursion.inner[i], recursion.update[i]);
        std::vector<Item> items;
        const std::size_t before = pending_.size();
        for (std::uint32_t o = 0; o < update.operand_count(); ++o) {
          visit(out_.operands[update.operands + o], r + 1, items);
        }
        for (const Item& item : items) out_.instructions.push_back(pending_[item.at]);
        for (std::size_t p = before; p < pending_.size(); ++p) helpers.push_back(pending_[p].node);
        out_.instructions.push_back(update);
      }
      for (NodeId n : helpers) emitted_[n] = 0;  // each sweep computes them again
      if (!backwards) stretch.middle = static_cast<std::uint32_t>(out_.instructions.size());
    }
  }

  // Breadth first from the atoms that need no other: the way information flows.
  std::vector<std::uint32_t> sweep_order(const Recursion& recursion) {
    const std::size_t n = recursion.inner.size();
    std::vector<std::vector<std::uint32_t>> users(n);
    std::vector<std::uint32_t> order;
    std::vector<std::uint8_t> placed(n, 0);
    std::vector<NodeId> work;
    std::vector<NodeId> seen;
    for (std::uint32_t i = 0; i < n; ++i) {
      bool seeded = false;
      work.assign(1, node_of(recursion.update[i]));
      while (!work.empty()) {
        const NodeId m = work.back();
        work.pop_back();
        if (looked_[m]) continue;
        looked_[m] = 1;
        seen.push_back(m);
        if (logic_.kind(m) == NodeKind::inner) {
          users[logic_.index(m) - recursion.first].push_back(i);
        } else if (is_negated(recursion.update[i]) && m == node_of(recursion.update[i])) {
          // A disjunction with a part that asks for no atom of the recursion.
          for (Ref input : logic_.inputs(m)) seeded = seeded || owner_[node_of(input)] == 0;
        }
        if (owner_[m] != 0) {
          for (Ref input : logic_.inputs(m)) work.push_back(node_of(input));
        }
      }
      for (NodeId m : seen) looked_[m] = 0;
      seen.clear();
      if (seeded || owner_[node_of(recursion.update[i])] == 0) {
        placed[i] = 1;
        order.push_back(i);
      }
    }
    // Atoms that no seed leads to come where the queue runs dry; in any order, since sweeps go on
    // until nothing changes.
    for (std::size_t at = 0, fresh = 0; order.size() < n || at < order.size(); ++at) {
      if (at == order.size()) {
        while (placed[fresh]) ++fresh;
        placed[fresh] = 1;
        order.push_back(static_cast<std::uint32_t>(fresh));
      }
      for (std::uint32_t i : users[order[at]]) {
        if (!std::exchange(placed[i], std::uint8_t{1})) order.push_back(i);
      }
    }
    return order;
  }

  const GameLogic& game_;
  const Logic& logic_;
  const Guards& guards_;
  Cover out_;
  Part part_ = Part::state;
  std::vector<std::uint32_t> uses_;
  std::vector<std::uint8_t> reached_;
  std::vector<std::uint32_t> owner_;         // per node: 1 + recursion whose inner nodes it reads
  std::vector<std::uint32_t> recursion_of_;  // per recursive atom
  std::vector<std::uint32_t> rank_;
  std::vector<std::uint32_t> kind_;
  std::vector<std::uint32_t> level_;
  std::vector<std::uint8_t> emitted_;
  std::vector<std::uint8_t> looked_;
  std::vector<std::uint8_t> counted_;  // per recursion: the round that saw it
  std::vector<Instruction> pending_;
  std::vector<std::vector<NodeId>> frames_;
  std::vector<NodeId> plain_, negated_, both_, but_, either_;
};

}  // namespace

Cover cover(const GameLogic& game, const Guards& guards) { return Covering(game, guards).run(); }

}  // namespace woodstock
