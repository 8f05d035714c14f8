#include "symmetry/connections.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace woodstock::symmetry {

namespace {

class Finder {
 public:
  Finder(const GroundProgram& program, const RuleTable& table) : program_(program), table_(table) {}

  std::vector<Connection> find() {
    find_users();
    std::vector<Connection> out;
    for (std::uint32_t c = 0; c < program_.components().size(); ++c) {
      if (!program_.components()[c].recursive) continue;
      if (std::optional<Connection> found = read(c)) out.push_back(std::move(*found));
    }
    return out;
  }

 private:
  struct User {
    AtomId head;
    std::uint32_t rule;
  };

  bool recursive(AtomId atom) const {
    return program_.components()[program_.component_of(atom)].recursive;
  }

  // The rules outside each recursion that look into it.
  void find_users() {
    for (AtomId atom = 1; atom <= program_.atom_count(); ++atom) {
      for (std::uint32_t rule = table_.first[atom]; rule < table_.last[atom]; ++rule) {
        for (const Literal literal : table_.rules[rule]) {
          const std::uint32_t there = program_.component_of(atom_of(literal));
          if (there != program_.component_of(atom) && program_.components()[there].recursive) {
            users_[there].push_back({atom, rule});
          }
        }
      }
    }
  }

  // A body without its only positive literal of a component, and the atom of that, if there is one.
  std::optional<AtomId> split(std::uint32_t rule, std::uint32_t component,
                              std::vector<Literal>& rest) const {
    AtomId inside = no_atom;
    rest.clear();
    for (const Literal literal : table_.rules[rule]) {
      if (program_.component_of(atom_of(literal)) != component) {
        rest.push_back(literal);
      } else if (literal < 0 || inside != no_atom) {
        return std::nullopt;
      } else {
        inside = atom_of(literal);
      }
    }
    return inside;
  }

  std::optional<Connection> read(std::uint32_t component) const {
    Connection out;
    if (!read_places(component, out) || !read_users(component, out)) return std::nullopt;
    if (out.first.empty()) return std::nullopt;  // nothing is ever reached
    return out;
  }

  bool read_places(std::uint32_t component, Connection& out) const {
    const Component& place = program_.components()[component];
    std::set<std::pair<AtomId, AtomId>> steps;
    std::vector<Literal> own;
    std::vector<Literal> rest;
    for (AtomId atom = place.first; atom < place.last; ++atom) {
      if (program_.category(atom) != Category::other || program_.is_fact(atom)) return false;
      for (std::uint32_t rule = table_.first[atom]; rule < table_.last[atom]; ++rule) {
        const std::optional<AtomId> from = split(rule, component, rest);
        if (!from) return false;
        // A place must have the same conditions from wherever it is reached, or the way would
        // matter.
        if (rule == table_.first[atom]) own = rest;
        if (rest != own) return false;
        if (*from == no_atom) {
          out.first.push_back(atom);
        } else {
          steps.emplace(*from, atom);
        }
      }
    }
    // Whoever reaches a place can go back: only then it is the same to begin at the other side.
    return std::all_of(steps.begin(), steps.end(),
                       [&](const auto& step) { return steps.contains({step.second, step.first}); });
  }

  bool read_users(std::uint32_t component, Connection& out) const {
    const auto found = users_.find(component);
    if (found == users_.end()) return false;
    std::vector<Literal> rest;
    for (const User& user : found->second) {
      const std::optional<AtomId> from = split(user.rule, component, rest);
      if (!from || *from == no_atom || recursive(user.head)) return false;
      if (out.head == no_atom) {
        out.head = user.head;
        out.rest = rest;
        // Two recursions in one rule would each be the other's rest.
        for (const Literal literal : rest) {
          if (recursive(atom_of(literal))) return false;
        }
      }
      if (user.head != out.head || rest != out.rest) return false;
      out.second.push_back(*from);
    }
    return true;
  }

  const GroundProgram& program_;
  const RuleTable& table_;
  std::map<std::uint32_t, std::vector<User>> users_;
};

}  // namespace

std::vector<Connection> find_connections(const GroundProgram& program, const RuleTable& table) {
  return Finder(program, table).find();
}

}  // namespace woodstock::symmetry
