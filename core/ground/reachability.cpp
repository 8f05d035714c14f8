#include "ground/reachability.h"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace woodstock {

namespace {

// For every atom whether it may hold in some of the states looked at, and whether it must in all.
class ThreeValuedReachability {
 public:
  ThreeValuedReachability(const GroundProgram& program, std::span<const std::uint8_t> state)
      : program_(program),
        may_(program.atom_count() + 1, 0),
        must_(program.atom_count() + 1, 0),
        fluent_may_(program.fluents().size()),
        fluent_must_(program.fluents().size()) {
    if (state.size() != (fluent_may_.size() + 7) / 8) {
      throw std::invalid_argument("that is no state of this program");
    }
    for (std::size_t i = 0; i < fluent_may_.size(); ++i) {
      fluent_may_[i] = fluent_must_[i] = state[i / 8] >> (i % 8) & 1;
    }
  }

  bool find(const std::function<bool()>& go_on) {
    // Each round is a turn of play in three values. Fluents only ever become open, so there are no
    // more rounds than fluents.
    do {
      if (go_on && !go_on()) return false;
      set_fluents();
      evaluate(program_.phase_begin(Phase::constant), program_.phase_begin(Phase::move));
      set_moves();
      evaluate(program_.phase_begin(Phase::move), program_.components().size());
    } while (go_further());
    return true;
  }

  std::vector<Fate> fates() const {
    std::vector<Fate> out(may_.size(), Fate::open);
    for (std::size_t atom = 1; atom < may_.size(); ++atom) {
      if (may_[atom] == 0) out[atom] = Fate::never;
      if (must_[atom] != 0) out[atom] = Fate::always;
    }
    return out;
  }

 private:
  void set_fluents() {
    const auto fluents = program_.fluents();
    for (std::size_t i = 0; i < fluents.size(); ++i) {
      if (fluents[i].true_atom == no_atom) continue;
      may_[fluents[i].true_atom] = fluent_may_[i];
      must_[fluents[i].true_atom] = fluent_must_[i];
    }
  }

  void set_moves() {
    std::map<TermId, std::uint32_t> legal;
    const auto may_be_legal = [&](const Move& move) {
      return move.legal_atom != no_atom && may_[move.legal_atom] != 0;
    };
    for (const Move& move : program_.moves()) legal[move.role] += may_be_legal(move) ? 1 : 0;
    for (const Move& move : program_.moves()) {
      if (move.does_atom == no_atom) continue;
      may_[move.does_atom] = may_be_legal(move) ? 1 : 0;
      // A role makes exactly one of its legal moves: the only one there may be is made for sure.
      must_[move.does_atom] = may_be_legal(move) && legal[move.role] == 1 ? 1 : 0;
    }
  }

  void evaluate(std::size_t first, std::size_t last) {
    const auto components = program_.components();
    for (std::size_t c = first; c < last; ++c) {
      const Component& component = components[c];
      if (!component.recursive) {
        evaluate(component.first);
        continue;
      }
      // Recursions are least fixpoints, in both values; so each round begins them anew from
      // nothing.
      std::fill(may_.begin() + component.first, may_.begin() + component.last, 0);
      std::fill(must_.begin() + component.first, must_.begin() + component.last, 0);
      bool changed = true;
      while (changed) {
        changed = false;
        for (AtomId atom = component.first; atom < component.last; ++atom) {
          changed = evaluate(atom) || changed;
        }
      }
    }
  }

  bool evaluate(AtomId atom) {
    if (program_.is_input(atom)) return false;
    // Fluents become open one after the other, and nothing is closed again.
    if (may_[atom] != 0 && must_[atom] == 0 && settled_open(atom)) return false;
    std::uint8_t may = 0;
    std::uint8_t must = 0;
    if (program_.is_fact(atom)) {
      may = must = 1;
    } else {
      const auto [first, last] = program_.rules_of(atom);
      for (std::uint32_t rule = first; rule < last && must == 0; ++rule) {
        bool possible = true;
        bool sure = true;
        for (const Literal literal : program_.body(rule)) {
          const AtomId below = atom_of(literal);
          // Kleene's strong connectives, as two bits: a negation asks for the other bit.
          possible = possible && (literal > 0 ? may_[below] != 0 : must_[below] == 0);
          sure = sure && (literal > 0 ? must_[below] != 0 : may_[below] == 0);
          if (!possible) break;
        }
        if (possible) may = 1;
        if (possible && sure) must = 1;
      }
    }
    const bool changed = may_[atom] != may || must_[atom] != must;
    may_[atom] = may;
    must_[atom] = must;
    return changed;
  }

  bool settled_open(AtomId atom) const {
    return !program_.components()[program_.component_of(atom)].recursive;
  }

  bool go_further() {
    bool changed = false;
    const auto fluents = program_.fluents();
    for (std::size_t i = 0; i < fluents.size(); ++i) {
      const AtomId next = fluents[i].next_atom;
      const std::uint8_t may = next != no_atom && may_[next] != 0 ? 1 : 0;
      const std::uint8_t must = next != no_atom && must_[next] != 0 ? 1 : 0;
      if (may > fluent_may_[i] || must < fluent_must_[i]) changed = true;
      // The states of all turns so far together: what once was open stays open.
      fluent_may_[i] = std::max(fluent_may_[i], may);
      fluent_must_[i] = std::min(fluent_must_[i], must);
    }
    return changed;
  }

  const GroundProgram& program_;
  std::vector<std::uint8_t> may_;
  std::vector<std::uint8_t> must_;
  std::vector<std::uint8_t> fluent_may_;
  std::vector<std::uint8_t> fluent_must_;
};

}  // namespace

std::optional<std::vector<Fate>> three_valued_reachability(const GroundProgram& program,
                                                           std::span<const std::uint8_t> state,
                                                           const std::function<bool()>& go_on) {
  ThreeValuedReachability reachable(program, state);
  if (!reachable.find(go_on)) return std::nullopt;
  return reachable.fates();
}

}  // namespace woodstock
