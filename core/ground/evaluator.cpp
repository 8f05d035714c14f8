#include "ground/evaluator.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace woodstock {

namespace {

constexpr std::uint32_t blocked = 0xffffffffU;

bool bit(std::span<const std::uint8_t> state, std::size_t i) noexcept {
  return ((state[i / 8] >> (i % 8)) & 1U) != 0;
}

void set_bit(StateBytes& state, std::size_t i) noexcept {
  state[i / 8] = static_cast<std::uint8_t>(state[i / 8] | (1U << (i % 8)));
}

}  // namespace

Evaluator::Evaluator(std::shared_ptr<const GroundProgram> program)
    : program_(std::move(program)),
      state_size_((program_->fluents().size() + 7) / 8),
      recursion_of_(program_->components().size(), 0),
      value_(program_->atom_count() + 1, 0) {
  if (!program_->stratified()) throw std::invalid_argument("the program is not stratified");
  const auto components = program_->components();
  std::size_t most_rules = 0;
  for (std::uint32_t c = 0; c < components.size(); ++c) {
    const Component& component = components[c];
    if (!component.recursive) continue;
    Recursion recursion;
    recursion.first_rule = program_->rules_of(component.first).first;
    std::vector<std::pair<AtomId, std::uint32_t>> waits;  // (atom, rule)
    for (AtomId a = component.first; a < component.last; ++a) {
      const auto [from, to] = program_->rules_of(a);
      for (std::uint32_t r = from; r < to; ++r) {
        recursion.head.push_back(a);
        for (Literal literal : program_->body(r)) {
          const AtomId b = atom_of(literal);
          // Only literals inside the recursion are waited for; the others have their values before
          // it begins.
          if (b >= component.first) waits.emplace_back(b, r - recursion.first_rule);
        }
      }
    }
    std::sort(waits.begin(), waits.end());
    recursion.waiting_begin.assign(component.last - component.first + 1, 0);
    for (const auto& [atom, rule] : waits) {
      ++recursion.waiting_begin[atom - component.first + 1];
      recursion.waiting.push_back(rule);
    }
    for (std::size_t i = 1; i < recursion.waiting_begin.size(); ++i) {
      recursion.waiting_begin[i] += recursion.waiting_begin[i - 1];
    }
    most_rules = std::max(most_rules, recursion.head.size());
    recursion_of_[c] = static_cast<std::uint32_t>(recursions_.size());
    recursions_.push_back(std::move(recursion));
  }
  missing_.resize(most_rules);
  for (AtomId a = 1; a <= program_->atom_count(); ++a) value_[a] = program_->is_fact(a) ? 1 : 0;
  run(0, program_->phase_begin(Phase::state));
}

StateBytes Evaluator::initial() const {
  StateBytes state(state_size_, 0);
  const auto fluents = program_->fluents();
  for (std::size_t i = 0; i < fluents.size(); ++i) {
    if (fluents[i].initial) set_bit(state, i);
  }
  return state;
}

void Evaluator::run_recursive(const Component& component, const Recursion& recursion) {
  derived_.clear();
  const auto derive = [&](AtomId atom) {
    if (value_[atom] != 0) return;
    value_[atom] = 1;
    derived_.push_back(atom);
  };
  for (AtomId a = component.first; a < component.last; ++a) {
    value_[a] = program_->is_fact(a) ? 1 : 0;
  }
  for (std::uint32_t i = 0; i < recursion.head.size(); ++i) {
    std::uint32_t missing = 0;
    for (Literal literal : program_->body(recursion.first_rule + i)) {
      const AtomId b = atom_of(literal);
      if (b >= component.first) {
        ++missing;
      } else if ((value_[b] != 0) != (literal > 0)) {
        missing = blocked;
        break;
      }
    }
    missing_[i] = missing;
  }
  // Only after all rules have been counted: an early derivation must not be counted twice.
  for (std::uint32_t i = 0; i < recursion.head.size(); ++i) {
    if (missing_[i] == 0) derive(recursion.head[i]);
  }
  for (AtomId a = component.first; a < component.last; ++a) {
    if (program_->is_fact(a)) derived_.push_back(a);
  }
  while (!derived_.empty()) {
    const std::uint32_t i = derived_.back() - component.first;
    derived_.pop_back();
    for (std::uint32_t k = recursion.waiting_begin[i]; k < recursion.waiting_begin[i + 1]; ++k) {
      const std::uint32_t rule = recursion.waiting[k];
      if (missing_[rule] != blocked && --missing_[rule] == 0) derive(recursion.head[rule]);
    }
  }
}

