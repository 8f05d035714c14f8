#include "ground/simplify.h"

#include <algorithm>

namespace woodstock {

namespace {

// Sorts each body by atom; drops repeated literals, and rules that cannot fire or say nothing.
void normalise(RawRules& rules) {
  std::size_t kept = 0;
  std::uint32_t out = 0;
  std::uint32_t from = 0;
  for (std::size_t r = 0; r < rules.size(); ++r) {
    const std::uint32_t to = rules.body_begin[r + 1];
    Literal* first = rules.literals.data() + from;
    Literal* last = rules.literals.data() + to;
    from = to;
    std::sort(first, last, [](Literal a, Literal b) {
      return atom_of(a) != atom_of(b) ? atom_of(a) < atom_of(b) : a < b;
    });
    // A literal and its negation are neighbours in this order.
    last = std::unique(first, last);
    const auto head = static_cast<Literal>(rules.head[r]);
    const bool contradiction =
        std::adjacent_find(first, last, [](Literal a, Literal b) { return a == -b; }) != last;
    if (contradiction || std::find(first, last, head) != last) continue;
    out = static_cast<std::uint32_t>(std::copy(first, last, rules.literals.data() + out) -
                                     rules.literals.data());
    rules.head[kept++] = rules.head[r];
    rules.body_begin[kept] = out;
  }
  rules.head.resize(kept);
  rules.body_begin.resize(kept + 1);
  rules.literals.resize(out);
}

class Propagation {
 public:
  Propagation(const RawRules& rules, const std::vector<std::uint8_t>& is_input)
      : rules_(rules),
        is_input_(is_input),
        value_(is_input.size(), Value::open),
        support_(is_input.size(), 0),
        open_(rules.size()),
        alive_(rules.size(), 1),
        occurrence_begin_(is_input.size() + 1, 0),
        occurrences_(rules.literals.size()) {
    index_occurrences();
    for (std::uint32_t r = 0; r < rules_.size(); ++r) {
      ++support_[rules_.head[r]];
      open_[r] = rules_.body_begin[r + 1] - rules_.body_begin[r];
      if (open_[r] == 0) decide(rules_.head[r], Value::always);
    }
    for (AtomId a = 1; a < value_.size(); ++a) {
      if (support_[a] == 0 && !is_input_[a]) decide(a, Value::never);
    }
  }

  // Runs until nothing more follows.
  void run() {
    do {
      while (!queue_.empty()) {
        const AtomId a = queue_.back();
        queue_.pop_back();
        spread(a);
      }
      // Dear, since it looks at all rules: only when nothing cheaper is left.
      decide_unfounded();
    } while (!queue_.empty());
  }

  bool alive(std::size_t rule) const { return alive_[rule] != 0; }
  Value value(AtomId atom) const { return value_[atom]; }
  std::vector<Value> take_values() { return std::move(value_); }

 private:
  // occurrences_[occurrence_begin_[a] ..] lists 2 * rule + (1 if negated) for each literal of a.
  void index_occurrences() {
    for (Literal literal : rules_.literals) ++occurrence_begin_[atom_of(literal)];
    std::uint32_t sum = 0;
    for (auto& begin : occurrence_begin_) {
      sum += begin;
      begin = sum;
    }
    for (std::uint32_t r = static_cast<std::uint32_t>(rules_.size()); r-- > 0;) {
      for (std::uint32_t k = rules_.body_begin[r]; k < rules_.body_begin[r + 1]; ++k) {
        const Literal literal = rules_.literals[k];
        occurrences_[--occurrence_begin_[atom_of(literal)]] = 2 * r + (literal < 0 ? 1U : 0U);
      }
    }
  }

  void decide(AtomId atom, Value value) {
    if (value_[atom] != Value::open || is_input_[atom]) return;
    value_[atom] = value;
    queue_.push_back(atom);
  }

