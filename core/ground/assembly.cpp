#include "ground/assembly.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "ground/builder.h"
#include "ground/components.h"

namespace woodstock {

namespace {

constexpr std::uint32_t unnamed = 0xffffffffU;

bool is_input(Category category) noexcept {
  return category == Category::true_ || category == Category::does;
}

// What a player can ask a program; the rest is there for these.
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
  // Counting sort by head: begin[a] is where the rules of a begin among the sorted.
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
    // In an order of their own, not the grounder's, so that equal rules make equal programs.
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
      // Atoms of a component depend on each other: what one needs, all need.
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

// One program on its way; the steps are done in the order in which they stand here.
class Assembly {
 public:
  Assembly(RawProgram raw, bool keep_all)
      : raw_(std::move(raw)),
        keep_all_(keep_all),
        rows_(std::size_t{raw_.largest_atom} + 1),
        name_of_(rows_, unnamed),
        category_(rows_, Category::other),
        input_(rows_, 0),
        mentioned_(keep_all ? rows_ : 0, 0) {}

  GroundProgram run() {
    look_at_names();
    look_at_rules();
    if (!keep_all_) drop_unfounded(raw_, category_, input_);
    value_ = simplify(raw_.rules, input_);
    grouped_ = group_by_head(std::exchange(raw_.rules, {}), rows_);
    const ComponentOrder order = order_by_phase(
        order_components({grouped_.edges_begin, grouped_.literals}, roots()), grouped_, category_);
    write_atoms(order);
    write_rules(order);
    write_terms(terms_used());
    return GroundProgram(std::move(out_));
  }

 private:
  void look_at_names();
  void look_at_rules();
  std::vector<AtomId> roots() const;
  void write_atoms(const ComponentOrder& order);
  void write_rules(const ComponentOrder& order);
  std::vector<std::uint8_t> terms_used() const;
  void write_terms(const std::vector<std::uint8_t>& used);

  RawProgram raw_;
  bool keep_all_;
  std::size_t rows_;  // entries of tables by the grounder's numbers of atoms; 0 is not used
  std::vector<std::uint32_t> name_of_;
  std::vector<Category> category_;
  std::vector<std::uint8_t> input_;
  std::vector<std::uint8_t> mentioned_;  // in a rule; only where all is kept
  std::vector<Value> value_;
  GroupedRules grouped_;
  GroundProgram::Tables out_;
};

void Assembly::look_at_names() {
  const RawNames& names = raw_.names;
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    const AtomId a = names.atom[i];
    if (name_of_[a] != unnamed) throw std::invalid_argument("an atom is named twice");
    name_of_[a] = i;
    category_[a] = category_of_predicate(names.predicate[i]);
    input_[a] = is_input(category_[a]) ? 1 : 0;
    if (names.predicate[i] >= first_guard_predicate) {
      // A guard becomes a fact, and simplifying takes it out of all bodies.
      raw_.rules.head.push_back(a);
      raw_.rules.body_begin.push_back(static_cast<std::uint32_t>(raw_.rules.literals.size()));
    }
  }
}

void Assembly::look_at_rules() {
  for (AtomId head : raw_.rules.head) {
    if (input_[head] != 0) throw std::invalid_argument("a rule concludes true or does");
  }
  if (!keep_all_) return;
  // Simplifying takes decided atoms out of the rules; whoever wants all of them wants these too.
  for (AtomId head : raw_.rules.head) mentioned_[head] = 1;
  for (Literal literal : raw_.rules.literals) mentioned_[atom_of(literal)] = 1;
}

std::vector<AtomId> Assembly::roots() const {
  // In the grounder's order, which keeps neighbours close in the depth-first order to come.
  std::vector<AtomId> found;
  for (AtomId a = 1; a < rows_; ++a) {
    const Category c = category_[a];
    const bool fact = value_[a] == Value::always && (c == Category::role || c == Category::init);
    const bool root = is_root(c) && value_[a] != Value::never;
    const bool extra = keep_all_ && (name_of_[a] != unnamed || mentioned_[a] != 0);
    if (input_[a] != 0 || fact || root || extra) found.push_back(a);
  }
  return found;
}

void Assembly::write_atoms(const ComponentOrder& order) {
  out_.atom_predicate.push_back(anonymous_predicate);
  out_.atom_begin = {0, 0};
  out_.atom_fact.push_back(0);
  for (AtomId a : order.atoms) {
    const std::uint32_t name = name_of_[a];
    if (name == unnamed) {
      out_.atom_predicate.push_back(anonymous_predicate);
    } else {
      const auto args = raw_.names.args_of(name);
      out_.atom_predicate.push_back(raw_.names.predicate[name]);
      out_.atom_args.insert(out_.atom_args.end(), args.begin(), args.end());
    }
    out_.atom_begin.push_back(static_cast<std::uint32_t>(out_.atom_args.size()));
    out_.atom_fact.push_back(value_[a] == Value::always ? 1 : 0);
  }
  for (std::uint32_t begin : order.begin) out_.component_first.push_back(begin + 1);
}

void Assembly::write_rules(const ComponentOrder& order) {
  std::vector<Literal> renumbered(rows_, 0);
  for (std::size_t i = 0; i < order.atoms.size(); ++i) {
    renumbered[order.atoms[i]] = static_cast<Literal>(i + 1);
  }
  out_.rules_begin = {0, 0};
  out_.body_begin.push_back(0);
  for (AtomId a : order.atoms) {
    for (std::uint32_t r = grouped_.rules_begin[a]; r < grouped_.rules_begin[a + 1]; ++r) {
      for (std::uint32_t k = grouped_.body_begin[r]; k < grouped_.body_begin[r + 1]; ++k) {
        const Literal literal = grouped_.literals[k];
        const Literal atom = renumbered[atom_of(literal)];
        out_.literals.push_back(literal < 0 ? -atom : atom);
      }
      out_.body_begin.push_back(static_cast<std::uint32_t>(out_.literals.size()));
    }
    out_.rules_begin.push_back(static_cast<std::uint32_t>(out_.body_begin.size() - 1));
  }
}

std::vector<std::uint8_t> Assembly::terms_used() const {
  const RawTerms& terms = raw_.terms;
  std::vector<std::uint8_t> used(terms.size(), 0);
  for (TermId arg : out_.atom_args) used[arg] = 1;
  // Arguments have smaller numbers than the term around them: one pass down marks what is needed.
  for (std::size_t t = used.size(); t-- > 0;) {
    if (used[t] == 0) continue;
    for (std::uint32_t k = terms.begin[t]; k < terms.begin[t + 1]; ++k) used[terms.args[k]] = 1;
  }
  return used;
}

void Assembly::write_terms(const std::vector<std::uint8_t>& used) {
  const RawTerms& terms = raw_.terms;
  std::vector<TermId> renumbered(used.size(), 0);
  out_.term_begin.push_back(0);
  for (std::size_t t = 0; t < used.size(); ++t) {
    if (used[t] == 0) continue;
    renumbered[t] = static_cast<TermId>(out_.term_symbol.size());
    out_.term_symbol.push_back(terms.symbol[t]);
    for (std::uint32_t k = terms.begin[t]; k < terms.begin[t + 1]; ++k) {
      out_.term_args.push_back(renumbered[terms.args[k]]);
    }
    out_.term_begin.push_back(static_cast<std::uint32_t>(out_.term_args.size()));
  }
  for (TermId& arg : out_.atom_args) arg = renumbered[arg];
}

}  // namespace

GroundProgram assemble(RawProgram raw, bool keep_all) {
  return Assembly(std::move(raw), keep_all).run();
}

}  // namespace woodstock
