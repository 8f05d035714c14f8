#include "ground/completion.h"

#include <algorithm>
#include <map>

namespace woodstock {

namespace {

constexpr int deepest_case = 64;

void add(std::uint32_t& counter, int delta) noexcept {
  counter += static_cast<std::uint32_t>(delta);  // -1 wraps around, as meant
}

}  // namespace

Completion::Completion(const GroundProgram& program,
                       std::span<const std::vector<std::uint32_t>> groups)
    : program_(program),
      body_base_(static_cast<Variable>(program.atom_count() + 1)),
      rules_(program.tables().rules_begin.data()),
      bodies_(program.tables().body_begin.data()),
      literals_(program.tables().literals.data()),
      kind_(groups.size(), MutexKind::unproved),
      value_(program.atom_count() + 1 + program.rule_count(), 0),
      true_literals_(program.rule_count(), 0),
      false_literals_(program.rule_count(), 0),
      false_bodies_(program.atom_count() + 1, 0),
      true_bodies_(program.atom_count() + 1, 0) {
  index_program();
  index_groups(groups);
  for (AtomId a = 1; a < body_base_; ++a) {
    if (program_.is_fact(a)) {
      assign(a, true);
    } else if (rules_of(a) == 0 && !program_.is_input(a)) {
      assign(a, false);
    }
  }
  for (std::uint32_t r = 0; r < program_.rule_count(); ++r) {
    if (bodies_[r] == bodies_[r + 1]) assign(body_base_ + r, true);
  }
  if (program_.terminal_atom() != no_atom) assign(program_.terminal_atom(), false);
  for (const Fluent& fluent : program_.fluents()) {
    if (fluent.true_atom != no_atom && fluent.next_atom == no_atom && !fluent.initial) {
      assign(fluent.true_atom, false);
    }
  }
  // A move that is never legal is never made.
  for (const Move& move : program_.moves()) {
    if (move.does_atom != no_atom && move.legal_atom == no_atom) assign(move.does_atom, false);
  }
  propagate();
  base_ = trail_.size();
  // What was drawn so far holds in every step and stays for good; groups are assumptions and must
  // not get into it.
  groups_active_ = true;
}

void Completion::index_program() {
  const std::size_t atoms = program_.atom_count() + 1;
  head_.resize(program_.rule_count());
  for (AtomId a = 1; a < atoms; ++a) {
    for (std::uint32_t r = rules_[a]; r < rules_[a + 1]; ++r) head_[r] = a;
  }
  const auto& all = program_.tables().literals;
  occurs_begin_.assign(atoms + 1, 0);
  for (Literal literal : all) ++occurs_begin_[atom_of(literal)];
  std::uint32_t sum = 0;
  for (auto& begin : occurs_begin_) {
    sum += begin;
    begin = sum;
  }
  occurs_.resize(all.size());
  for (auto r = static_cast<std::uint32_t>(program_.rule_count()); r-- > 0;) {
    for (std::uint32_t k = bodies_[r]; k < bodies_[r + 1]; ++k) {
      occurs_[--occurs_begin_[atom_of(literals_[k])]] = 2 * r + (literals_[k] < 0 ? 1U : 0U);
    }
  }
  role_of_.assign(atoms, 0);
  legal_of_.assign(atoms, no_atom);
  does_of_.assign(atoms, no_atom);
  std::map<TermId, std::uint32_t> role_number;
  for (const Move& move : program_.moves()) {
    const auto [it, fresh] =
        role_number.emplace(move.role, static_cast<std::uint32_t>(role_number.size()));
    if (fresh) {
      role_moves_.emplace_back();
      role_must_move_.push_back(1);
    }
    // The role may make that move without any atom telling: then not all of its moves can be ruled
    // out.
    if (move.does_atom == no_atom) {
      role_must_move_[it->second] = 0;
      continue;
    }
    role_moves_[it->second].push_back(move.does_atom);
    role_of_[move.does_atom] = it->second + 1;
    legal_of_[move.does_atom] = move.legal_atom;
    if (move.legal_atom != no_atom) does_of_[move.legal_atom] = move.does_atom;
  }
  role_false_.assign(role_moves_.size(), 0);
  role_true_.assign(role_moves_.size(), 0);
}

void Completion::index_groups(std::span<const std::vector<std::uint32_t>> groups) {
  members_.resize(groups.size());
  group_complete_.assign(groups.size(), 1);
  group_false_.assign(groups.size(), 0);
  group_true_.assign(groups.size(), 0);
  group_used_.assign(groups.size(), 0);
  std::vector<std::pair<AtomId, std::uint32_t>> pairs;
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    for (std::uint32_t fluent : groups[g]) {
      const AtomId atom = program_.fluents()[fluent].true_atom;
      // Nobody looks at that fluent, so it may be the one that holds, unseen.
      if (atom == no_atom) {
        group_complete_[g] = 0;
        continue;
      }
      members_[g].push_back(atom);
      pairs.emplace_back(atom, g);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  groups_begin_.assign(program_.atom_count() + 2, 0);
  for (const auto& [atom, group] : pairs) {
    ++groups_begin_[atom + 1];
    groups_.push_back(group);
  }
  for (std::size_t i = 1; i < groups_begin_.size(); ++i) groups_begin_[i] += groups_begin_[i - 1];
}

void Completion::restart() {
  undo(base_);
  std::fill(group_used_.begin(), group_used_.end(), std::uint8_t{0});
  for (std::uint32_t g = 0; g < members_.size(); ++g) close_exactly_one(g);
  propagate();
}

bool Completion::assume(Literal literal) {
  assign(atom_of(literal), literal > 0);
  return propagate();
}

void Completion::assign(Variable variable, bool truth) {
  const std::int8_t wanted = truth ? 1 : -1;
  if (value_[variable] == wanted) return;
  if (value_[variable] != 0) {
    // Only noted: whoever is in the middle of a visit has to finish it.
    conflict_ = true;
    return;
  }
  value_[variable] = wanted;
  trail_.push_back(variable);
}

// Each visit both counts (delta +1, or -1 when taken back) and, going forward, draws conclusions.
// After a conflict the visit still counts to its end, so that undo finds whole visits only.
bool Completion::propagate() {
  while (!conflict_ && head_of_queue_ < trail_.size()) {
    const Variable variable = trail_[head_of_queue_++];
    const bool truth = value_[variable] > 0;
    if (variable >= body_base_) {
      visit_body(variable - body_base_, truth, 1);
    } else {
      visit_atom(variable, truth, 1);
    }
  }
  return !conflict_;
}

void Completion::undo(std::size_t mark) {
  conflict_ = false;
  while (trail_.size() > mark) {
    const Variable variable = trail_.back();
    // What still waited in the queue was never counted.
    if (trail_.size() <= head_of_queue_) {
      --head_of_queue_;
      const bool truth = value_[variable] > 0;
      if (variable >= body_base_) {
        visit_body(variable - body_base_, truth, -1);
      } else {
        visit_atom(variable, truth, -1);
      }
    }
    value_[variable] = 0;
    trail_.pop_back();
  }
}

void Completion::visit_atom(AtomId atom, bool truth, int delta) {
  const bool forward = delta > 0;
  steps_ += occurs_begin_[atom + 1] - occurs_begin_[atom] + 1;
  for (std::uint32_t k = occurs_begin_[atom]; k < occurs_begin_[atom + 1]; ++k) {
    const std::uint32_t rule = occurs_[k] >> 1;
    const bool negated = (occurs_[k] & 1U) != 0;
    if (truth != negated) {
      add(true_literals_[rule], delta);
      if (!forward) continue;
      // Counters instead of watches: the same rules are asked thousands of times, and a counter
      // tells that a body is decided without looking at it.
      if (true_literals_[rule] == bodies_[rule + 1] - bodies_[rule]) {
        assign(body_base_ + rule, true);
      } else {
        force_last_literal(rule);
      }
    } else {
      add(false_literals_[rule], delta);
      if (forward) assign(body_base_ + rule, false);
    }
  }
  if (forward && rules_of(atom) != 0) {
    if (!truth) {
      for (std::uint32_t r = rules_[atom]; r < rules_[atom + 1]; ++r) assign(body_base_ + r, false);
    } else {
      support(atom);
    }
  }
  // What is not legal is not made.
  if (forward && !truth && does_of_[atom] != no_atom) assign(does_of_[atom], false);
  if (role_of_[atom] != 0) visit_move(atom, truth, delta);
  if (groups_begin_[atom] != groups_begin_[atom + 1]) visit_groups(atom, truth, delta);
}

void Completion::visit_body(std::uint32_t rule, bool truth, int delta) {
  const AtomId head = head_[rule];
  ++steps_;
  if (truth) {
    add(true_bodies_[head], delta);
    if (delta < 0) return;
    assign(head, true);
    for (std::uint32_t k = bodies_[rule]; k < bodies_[rule + 1]; ++k) {
      assign(atom_of(literals_[k]), literals_[k] > 0);
    }
    return;
  }
  add(false_bodies_[head], delta);
  if (delta < 0) return;
  if (false_bodies_[head] == rules_of(head) && !program_.is_fact(head)) {
    assign(head, false);
  } else if (value_[head] > 0) {
    support(head);
  }
  force_last_literal(rule);
}

// A body that must be false, and would be true but for one open literal, decides that literal.
void Completion::force_last_literal(std::uint32_t rule) {
  const std::uint32_t size = bodies_[rule + 1] - bodies_[rule];
  if (value_[body_base_ + rule] >= 0 || false_literals_[rule] != 0 ||
      true_literals_[rule] + 1 != size) {
    return;
  }
  steps_ += size;
  for (std::uint32_t k = bodies_[rule]; k < bodies_[rule + 1]; ++k) {
    if (value_[atom_of(literals_[k])] == 0) {
      assign(atom_of(literals_[k]), literals_[k] < 0);
      return;
    }
  }
}

// An atom that holds needs a rule: when only one is left, that one fires.
void Completion::support(AtomId atom) {
  if (false_bodies_[atom] + 1 != rules_of(atom) || program_.is_fact(atom)) return;
  steps_ += rules_of(atom);
  for (std::uint32_t r = rules_[atom]; r < rules_[atom + 1]; ++r) {
    if (value_[body_base_ + r] >= 0) {
      assign(body_base_ + r, true);
      return;
    }
  }
}

// Unless asked for, that a role which has moved makes no other move is left to close_roles: writing
// it down for thousands of moves can cost more than the proof; a second move is noticed anyway.
void Completion::visit_move(AtomId atom, bool truth, int delta) {
  const std::uint32_t role = role_of_[atom] - 1;
  const auto& moves = role_moves_[role];
  add(truth ? role_true_[role] : role_false_[role], delta);
  if (delta < 0) return;
  if (truth) {
    // A second move, which need not have been ruled out before.
    if (role_true_[role] > 1) conflict_ = true;
    if (legal_of_[atom] != no_atom) assign(legal_of_[atom], true);
    for (std::size_t i = 0; eager_moves_ && i < moves.size(); ++i) {
      if (moves[i] != atom) assign(moves[i], false);
    }
  } else if (role_must_move_[role] != 0 && role_false_[role] + 1 >= moves.size()) {
    if (role_false_[role] == moves.size()) conflict_ = true;
    steps_ += moves.size();
    const auto last =
        std::find_if(moves.begin(), moves.end(), [this](AtomId a) { return value_[a] >= 0; });
    if (last != moves.end()) assign(*last, true);
  }
}

bool Completion::close_roles() {
  const std::size_t before = trail_.size();
  for (std::size_t role = 0; role < role_moves_.size(); ++role) {
    const auto& moves = role_moves_[role];
    if (role_true_[role] == 0 || role_false_[role] + 1 >= moves.size()) continue;
    steps_ += moves.size();
    for (AtomId move : moves) {
      if (value_[move] == 0) assign(move, false);
    }
  }
  return trail_.size() != before;
}

void Completion::visit_groups(AtomId atom, bool truth, int delta) {
  for (std::uint32_t k = groups_begin_[atom]; k < groups_begin_[atom + 1]; ++k) {
    const std::uint32_t group = groups_[k];
    add(truth ? group_true_[group] : group_false_[group], delta);
    if (delta < 0 || !groups_active_ || kind_[group] == MutexKind::unproved) continue;
    if (!truth) {
      close_exactly_one(group);
      continue;
    }
    steps_ += members_[group].size();
    for (AtomId other : members_[group]) {
      if (other == atom || value_[other] < 0) continue;
      // A proof that draws on a group has to be repeated when the group falls.
      group_used_[group] = 1;
      assign(other, false);
    }
  }
}

// A group of which one member must hold and all others do not.
void Completion::close_exactly_one(std::uint32_t group) {
  if (kind_[group] != MutexKind::exactly_one || group_complete_[group] == 0 ||
      group_false_[group] + 1 < members_[group].size()) {
    return;
  }
  steps_ += members_[group].size();
  for (AtomId member : members_[group]) {
    if (value_[member] > 0) return;
    if (value_[member] == 0) {
      group_used_[group] = 1;
      assign(member, true);
      return;
    }
  }
  group_used_[group] = 1;
  conflict_ = true;
}

std::vector<std::uint32_t> Completion::used_groups() const {
  std::vector<std::uint32_t> used;
  for (std::uint32_t g = 0; g < group_used_.size(); ++g) {
    if (group_used_[g] != 0) used.push_back(g);
  }
  return used;
}

// The open question with the fewest answers. Groups nobody has touched are left alone: they would
// only repeat the same proof once for each member.
Completion::Choice Completion::pick_choice() {
  Choice best;
  enum class Kind { none, atom, role, group } kind = Kind::none;
  std::uint32_t which = 0;
  const auto offer = [&](Kind k, std::uint32_t w, std::size_t options) {
    if (options >= best.options) return;
    best.options = static_cast<std::uint32_t>(options);
    kind = k;
    which = w;
  };
  steps_ += trail_.size() - base_ + role_moves_.size() + members_.size();
  for (std::size_t i = base_; i < trail_.size() && best.options > 2; ++i) {
    const AtomId a = trail_[i];
    // It holds, and no rule that fires says why: one of those left must.
    if (a >= body_base_ || value_[a] < 0 || rules_of(a) == 0 || true_bodies_[a] != 0) continue;
    if (!program_.is_fact(a)) offer(Kind::atom, a, rules_of(a) - false_bodies_[a]);
  }
  for (std::uint32_t r = 0; r < role_moves_.size() && best.options > 2; ++r) {
    if (role_must_move_[r] != 0 && role_true_[r] == 0) {
      offer(Kind::role, r, role_moves_[r].size() - role_false_[r]);
    }
  }
  for (std::uint32_t g = 0; g < members_.size() && best.options > 2; ++g) {
    if (kind_[g] == MutexKind::exactly_one && group_complete_[g] != 0 && group_true_[g] == 0 &&
        group_false_[g] != 0) {
      offer(Kind::group, g, members_[g].size() - group_false_[g]);
    }
  }
  const auto collect = [&](const std::vector<AtomId>& atoms) {
    for (AtomId a : atoms) {
      if (value_[a] == 0) best.variables.push_back(a);
    }
  };
  if (kind == Kind::atom) {
    best.about_rules = true;
    for (std::uint32_t r = rules_[which]; r < rules_[which + 1]; ++r) {
      if (value_[body_base_ + r] == 0) best.variables.push_back(body_base_ + r);
    }
  } else if (kind == Kind::role) {
    collect(role_moves_[which]);
  } else if (kind == Kind::group) {
    group_used_[which] = 1;
    collect(members_[which]);
  }
  return best;
}

bool Completion::refute(std::uint64_t step_limit) {
  const std::size_t start = mark();
  const bool conflict = conflict_;
  const bool refuted = conflict || refute(step_limit, 0);
  if (!conflict) undo(start);
  return refuted;
}

bool Completion::refute(std::uint64_t step_limit, int depth) {
  if (steps_ > step_limit || depth > deepest_case) return false;
  Choice choice = pick_choice();
  // Before it guesses a move or a fluent, it draws what was put off: it may spare the guess.
  while (!choice.about_rules && close_roles()) {
    if (!propagate()) return true;
    choice = pick_choice();
  }
  if (choice.variables.empty()) return false;
  for (Variable variable : choice.variables) {
    if (value_[variable] != 0) continue;  // an earlier answer's failure has decided it
    const std::size_t start = mark();
    assign(variable, true);
    const bool refuted = !propagate() || refute(step_limit, depth + 1);
    undo(start);
    if (!refuted) return false;
    // This answer is wrong in all cases that are left, which the next ones can use.
    assign(variable, false);
    if (!propagate()) return true;
  }
  // Every answer but those that propagation chose itself has failed; look at what that leaves.
  return refute(step_limit, depth + 1);
}

}  // namespace woodstock
