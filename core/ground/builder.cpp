#include "ground/builder.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "ground/components.h"

namespace woodstock {

namespace {

constexpr AtomId largest_allowed = 1U << 30;
constexpr std::uint32_t unnamed = 0xffffffffU;

bool is_input(Category category) noexcept {
  return category == Category::true_ || category == Category::does;
}

bool is_root(Category category) noexcept {
  return category == Category::legal || category == Category::next ||
         category == Category::terminal || category == Category::goal || category == Category::sees;
}

// Rules sorted by head, bodies sorted within a head and without repetitions, as one graph.
struct GroupedRules {
  std::vector<std::uint32_t> rules_begin;  // per atom, into body_begin
  std::vector<std::uint32_t> body_begin{0};
  std::vector<Literal> literals;
  std::vector<std::uint32_t> edges_begin;  // per atom, into literals
};

GroupedRules group_by_head(RawRules rules, std::size_t rows) {
  std::vector<std::uint32_t> begin(rows + 1, 0);
  for (AtomId head : rules.head) ++begin[head + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::uint32_t> sorted(rules.size());
  {
    std::vector<std::uint32_t> at(begin.begin(), begin.end() - 1);
    for (std::uint32_t r = 0; r < rules.size(); ++r) sorted[at[rules.head[r]]++] = r;
  }
  const auto body = [&](std::uint32_t r) {
    return std::span<const Literal>(rules.literals)
        .subspan(rules.body_begin[r], rules.body_begin[r + 1] - rules.body_begin[r]);
  };
  GroupedRules grouped;
  grouped.rules_begin.assign(rows + 1, 0);
  grouped.edges_begin.assign(rows + 1, 0);
  grouped.literals.reserve(rules.literals.size());
  grouped.body_begin.reserve(rules.size() + 1);
  for (std::size_t a = 0; a < rows; ++a) {
    const auto first = sorted.begin() + begin[a];
    auto last = sorted.begin() + begin[a + 1];
    std::sort(first, last, [&](std::uint32_t p, std::uint32_t q) {
      const auto x = body(p);
      const auto y = body(q);
      return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
    });
    last = std::unique(first, last, [&](std::uint32_t p, std::uint32_t q) {
      const auto x = body(p);
      const auto y = body(q);
      return std::equal(x.begin(), x.end(), y.begin(), y.end());
    });
    for (auto it = first; it != last; ++it) {
      const auto literals = body(*it);
      grouped.literals.insert(grouped.literals.end(), literals.begin(), literals.end());
      grouped.body_begin.push_back(static_cast<std::uint32_t>(grouped.literals.size()));
    }
    grouped.rules_begin[a + 1] = static_cast<std::uint32_t>(grouped.body_begin.size() - 1);
    grouped.edges_begin[a + 1] = static_cast<std::uint32_t>(grouped.literals.size());
  }
  return grouped;
}

// Adds to `order` the components of `grouped` with those of an earlier phase in front. Dependencies
// never have a later phase, so the order stays topological.
ComponentOrder order_by_phase(const ComponentOrder& order, const GroupedRules& grouped,
                              const std::vector<Category>& category) {
  const std::size_t count = order.begin.size() - 1;
  std::vector<Phase> phase(category.size(), Phase::constant);
  for (std::size_t c = 0; c < count; ++c) {
    Phase highest = Phase::constant;
    for (std::uint32_t i = order.begin[c]; i < order.begin[c + 1]; ++i) {
      const AtomId a = order.atoms[i];
      if (category[a] == Category::true_) highest = std::max(highest, Phase::state);
      if (category[a] == Category::does) highest = std::max(highest, Phase::move);
      for (std::uint32_t k = grouped.edges_begin[a]; k < grouped.edges_begin[a + 1]; ++k) {
        highest = std::max(highest, phase[atom_of(grouped.literals[k])]);
      }
    }
    for (std::uint32_t i = order.begin[c]; i < order.begin[c + 1]; ++i) {
      phase[order.atoms[i]] = highest;
    }
  }
  ComponentOrder result;
  result.atoms.reserve(order.atoms.size());
  result.begin.reserve(order.begin.size());
  for (Phase wanted : {Phase::constant, Phase::state, Phase::move}) {
    for (std::size_t c = 0; c < count; ++c) {
      if (phase[order.atoms[order.begin[c]]] != wanted) continue;
      for (std::uint32_t i = order.begin[c]; i < order.begin[c + 1]; ++i) {
        result.atoms.push_back(order.atoms[i]);
      }
      result.begin.push_back(static_cast<std::uint32_t>(result.atoms.size()));
    }
  }
  return result;
}

}  // namespace

void ProgramBuilder::drop_unfounded(const NameTable& names, std::size_t term_count,
                                    const std::vector<Category>& category, const RawRules& rules,
                                    std::vector<std::uint8_t>& input) {
  const std::size_t rows = category.size();
  // What founds an input: true(f) by init(f) or next(f), does(r, a) by legal(r, a).
  std::vector<AtomId> fluent(term_count, no_atom);
  std::map<std::pair<TermId, TermId>, AtomId> move;
  std::vector<AtomId> founds(rows, no_atom);
  const auto args = [&](std::uint32_t i) {
    return std::span<const TermId>(names.args)
        .subspan(names.begin[i], names.begin[i + 1] - names.begin[i]);
  };
  for (std::uint32_t i = 0; i < names.atom.size(); ++i) {
    const Category c = category[names.atom[i]];
    if (c == Category::true_) fluent[args(i)[0]] = names.atom[i];
    if (c == Category::does) move[{args(i)[0], args(i)[1]}] = names.atom[i];
  }
  for (std::uint32_t i = 0; i < names.atom.size(); ++i) {
    const Category c = category[names.atom[i]];
    if (c == Category::init || c == Category::next) founds[names.atom[i]] = fluent[args(i)[0]];
    if (c == Category::legal) {
      const auto found = move.find({args(i)[0], args(i)[1]});
      if (found != move.end()) founds[names.atom[i]] = found->second;
    }
  }
  // Forward chaining over the positive literals: waiting[...] are the rules that need an atom.
  std::vector<std::uint32_t> begin(rows + 1, 0);
  for (Literal literal : rules.literals) {
    if (literal > 0) ++begin[static_cast<std::size_t>(literal) + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::uint32_t> waiting(begin.back());
  std::vector<std::uint32_t> missing(rules.size(), 0);
  std::vector<std::uint8_t> founded(rows, 0);
  std::vector<AtomId> agenda;
  const auto found = [&](AtomId atom) {
    if (founded[atom] != 0) return;
    founded[atom] = 1;
    agenda.push_back(atom);
  };
  {
    std::vector<std::uint32_t> at(begin.begin(), begin.end() - 1);
    for (std::uint32_t r = 0; r < rules.size(); ++r) {
      for (std::uint32_t k = rules.body_begin[r]; k < rules.body_begin[r + 1]; ++k) {
        if (rules.literals[k] <= 0) continue;
        waiting[at[static_cast<std::size_t>(rules.literals[k])]++] = r;
        ++missing[r];
      }
    }
  }
  for (std::uint32_t r = 0; r < rules.size(); ++r) {
    if (missing[r] == 0) found(rules.head[r]);
  }
  while (!agenda.empty()) {
    const AtomId atom = agenda.back();
    agenda.pop_back();
    if (founds[atom] != no_atom) found(founds[atom]);
    for (std::uint32_t k = begin[atom]; k < begin[atom + 1]; ++k) {
      if (--missing[waiting[k]] == 0) found(rules.head[waiting[k]]);
    }
  }
  for (std::size_t a = 0; a < rows; ++a) {
    if (input[a] != 0 && founded[a] == 0) input[a] = 0;
  }
}

AtomId ProgramBuilder::checked(AtomId atom) {
  if (atom == 0 || atom > largest_allowed) throw std::invalid_argument("atom number out of range");
  largest_ = std::max(largest_, atom);
  return atom;
}

TermId ProgramBuilder::add_term(std::uint32_t symbol, std::span<const TermId> args) {
  std::uint64_t hash = 0x9e3779b97f4a7c15ULL ^ symbol;
  for (TermId arg : args) {
    if (arg >= terms_.symbol.size()) throw std::invalid_argument("unknown term");
    hash = (hash ^ arg) * 0xff51afd7ed558ccdULL;
    hash ^= hash >> 32;
  }
  const auto [first, last] = terms_.by_hash.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    const TermId t = it->second;
    if (terms_.symbol[t] == symbol &&
        std::equal(args.begin(), args.end(), terms_.args.begin() + terms_.begin[t],
                   terms_.args.begin() + terms_.begin[t + 1])) {
      return t;
    }
  }
  const auto term = static_cast<TermId>(terms_.symbol.size());
  terms_.symbol.push_back(symbol);
  terms_.args.insert(terms_.args.end(), args.begin(), args.end());
  terms_.begin.push_back(static_cast<std::uint32_t>(terms_.args.size()));
  terms_.by_hash.emplace(hash, term);
  return term;
}

void ProgramBuilder::add_atom(AtomId atom, std::uint32_t predicate, std::span<const TermId> args) {
  for (TermId arg : args) {
    if (arg >= terms_.symbol.size()) throw std::invalid_argument("unknown term");
  }
  names_.atom.push_back(checked(atom));
  names_.predicate.push_back(predicate);
  names_.args.insert(names_.args.end(), args.begin(), args.end());
  names_.begin.push_back(static_cast<std::uint32_t>(names_.args.size()));
}

void ProgramBuilder::add_rule(AtomId head, std::span<const Literal> body) {
  checked(head);
  for (Literal literal : body) checked(literal == INT32_MIN ? 0 : atom_of(literal));
  if (rules_.literals.size() + body.size() > 0xfffffff0U || rules_.size() >= 0x7ffffff0U) {
    throw std::length_error("too many rules");
  }
  rules_.head.push_back(head);
  rules_.literals.insert(rules_.literals.end(), body.begin(), body.end());
  rules_.body_begin.push_back(static_cast<std::uint32_t>(rules_.literals.size()));
}

std::vector<RelationSize> ProgramBuilder::relation_sizes() const {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> count;
  for (std::size_t i = 0; i < names_.atom.size(); ++i) {
    std::uint32_t symbol = no_symbol;
    if (names_.begin[i + 1] > names_.begin[i]) {
      const TermId last = names_.args[names_.begin[i + 1] - 1];
      if (terms_.begin[last + 1] > terms_.begin[last]) symbol = terms_.symbol[last];
    }
    ++count[{names_.predicate[i], symbol}];
  }
  std::vector<RelationSize> sizes;
  for (const auto& [key, atoms] : count) sizes.push_back({key.first, key.second, atoms});
  return sizes;
}

std::size_t ProgramBuilder::bytes() const noexcept {
  return 4 * (rules_.head.capacity() + rules_.body_begin.capacity() + rules_.literals.capacity() +
              names_.atom.capacity() + names_.predicate.capacity() + names_.begin.capacity() +
              names_.args.capacity() + terms_.symbol.capacity() + terms_.begin.capacity() +
              terms_.args.capacity()) +
         48 * terms_.by_hash.size();
}

GroundProgram ProgramBuilder::finish(bool keep_all) {
  const TermTable terms = std::exchange(terms_, {});
  const NameTable names = std::exchange(names_, {});
  RawRules rules = std::exchange(rules_, {});
  const std::size_t rows = std::size_t{std::exchange(largest_, 0)} + 1;

  std::vector<std::uint32_t> name_of(rows, unnamed);
  std::vector<Category> category(rows, Category::other);
  std::vector<std::uint8_t> input(rows, 0);
  for (std::uint32_t i = 0; i < names.atom.size(); ++i) {
    const AtomId a = names.atom[i];
    if (name_of[a] != unnamed) throw std::invalid_argument("an atom is named twice");
    name_of[a] = i;
    category[a] = category_of_predicate(names.predicate[i]);
    input[a] = is_input(category[a]) ? 1 : 0;
    if (names.predicate[i] >= first_guard_predicate) {
      rules.head.push_back(a);
      rules.body_begin.push_back(static_cast<std::uint32_t>(rules.literals.size()));
    }
  }
  for (AtomId head : rules.head) {
    if (input[head] != 0) throw std::invalid_argument("a rule concludes true or does");
  }

  std::vector<std::uint8_t> mentioned(keep_all ? rows : 0, 0);
  if (keep_all) {
    for (AtomId head : rules.head) mentioned[head] = 1;
    for (Literal literal : rules.literals) mentioned[atom_of(literal)] = 1;
  }
  if (!keep_all) drop_unfounded(names, terms.symbol.size(), category, rules, input);
  const std::vector<Value> value = simplify(rules, input);
  const GroupedRules grouped = group_by_head(std::move(rules), rows);

  // Inputs come first among the roots, then the rest: a depth-first order keeps neighbours close.
  std::vector<AtomId> roots;
  for (AtomId a = 1; a < rows; ++a) {
    const Category c = category[a];
    const bool fact = value[a] == Value::always && (c == Category::role || c == Category::init);
    const bool root = is_root(c) && value[a] != Value::never;
    const bool extra = keep_all && (name_of[a] != unnamed || mentioned[a] != 0);
    if (input[a] != 0 || fact || root || extra) roots.push_back(a);
  }
  const ComponentOrder order = order_by_phase(
      order_components({grouped.edges_begin, grouped.literals}, roots), grouped, category);

  GroundProgram::Tables out;
  std::vector<AtomId> renumbered(rows, no_atom);
  for (std::size_t i = 0; i < order.atoms.size(); ++i) {
    renumbered[order.atoms[i]] = static_cast<AtomId>(i + 1);
  }
  std::vector<std::uint8_t> used(terms.symbol.size(), 0);
  out.atom_predicate.push_back(anonymous_predicate);
  out.atom_begin = {0, 0};
  out.atom_fact.push_back(0);
  out.rules_begin = {0, 0};
  out.body_begin.push_back(0);
  for (AtomId a : order.atoms) {
    const std::uint32_t name = name_of[a];
    out.atom_predicate.push_back(name == unnamed ? anonymous_predicate : names.predicate[name]);
    if (name != unnamed) {
      for (std::uint32_t k = names.begin[name]; k < names.begin[name + 1]; ++k) {
        used[names.args[k]] = 1;
        out.atom_args.push_back(names.args[k]);
      }
    }
    out.atom_begin.push_back(static_cast<std::uint32_t>(out.atom_args.size()));
    out.atom_fact.push_back(value[a] == Value::always ? 1 : 0);
    for (std::uint32_t r = grouped.rules_begin[a]; r < grouped.rules_begin[a + 1]; ++r) {
      for (std::uint32_t k = grouped.body_begin[r]; k < grouped.body_begin[r + 1]; ++k) {
        const Literal literal = grouped.literals[k];
        const auto atom = static_cast<Literal>(renumbered[atom_of(literal)]);
        out.literals.push_back(literal < 0 ? -atom : atom);
      }
      out.body_begin.push_back(static_cast<std::uint32_t>(out.literals.size()));
    }
    out.rules_begin.push_back(static_cast<std::uint32_t>(out.body_begin.size() - 1));
  }
  for (std::uint32_t begin : order.begin) out.component_first.push_back(begin + 1);

  // Arguments have smaller numbers than the term around them: one pass down marks what is needed.
  for (std::size_t t = used.size(); t-- > 0;) {
    if (used[t] == 0) continue;
    for (std::uint32_t k = terms.begin[t]; k < terms.begin[t + 1]; ++k) used[terms.args[k]] = 1;
  }
  std::vector<TermId> new_term(used.size(), 0);
  out.term_begin.push_back(0);
  for (std::size_t t = 0; t < used.size(); ++t) {
    if (used[t] == 0) continue;
    new_term[t] = static_cast<TermId>(out.term_symbol.size());
    out.term_symbol.push_back(terms.symbol[t]);
    for (std::uint32_t k = terms.begin[t]; k < terms.begin[t + 1]; ++k) {
      out.term_args.push_back(new_term[terms.args[k]]);
    }
    out.term_begin.push_back(static_cast<std::uint32_t>(out.term_args.size()));
  }
  for (TermId& arg : out.atom_args) arg = new_term[arg];
  return GroundProgram(std::move(out));
}

}  // namespace woodstock
