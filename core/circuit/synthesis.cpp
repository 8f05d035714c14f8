#include "circuit/synthesis.h"

#include <algorithm>
#include <stdexcept>

#include "circuit/factor.h"

namespace woodstock {

namespace {

class Synthesis {
 public:
  explicit Synthesis(const GroundProgram& program)
      : program_(program), value_(program.atom_count() + 1, ref_false) {
    if (!program.stratified()) throw std::invalid_argument("the program is not stratified");
    // These are computed before moves are chosen, and cannot wait for them.
    const auto needs_moves = [&](AtomId atom) {
      return atom != no_atom && program.phase(atom) == Phase::move;
    };
    bool sound = !needs_moves(program.terminal_atom());
    for (const Move& move : program.moves()) sound = sound && !needs_moves(move.legal_atom);
    for (const RoleTerm& goal : program.goals()) sound = sound && !needs_moves(goal.atom);
    if (!sound) throw std::invalid_argument("legality, the end or a goal depends on moves");
  }

  GameLogic run() {
    add_fluents();
    build(0, program_.phase_begin(Phase::move));
    out_.legal.reserve(program_.moves().size());
    for (const Move& move : program_.moves()) out_.legal.push_back(value(move.legal_atom));
    add_moves();
    build(program_.phase_begin(Phase::move),
          static_cast<std::uint32_t>(program_.components().size()));
    for (const Fluent& fluent : program_.fluents()) out_.next.push_back(value(fluent.next_atom));
    for (const RoleTerm& goal : program_.goals()) out_.goals.push_back(value(goal.atom));
    for (const RoleTerm& seen : program_.percepts()) out_.percepts.push_back(value(seen.atom));
    out_.terminal = value(program_.terminal_atom());
    return std::move(out_);
  }

 private:
  Ref value(AtomId atom) const noexcept { return atom == no_atom ? ref_false : value_[atom]; }

  Ref value_of(Literal literal) const noexcept {
    const Ref ref = value_[atom_of(literal)];
    return literal < 0 ? negate(ref) : ref;
  }

  void add_fluents() {
    const auto fluents = program_.fluents();
    for (std::uint32_t i = 0; i < fluents.size(); ++i) {
      // Also fluents nobody asks about: they belong to the state.
      const Ref ref = out_.logic.add_source(NodeKind::fluent, i);
      if (fluents[i].true_atom != no_atom) value_[fluents[i].true_atom] = ref;
    }
  }

  void add_moves() {
    const auto moves = program_.moves();
    std::vector<std::uint32_t> order;  // moves that can ever be made, role by role
    for (std::uint32_t i = 0; i < moves.size(); ++i) {
      const auto roles = program_.roles();
      const bool played = std::find(roles.begin(), roles.end(), moves[i].role) != roles.end();
      if (played && out_.legal[i] != ref_false) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return moves[a].role < moves[b].role;
    });
    out_.does.assign(moves.size(), ref_false);
    for (std::size_t i = 0; i < order.size();) {
      std::size_t last = i;
      while (last < order.size() && moves[order[last]].role == moves[order[i]].role) ++last;
      std::vector<Ref> group;
      for (; i < last; ++i) {
        const std::uint32_t move = order[i];
        out_.does[move] = out_.logic.add_source(NodeKind::does, move);
        group.push_back(out_.does[move]);
      }
      if (group.size() == 1) {
        out_.does[order[i - 1]] = ref_true;  // the role's only move: it makes it
      } else {
        one_hot_.add_group(std::move(group));
      }
    }
    implied_.resize(out_.logic.size());
    for (std::uint32_t i = 0; i < moves.size(); ++i) {
      if (moves[i].does_atom != no_atom) value_[moves[i].does_atom] = out_.does[i];
      if (out_.logic.kind(node_of(out_.does[i])) == NodeKind::does) {
        collect_implied(out_.legal[i], implied_[node_of(out_.does[i])]);
        std::sort(implied_[node_of(out_.does[i])].begin(), implied_[node_of(out_.does[i])].end());
      }
    }
  }

