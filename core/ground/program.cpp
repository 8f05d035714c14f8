#include "ground/program.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

namespace woodstock {

namespace {

[[noreturn]] void broken(const char* what) {
  throw std::runtime_error(std::string("not a ground program: ") + what);
}

void require(bool condition, const char* what) {
  if (!condition) broken(what);
}

// `begin` is a table of compressed sparse rows over `items` items and `total` entries.
void require_rows(const std::vector<std::uint32_t>& begin, std::size_t items, std::size_t total,
                  const char* what) {
  require(begin.size() == items + 1, what);
  require(begin.front() == 0 && begin.back() == total, what);
  require(std::is_sorted(begin.begin(), begin.end()), what);
}

template <class T>
std::size_t bytes_of(const std::vector<T>& v) noexcept {
  return v.size() * sizeof(T);
}

template <class T>
std::span<const T> row(const std::vector<T>& items, const std::vector<std::uint32_t>& begin,
                       std::size_t i) {
  return std::span<const T>(items).subspan(begin[i], begin[i + 1] - begin[i]);
}

// Number of arguments each category must have; the interface below relies on it.
std::size_t arity(Category category) noexcept {
  switch (category) {
    case Category::role:
    case Category::init:
    case Category::true_:
    case Category::next:
      return 1;
    case Category::does:
    case Category::legal:
    case Category::goal:
    case Category::sees:
      return 2;
    default:
      return 0;
  }
}

}  // namespace

Category category_of_predicate(std::uint32_t predicate) noexcept {
  return predicate <= 8 ? static_cast<Category>(predicate) : Category::other;
}

GroundProgram::GroundProgram(Tables tables) : t_(std::move(tables)) {
  check_tables();
  derive_components();
  derive_interface();
}

AtomId GroundProgram::checked(AtomId atom) const {
  if (atom == no_atom || atom > atom_count()) throw std::out_of_range("no such atom");
  return atom;
}

std::span<const TermId> GroundProgram::term_args(TermId term) const {
  if (term >= term_count()) throw std::out_of_range("no such term");
  return row(t_.term_args, t_.term_begin, term);
}

std::span<const TermId> GroundProgram::atom_args(AtomId atom) const {
  return row(t_.atom_args, t_.atom_begin, checked(atom));
}

bool GroundProgram::is_input(AtomId atom) const {
  const Category c = category(atom);
  return c == Category::true_ || c == Category::does;
}

std::pair<std::uint32_t, std::uint32_t> GroundProgram::rules_of(AtomId atom) const {
  checked(atom);
  return {t_.rules_begin[atom], t_.rules_begin[atom + 1]};
}

std::span<const Literal> GroundProgram::body(std::uint32_t rule) const {
  if (rule >= rule_count()) throw std::out_of_range("no such rule");
  return row(t_.literals, t_.body_begin, rule);
}

// Whatever is promised in the header is checked here once, so that nobody has to later, not even
// for programs that come from a file.
void GroundProgram::check_tables() const {
  const std::size_t terms = t_.term_symbol.size();
  require_rows(t_.term_begin, terms, t_.term_args.size(), "terms");
  for (std::size_t i = 0; i < terms; ++i) {
    for (std::uint32_t k = t_.term_begin[i]; k < t_.term_begin[i + 1]; ++k) {
      require(t_.term_args[k] < i, "a term holds itself");
    }
  }
  const std::size_t rows = t_.atom_predicate.size();  // atoms and the unused entry 0
  require(rows >= 1 && rows <= 0x7fffffffU, "number of atoms");
  require_rows(t_.atom_begin, rows, t_.atom_args.size(), "atoms");
  require(t_.atom_fact.size() == rows, "facts");
  for (TermId term : t_.atom_args) require(term < terms, "argument of an atom");
  require(!t_.body_begin.empty(), "rules");
  require_rows(t_.rules_begin, rows, t_.body_begin.size() - 1, "rules");
  require_rows(t_.body_begin, t_.body_begin.size() - 1, t_.literals.size(), "bodies");
  require(t_.rules_begin[1] == 0 && t_.atom_begin[1] == 0, "entry 0");
  for (Literal literal : t_.literals) {
    require(literal != 0 && literal != INT32_MIN && atom_of(literal) < rows, "literal");
  }
  for (AtomId a = 1; a < rows; ++a) {
    const Category c = category_of_predicate(t_.atom_predicate[a]);
    if (c == Category::other) continue;
    require(t_.atom_begin[a + 1] - t_.atom_begin[a] == arity(c), "arity of a keyword");
    if (c == Category::true_ || c == Category::does) {
      require(t_.rules_begin[a] == t_.rules_begin[a + 1] && t_.atom_fact[a] == 0,
              "a rule concludes true or does");
    }
  }
  const auto& first = t_.component_first;
  require(!first.empty() && first.front() == 1 && first.back() == rows, "components");
  require(std::adjacent_find(first.begin(), first.end(), std::greater_equal<>()) == first.end(),
          "components");
}

void GroundProgram::derive_components() {
  const std::size_t rows = t_.atom_predicate.size();
  component_of_.assign(rows, 0);
  phase_.assign(rows, Phase::constant);
  components_.reserve(t_.component_first.size() - 1);
  for (std::uint32_t c = 0; c + 1 < t_.component_first.size(); ++c) {
    Component component{t_.component_first[c], t_.component_first[c + 1], false, false};
    for (AtomId a = component.first; a < component.last; ++a) component_of_[a] = c;
    Phase phase = Phase::constant;
    for (AtomId a = component.first; a < component.last; ++a) {
      const Category category = category_of_predicate(t_.atom_predicate[a]);
      if (category == Category::true_) phase = std::max(phase, Phase::state);
      if (category == Category::does) phase = std::max(phase, Phase::move);
      const std::uint32_t from = t_.body_begin[t_.rules_begin[a]];
      const std::uint32_t to = t_.body_begin[t_.rules_begin[a + 1]];
      for (std::uint32_t k = from; k < to; ++k) {
        const Literal literal = t_.literals[k];
        const AtomId b = atom_of(literal);
        // An order of evaluation: nothing depends on what comes later.
        require(b < component.last, "order of the atoms");
        phase = std::max(phase, phase_[b]);
        if (b >= component.first) {
          component.recursive = true;
          if (literal < 0) component.negative_cycle = true;
        }
      }
    }
    require(component.recursive || component.last - component.first == 1, "components");
    for (AtomId a = component.first; a < component.last; ++a) phase_[a] = phase;
    require(c == 0 || phase_[component.first - 1] <= phase, "order of the phases");
    if (component.negative_cycle && unstratified_witness_.empty()) {
      for (AtomId a = component.first; a < component.last; ++a) unstratified_witness_.push_back(a);
    }
    components_.push_back(component);
  }
  // Components come in the order of their phases, so each phase is a range.
  for (std::size_t p = 0; p < 4; ++p) {
    const auto it = std::partition_point(
        components_.begin(), components_.end(),
        [&](const Component& component) { return index(phase_[component.first]) < p; });
    phase_begin_[p] = static_cast<std::uint32_t>(it - components_.begin());
  }
}

int GroundProgram::compare_terms(TermId a, TermId b) const {
  // Equal subterms have equal numbers, so one path down to the first difference is enough.
  while (a != b) {
    if (t_.term_symbol[a] != t_.term_symbol[b]) {
      return t_.term_symbol[a] < t_.term_symbol[b] ? -1 : 1;
    }
    const auto x = row(t_.term_args, t_.term_begin, a);
    const auto y = row(t_.term_args, t_.term_begin, b);
    if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
    const auto [p, q] = std::mismatch(x.begin(), x.end(), y.begin());
    if (p == x.end()) return 0;
    a = *p;
    b = *q;
  }
  return 0;
}

void GroundProgram::derive_interface() {
  std::map<TermId, Fluent> fluents;
  std::map<std::pair<TermId, TermId>, Move> moves;
  for (AtomId a = 1; a <= atom_count(); ++a) {
    const auto args = row(t_.atom_args, t_.atom_begin, a);
    switch (category_of_predicate(t_.atom_predicate[a])) {
      case Category::role:
        if (t_.atom_fact[a]) roles_.push_back(args[0]);
        break;
      case Category::init:
        if (t_.atom_fact[a]) fluents[args[0]].initial = true;
        break;
      case Category::true_:
        fluents[args[0]].true_atom = a;
        break;
      case Category::next:
        fluents[args[0]].next_atom = a;
        break;
      case Category::does:
        moves[{args[0], args[1]}].does_atom = a;
        break;
      case Category::legal:
        moves[{args[0], args[1]}].legal_atom = a;
        break;
      case Category::terminal:
        terminal_ = a;
        break;
      case Category::goal:
        goals_.push_back({args[0], args[1], a});
        break;
      case Category::sees:
        percepts_.push_back({args[0], args[1], a});
        break;
      case Category::other:
        break;
    }
  }
  for (auto& [term, fluent] : fluents) {
    fluent.term = term;
    fluents_.push_back(fluent);
  }
  for (auto& [key, move] : moves) {
    move.role = key.first;
    move.term = key.second;
    moves_.push_back(move);
  }
  const auto by_role_then_term = [this](const auto& a, const auto& b) {
    const int c = compare_terms(a.role, b.role);
    return c != 0 ? c < 0 : compare_terms(a.term, b.term) < 0;
  };
  std::sort(fluents_.begin(), fluents_.end(),
            [this](const Fluent& a, const Fluent& b) { return compare_terms(a.term, b.term) < 0; });
  std::sort(moves_.begin(), moves_.end(), by_role_then_term);
  std::sort(goals_.begin(), goals_.end(), by_role_then_term);
  std::sort(percepts_.begin(), percepts_.end(), by_role_then_term);
  std::sort(roles_.begin(), roles_.end(),
            [this](TermId a, TermId b) { return compare_terms(a, b) < 0; });
}

Statistics GroundProgram::statistics() const {
  Statistics s;
  s.atoms = atom_count();
  s.rules = rule_count();
  s.literals = t_.literals.size();
  s.fluents = fluents_.size();
  s.moves = moves_.size();
  s.components = components_.size();
  std::vector<std::uint32_t> depth(components_.size(), 1);
  for (std::uint32_t c = 0; c < components_.size(); ++c) {
    const Component& component = components_[c];
    if (component.recursive) {
      ++s.recursive_components;
      s.largest_recursive_component =
          std::max<std::uint64_t>(s.largest_recursive_component, component.last - component.first);
    }
    const std::uint32_t from = t_.body_begin[t_.rules_begin[component.first]];
    const std::uint32_t to = t_.body_begin[t_.rules_begin[component.last]];
    for (std::uint32_t k = from; k < to; ++k) {
      const std::uint32_t below = component_of_[atom_of(t_.literals[k])];
      if (below != c) depth[c] = std::max(depth[c], depth[below] + 1);
    }
    s.depth = std::max<std::uint64_t>(s.depth, depth[c]);
  }
  s.bytes = bytes_of(t_.term_symbol) + bytes_of(t_.term_begin) + bytes_of(t_.term_args) +
            bytes_of(t_.atom_predicate) + bytes_of(t_.atom_begin) + bytes_of(t_.atom_args) +
            bytes_of(t_.atom_fact) + bytes_of(t_.rules_begin) + bytes_of(t_.body_begin) +
            bytes_of(t_.literals) + bytes_of(t_.component_first) + bytes_of(components_) +
            bytes_of(component_of_) + bytes_of(phase_) + bytes_of(fluents_) + bytes_of(moves_) +
            bytes_of(goals_) + bytes_of(percepts_) + bytes_of(roles_);
  return s;
}

}  // namespace woodstock