void Evaluator::run(std::uint32_t first_component, std::uint32_t last_component) {
  const auto components = program_->components();
  const auto& tables = program_->tables();
  const std::uint32_t* rules_begin = tables.rules_begin.data();
  const std::uint32_t* body_begin = tables.body_begin.data();
  const Literal* literals = tables.literals.data();
  for (std::uint32_t c = first_component; c < last_component; ++c) {
    const Component& component = components[c];
    if (component.recursive) {
      run_recursive(component, recursions_[recursion_of_[c]]);
      continue;
    }
    // Not recursive, hence a single atom. Inputs and facts have no rules and keep their value.
    const AtomId atom = component.first;
    const std::uint32_t last = rules_begin[atom + 1];
    std::uint32_t rule = rules_begin[atom];
    if (rule == last) continue;
    std::uint8_t value = 0;
    for (; rule < last && value == 0; ++rule) {
      value = 1;
      for (std::uint32_t k = body_begin[rule]; k < body_begin[rule + 1]; ++k) {
        const Literal literal = literals[k];
        if ((value_[atom_of(literal)] != 0) != (literal > 0)) {
          value = 0;
          break;
        }
      }
    }
    value_[atom] = value;
  }
}

void Evaluator::load(std::span<const std::uint8_t> state) {
  const auto fluents = program_->fluents();
  if (state.size() != state_size_) throw std::invalid_argument("state of the wrong size");
  if (fluents.size() % 8 != 0 && (state.back() >> (fluents.size() % 8)) != 0) {
    throw std::invalid_argument("state with bits beyond the last fluent");
  }
  // Who analyses a state and then plays on from it asks for the same one twice.
  if (has_loaded_ && std::equal(state.begin(), state.end(), loaded_.begin(), loaded_.end())) {
    return;
  }
  has_loaded_ = false;
  for (std::size_t i = 0; i < fluents.size(); ++i) {
    if (fluents[i].true_atom != no_atom) value_[fluents[i].true_atom] = bit(state, i) ? 1 : 0;
  }
  run(program_->phase_begin(Phase::state), program_->phase_begin(Phase::move));
  loaded_.assign(state.begin(), state.end());
  has_loaded_ = true;
}

Position Evaluator::analyse(std::span<const std::uint8_t> state) {
  load(state);
  Position position;
  position.terminal = holds(program_->terminal_atom());
  const auto moves = program_->moves();
  for (std::uint32_t i = 0; i < moves.size(); ++i) {
    if (holds(moves[i].legal_atom)) position.legal.push_back(i);
  }
  const auto goals = program_->goals();
  for (std::uint32_t i = 0; i < goals.size(); ++i) {
    if (holds(goals[i].atom)) position.goals.push_back(i);
  }
  return position;
}

Successor Evaluator::next(std::span<const std::uint8_t> state,
                          std::span<const std::uint32_t> moves) {
  const auto all_moves = program_->moves();
  for (std::uint32_t move : moves) {
    if (move >= all_moves.size()) throw std::invalid_argument("no such move");
  }
  load(state);
  // Those of the last call are still there.
  for (const Move& move : all_moves) {
    if (move.does_atom != no_atom) value_[move.does_atom] = 0;
  }
  for (std::uint32_t move : moves) {
    if (all_moves[move].does_atom != no_atom) value_[all_moves[move].does_atom] = 1;
  }
  run(program_->phase_begin(Phase::move),
      static_cast<std::uint32_t>(program_->components().size()));
  Successor successor;
  successor.state.assign(state_size_, 0);
  const auto fluents = program_->fluents();
  for (std::size_t i = 0; i < fluents.size(); ++i) {
    if (holds(fluents[i].next_atom)) set_bit(successor.state, i);
  }
  const auto percepts = program_->percepts();
  for (std::uint32_t i = 0; i < percepts.size(); ++i) {
    if (holds(percepts[i].atom)) successor.percepts.push_back(i);
  }
  return successor;
}

}  // namespace woodstock