  // A move that is made is legal, so whatever its legality asks for holds.
  void collect_implied(Ref ref, std::vector<Ref>& found) const {
    constexpr std::size_t enough = 64;
    if (found.size() >= enough) return;
    found.push_back(ref);
    if (is_negated(ref)) return;
    for (Ref input : out_.logic.inputs(node_of(ref))) collect_implied(input, found);
  }

  void build(std::uint32_t first, std::uint32_t last) {
    const auto components = program_.components();
    for (std::uint32_t c = first; c < last; ++c) {
      if (components[c].recursive) {
        build_recursion(components[c]);
      } else {
        build_atom(components[c].first);
      }
    }
  }

  void build_atom(AtomId atom) {
    if (program_.is_fact(atom)) {
      value_[atom] = ref_true;
    } else if (!program_.is_input(atom)) {
      value_[atom] = rules_of(atom);
    }
  }

  void build_recursion(const Component& component) {
    Recursion recursion;
    recursion.first = variables_;
    for (AtomId a = component.first; a < component.last; ++a) {
      const Ref inner = out_.logic.add_source(NodeKind::inner, variables_++);
      recursion.inner.push_back(node_of(inner));
      value_[a] = inner;
    }
    for (AtomId a = component.first; a < component.last; ++a) {
      recursion.update.push_back(program_.is_fact(a) ? ref_true : rules_of(a));
    }
    // After the updates, since nodes refer to what was made before them: only what comes later can
    // see the fixpoint.
    for (AtomId a = component.first; a < component.last; ++a) {
      const std::uint32_t i = a - component.first;
      const Ref outer = out_.logic.add_source(NodeKind::outer, recursion.first + i);
      recursion.outer.push_back(node_of(outer));
      value_[a] = outer;
    }
    out_.recursions.push_back(std::move(recursion));
  }

  Ref rules_of(AtomId atom) {
    sum_.clear();
    const auto [first, last] = program_.rules_of(atom);
    for (std::uint32_t rule = first; rule < last; ++rule) {
      if (!add_product(program_.body(rule))) continue;
      // A body of which nothing is left holds always.
      if (sum_.product(sum_.size() - 1).empty()) return ref_true;
    }
    return build_sum(out_.logic, one_hot_, sum_);
  }

  // False when the body can never hold.
  bool add_product(std::span<const Literal> body) {
    product_.clear();
    for (Literal literal : body) {
      const Ref ref = value_of(literal);
      if (ref == ref_false) return false;
      if (ref != ref_true) product_.push_back(ref);
    }
    std::sort(product_.begin(), product_.end());
    product_.erase(std::unique(product_.begin(), product_.end()), product_.end());
    for (std::size_t i = 1; i < product_.size(); ++i) {
      if (product_[i] == negate(product_[i - 1])) return false;
    }
    if (!drop_implied()) return false;
    sum_.refs.insert(sum_.refs.end(), product_.begin(), product_.end());
    sum_.close();
    return true;
  }

  // Leaves out what follows from the moves of the product. False: it contradicts one.
  bool drop_implied() {
    for (std::size_t i = 0; i < product_.size(); ++i) {
      const NodeId node = node_of(product_[i]);
      if (is_negated(product_[i]) || out_.logic.kind(node) != NodeKind::does) continue;
      const std::vector<Ref>& implied = implied_[node];
      const auto follows = [&](Ref ref) {
        return std::binary_search(implied.begin(), implied.end(), ref);
      };
      for (Ref ref : product_) {
        if (follows(negate(ref))) return false;
      }
      const Ref move = product_[i];
      std::erase_if(product_, follows);
      // The move itself is still there, but maybe further in front.
      i = static_cast<std::size_t>(std::find(product_.begin(), product_.end(), move) -
                                   product_.begin());
    }
    return true;
  }

  const GroundProgram& program_;
  std::vector<Ref> value_;  // per atom
  GameLogic out_;
  OneHot one_hot_;
  std::vector<std::vector<Ref>> implied_;  // per does node
  std::uint32_t variables_ = 0;
  Sum sum_;
  std::vector<Ref> product_;
};

}  // namespace

GameLogic synthesise(const GroundProgram& program) { return Synthesis(program).run(); }

}  // namespace woodstock
