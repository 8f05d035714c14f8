#include "symmetry/rule_graph.h"

#include <algorithm>
#include <map>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "symmetry/connections.h"

namespace woodstock::symmetry {

namespace {

// What a vertex is; the order has no meaning.
enum class Kind : std::uint32_t {
  fluent,
  move,
  percept,
  goal,
  role,
  atom,
  rule,
  negation,
  conclusion,
  connection,
  side,
  place
};

class Builder {
 public:
  Builder(const GroundProgram& program, const RuleGraphOptions& options)
      : program_(program),
        options_(options),
        points_(program),
        fluent_of_(program.atom_count() + 1, none),
        wanted_(program.atom_count() + 1, 0),
        fluent_wanted_(program.fluents().size(), 0),
        first_(program.atom_count() + 1, 0),
        last_(program.atom_count() + 1, 0),
        atom_(program.atom_count() + 1, none),
        negation_(program.atom_count() + 1, none) {
    out_.points.assign(points_.size, none);
  }

  RuleGraph build() {
    find_inputs();
    find_wanted();
    find_levels();
    add_roles();
    add_points();
    find_connections();
    add_atoms();
    add_rules();
    add_connections();
    return std::move(out_);
  }

 private:
  static constexpr Vertex none = RuleGraph::no_vertex;

  void find_inputs() {
    const auto fluents = program_.fluents();
    for (std::uint32_t i = 0; i < fluents.size(); ++i) fluent_of_[fluents[i].true_atom] = i;
    // Fluents without an atom have written there.
    fluent_of_[no_atom] = none;
  }

  Fate fate(AtomId atom) const {
    if (options_.fates.empty()) return Fate::open;
    return atom == no_atom ? Fate::never : options_.fates[atom];
  }

  // A colour for what an atom that has no vertex means to its point.
  std::uint32_t shade(AtomId atom) const { return static_cast<std::uint32_t>(fate(atom)); }

  void want(AtomId atom) {
    // What keeps its value is put into the rules and has no vertex.
    if (atom == no_atom || wanted_[atom] != 0 || fate(atom) != Fate::open) return;
    wanted_[atom] = 1;
    agenda_.push_back(atom);
  }

  void find_wanted() {
    want(program_.terminal_atom());
    for (const Move& move : program_.moves()) want(move.legal_atom);
    for (const RoleTerm& goal : program_.goals()) want(goal.atom);
    for (const RoleTerm& percept : program_.percepts()) want(percept.atom);
    while (!agenda_.empty()) {
      const AtomId atom = agenda_.back();
      agenda_.pop_back();
      if (fluent_of_[atom] != none) {
        fluent_wanted_[fluent_of_[atom]] = 1;
        // Who looks at a fluent looks, a turn later, at what brings it about.
        want(program_.fluents()[fluent_of_[atom]].next_atom);
      }
      find_rules(atom);
      for (std::uint32_t rule = first_[atom]; rule < last_[atom]; ++rule) {
        for (const Literal literal : rules_[rule]) want(atom_of(literal));
      }
    }
  }

  // The rules of an atom without conditions that always hold; those with a condition that never
  // does are none. What has become the same is one rule.
  void find_rules(AtomId atom) {
    first_[atom] = static_cast<std::uint32_t>(rules_.size());
    const auto [first, last] = program_.rules_of(atom);
    for (std::uint32_t rule = first; rule < last; ++rule) {
      std::vector<Literal> left;
      bool alive = true;
      for (const Literal literal : program_.body(rule)) {
        const Fate known = fate(atom_of(literal));
        if (known == Fate::open) left.push_back(literal);
        if (known == (literal > 0 ? Fate::never : Fate::always)) alive = false;
      }
      if (!alive) continue;
      std::sort(left.begin(), left.end());
      rules_.push_back(std::move(left));
    }
    const auto begin = rules_.begin() + first_[atom];
    // Rules that differ in settled conditions alone say the same, and must not count twice.
    if (!options_.fates.empty()) {
      std::sort(begin, rules_.end());
      rules_.erase(std::unique(begin, rules_.end()), rules_.end());
    }
    last_[atom] = static_cast<std::uint32_t>(rules_.size());
  }

  // The longest way down to the state and the moves, counted in components.
  void find_levels() {
    level_.assign(program_.atom_count() + 1, 0);
    for (const Component& component : program_.components()) {
      std::uint32_t deepest = 0;
      for (AtomId atom = component.first; atom < component.last; ++atom) {
        for (std::uint32_t rule = first_[atom]; rule < last_[atom]; ++rule) {
          for (const Literal literal : rules_[rule]) {
            const AtomId below = atom_of(literal);
            if (below < component.first) deepest = std::max(deepest, level_[below] + 1);
          }
        }
      }
      for (AtomId atom = component.first; atom < component.last; ++atom) level_[atom] = deepest;
    }
  }

