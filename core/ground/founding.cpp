// drop_unfounded: inputs that nothing can bring about.

#include <map>
#include <numeric>
#include <utility>

#include "ground/assembly.h"

namespace woodstock {

namespace {

// For each atom the input that it brings about, or none: init(f) and next(f) found true(f),
// legal(r, a) founds does(r, a).
std::vector<AtomId> inputs_founded(const RawProgram& raw, const std::vector<Category>& category) {
  const RawNames& names = raw.names;
  std::vector<AtomId> fluent(raw.terms.size(), no_atom);
  std::map<std::pair<TermId, TermId>, AtomId> move;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Category c = category[names.atom[i]];
    const auto args = names.args_of(i);
    if (c == Category::true_) fluent[args[0]] = names.atom[i];
    if (c == Category::does) move[{args[0], args[1]}] = names.atom[i];
  }
  std::vector<AtomId> founds(category.size(), no_atom);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Category c = category[names.atom[i]];
    const auto args = names.args_of(i);
    if (c == Category::init || c == Category::next) founds[names.atom[i]] = fluent[args[0]];
    if (c == Category::legal) {
      const auto found = move.find({args[0], args[1]});
      if (found != move.end()) founds[names.atom[i]] = found->second;
    }
  }
  return founds;
}

// Forward chaining over positive literals alone. Negative ones are taken to hold: what cannot be
// founded even so is false in every state that can be reached.
class ForwardChaining {
 public:
  ForwardChaining(const RawRules& rules, std::size_t rows)
      : rules_(rules), begin_(rows + 1, 0), missing_(rules.size(), 0), founded_(rows, 0) {
    for (Literal literal : rules.literals) {
      if (literal > 0) ++begin_[static_cast<std::size_t>(literal) + 1];
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    waiting_.resize(begin_.back());
    std::vector<std::uint32_t> at(begin_.begin(), begin_.end() - 1);
    for (std::uint32_t r = 0; r < rules.size(); ++r) {
      for (std::uint32_t k = rules.body_begin[r]; k < rules.body_begin[r + 1]; ++k) {
        if (rules.literals[k] <= 0) continue;
        waiting_[at[static_cast<std::size_t>(rules.literals[k])]++] = r;
        ++missing_[r];
      }
    }
  }

  // Which atoms are founded.
  std::vector<std::uint8_t> run(const std::vector<AtomId>& founds) {
    for (std::uint32_t r = 0; r < rules_.size(); ++r) {
      if (missing_[r] == 0) found(rules_.head[r]);
    }
    while (!agenda_.empty()) {
      const AtomId atom = agenda_.back();
      agenda_.pop_back();
      if (founds[atom] != no_atom) found(founds[atom]);
      for (std::uint32_t k = begin_[atom]; k < begin_[atom + 1]; ++k) {
        if (--missing_[waiting_[k]] == 0) found(rules_.head[waiting_[k]]);
      }
    }
    return std::move(founded_);
  }

 private:
  void found(AtomId atom) {
    if (founded_[atom] != 0) return;
    founded_[atom] = 1;
    agenda_.push_back(atom);
  }

  const RawRules& rules_;
  std::vector<std::uint32_t> begin_;    // per atom, into waiting_
  std::vector<std::uint32_t> waiting_;  // rules that need the atom, once for each time
  std::vector<std::uint32_t> missing_;  // per rule: literals that are not founded yet
  std::vector<std::uint8_t> founded_;
  std::vector<AtomId> agenda_;
};

}  // namespace

void drop_unfounded(const RawProgram& raw, const std::vector<Category>& category,
                    std::vector<std::uint8_t>& input) {
  const std::vector<std::uint8_t> founded =
      ForwardChaining(raw.rules, category.size()).run(inputs_founded(raw, category));
  for (std::size_t a = 0; a < input.size(); ++a) {
    if (founded[a] == 0) input[a] = 0;
  }
}

}  // namespace woodstock
