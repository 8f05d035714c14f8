#include "learn/unfolding.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace woodstock::learn {

namespace {

// An atom with more conjunctions is taken to be fulfilled by whoever needs it.
constexpr std::size_t most_conjunctions = 5000;

template <class T>
void sort_once(std::vector<T>& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

}  // namespace

Unfolding::Unfolding(const GroundProgram& program, const Columns& columns,
                     const Exclusion& exclusion, const std::vector<std::uint32_t>& left_out,
                     std::size_t longest, std::uint64_t work)
    : program_(program),
      columns_(columns),
      exclusion_(exclusion),
      longest_(longest),
      work_(work),
      fluent_of_(program.atom_count() + 1, nothing),
      fulfilled_(program.fluents().size(), 0),
      known_(2 * (program.atom_count() + 1), 0),
      unfolded_(2 * (program.atom_count() + 1)) {
  for (std::uint32_t f = 0; f < program.fluents().size(); ++f) {
    const Fluent& fluent = program.fluents()[f];
    if (fluent.true_atom != no_atom) fluent_of_[fluent.true_atom] = f;
    parts_.push_back({f});
    number_.emplace(parts_.back(), f);
    const bool always = columns.states() > 0 && columns.count(parts_[f]) == columns.states();
    if (fluent.initial && always) fulfilled_[f] = 1;
  }
  for (std::uint32_t f : left_out) fulfilled_.at(f) = 1;
}

std::vector<Unfolding::Conjunction> Unfolding::conjunctions(std::span<const AtomId> atoms) {
  for (Literal literal : below(atoms)) of(literal);  // bodies before heads: no deep recursion
  Conjunctions all;
  for (AtomId atom : atoms) {
    // Not of(atom): what is asked for is not too much for anybody.
    const auto [first, last] = program_.rules_of(atom);
    for (std::uint32_t rule = first; rule < last; ++rule) join_body(rule, all);
  }
  sort_once(all);
  return all;
}

// All literals that the atoms depend on, atoms ascending.
std::vector<Literal> Unfolding::below(std::span<const AtomId> atoms) const {
  std::vector<std::uint8_t> seen(known_.size(), 0);
  std::vector<Literal> open;
  for (AtomId atom : atoms) open.push_back(static_cast<Literal>(atom));
  while (!open.empty()) {
    const Literal head = open.back();
    open.pop_back();
    const auto [first, last] = program_.rules_of(atom_of(head));
    for (std::uint32_t rule = first; rule < last; ++rule) {
      for (Literal literal : program_.body(rule)) {
        const Literal needed = head < 0 ? -literal : literal;
        if (seen[index(needed)] != 0) continue;
        seen[index(needed)] = 1;
        open.push_back(needed);
      }
    }
  }
  std::vector<Literal> out;
  for (std::size_t i = 2; i < seen.size(); ++i) {
    const auto atom = static_cast<Literal>(i / 2);
    if (seen[i] != 0) out.push_back(i % 2 == 0 ? atom : -atom);
  }
  return out;
}

const Unfolding::Conjunctions& Unfolding::of(Literal literal) {
  const std::size_t i = index(literal);
  if (known_[i] == 0) {
    known_[i] = 1;
    unfolded_[i] = literal > 0 ? unfold(atom_of(literal)) : unfold_negation(atom_of(literal));
  }
  return unfolded_[i];
}

Unfolding::Conjunctions Unfolding::unfold(AtomId atom) {
  const Conjunctions fulfilled{{}};
  const std::uint32_t fluent = fluent_of_[atom];
  if (fluent != nothing) return fulfilled_[fluent] != 0 ? fulfilled : Conjunctions{{fluent}};
  const auto& component = program_.components()[program_.component_of(atom)];
  if (program_.is_fact(atom) || program_.is_input(atom) || component.recursive) return fulfilled;
  Conjunctions all;
  const auto [first, last] = program_.rules_of(atom);
  for (std::uint32_t rule = first; rule < last; ++rule) {
    join_body(rule, all);
    if (all.size() > most_conjunctions || work_ == 0) return fulfilled;
  }
  fold(all);
  return all;
}

// No rule fires: in every body there is something that does not hold. That asks for fluents only
// where a rule has a negation, as in "no square of the line lacks a stone".
Unfolding::Conjunctions Unfolding::unfold_negation(AtomId atom) {
  const Conjunctions fulfilled{{}};
  if (program_.is_fact(atom)) return {};
  const auto& component = program_.components()[program_.component_of(atom)];
  if (program_.is_input(atom) || component.recursive) return fulfilled;
  const auto [first, last] = program_.rules_of(atom);
  std::vector<Conjunctions> broken;
  for (std::uint32_t rule = first; rule < last; ++rule) {
    Conjunctions all;
    for (Literal literal : program_.body(rule)) {
      const Conjunctions& one = of(-literal);
      all.insert(all.end(), one.begin(), one.end());
      if (all.size() > most_conjunctions) break;
      if (!all.empty() && all.back().empty()) break;  // nothing is asked for
    }
    if (all.size() > most_conjunctions) continue;
    fold(all);
    if (all.size() != 1 || !all.front().empty()) broken.push_back(std::move(all));
  }
  std::vector<const Conjunctions*> factors;
  for (const Conjunctions& all : broken) factors.push_back(&all);
  Conjunctions out;
  join(std::move(factors), out);
  fold(out);
  return work_ == 0 ? fulfilled : out;
}

void Unfolding::join_body(std::uint32_t rule, Conjunctions& out) {
  std::vector<const Conjunctions*> factors;
  for (Literal literal : program_.body(rule)) factors.push_back(&of(literal));
  join(std::move(factors), out);
}

// Adds every choice of a conjunction of each factor.
void Unfolding::join(std::vector<const Conjunctions*> factors, Conjunctions& out) {
  std::stable_sort(factors.begin(), factors.end(),
                   [](const auto* a, const auto* b) { return a->size() < b->size(); });
  Conjunctions all{{}};
  for (const Conjunctions* factor : factors) {
    if (factor->size() == 1 && factor->front().empty()) continue;
    if (all.size() * factor->size() > most_conjunctions) break;  // the rest is taken to hold
    Conjunctions longer;
    for (const Conjunction& one : all) {
      for (const Conjunction& other : *factor) {
        if (work_ == 0) return;
        --work_;
        Conjunction both = one;
        bool possible = true;
        for (Part part : other) possible = possible && add(both, part);
        if (possible && both.size() <= longest_) longer.push_back(std::move(both));
      }
    }
    all = std::move(longer);
  }
  out.insert(out.end(), std::make_move_iterator(all.begin()), std::make_move_iterator(all.end()));
}

// False where the part excludes one that is there.
bool Unfolding::add(Conjunction& all, Part part) {
  for (auto& other : all) {
    if (other == part) return true;
    if (!exclude(other, part)) continue;
    const Part both = meet(other, part);
    if (both == nothing) return false;
    other = both;
    std::sort(all.begin(), all.end());
    return true;
  }
  all.insert(std::upper_bound(all.begin(), all.end(), part), part);
  return true;
}

std::uint32_t Unfolding::group(Part part) const {
  for (std::uint32_t group : exclusion_.groups_of(parts_[part].front())) {
    if (exclusion_.contains(group, parts_[part])) return group;
  }
  return exclusion_.groups_of(parts_[part].front()).front();
}

// Whether fluents of both cannot hold together, but for one that is in both.
bool Unfolding::exclude(Part a, Part b) const {
  const auto groups = exclusion_.groups_of(parts_[a].front());
  return std::any_of(groups.begin(), groups.end(), [&](std::uint32_t group) {
    return exclusion_.contains(group, parts_[b]) && exclusion_.contains(group, parts_[a]);
  });
}

// The fluents that both parts have.
Part Unfolding::meet(Part a, Part b) {
  std::vector<std::uint32_t> common;
  std::set_intersection(parts_[a].begin(), parts_[a].end(), parts_[b].begin(), parts_[b].end(),
                        std::back_inserter(common));
  return common.empty() ? nothing : part_of(std::move(common));
}

Part Unfolding::part_of(std::vector<std::uint32_t> fluents) {
  const auto [it, fresh] = number_.emplace(fluents, static_cast<Part>(parts_.size()));
  if (fresh) parts_.push_back(std::move(fluents));
  return it->second;
}

// Each conjunction once, none but the empty one where there is that. Those of one part each that
// exclude each other become one: "this piece is here, or that one is". Where one of them always
// holds, nothing is asked for.
void Unfolding::fold(Conjunctions& all) {
  sort_once(all);
  if (!all.empty() && all.front().empty()) {
    all.resize(1);
    return;
  }
  // Of the groups that a part is in, the one that it shares with the most others.
  std::map<std::uint32_t, std::size_t> shared;
  for (const Conjunction& one : all) {
    if (one.size() != 1) continue;
    for (std::uint32_t group : exclusion_.groups_of(parts_[one.front()].front())) {
      if (exclusion_.contains(group, parts_[one.front()])) ++shared[group];
    }
  }
  std::map<std::uint32_t, std::vector<std::uint32_t>> by_group;
  Conjunctions rest;
  for (Conjunction& one : all) {
    if (one.size() != 1) {
      rest.push_back(std::move(one));
      continue;
    }
    const auto& members = parts_[one.front()];
    std::uint32_t best = group(one.front());
    for (std::uint32_t group : exclusion_.groups_of(members.front())) {
      const auto found = shared.find(group);
      if (found == shared.end() || !exclusion_.contains(group, members)) continue;
      if (found->second > shared[best]) best = group;
    }
    by_group[best].insert(by_group[best].end(), members.begin(), members.end());
  }
  std::vector<std::vector<std::uint32_t>> groups;
  for (auto& [number, together] : by_group) {
    sort_once(together);
    groups.push_back(std::move(together));
  }
  all.clear();
  for (auto& together : groups) {
    if (together.size() > 1 && columns_.states() > 0 &&
        columns_.count(together) == columns_.states()) {
      all = {{}};
      return;
    }
    all.push_back({part_of(std::move(together))});
  }
  all.insert(all.end(), std::make_move_iterator(rest.begin()), std::make_move_iterator(rest.end()));
  sort_once(all);
}

}  // namespace woodstock::learn