  void find_connections() {
    connections_ = symmetry::find_connections(program_, {rules_, first_, last_});
    connected_.assign(program_.components().size(), 0);
    for (const Connection& connection : connections_) {
      connected_[program_.component_of(connection.first[0])] = 1;
    }
  }

  bool is_place(AtomId atom) const { return connected_[program_.component_of(atom)] != 0; }

  // Places are told apart by their conditions and neighbours alone, sides not at all.
  void add_connections() {
    for (const Connection& connection : connections_) {
      const Vertex vertex = add(Kind::connection, level_[connection.head]);
      join(vertex, atom_[connection.head]);
      join_body(vertex, connection.rest);
      for (const auto* side : {&connection.first, &connection.second}) {
        const Vertex pole = add(Kind::side);
        join(vertex, pole);
        for (const AtomId place : *side) join(pole, atom_[place]);
      }
      const Component& places = program_.components()[program_.component_of(connection.first[0])];
      for (AtomId atom = places.first; atom < places.last; ++atom) add_place(atom);
    }
  }

  void add_place(AtomId atom) {
    for (std::uint32_t rule = first_[atom]; rule < last_[atom]; ++rule) {
      std::vector<Literal> own;
      for (const Literal literal : rules_[rule]) {
        if (program_.component_of(atom_of(literal)) != program_.component_of(atom)) {
          own.push_back(literal);
        } else if (atom_of(literal) < atom) {
          join(atom_[atom], atom_[atom_of(literal)]);  // and the other way round: one edge
        }
      }
      if (rule == first_[atom]) join_body(atom_[atom], own);
    }
  }

  Vertex add(Kind kind, std::uint32_t a = 0, std::uint32_t b = 0, std::uint32_t c = 0) {
    const auto key = std::make_tuple(static_cast<std::uint32_t>(kind), a, b, c);
    const auto place = color_of_.try_emplace(key, static_cast<std::uint32_t>(color_of_.size()));
    out_.colors.push_back(place.first->second);
    return static_cast<Vertex>(out_.colors.size() - 1);
  }

  void join(Vertex a, Vertex b) {
    out_.edges.push_back(a);
    out_.edges.push_back(b);
  }

  void add_roles() {
    if (!options_.exchange_roles) return;
    for (const TermId role : program_.roles()) {
      role_[role] = add(Kind::role, role == options_.chance ? 1 : 0);
    }
  }

  // Something of a role: its colour, or an edge where roles may be exchanged.
  Vertex add_of(TermId role, Kind kind, std::uint32_t a, std::uint32_t b) {
    const auto found = role_.find(role);
    if (found == role_.end()) return add(kind, a, b, role + 1);
    const Vertex vertex = add(kind, a, b);
    join(vertex, found->second);
    return vertex;
  }

  void add_points() {
    const auto fluents = program_.fluents();
    for (std::uint32_t i = 0; i < fluents.size(); ++i) {
      if (fluent_wanted_[i] == 0) {
        const AtomId atom = fluents[i].true_atom;
        if (atom == no_atom || fate(atom) == Fate::open) out_.idle.push_back(i);
        continue;
      }
      const Vertex vertex = add(Kind::fluent, options_.marked.empty() ? 0 : 1 + options_.marked[i],
                                shade(fluents[i].next_atom));
      out_.points[i] = vertex;
      if (fluents[i].true_atom != no_atom) atom_[fluents[i].true_atom] = vertex;
    }
    const auto moves = program_.moves();
    for (std::uint32_t i = 0; i < moves.size(); ++i) {
      const bool looked_at = moves[i].does_atom != no_atom && wanted_[moves[i].does_atom] != 0;
      if (moves[i].legal_atom == no_atom && !looked_at) continue;
      // Nobody will make it.
      if (fate(moves[i].legal_atom) == Fate::never) continue;
      const Vertex vertex = add_of(moves[i].role, Kind::move, shade(moves[i].legal_atom), 0);
      out_.points[points_.moves + i] = vertex;
      if (moves[i].does_atom != no_atom) atom_[moves[i].does_atom] = vertex;
    }
    const auto percepts = program_.percepts();
    for (std::uint32_t i = 0; i < percepts.size(); ++i) {
      if (fate(percepts[i].atom) != Fate::open) continue;
      out_.points[points_.percepts + i] = add_of(percepts[i].role, Kind::percept, 0, 0);
    }
  }

  // An atom that is no input, coloured by what it means.
  Vertex add_atom(AtomId atom, std::uint32_t meaning) {
    // One rule makes it a conjunction, several a disjunction. A single rule may have no vertex of
    // its own, so the colour has to tell.
    const std::uint32_t rules =
        program_.is_fact(atom) ? 3 : std::min(last_[atom] - first_[atom], 2U);
    return add(Kind::atom, meaning, rules, level_[atom]);
  }

