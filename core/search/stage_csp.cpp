#include "search/stage_csp.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

namespace woodstock {

namespace {

constexpr std::uint32_t none = StageMap::none;
constexpr std::uint64_t no_solution = ~std::uint64_t{0};

void demand(bool fits) {
  if (!fits) throw std::invalid_argument("network, map and circuit do not fit each other");
}

// Moves come first whatever the heuristic: everything else follows from them, and auxiliary
// variables, of which there are many, are nothing to decide.
csp::Options solver_options(const CspStageOptions& options, const StageMap& map) {
  csp::Options out;
  out.propagation = options.propagation;
  out.heuristic = options.heuristic;
  if (options.heuristic == csp::Heuristic::lex) return out;
  for (const StageMap::Role& role : map.roles) out.first.push_back(role.action);
  return out;
}

void check_fit(const StageMap& map, const csp::Problem& problem, const Circuit& circuit) {
  const auto has = [&](std::uint32_t variable, std::size_t values) {
    return variable < problem.variables() && problem.sizes()[variable] == values;
  };
  demand(has(map.terminal, 2) && map.roles.size() == circuit.roles());
  for (std::uint32_t role = 0; role < circuit.roles(); ++role) {
    const StageMap::Role& one = map.roles[role];
    demand(has(one.action, one.moves.size()) && has(one.score, one.goals.size()));
    std::uint32_t next = 0;
    for (const std::uint32_t move : one.moves) {
      if (move == none) continue;
      demand(move >= next && move < circuit.moves());
      demand(circuit.role_table().move_role[move] == role);
      next = move + 1;
    }
  }
  for (const StageMap::Slot& slot : map.slots) {
    demand(has(slot.now, slot.fluents.size()) && has(slot.after, slot.fluents.size()));
  }
}

}  // namespace

// While it lives, the solver knows the state.
class CspStages::Injected {
 public:
  Injected(CspStages& stages, std::span<const std::uint32_t> values, bool sac = false)
      : solver_(stages.solver_) {
    solver_.push();
    possible_ = solver_.assign(stages.now_, values) && solver_.propagate();
    // One that is stopped has only taken away some of the values: what is left is as right.
    if (possible_ && sac) possible_ = solver_.sac(stages.go_on);
  }
  ~Injected() { solver_.pop(); }
  Injected(const Injected&) = delete;
  Injected& operator=(const Injected&) = delete;

  bool possible() const noexcept { return possible_; }

