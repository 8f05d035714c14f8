#include "ground/mutex.h"

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <utility>

#include "ground/evaluator.h"
#include "ground/sampling.h"

namespace woodstock {

namespace {

using Groups = std::vector<std::vector<std::uint32_t>>;

// What random play, the initial state included, leaves of each group's strongest claim.
std::vector<MutexKind> observe(const std::shared_ptr<const GroundProgram>& program,
                               const Groups& groups, std::uint64_t effort) {
  std::vector<std::vector<std::uint32_t>> groups_of(program->fluents().size());
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    for (std::uint32_t fluent : groups[g]) groups_of[fluent].push_back(g);
  }
  std::vector<MutexKind> kind(groups.size(), MutexKind::exactly_one);
  std::vector<std::uint32_t> holding(groups.size());
  const auto visit = [&](std::span<const std::uint8_t> state) {
    std::fill(holding.begin(), holding.end(), 0U);
    for (std::size_t f = 0; f < groups_of.size(); ++f) {
      if (((state[f / 8] >> (f % 8)) & 1U) == 0) continue;
      for (std::uint32_t g : groups_of[f]) ++holding[g];
    }
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (holding[g] == 0) kind[g] = std::min(kind[g], MutexKind::at_most_one);
      if (holding[g] > 1) kind[g] = MutexKind::unproved;
    }
  };
  // The initial state is the base of the induction and must be seen whatever the effort allows.
  visit(Evaluator(program).initial());
  SamplingLimits limits;
  limits.literals = effort;
  sample_states(program, limits, visit);
  return kind;
}

// Half of the effort is for groups proved on their own, a quarter for groups proved together, the
// rest for repeating proofs after a group they leaned on has gone. Simple groups come first: others
// will lean on them.
class Prover {
 public:
  Prover(const GroundProgram& program, const Groups& groups, std::vector<MutexKind> claims,
         std::uint64_t budget)
      : program_(program),
        groups_(groups),
        completion_(program, groups),
        claim_(std::move(claims)),
        proved_(groups.size(), MutexKind::unproved),
        share_(groups.size(), 0),
        attempts_(groups.size(), 0),
        users_(groups.size()),
        queued_(groups.size(), 0),
        start_(completion_.steps()),
        budget_(budget) {}

