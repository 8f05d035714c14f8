#include "circuit/circuit.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <new>
#include <stdexcept>
#include <utility>

#include "circuit/guards.h"
#include "circuit/isa.h"
#include "circuit/schedule.h"
#include "circuit/share.h"

namespace woodstock {

Circuit::Circuit(const GroundProgram& program, RoleTable roles) : roles_(std::move(roles)) {
  if (roles_.move_role.size() != program.moves().size() ||
      roles_.goal_role.size() != program.goals().size() ||
      roles_.goal_value.size() != program.goals().size()) {
    throw std::invalid_argument("the table of roles does not fit the program");
  }
  const auto no_such_role = [this](std::uint32_t role) {
    return role != RoleTable::no_role && role >= roles_.roles;
  };
  if (std::any_of(roles_.goal_role.begin(), roles_.goal_role.end(), no_such_role)) {
    throw std::invalid_argument("the table of roles names a role that is not there");
  }
  if (!roles_.percept_role.empty() &&
      (roles_.percept_role.size() != program.percepts().size() ||
       std::any_of(roles_.percept_role.begin(), roles_.percept_role.end(), no_such_role))) {
    throw std::invalid_argument("the table of roles does not fit the percepts");
  }
  if (std::any_of(roles_.goal_value.begin(), roles_.goal_value.end(),
                  [](std::uint32_t value) { return value > max_goal; })) {
    throw std::invalid_argument("a goal is too large for a circuit");
  }
  // Moves matter more: whose they are decides who chooses among them.
  std::map<TermId, std::uint32_t> number;
  for (TermId role : program.roles()) number.emplace(role, RoleTable::no_role);
  for (std::size_t i = 0; i < roles_.move_role.size(); ++i) {
    const std::uint32_t role = roles_.move_role[i];
    const auto known = number.find(program.moves()[i].role);
    if (no_such_role(role) || (known == number.end()) != (role == RoleTable::no_role)) {
      throw std::invalid_argument("the table of roles gives a move to the wrong role");
    }
    if (known == number.end()) continue;
    if (known->second == RoleTable::no_role) known->second = role;
    if (known->second != role) {
      throw std::invalid_argument("the table of roles gives one role two numbers");
    }
  }
  if (roles_.roles > max_roles) throw std::invalid_argument("too many roles for a circuit");
  const auto fluents = program.fluents();
  initial_.assign(std::max<std::size_t>(1, (fluents.size() + 7) / 8), 0);
  for (std::size_t i = 0; i < fluents.size(); ++i) {
    if (fluents[i].initial) {
      initial_[i / 8] = static_cast<std::uint8_t>(initial_[i / 8] | (1U << (i % 8)));
    }
  }
  // Compiled twice: which logic can sleep shows in play, and to play takes a circuit.
  const GameLogic game = synthesise(program);
  compile(game, {});
  const std::vector<Ref> guards = choose_guards(game, observe());
  compile(share_parts(split_by_guards(game, guards)), guards);
}

// Plays a little, to see which fluents hold in all lanes or none.
Observation Circuit::observe() const {
  Observation seen;
  seen.never.assign(fluents(), 0);
  seen.always.assign(fluents(), 0);
  seen.turns.assign(fluents(), 0);
  std::vector<std::uint8_t> last(fluents(), 0);
  std::vector<std::uint8_t> state(fluents());
  for (std::size_t f = 0; f < state.size(); ++f) state[f] = (initial_[f / 8] >> (f % 8)) & 1U;
  constexpr std::uint32_t passes = 48;
  // On the circuit without guards: a few dozen steps show who comes and goes.
  Probe probe{passes, 0, seen.never.data(), seen.always.data(), seen.turns.data(), last.data()};
  const BlockJob job{state.data(), unit_lanes};
  LengthTally lengths;
  std::vector<GoalTally> goals(roles_.roles);
  const BlockTask task{1, 0, &job, 1, passes, &lengths, goals.data(), &probe, nullptr, nullptr};
  const CircuitMemory memory(*this);
  find_kernel("auto").play(view_, task, memory.workspace());
  seen.passes = probe.passes;
  return seen;
}

void Circuit::compile(const GameLogic& game, std::span<const Ref> chosen) {
  const Guards guards = find_guards(game, chosen);
  code_ = schedule(game, guards);
  statistics_ = {};
  for (NodeId n = 1; n < game.logic.size(); ++n) {
    if (game.logic.kind(n) != NodeKind::conjunction) continue;
    ++statistics_.gates;
    statistics_.literals += game.logic.inputs(n).size();
  }
  statistics_.depth = depth_of(game);
  statistics_.recursions = game.recursions.size();
  lay_out_choices(game, guards);
  lay_out_view();
}

void Circuit::lay_out_choices(const GameLogic& game, const Guards& guards) {
  choices_.clear();
  groups_.clear();
  leaf_of_.assign(game.legal.size(), no_leaf);
  for (std::uint32_t role = 0; role < roles_.roles; ++role) {
    struct Leaf {
      std::uint32_t guard;
      std::uint32_t move;
    };
    std::vector<Leaf> leaves;
    for (std::uint32_t move = 0; move < game.legal.size(); ++move) {
      if (roles_.move_role[move] != role || game.legal[move] == ref_false) continue;
      const NodeId n = node_of(game.legal[move]);
      const bool sleeps = !is_negated(game.legal[move]) && guards.asleep[n] == Asleep::zero;
      leaves.push_back({sleeps ? guards.guard_of[n] : 0U, move});
    }
    // A group sleeps as a whole, so its moves must have the same guard.
    std::stable_sort(leaves.begin(), leaves.end(),
                     [](const Leaf& a, const Leaf& b) { return a.guard < b.guard; });
    RoleChoice choice;
    choice.first_group = static_cast<std::uint32_t>(groups_.size());
    std::size_t filled = group_size;
    for (const Leaf& leaf : leaves) {
      if (filled == group_size || groups_.back().guard != leaf.guard) {
        groups_.emplace_back().guard = leaf.guard;
        filled = 0;
      }
      leaf_of_[leaf.move] = static_cast<std::uint32_t>((groups_.size() - 1) * group_size + filled);
      groups_.back().legal[filled] = code_.legal[leaf.move];
      groups_.back().does[filled] = code_.does[leaf.move];
      ++filled;
    }
    // Whoever counts begins with a group; an empty one has no legal moves.
    if (leaves.empty()) groups_.emplace_back();
    choice.last_group = static_cast<std::uint32_t>(groups_.size());
    choices_.push_back(choice);
  }
  goals_.clear();
  goals_begin_.assign(1, 0);
  for (std::uint32_t role = 0; role < roles_.roles; ++role) {
    for (std::size_t g = 0; g < roles_.goal_role.size(); ++g) {
      if (roles_.goal_role[g] != role || game.goals[g] == ref_false) continue;
      goals_.push_back({code_.goals[g], roles_.goal_value[g]});
    }
    // Highest first: the first one that holds is the one that counts.
    std::stable_sort(goals_.begin() + goals_begin_.back(), goals_.end(),
                     [](const GoalPlane& a, const GoalPlane& b) { return a.value > b.value; });
    goals_begin_.push_back(static_cast<std::uint32_t>(goals_.size()));
  }
}

void Circuit::lay_out_view() {
  segments_.clear();
  for (std::size_t part = 0; part < 4; ++part) {
    view_.part_begin[part] = static_cast<std::uint32_t>(segments_.size());
    segments_.insert(segments_.end(), code_.parts[part].begin(), code_.parts[part].end());
  }
  view_.part_begin[4] = static_cast<std::uint32_t>(segments_.size());
  view_.slots = code_.slots;
  view_.fluents = code_.fluents;
  // Wider batches share the cost of reading an instruction; slots should stay in the near caches.
  width_ = code_.slots <= 3500 ? 4 : code_.slots <= 20'000 ? 2 : 1;
  view_.segments = segments_.data();
  view_.runs = code_.runs.data();
  view_.operands = code_.operands.data();
  view_.fills = code_.fills.data();
  view_.guards = code_.guards.data();
  view_.guard_count = static_cast<std::uint32_t>(code_.guards.size());
  view_.save = code_.save.data();
  view_.save_count = static_cast<std::uint32_t>(code_.save.size());
  view_.latch = code_.latch.data();
  view_.latch_count = static_cast<std::uint32_t>(code_.latch.size());
  view_.terminal = code_.terminal;
  view_.choices = choices_.data();
  view_.groups = groups_.data();
  view_.goals = goals_.data();
  view_.goals_begin = goals_begin_.data();
  view_.roles = roles_.roles;
  // The trees of all roles, and the numbers that walk down the deepest of them.
  std::uint64_t words = 0;
  std::uint64_t deepest = 0;
  for (const RoleChoice& choice : choices_) {
    std::uint64_t nodes = choice.last_group - choice.first_group;
    std::uint64_t level = 0;
    std::uint64_t walk = 2 * (4 + level);
    words += preference_levels + nodes * 4;
    while (nodes > 1) {
      nodes = (nodes + 1) / 2;
      ++level;
      words += nodes * (4 + level);
      walk += 2 * (4 + level);
    }
    deepest = std::max(deepest, walk);
  }
  view_.choice_words = static_cast<std::uint32_t>(words + deepest);

  for (const Segment& segment : segments_) {
    for (std::uint32_t r = segment.first_run; r < segment.last_run; ++r) {
      const Run& run = code_.runs[r];
      const std::uint64_t operands =
          run.count *
          std::uint64_t{run.plain + run.negated + 2 * (run.both + run.but + run.either)};
      ++statistics_.runs;
      statistics_.instructions += run.count;
      statistics_.operands += operands;
      if (segment.guard != 0) statistics_.guarded += operands;
    }
  }
  statistics_.slots = code_.slots;
  statistics_.guards = code_.guards.size();
  statistics_.lanes = width_ * unit_lanes;
  statistics_.bytes = code_.operands.size() * sizeof(std::uint32_t) +
                      code_.runs.size() * sizeof(Run) + segments_.size() * sizeof(Segment) +
                      groups_.size() * sizeof(ChoiceGroup);
}

void CircuitMemory::Free::operator()(void* p) const noexcept {
  ::operator delete(p, std::align_val_t{64});
}

CircuitMemory::CircuitMemory(const Circuit& circuit, std::uint32_t width) {
  const CircuitView& view = circuit.view();
  const std::size_t unit = unit_words * sizeof(std::uint64_t) * width;
  const auto aligned = [](std::size_t n) { return (n + 63) / 64 * 64; };
  const std::size_t values = view.slots * unit;
  const std::size_t choice = view.choice_words * unit;
  const std::size_t lanes = aligned(width * unit_lanes * sizeof(std::uint32_t));
  const std::size_t awake = aligned(view.guard_count + 1);
  const std::size_t histogram = aligned(counted_lengths * sizeof(std::uint64_t));
  const std::size_t total = values + choice + 2 * lanes + awake + unit + histogram;
  memory_.reset(::operator new(total, std::align_val_t{64}));
  std::memset(memory_.get(), 0, total);
  auto* at = static_cast<std::uint8_t*>(memory_.get());
  const auto take = [&at](std::size_t bytes) { return std::exchange(at, at + bytes); };
  workspace_.values = reinterpret_cast<std::uint64_t*>(take(values));
  workspace_.choice = reinterpret_cast<std::uint64_t*>(take(choice));
  workspace_.lane_start = reinterpret_cast<std::uint32_t*>(take(lanes));
  workspace_.lane_job = reinterpret_cast<std::uint32_t*>(take(lanes));
  workspace_.awake = take(awake);
  workspace_.active = reinterpret_cast<std::uint64_t*>(take(unit));
  workspace_.histogram = reinterpret_cast<std::uint64_t*>(take(histogram));
}

}  // namespace woodstock
