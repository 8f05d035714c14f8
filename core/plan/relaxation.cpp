#include "plan/relaxation.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace woodstock::plan {

namespace {

constexpr std::uint32_t none = 0xffffffffU;
constexpr std::size_t most_sweeps = 128;  // costs hardly change after that

// Which atoms depend on moves, also on those of earlier turns.
std::vector<std::uint8_t> moved_atoms(const GroundProgram& program) {
  std::vector<std::uint8_t> moved(program.atom_count() + 1, 0);
  for (const Move& move : program.moves()) moved[move.does_atom] = move.does_atom != no_atom;
  for (bool news = true; news;) {
    news = false;
    for (AtomId atom = 1; atom <= program.atom_count(); ++atom) {
      if (moved[atom] != 0) continue;
      const auto [first, last] = program.rules_of(atom);
      for (std::uint32_t rule = first; rule < last && moved[atom] == 0; ++rule) {
        for (const Literal literal : program.body(rule)) moved[atom] |= moved[atom_of(literal)];
      }
      if (moved[atom] != 0) news = true;
    }
    for (const Fluent& fluent : program.fluents()) {
      if (fluent.true_atom == no_atom || fluent.next_atom == no_atom) continue;
      if (moved[fluent.next_atom] != 0 && moved[fluent.true_atom] == 0) {
        moved[fluent.true_atom] = 1;
        news = true;
      }
    }
  }
  return moved;
}

bool is_clock(const Fluent& fluent, const std::vector<std::uint8_t>& moved) {
  return fluent.next_atom == no_atom || moved[fluent.next_atom] == 0;
}

}  // namespace

std::vector<std::uint8_t> clock_fluents(const GroundProgram& program) {
  const std::vector<std::uint8_t> moved = moved_atoms(program);
  const std::span<const Fluent> fluents = program.fluents();
  std::vector<std::uint8_t> out(fluents.empty() ? 1 : (fluents.size() + 7) / 8, 0);
  for (std::size_t f = 0; f < fluents.size(); ++f) {
    if (is_clock(fluents[f], moved)) out[f / 8] |= static_cast<std::uint8_t>(1U << (f % 8));
  }
  return out;
}

void Relaxation::mark_needed(std::span<const AtomId> ends,
                             std::vector<std::uint8_t>& needed) const {
  std::vector<AtomId> next_of(program_->atom_count() + 1, no_atom);
  for (const Fluent& fluent : program_->fluents()) next_of[fluent.true_atom] = fluent.next_atom;
  for (const Move& move : program_->moves()) next_of[move.does_atom] = move.legal_atom;
  std::vector<AtomId> waiting(ends.begin(), ends.end());
  waiting.push_back(program_->terminal_atom());
  while (!waiting.empty()) {
    const AtomId atom = waiting.back();
    waiting.pop_back();
    if (atom == no_atom || needed[atom] != 0) continue;
    needed[atom] = 1;
    if (program_->is_fact(atom)) continue;
    waiting.push_back(next_of[atom]);
    const auto [first, last] = program_->rules_of(atom);
    for (std::uint32_t rule = first; rule < last; ++rule) {
      for (const Literal literal : program_->body(rule)) waiting.push_back(atom_of(literal));
    }
  }
}

Relaxation::Relaxation(std::shared_ptr<const GroundProgram> program, std::span<const AtomId> ends)
    : program_(std::move(program)),
      state_size_(std::max<std::size_t>(1, (program_->fluents().size() + 7) / 8)) {
  const std::size_t atoms = program_->atom_count();
  std::vector<std::uint8_t> needed(atoms + 1, 0);
  mark_needed(ends, needed);
  // Place 0 is that of an atom that never holds.
  place_.assign(atoms + 1, 0);
  std::uint32_t places = 2;
  for (AtomId atom = 1; atom <= atoms; ++atom) {
    if (needed[atom] == 0) continue;
    place_[atom] = places;
    places += 2;
  }
  costs_.resize(places);
  for (AtomId atom = 1; atom <= atoms; ++atom) {
    if (needed[atom] == 0) continue;
    if (program_->is_fact(atom)) {
      facts_.push_back(place_[atom]);
      continue;
    }
    if (program_->is_input(atom)) continue;
    const Component& component = program_->components()[program_->component_of(atom)];
    const auto [first, last] = program_->rules_of(atom);
    for (std::uint32_t rule = first; rule < last; ++rule) {
      for (const Literal literal : program_->body(rule)) {
        const AtomId of = atom_of(literal);
        literals_.push_back(place_[of] + (literal < 0 ? 1U : 0U));
        inside_.push_back(component.recursive && of >= component.first && of < component.last);
      }
      rule_end_.push_back(static_cast<std::uint32_t>(literals_.size()));
    }
    derived_.push_back(
        {place_[atom], static_cast<std::uint32_t>(rule_end_.size()), component.recursive});
  }
  const std::vector<std::uint8_t> moved = moved_atoms(*program_);
  const std::span<const Fluent> fluents = program_->fluents();
  for (std::uint32_t f = 0; f < fluents.size(); ++f) {
    const Fluent& fluent = fluents[f];
    if (fluent.true_atom == no_atom || needed[fluent.true_atom] == 0) continue;
    const std::uint32_t after = fluent.next_atom == no_atom ? none : place_[fluent.next_atom];
    // What never holds again stays as it is, and is no counter.
    const bool clock = fluent.next_atom != no_atom && is_clock(fluent, moved);
    transitions_.push_back({f, place_[fluent.true_atom], after, clock});
  }
  for (const Move& move : program_->moves()) {
    if (move.does_atom == no_atom || needed[move.does_atom] == 0) continue;
    choices_.push_back(
        {place_[move.does_atom], move.legal_atom == no_atom ? 0 : place_[move.legal_atom]});
  }
  for (const AtomId end : ends) ends_.push_back(end == no_atom ? 0 : place_[end]);
  terminal_ = program_->terminal_atom() == no_atom ? 0 : place_[program_->terminal_atom()];
}

