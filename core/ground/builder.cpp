#include "ground/builder.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "util/random.h"

namespace woodstock {

namespace {

constexpr AtomId largest_allowed = 1U << 30;

}  // namespace

AtomId ProgramBuilder::checked(AtomId atom) {
  if (atom == 0 || atom > largest_allowed) throw std::invalid_argument("atom number out of range");
  raw_.largest_atom = std::max(raw_.largest_atom, atom);
  return atom;
}

TermId ProgramBuilder::add_term(std::uint32_t symbol, std::span<const TermId> args) {
  std::uint64_t hash = golden_gamma ^ symbol;
  for (TermId arg : args) {
    if (arg >= raw_.terms.symbol.size()) throw std::invalid_argument("unknown term");
    hash = (hash ^ arg) * 0xff51afd7ed558ccdULL;
    hash ^= hash >> 32;
  }
  // By hash and not by value: the terms themselves lie in flat tables.
  const auto [first, last] = term_by_hash_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    const TermId t = it->second;
    if (raw_.terms.symbol[t] == symbol &&
        std::equal(args.begin(), args.end(), raw_.terms.args.begin() + raw_.terms.begin[t],
                   raw_.terms.args.begin() + raw_.terms.begin[t + 1])) {
      return t;
    }
  }
  const auto term = static_cast<TermId>(raw_.terms.symbol.size());
  raw_.terms.symbol.push_back(symbol);
  raw_.terms.args.insert(raw_.terms.args.end(), args.begin(), args.end());
  raw_.terms.begin.push_back(static_cast<std::uint32_t>(raw_.terms.args.size()));
  term_by_hash_.emplace(hash, term);
  return term;
}

void ProgramBuilder::add_atom(AtomId atom, std::uint32_t predicate, std::span<const TermId> args) {
  for (TermId arg : args) {
    if (arg >= raw_.terms.symbol.size()) throw std::invalid_argument("unknown term");
  }
  raw_.names.atom.push_back(checked(atom));
  raw_.names.predicate.push_back(predicate);
  raw_.names.args.insert(raw_.names.args.end(), args.begin(), args.end());
  raw_.names.begin.push_back(static_cast<std::uint32_t>(raw_.names.args.size()));
}

void ProgramBuilder::add_rule(AtomId head, std::span<const Literal> body) {
  checked(head);
  for (Literal literal : body) checked(literal == INT32_MIN ? 0 : atom_of(literal));
  if (raw_.rules.literals.size() + body.size() > 0xfffffff0U || raw_.rules.size() >= 0x7ffffff0U) {
    throw std::length_error("too many rules");
  }
  raw_.rules.head.push_back(head);
  raw_.rules.literals.insert(raw_.rules.literals.end(), body.begin(), body.end());
  raw_.rules.body_begin.push_back(static_cast<std::uint32_t>(raw_.rules.literals.size()));
}

std::vector<RelationSize> ProgramBuilder::relation_sizes() const {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> count;
  for (std::size_t i = 0; i < raw_.names.atom.size(); ++i) {
    std::uint32_t symbol = no_symbol;
    if (raw_.names.begin[i + 1] > raw_.names.begin[i]) {
      const TermId last = raw_.names.args[raw_.names.begin[i + 1] - 1];
      if (raw_.terms.begin[last + 1] > raw_.terms.begin[last]) symbol = raw_.terms.symbol[last];
    }
    ++count[{raw_.names.predicate[i], symbol}];
  }
  std::vector<RelationSize> sizes;
  for (const auto& [key, atoms] : count) sizes.push_back({key.first, key.second, atoms});
  return sizes;
}

std::size_t ProgramBuilder::bytes() const noexcept {
  return 4 * (raw_.rules.head.capacity() + raw_.rules.body_begin.capacity() +
              raw_.rules.literals.capacity() + raw_.names.atom.capacity() +
              raw_.names.predicate.capacity() + raw_.names.begin.capacity() +
              raw_.names.args.capacity() + raw_.terms.symbol.capacity() +
              raw_.terms.begin.capacity() + raw_.terms.args.capacity()) +
         48 * term_by_hash_.size();
}

GroundProgram ProgramBuilder::finish(bool keep_all) {
  term_by_hash_ = {};
  return assemble(std::exchange(raw_, {}), keep_all);
}

}  // namespace woodstock
