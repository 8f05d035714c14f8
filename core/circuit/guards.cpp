#include "circuit/guards.h"

#include <algorithm>
#include <bit>

#include "circuit/rewrite.h"

namespace woodstock {

namespace {

using Mask = std::uint32_t;  // one bit a guard

// For every node: the guards that must hold where the node is true, and where it is false.
class Implications {
 public:
  Implications(const GameLogic& game, std::span<const Ref> guards)
      : logic_(game.logic), if_true_(logic_.size(), 0), if_false_(logic_.size(), 0) {
    for (std::size_t g = 0; g < guards.size(); ++g) {
      auto& masks = is_negated(guards[g]) ? if_false_ : if_true_;
      masks[node_of(guards[g])] |= Mask{1} << g;
    }
    // A constant is never true, or never false: it implies everything there.
    if_true_[0] = ~Mask{0};
    for (NodeId n = 1; n < logic_.size(); ++n) {
      // A move that is made is legal.
      if (logic_.kind(n) == NodeKind::does) {
        if_true_[n] = of(game.legal[logic_.index(n)]);
      } else if (logic_.kind(n) == NodeKind::conjunction) {
        // True: all inputs are, so every guard of any of them holds. False: some input is, and
        // nobody knows which, so only guards that they have in common do.
        Mask all = 0;
        Mask common = ~Mask{0};
        for (Ref input : logic_.inputs(n)) {
          all |= of(input);
          common &= of(negate(input));
        }
        if_true_[n] = all;
        if_false_[n] = common;
      }
    }
  }

  Mask of(Ref ref) const noexcept {
    return is_negated(ref) ? if_false_[node_of(ref)] : if_true_[node_of(ref)];
  }