  void spread(AtomId atom) {
    const bool truth = value_[atom] == Value::always;
    for (std::uint32_t k = occurrence_begin_[atom]; k < occurrence_begin_[atom + 1]; ++k) {
      const std::uint32_t rule = occurrences_[k] >> 1;
      const bool negated = (occurrences_[k] & 1U) != 0;
      if (alive_[rule] == 0) continue;
      if (truth != negated) {
        // Literals are counted, not removed: rules are written anew once, in the end.
        if (--open_[rule] == 0) decide(rules_.head[rule], Value::always);
      } else {
        alive_[rule] = 0;
        if (--support_[rules_.head[rule]] == 0) decide(rules_.head[rule], Value::never);
      }
    }
  }

  // Atoms that could not be derived even if every open negation and input held are never true.
  void decide_unfounded() {
    // Atoms that support each other in a circle have support, but no reason: counting rules does
    // not find them.
    std::vector<std::uint8_t> founded(value_.size(), 0);
    std::vector<std::uint32_t> missing(rules_.size(), 0);
    std::vector<AtomId> todo;
    const auto found = [&](AtomId atom) {
      if (founded[atom] == 0) {
        founded[atom] = 1;
        todo.push_back(atom);
      }
    };
    for (std::uint32_t r = 0; r < rules_.size(); ++r) {
      if (alive_[r] == 0) continue;
      for (std::uint32_t k = rules_.body_begin[r]; k < rules_.body_begin[r + 1]; ++k) {
        const Literal literal = rules_.literals[k];
        if (literal > 0 && value_[atom_of(literal)] == Value::open) ++missing[r];
      }
      if (missing[r] == 0) found(rules_.head[r]);
    }
    for (AtomId a = 1; a < value_.size(); ++a) {
      if (is_input_[a]) found(a);
    }
    while (!todo.empty()) {
      const AtomId a = todo.back();
      todo.pop_back();
      if (value_[a] != Value::open) continue;
      for (std::uint32_t k = occurrence_begin_[a]; k < occurrence_begin_[a + 1]; ++k) {
        const std::uint32_t rule = occurrences_[k] >> 1;
        if ((occurrences_[k] & 1U) == 0 && alive_[rule] != 0 && --missing[rule] == 0) {
          found(rules_.head[rule]);
        }
      }
    }
    for (AtomId a = 1; a < value_.size(); ++a) {
      if (founded[a] == 0) decide(a, Value::never);
    }
  }

  const RawRules& rules_;
  const std::vector<std::uint8_t>& is_input_;
  std::vector<Value> value_;
  std::vector<std::uint32_t> support_;  // rules that may still conclude the atom
  std::vector<std::uint32_t> open_;     // literals of the rule that are not known to hold
  std::vector<std::uint8_t> alive_;
  std::vector<std::uint32_t> occurrence_begin_;
  std::vector<std::uint32_t> occurrences_;
  std::vector<AtomId> queue_;
};

}  // namespace

std::vector<Value> simplify(RawRules& rules, const std::vector<std::uint8_t>& is_input) {
  normalise(rules);
  Propagation propagation(rules, is_input);
  propagation.run();
  std::size_t kept = 0;
  std::uint32_t out = 0;
  std::uint32_t from = 0;
  for (std::size_t r = 0; r < rules.size(); ++r) {
    const std::uint32_t to = rules.body_begin[r + 1];
    const bool keep = propagation.alive(r) && propagation.value(rules.head[r]) == Value::open;
    for (std::uint32_t k = from; keep && k < to; ++k) {
      const Literal literal = rules.literals[k];
      if (propagation.value(atom_of(literal)) == Value::open) rules.literals[out++] = literal;
    }
    from = to;
    if (!keep) continue;
    rules.head[kept++] = rules.head[r];
    rules.body_begin[kept] = out;
  }
  rules.head.resize(kept);
  rules.body_begin.resize(kept + 1);
  rules.literals.resize(out);
  return propagation.take_values();
}

}  // namespace woodstock