  void add_atoms() {
    const auto meaning = [](Category category) { return static_cast<std::uint32_t>(category); };
    const auto place = [&](AtomId atom, Category category, Vertex point) {
      if (atom == no_atom || wanted_[atom] == 0) return;
      atom_[atom] = add_atom(atom, meaning(category));
      join(atom_[atom], point);
    };
    const auto fluents = program_.fluents();
    for (std::uint32_t i = 0; i < fluents.size(); ++i) {
      if (fluent_wanted_[i] != 0) place(fluents[i].next_atom, Category::next, out_.points[i]);
    }
    const auto moves = program_.moves();
    for (std::uint32_t i = 0; i < moves.size(); ++i) {
      place(moves[i].legal_atom, Category::legal, out_.points[points_.moves + i]);
    }
    const auto percepts = program_.percepts();
    for (std::uint32_t i = 0; i < percepts.size(); ++i) {
      place(percepts[i].atom, Category::sees, out_.points[points_.percepts + i]);
    }
    for (const RoleTerm& goal : program_.goals()) {
      place(goal.atom, Category::goal, add_of(goal.role, Kind::goal, goal.term, 0));
    }
    for (AtomId atom = 1; atom <= program_.atom_count(); ++atom) {
      if (wanted_[atom] == 0 || atom_[atom] != none) continue;
      atom_[atom] = is_place(atom) ? add(Kind::place, level_[atom])
                                   : add_atom(atom, meaning(program_.category(atom)));
    }
  }

  void join_body(Vertex vertex, std::span<const Literal> body) {
    for (const Literal literal : body) {
      const AtomId atom = atom_of(literal);
      if (literal > 0) {
        join(vertex, atom_[atom]);
        continue;
      }
      if (negation_[atom] == none) {
        negation_[atom] = add(Kind::negation);
        join(negation_[atom], atom_[atom]);
      }
      join(vertex, negation_[atom]);
    }
  }

  void add_rules() {
    for (AtomId atom = 1; atom <= program_.atom_count(); ++atom) {
      if (wanted_[atom] == 0 || program_.is_input(atom) || program_.is_fact(atom)) continue;
      if (is_place(atom)) continue;
      const bool recursive = program_.components()[program_.component_of(atom)].recursive;
      const std::uint32_t first = first_[atom];
      const std::uint32_t last = last_[atom];
      for (std::uint32_t rule = first; rule < last; ++rule) {
        const std::vector<Literal>& body = rules_[rule];
        if (std::any_of(body.begin(), body.end(),
                        [&](Literal literal) { return is_place(atom_of(literal)); })) {
          continue;
        }
        // What belongs to a point has rules of their own: its next state may depend on itself.
        if (last - first == 1 && !recursive && program_.category(atom) == Category::other) {
          join_body(atom_[atom], body);
          continue;
        }
        const Vertex vertex = add(Kind::rule, level_[atom]);
        // Inside a recursion levels are equal, so which end of the edge is the conclusion has to be
        // said by a vertex.
        if (recursive) {
          const Vertex between = add(Kind::conclusion);
          join(vertex, between);
          join(between, atom_[atom]);
        } else {
          join(vertex, atom_[atom]);
        }
        join_body(vertex, body);
      }
    }
  }

  const GroundProgram& program_;
  const RuleGraphOptions& options_;
  Points points_;
  std::vector<std::uint32_t> fluent_of_;  // of a true atom
  std::vector<std::uint8_t> wanted_;
  std::vector<std::uint8_t> fluent_wanted_;
  std::vector<AtomId> agenda_;
  std::vector<std::vector<Literal>> rules_;  // that are left
  std::vector<std::uint32_t> first_;         // of each atom's rules
  std::vector<std::uint32_t> last_;
  std::vector<Connection> connections_;
  std::vector<std::uint8_t> connected_;  // of each component whether it is one of them
  std::vector<std::uint32_t> level_;
  std::vector<Vertex> atom_;
  std::vector<Vertex> negation_;
  std::map<TermId, Vertex> role_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t>
      color_of_;
  RuleGraph out_;
};

}  // namespace

RuleGraph rule_graph(const GroundProgram& program, const RuleGraphOptions& options) {
  if (!options.marked.empty() && options.marked.size() != program.fluents().size()) {
    throw std::invalid_argument("a mark for each fluent is needed");
  }
  if (!options.fates.empty() && options.fates.size() != program.atom_count() + 1) {
    throw std::invalid_argument("a fate for each atom is needed");
  }
  return Builder(program, options).build();
}

}  // namespace woodstock::symmetry
