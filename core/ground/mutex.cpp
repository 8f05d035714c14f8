#include "ground/mutex.h"

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <utility>

namespace woodstock {

namespace {

class Prover {
 public:
  Prover(const GroundProgram& program, std::vector<std::vector<std::uint32_t>> groups,
         std::uint64_t budget)
      : program_(program),
        groups_(std::move(groups)),
        completion_(program, groups_),
        kind_(groups_.size(), MutexKind::unproved),
        users_(groups_.size()),
        queued_(groups_.size(), 0),
        deadline_(completion_.steps() + budget),
        // A hard group may take several shares, not everything.
        share_(std::max<std::uint64_t>(budget / (groups_.size() + 1) * 8, budget / 64)) {}

  std::vector<MutexKind> run() {
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      const auto holding = std::count_if(
          groups_[g].begin(), groups_[g].end(),
          [this](std::uint32_t fluent) { return program_.fluents()[fluent].initial; });
      if (holding > 1) continue;
      kind_[g] = holding == 1 ? MutexKind::exactly_one : MutexKind::at_most_one;
      completion_.set_kind(g, kind_[g]);
      enqueue(g);
    }
    while (!queue_.empty()) {
      const std::uint32_t g = queue_.front();
      queue_.pop_front();
      queued_[g] = 0;
      if (kind_[g] == MutexKind::unproved) continue;
      if (completion_.steps() >= deadline_) {
        weaken(g, MutexKind::unproved);  // and, by the queue, whatever leans on it
        continue;
      }
      check(g);
    }
    return kind_;
  }

 private:
  void check(std::uint32_t g) {
    completion_.restart();
    limit_ = std::min(deadline_, completion_.steps() + share_);
    const bool at_most_one = excludes_pairs(g);
    const bool exactly_one = at_most_one && kind_[g] == MutexKind::exactly_one && leaves_one(g);
    for (std::uint32_t used : completion_.used_groups()) users_[used].push_back(g);
    if (!at_most_one) {
      weaken(g, MutexKind::unproved);
    } else if (!exactly_one && kind_[g] == MutexKind::exactly_one) {
      weaken(g, MutexKind::at_most_one);
      enqueue(g);  // its own proof may have used that one member holds
    }
  }

  // No two members can come to hold together.
  bool excludes_pairs(std::uint32_t g) {
    const std::size_t start = completion_.mark();
    const auto next = next_atoms(g);
    for (std::size_t i = 0; i < next.size(); ++i) {
      if (completion_.contradiction()) return true;  // the assumptions leave no state at all
      if (completion_.steps() > limit_) return false;
      bool ok = true;
      if (completion_.assume(static_cast<Literal>(next[i]))) {
        for (std::size_t j = i + 1; ok && j < next.size(); ++j) {
          if (completion_.value(next[j]) < 0) continue;
          const std::size_t inner = completion_.mark();
          ok = !completion_.assume(static_cast<Literal>(next[j])) || completion_.refute(limit_);
          completion_.undo(inner);
        }
      }
      completion_.undo(start);
      if (!ok) return false;
    }
    return true;
  }

  // It cannot be that no member comes to hold.
  bool leaves_one(std::uint32_t g) {
    const std::size_t start = completion_.mark();
    bool consistent = !completion_.contradiction();
    for (AtomId atom : next_atoms(g)) {
      if (consistent) consistent = completion_.assume(-static_cast<Literal>(atom));
    }
    const bool refuted = !consistent || completion_.refute(limit_);
    completion_.undo(start);
    return refuted;
  }

  std::vector<AtomId> next_atoms(std::uint32_t g) const {
    std::vector<AtomId> atoms;
    for (std::uint32_t fluent : groups_[g]) {
      const AtomId atom = program_.fluents()[fluent].next_atom;
      if (atom != no_atom) atoms.push_back(atom);
    }
    return atoms;
  }

  void weaken(std::uint32_t g, MutexKind kind) {
    kind_[g] = kind;
    completion_.set_kind(g, kind);
    for (std::uint32_t user : std::exchange(users_[g], {})) enqueue(user);
  }

  void enqueue(std::uint32_t g) {
    if (kind_[g] == MutexKind::unproved || queued_[g] != 0) return;
    queued_[g] = 1;
    queue_.push_back(g);
  }

  const GroundProgram& program_;
  std::vector<std::vector<std::uint32_t>> groups_;
  Completion completion_;
  std::vector<MutexKind> kind_;
  std::vector<std::vector<std::uint32_t>> users_;  // groups whose proof leaned on this one
  std::vector<std::uint8_t> queued_;
  std::deque<std::uint32_t> queue_;
  std::uint64_t deadline_;
  std::uint64_t share_;
  std::uint64_t limit_ = 0;
};

}  // namespace

std::vector<MutexKind> prove_mutexes(const GroundProgram& program,
                                     std::span<const std::vector<std::uint32_t>> groups,
                                     std::uint64_t budget_steps) {
  std::vector<std::vector<std::uint32_t>> checked(groups.begin(), groups.end());
  for (auto& group : checked) {
    std::sort(group.begin(), group.end());
    group.erase(std::unique(group.begin(), group.end()), group.end());
    if (!group.empty() && group.back() >= program.fluents().size()) {
      throw std::invalid_argument("no such fluent");
    }
  }
  if (!program.stratified()) return std::vector(groups.size(), MutexKind::unproved);
  return Prover(program, std::move(checked), budget_steps).run();
}

}  // namespace woodstock