 private:
  const Logic& logic_;
  std::vector<Mask> if_true_;
  std::vector<Mask> if_false_;
};

// The guards come in order of preference.
std::uint8_t first_of(Mask mask) noexcept {
  return mask == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(1 + std::countr_zero(mask));
}

}  // namespace

Guards find_guards(const GameLogic& game, std::span<const Ref> guards) {
  const Logic& logic = game.logic;
  Guards out;
  out.guards.assign(guards.begin(), guards.end());
  out.guard_of.assign(logic.size(), 0);
  out.asleep.assign(logic.size(), Asleep::unseen);
  if (guards.empty()) return out;

  const Implications implied(game, guards);
  // 0: no user yet; 1 .. guards: all users sleep with that guard; awake: some user never sleeps.
  constexpr std::uint8_t awake = 255;
  std::vector<std::uint8_t> users(logic.size(), 0);
  const auto meet = [&](NodeId n, std::uint8_t guard) {
    if (guard == 0 || (users[n] != 0 && users[n] != guard)) {
      users[n] = awake;
    } else {
      users[n] = guard;
    }
  };
  for (const auto* roots : {&game.legal, &game.next, &game.goals, &game.percepts}) {
    for (Ref root : *roots) meet(node_of(root), 0);
  }
  meet(node_of(game.terminal), 0);
  // A recursion is swept as a whole and never sleeps: what it reads has somebody awake to look at
  // it.
  for (const Recursion& recursion : game.recursions) {
    for (Ref update : recursion.update) meet(node_of(update), 0);
    for (NodeId outer : recursion.outer) users[outer] = awake;
  }
  std::vector<std::uint8_t> recursive(logic.size(), 0);
  for (NodeId n = 1; n < logic.size(); ++n) {
    recursive[n] = logic.kind(n) == NodeKind::inner ? 1 : 0;
    for (Ref input : logic.inputs(n)) recursive[n] |= recursive[node_of(input)];
  }
  // From the back: users have larger numbers, so all users of a node are known when it is its turn.
  for (NodeId n = static_cast<NodeId>(logic.size()); n-- > 1;) {
    if (logic.kind(n) != NodeKind::conjunction) continue;
    std::uint8_t guard = 0;
    if (!recursive[n]) {
      const std::uint8_t if_true = first_of(implied.of(ref_of(n)));
      const std::uint8_t if_false = first_of(implied.of(negate(ref_of(n))));
      if (if_true != 0) {
        guard = if_true;
        out.asleep[n] = Asleep::zero;
      } else if (if_false != 0) {
        guard = if_false;
        out.asleep[n] = Asleep::one;
      } else if (users[n] != 0 && users[n] != awake) {
        guard = users[n];
      }
      if (users[n] == guard) out.asleep[n] = Asleep::unseen;  // nobody awake looks
    }
    out.guard_of[n] = guard;
    for (Ref input : logic.inputs(n)) meet(node_of(input), guard);
  }
  return out;
}

std::vector<Ref> choose_guards(const GameLogic& game, const Observation& seen) {
  constexpr double least_share = 0.005;  // of the work, below which a guard is not worth its checks
  constexpr double least_sleep = 0.1;    // of the passes
  constexpr std::size_t enough = 8;
  const Logic& logic = game.logic;
  std::vector<std::uint32_t> uses(2 * logic.size(), 0);
  double total = 0;
  for (NodeId n = 1; n < logic.size(); ++n) {
    for (Ref input : logic.inputs(n)) ++uses[input];
    total += static_cast<double>(logic.inputs(n).size());
  }
  for (Ref legal : game.legal) ++uses[legal];

  struct Candidate {
    Ref ref;
    double sleep;
    double score;
  };
  std::vector<Candidate> candidates;
  for (NodeId n = 1; n < logic.size() && logic.kind(n) == NodeKind::fluent; ++n) {
    const std::uint32_t f = logic.index(n);
    // It has to come and go in all lanes again and again; what merely has not happened yet holds in
    // some lane later, when lanes are at different points of their games.
    if (8 * seen.turns[f] < seen.passes) continue;
    for (Ref ref : {ref_of(n), negate(ref_of(n))}) {
      const double sleep =
          static_cast<double>(is_negated(ref) ? seen.always[f] : seen.never[f]) / seen.passes;
      if (sleep >= least_sleep) candidates.push_back({ref, sleep, sleep * uses[ref]});
    }
  }
  const auto best_first = [](const Candidate& a, const Candidate& b) { return a.score > b.score; };
  std::stable_sort(candidates.begin(), candidates.end(), best_first);
  if (candidates.size() > max_guards) candidates.resize(max_guards);
  // Twice: the order of preference decides what is left for the others.
  for (int round = 0; round < 2; ++round) {
    std::vector<Ref> refs;
    for (const Candidate& candidate : candidates) refs.push_back(candidate.ref);
    const Guards guards = find_guards(game, refs);
    std::vector<double> work(refs.size() + 1, 0);
    for (NodeId n = 1; n < logic.size(); ++n) {
      work[guards.guard_of[n]] += static_cast<double>(logic.inputs(n).size());
    }
    for (std::size_t g = 0; g < candidates.size(); ++g) {
      candidates[g].score = candidates[g].sleep * work[g + 1];
    }
    std::erase_if(candidates, [&](const Candidate& c) { return c.score < least_share * total; });
    std::stable_sort(candidates.begin(), candidates.end(), best_first);
    if (candidates.size() > enough) candidates.resize(enough);
  }
  std::vector<Ref> chosen;
  for (const Candidate& candidate : candidates) chosen.push_back(candidate.ref);
  return chosen;
}

GameLogic split_by_guards(const GameLogic& game, std::span<const Ref> guards) {
  const Guards found = find_guards(game, guards);
  const Implications implied(game, guards);
  Rewriter rewriter(game);
  std::vector<std::vector<Ref>> groups(guards.size() + 1);
  std::vector<Ref> parts;
  return rewriter.run([&](NodeId n) {
    parts.clear();
    for (Ref input : game.logic.inputs(n)) {
      // What is true where the guard is false can be left out there.
      const std::size_t group = found.guard_of[n] != 0 ? 0 : first_of(implied.of(negate(input)));
      groups[group].push_back(rewriter.now(input));
    }
    for (std::vector<Ref>& group : groups) {
      if (&group == &groups[0]) {
        parts = group;
      } else if (!group.empty()) {
        parts.push_back(rewriter.logic().conjunction(group));
      }
      group.clear();
    }
    return rewriter.logic().conjunction(parts);
  });
}

}  // namespace woodstock