 private:
  csp::Solver& solver_;
  bool possible_;
};

CspStages::CspStages(std::shared_ptr<Simulator> simulator, const csp::Problem& problem,
                     const CspStageOptions& options, const StageMap& map)
    : simulator_(std::move(simulator)),
      roles_(map.roles),
      terminal_(map.terminal),
      options_(options),
      solver_(problem, solver_options(options, map)),
      homes_(simulator_->circuit().fluents()),
      base_(simulator_->circuit().state_size()),
      always_(map.always.size()),
      legal_(map.roles.size()) {
  check_fit(map, problem, simulator_->circuit());
  for (const StageMap::Role& role : roles_) columns_.push_back(role.action);
  // Every fluent has exactly one home, a value of a slot or among those that always hold: only then
  // a state and an assignment tell the same.
  std::vector<std::uint8_t> housed(homes_.size());
  const auto house = [&](std::uint32_t fluent, Home home) {
    demand(fluent < housed.size() && housed[fluent] == 0);
    housed[fluent] = 1;
    homes_[fluent] = home;
  };
  for (const std::uint32_t fluent : map.always) {
    house(fluent, {});
    base_[fluent / 8] = static_cast<std::uint8_t>(base_[fluent / 8] | 1U << (fluent % 8));
  }
  base_key_ = zobrist_hash(base_);
  for (const StageMap::Slot& slot : map.slots) {
    const auto number = static_cast<std::uint32_t>(now_.size());
    now_.push_back(slot.now);
    columns_.push_back(slot.after);
    begin_.push_back(static_cast<std::uint32_t>(fluents_.size()));
    empty_.push_back(none);
    for (std::uint32_t value = 0; value < slot.fluents.size(); ++value) {
      const std::uint32_t fluent = slot.fluents[value];
      fluents_.push_back(fluent);
      // So that the key of a successor is that of the circuit, without packing and hashing it anew.
      keys_.push_back(fluent == none ? 0 : zobrist_key(fluent));
      if (fluent == none) {
        empty_.back() = value;
      } else {
        house(fluent, {number, value});
      }
    }
  }
  demand(std::find(housed.begin(), housed.end(), 0) == housed.end());
  if (options.split && map.chance < roles_.size()) {
    split_.emplace(problem, roles_[map.chance].action, columns_, roles_.size(),
                   solver_options(options, map));
  }
}

CspStages::~CspStages() = default;

void CspStages::close_stage() { stage_.reset(); }

void CspStages::read_values(std::span<const std::uint8_t> state) {
  if (state.size() != base_.size()) throw std::invalid_argument("state of the wrong size");
  // A slot that no fluent of the state names has the value for none of them, if there is one.
  values_ = empty_;
  std::size_t always = 0;
  for (std::size_t byte = 0; byte < state.size(); ++byte) {
    for (unsigned bits = state[byte]; bits != 0; bits &= bits - 1) {
      const std::size_t fluent = byte * 8 + static_cast<std::size_t>(std::countr_zero(bits));
      if (fluent >= homes_.size()) {
        throw std::invalid_argument("state with bits beyond the last fluent");
      }
      const Home home = homes_[fluent];
      if (home.slot == none) {
        ++always;
      } else if (values_[home.slot] != empty_[home.slot]) {
        throw std::invalid_argument("state with fluents that never hold together");
      } else {
        values_[home.slot] = home.value;
      }
    }
  }
  if (always != always_ || std::find(values_.begin(), values_.end(), none) != values_.end()) {
    throw std::invalid_argument("state without a fluent that every state has");
  }
}

std::uint32_t CspStages::value_of(std::uint32_t variable) {
  // Propagation alone must decide it: if it leaves a choice, the network does not follow the rules.
  const std::vector<std::uint32_t> values = solver_.domain(variable);
  if (values.size() != 1) throw std::logic_error("the state does not decide what follows from it");
  return values[0];
}

// The product of the numbers of moves left to the roles, or no_solution when that is above the
// limit.
std::uint64_t CspStages::list_moves(std::uint64_t limit) {
  std::uint64_t total = 1;
  for (std::size_t role = 0; role < roles_.size(); ++role) {
    legal_[role] = solver_.domain(roles_[role].action);
    // Divided rather than multiplied: the product may not fit.
    if (total > limit / legal_[role].size()) return no_solution;
    total *= legal_[role].size();
  }
  return total;
}

// Which solution has which joint number.
void CspStages::number(const csp::Solutions& found, std::uint64_t total) {
  bool all = found.count == total;
  joint_.assign(found.count, 0);
  for (std::size_t role = 0; role < roles_.size(); ++role) {
    // From values to places among those that are legal here, which count in joint numbers.
    places_.resize(roles_[role].moves.size());
    for (std::uint32_t place = 0; place < legal_[role].size(); ++place) {
      places_[legal_[role][place]] = place;
    }
    for (std::uint64_t i = 0; i < found.count; ++i) {
      const std::uint32_t value = found.values[i * found.width + role];
      joint_[i] = joint_[i] * legal_[role].size() + places_[value];
    }
  }
  // The solver finds solutions in an order of its own; the contract wants that of joint numbers,
  // each of them once.
  order_.assign(total, no_solution);
  for (std::uint64_t i = 0; i < found.count && all; ++i) {
    all = order_[joint_[i]] == no_solution;
    order_[joint_[i]] = i;
  }
  if (!all) throw std::logic_error("the moves do not decide what follows from them");
}

void CspStages::look(std::span<const std::uint8_t> state, Visits& out) {
  close_stage();
  read_values(state);
  clear(out);
  unclear_.clear();
  out.keys.push_back(pack(values_, out.states));

  // What can be said of a state is what propagation says once it is injected as the state now.
  const Injected here(*this, values_);
  if (!here.possible()) {
    look_stuck(state, out);
    return;
  }
  const bool over = value_of(terminal_) != 0;
  for (const StageMap::Role& role : roles_) {
    if (!over) {
      for (const std::uint32_t value : solver_.domain(role.action)) {
        out.legal.push_back(role.moves[value]);
      }
    }
    out.legal_begin.push_back(static_cast<std::uint32_t>(out.legal.size()));
  }
  if (!read_goals(out.goals)) unclear_.push_back(0);
  out.terminal.push_back(over ? 1 : 0);
  ask_goals(out.states, out.goals);
}

void CspStages::open(std::span<const std::uint8_t> state, std::vector<std::uint32_t>& begin,
                     std::vector<std::uint32_t>& moves) {
  close_stage();
  read_values(state);
  begin.assign(1, 0);
  moves.clear();
  // It stays open until it is solved: to inject it, and to make it singleton consistent, is most of
  // the work.
  stage_ = std::make_unique<Injected>(*this, values_, options_.sac);
  for (const StageMap::Role& role : roles_) {
    if (stage_->possible() && value_of(terminal_) == 0) {
      for (const std::uint32_t value : solver_.domain(role.action)) {
        moves.push_back(role.moves[value]);
      }
    }
    begin.push_back(static_cast<std::uint32_t>(moves.size()));
  }
}

bool CspStages::solve(const Choices& choices, std::uint64_t limit, Offspring& out) {
  csp::Solutions found;
  std::uint64_t total = 0;
  if (stage_ == nullptr) throw std::logic_error("no stage is open");
  if (!roles_.empty() && stage_->possible() && value_of(terminal_) == 0) {
    total = list_moves(limit);
    if (total == no_solution) return false;
    csp::SolverLimits limits;
    limits.go_on = go_on;
    if (!split_ || !split_->solve(solver_, limits, found)) found = solver_.solve(limits, columns_);
    if (!found.complete) return false;
  }
  // Reports below inject the successors, which contradict this state.
  close_stage();
  out.resize(0, base_.size(), roles_.size());
  unclear_.clear();
  if (total == 0) return true;
  number(found, total);
  for (const std::uint64_t solution : order_) {
    const std::span<const std::uint32_t> row(found.values.data() + solution * found.width,
                                             found.width);
    bool chosen = true;
    for (std::size_t role = 0; role < roles_.size(); ++role) {
      const auto from = choices.moves.begin() + choices.begin[role];
      const auto to = choices.moves.begin() + choices.begin[role + 1];
      chosen = chosen && std::binary_search(from, to, roles_[role].moves[row[role]]);
    }
    // Choices may leave out moves that symmetry makes needless; the network knows all of them.
    if (!chosen) continue;
    report(row.subspan(roles_.size()), out);
    if (go_on && !go_on()) return false;
  }
  if (out.asked_choices) out.choices.resize(out.over.size() * roles_.size(), 0);
  ask_goals(out.states, out.goals);
  return true;
}

std::uint64_t CspStages::pack(std::span<const std::uint32_t> values,
                              std::vector<std::uint8_t>& states) {
  std::uint64_t key = base_key_;
  const std::size_t at = states.size();
  states.insert(states.end(), base_.begin(), base_.end());
  std::uint8_t* const state = states.data() + at;
  for (std::size_t slot = 0; slot < values.size(); ++slot) {
    const std::uint32_t fluent = fluents_[begin_[slot] + values[slot]];
    if (fluent == none) continue;
    state[fluent / 8] = static_cast<std::uint8_t>(state[fluent / 8] | 1U << (fluent % 8));
    key ^= keys_[begin_[slot] + values[slot]];
  }
  return key;
}

bool CspStages::read_goals(std::vector<std::uint32_t>& goals) {
  bool clear_goals = true;
  for (const StageMap::Role& role : roles_) {
    goals.push_back(role.goals[value_of(role.score)]);
    clear_goals = clear_goals && goals.back() != none;
  }
  return clear_goals;
}

void CspStages::report(std::span<const std::uint32_t> values, Offspring& out) {
  const auto place = static_cast<std::uint32_t>(out.over.size());
  out.keys.push_back(pack(values, out.states));
  const Injected here(*this, values);
  const bool over = !here.possible() || value_of(terminal_) != 0;
  out.over.push_back(over ? 1 : 0);
  if (over && here.possible()) {
    if (!read_goals(out.goals)) unclear_.push_back(place);
    return;
  }
  out.goals.resize(out.goals.size() + roles_.size(), 0);
  if (!over && out.asked_choices) {
    out.choices.resize(place * roles_.size(), 0);
    for (const StageMap::Role& role : roles_) {
      const std::size_t moves = solver_.domain(role.action).size();
      out.choices.push_back(static_cast<std::uint8_t>(std::min<std::size_t>(moves, 255)));
    }
  }
  // Where somebody has no move the network has no solution, so it tells nothing; the circuit does.
  if (over) unclear_.push_back(place);
}

void CspStages::look_stuck(std::span<const std::uint8_t> state, Visits& out) {
  simulator_->visit(state, {}, asked_);
  const bool over = asked_.terminal[0] != 0;
  for (std::size_t role = 0; role < roles_.size(); ++role) {
    const auto from = asked_.legal.begin() + asked_.legal_begin[role];
    const auto to = asked_.legal.begin() + asked_.legal_begin[role + 1];
    if (!over) out.legal.insert(out.legal.end(), from, to);
    out.legal_begin.push_back(static_cast<std::uint32_t>(out.legal.size()));
  }
  out.goals.insert(out.goals.end(), asked_.goals.begin(), asked_.goals.end());
  out.terminal.push_back(asked_.terminal[0]);
}

// The network does not tell several goals from none, which rules may well have before the end. The
// circuit does, and all states go through it together.
void CspStages::ask_goals(std::span<const std::uint8_t> states, std::vector<std::uint32_t>& goals) {
  if (unclear_.empty()) return;
  const std::size_t size = base_.size();
  const std::size_t roles = roles_.size();
  asked_states_.clear();
  for (const std::uint32_t i : unclear_) {
    const auto from = states.begin() + static_cast<std::ptrdiff_t>(i * size);
    asked_states_.insert(asked_states_.end(), from, from + static_cast<std::ptrdiff_t>(size));
  }
  simulator_->visit(asked_states_, {}, asked_);
  auto goal = asked_.goals.begin();
  for (const std::uint32_t i : unclear_) {
    for (std::size_t role = 0; role < roles; ++role) goals[i * roles + role] = *goal++;
  }
}

}  // namespace woodstock