void Relaxation::load(const std::uint8_t* states, std::size_t count, std::uint16_t otherwise) {
  const Costs never = Costs{} + static_cast<std::int16_t>(unreachable);
  std::fill(costs_.begin(), costs_.end(), never);
  costs_[1] = Costs{};
  for (const std::uint32_t fact : facts_) costs_[fact] = Costs{};
  for (const Transition& one : transitions_) {
    Costs& holds = costs_[one.now];
    Costs& fails = costs_[one.now + 1];
    if (one.clock && otherwise == unreachable) {
      holds = fails = Costs{};
      continue;
    }
    holds = fails = Costs{} + static_cast<std::int16_t>(otherwise);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      // Lanes without a state of their own repeat the first.
      const std::uint8_t* const state = states + (lane < count ? lane : 0) * state_size_;
      const bool set = (state[one.fluent / 8] >> (one.fluent % 8) & 1) != 0;
      (set ? holds : fails)[lane] = 0;
    }
  }
  // Nobody has to make a move.
  for (const Choice& one : choices_) costs_[one.does + 1] = Costs{};
}

bool Relaxation::sweep() {
  const Costs never = Costs{} + static_cast<std::int16_t>(unreachable);
  Costs changed{};
  const std::uint32_t* literal = literals_.data();
  const std::uint8_t* inside = inside_.data();
  const std::uint32_t* rule = rule_end_.data();
  for (const Derived& one : derived_) {
    Costs holds = never;
    Costs fails{};
    for (const std::uint32_t* const end = rule_end_.data() + one.rules_end; rule != end; ++rule) {
      Costs together{};
      Costs broken = never;
      for (const std::uint32_t* const last = literals_.data() + *rule; literal != last;
           ++literal, ++inside) {
        together += costs_[*literal];
        together = together < never ? together : never;
        // Atoms that support each other fall together.
        const Costs other = *inside != 0 ? Costs{} : costs_[*literal ^ 1U];
        broken = other < broken ? other : broken;
      }
      holds = together < holds ? together : holds;
      fails += broken;
      fails = fails < never ? fails : never;
    }
    changed |= (costs_[one.atom] ^ holds) | (costs_[one.atom + 1] ^ fails);
    costs_[one.atom] = holds;
    costs_[one.atom + 1] = fails;
  }
  std::uint64_t bits[sizeof(Costs) / 8];
  std::memcpy(bits, &changed, sizeof bits);
  return std::any_of(std::begin(bits), std::end(bits), [](std::uint64_t one) { return one != 0; });
}

// What the next turn makes possible.
bool Relaxation::turn() {
  Costs changed{};
  const auto lower = [&](Costs& cost, const Costs& to) {
    const Costs less = to < cost ? to : cost;
    changed |= cost ^ less;
    cost = less;
  };
  for (const Choice& one : choices_) lower(costs_[one.does], costs_[one.legal]);
  for (const Transition& one : transitions_) {
    if (one.clock) continue;
    if (one.after == none) {
      lower(costs_[one.now + 1], Costs{} + std::int16_t{1});
      continue;
    }
    lower(costs_[one.now], costs_[one.after] + std::int16_t{1});
    lower(costs_[one.now + 1], costs_[one.after + 1] + std::int16_t{1});
  }
  std::uint64_t bits[sizeof(Costs) / 8];
  std::memcpy(bits, &changed, sizeof bits);
  return std::any_of(std::begin(bits), std::end(bits), [](std::uint64_t one) { return one != 0; });
}

void Relaxation::find_least_end(Costs& best) const {
  best = Costs{} + static_cast<std::int16_t>(unreachable);
  for (const std::uint32_t end : ends_) best = costs_[end] < best ? costs_[end] : best;
}

void Relaxation::operator()(std::span<const std::uint8_t> states, std::vector<std::uint16_t>& out) {
  const std::size_t count = states.size() / state_size_;
  const Costs never = Costs{} + static_cast<std::int16_t>(unreachable);
  out.resize(count);
  for (std::size_t first = 0; first < count; first += lanes) {
    const std::size_t now = std::min(lanes, count - first);
    load(states.data() + first * state_size_, now, unreachable);
    for (std::size_t sweeps = 0; sweeps < most_sweeps; ++sweeps) {
      const bool derived = sweep();
      if (!turn() && !derived) break;
    }
    Costs best;
    find_least_end(best);
    best += costs_[terminal_];
    best = best < never ? best : never;
    for (std::size_t lane = 0; lane < now; ++lane) {
      out[first + lane] = static_cast<std::uint16_t>(best[lane]);
    }
  }
}

void Relaxation::faults(std::span<const std::uint8_t> states, std::vector<std::uint16_t>& out) {
  const std::size_t count = states.size() / state_size_;
  out.resize(count);
  for (std::size_t first = 0; first < count; first += lanes) {
    const std::size_t now = std::min(lanes, count - first);
    load(states.data() + first * state_size_, now, 1);
    for (std::size_t sweeps = 0; sweeps < most_sweeps && sweep(); ++sweeps) {
    }
    Costs best;
    find_least_end(best);
    for (std::size_t lane = 0; lane < now; ++lane) {
      out[first + lane] = static_cast<std::uint16_t>(best[lane]);
    }
  }
}

}  // namespace woodstock::plan
