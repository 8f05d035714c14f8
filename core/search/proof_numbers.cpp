#include "search/proof_numbers.h"

#include <cmath>
#include <vector>

#include "search/bandit.h"

namespace woodstock {

void ProofNumbers::ask(NodeId root) {
  const RoleValue& value = tree_.values(root)[me_];
  if (value.lower == value.upper) return;
  // Also where another root has other bounds: what is above them all, or below, is no question.
  if (!yes(value.lower) && !no(value.upper)) return;
  const double middle = (static_cast<double>(value.lower) + value.upper) / 2;
  const bool hopeful = mean_of(value.sum, tree_.node(root).visits) >= middle;
  wanted_ = hopeful ? value.upper : std::nextafter(value.lower, 2.0F);
  recount();
}

Proof ProofNumbers::of_arm(const Arm& arm, const Proof& known, bool ours) const {
  // Bounds of an arm are those of who moves, and outlive the child.
  const float lower = ours ? arm.lower : 1 - arm.upper;
  const float upper = ours ? arm.upper : 1 - arm.lower;
  return yes(lower) ? Proof::yes() : no(upper) ? Proof::no() : known;
}

Proof ProofNumbers::of(NodeId id) const {
  const RoleValue& value = tree_.values(id)[me_];
  if (yes(value.lower)) return Proof::yes();
  if (no(value.upper)) return Proof::no();
  const Node& node = tree_.node(id);
  // Several choose at once: a leaf like any other, until its bounds say more.
  if (node.choosers > 1) return {};
  const bool ours = node.pivot == me_;
  const std::span<const Arm> arms = tree_.arms(id, node.pivot);
  const std::span<const Proof> proofs = tree_.proofs(id, node.pivot);
  // One move is enough for who moves; to refute it takes all of them.
  std::uint32_t one = never;
  AllOf all;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    const Proof arm = of_arm(arms[i], proofs[i], ours);
    one = std::min(one, ours ? arm.proof : arm.disproof);
    all.add(ours ? arm.disproof : arm.proof);
  }
  one = unanswered(one);
  const std::uint32_t every = unanswered(all.needed());
  return ours ? Proof{one, every} : Proof{every, one};
}

std::uint32_t ProofNumbers::nearest(NodeId id) const {
  const std::uint32_t pivot = tree_.node(id).pivot;
  const bool ours = pivot == me_;
  const std::span<const Arm> arms = tree_.arms(id, pivot);
  const std::span<const Proof> proofs = tree_.proofs(id, pivot);
  std::uint32_t best = 0;
  std::uint32_t least = never;
  for (std::uint32_t i = 0; i < arms.size(); ++i) {
    const Proof arm = of_arm(arms[i], proofs[i], ours);
    const std::uint32_t needed = ours ? arm.proof : arm.disproof;
    if (needed < least) {
      least = needed;
      best = i;
    }
  }
  return best;
}

void ProofNumbers::hear(NodeId id, std::uint32_t place, NodeId child) {
  tree_.proofs(id, tree_.node(id).pivot)[place] = of(child);
}

// Children are made after their parents, but for transpositions; what comes too late for these is
// heard when they are visited.
void ProofNumbers::recount() {
  std::vector<Proof> known(tree_.size());
  for (auto id = static_cast<NodeId>(tree_.size()); id-- > 0;) {
    const Node& node = tree_.node(id);
    if (!node.terminal && node.choosers <= 1) {
      const std::span<const Arm> arms = tree_.arms(id, node.pivot);
      const std::span<Proof> proofs = tree_.proofs(id, node.pivot);
      for (std::size_t i = 0; i < arms.size(); ++i) {
        proofs[i] = arms[i].child == no_node ? Proof{} : known[arms[i].child];
      }
    }
    known[id] = of(id);
  }
}

ProofNumbers::Bonus::Bonus(const ProofNumbers& numbers, NodeId id, std::uint32_t role)
    : proofs_(numbers.tree_.proofs(id, role)), ours_(role == numbers.me_) {
  std::uint32_t least = never;
  for (std::uint32_t i = 0; i < proofs_.size(); ++i) {
    // What is proved already is not to be tried.
    if (leaves(i) != 0) least = std::min(least, leaves(i));
  }
  if (least != never) share_ = numbers.weight_ * std::sqrt(static_cast<double>(least));
}

}  // namespace woodstock