  std::vector<MutexKind> run() {
    const auto open =
        static_cast<std::uint64_t>(std::count_if(claim_.begin(), claim_.end(), [](MutexKind claim) {
          return claim != MutexKind::unproved;
        }));
    // An eighth of the effort in all for first attempts: hard groups must not starve the easy ones.
    std::fill(share_.begin(), share_.end(),
              std::max<std::uint64_t>(budget_ / (8 * open + 1), 1000));
    std::vector<std::size_t> rules(groups_.size(), 0);
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      for (AtomId atom : next_atoms(g)) {
        rules[g] += program_.rules_of(atom).second - program_.rules_of(atom).first;
      }
      order_.push_back(g);
    }
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return rules[a] < rules[b]; });
    prove_alone();
    prove_together();
    return claim_;
  }

 private:
  std::uint64_t spent() const noexcept { return completion_.steps() - start_; }
  bool settled(std::uint32_t g) const { return claim_[g] == proved_[g]; }

  // Groups that need no other unproved group. What is proved here stands, come what may.
  void prove_alone() {
    for (bool progress = true; progress;) {
      progress = false;
      for (std::uint32_t g : order_) {
        for (MutexKind kind : {MutexKind::exactly_one, MutexKind::at_most_one}) {
          if (kind > claim_[g] || kind <= proved_[g] || spent() > budget_ / 2) continue;
          // The claim itself is the hypothesis of the induction: it is assumed of the state before
          // the step.
          completion_.set_kind(g, kind);
          if (check(g, kind)) {
            proved_[g] = kind;
            progress = true;
          }
          completion_.set_kind(g, proved_[g]);
        }
      }
    }
  }

  // Groups that support each other: all claims are assumed until one fails.
  void prove_together() {
    // The largest set of claims that carry each other: like a greatest fixpoint, it is found from
    // above, by dropping what fails and looking again at what leaned on it.
    for (std::uint32_t g : order_) {
      completion_.set_kind(g, claim_[g]);
      enqueue(g);
    }
    while (!queue_.empty()) {
      const std::uint32_t g = queue_.front();
      queue_.pop_front();
      queued_[g] = 0;
      if (settled(g)) continue;
      // Late, only those that have succeeded before are worth another try.
      if (spent() >= budget_ || (spent() >= budget_ / 4 * 3 && attempts_[g] != 0)) {
        weaken(g, MutexKind::unproved);  // and, by the queue, whatever leans on it
        continue;
      }
      const bool holds = check(g, claim_[g]);
      // If one of these falls, this one has to be asked again.
      for (std::uint32_t used : completion_.used_groups()) users_[used].push_back(g);
      if (holds) continue;
      if (attempts_[g] != 0 && spent() < budget_ / 4 * 3) {
        enqueue(g);  // too hard for its share, not wrong
      } else {
        weaken(g,
               claim_[g] == MutexKind::exactly_one ? MutexKind::at_most_one : MutexKind::unproved);
        enqueue(g);
      }
    }
  }

  // The step of the induction for one group. Running out of steps counts as an attempt: the next
  // one treats moves the other way, and every second one has a larger share.
  bool check(std::uint32_t g, MutexKind kind) {
    const bool eager = attempts_[g] % 2 == 0 ? prefer_eager_ : !prefer_eager_;
    completion_.set_eager_moves(eager);
    completion_.restart();
    limit_ = completion_.steps() + std::min(share_[g], budget_ - std::min(budget_, spent()));
    if (excludes_pairs(g) && (kind == MutexKind::at_most_one || leaves_one(g))) {
      attempts_[g] = 0;
      prefer_eager_ = eager;  // games are alike in all their cells
      return true;
    }
    if (completion_.steps() <= limit_) {
      attempts_[g] = 0;
    } else if (++attempts_[g] % 2 == 0) {
      share_[g] *= 4;
    }
    return false;
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
          // The first assumption alone excludes it.
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
    // A contradiction here means that no such state exists, so whatever is claimed of it holds.
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
    claim_[g] = std::max(kind, proved_[g]);
    completion_.set_kind(g, claim_[g]);
    for (std::uint32_t user : std::exchange(users_[g], {})) enqueue(user);
  }

  void enqueue(std::uint32_t g) {
    if (settled(g) || queued_[g] != 0) return;
    queued_[g] = 1;
    queue_.push_back(g);
  }

  const GroundProgram& program_;
  const Groups& groups_;
  Completion completion_;
  std::vector<std::uint32_t> order_;               // simple groups first
  std::vector<MutexKind> claim_;                   // not refuted so far
  std::vector<MutexKind> proved_;                  // for good
  std::vector<std::uint64_t> share_;               // steps a group may take in one check
  std::vector<std::uint32_t> attempts_;            // in a row that ran out of steps
  std::vector<std::vector<std::uint32_t>> users_;  // groups whose proof leaned on this one
  std::vector<std::uint8_t> queued_;
  std::deque<std::uint32_t> queue_;
  std::uint64_t start_;
  std::uint64_t budget_;
  std::uint64_t limit_ = 0;
  bool prefer_eager_ = true;
};

}  // namespace

std::vector<MutexKind> prove_mutexes(std::shared_ptr<const GroundProgram> program,
                                     std::span<const std::vector<std::uint32_t>> groups,
                                     std::uint64_t budget_steps, bool play_first) {
  Groups checked(groups.begin(), groups.end());
  for (auto& group : checked) {
    std::sort(group.begin(), group.end());
    group.erase(std::unique(group.begin(), group.end()), group.end());
    if (!group.empty() && group.back() >= program->fluents().size()) {
      throw std::invalid_argument("no such fluent");
    }
  }
  if (!program->stratified()) return std::vector(groups.size(), MutexKind::unproved);
  auto claims = observe(program, checked, play_first ? budget_steps / 8 : 0);
  return Prover(*program, checked, std::move(claims), budget_steps - budget_steps / 8).run();
}

}  // namespace woodstock
