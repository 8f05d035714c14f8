// Collects terms, atoms and rules in whatever order a grounder hands them out.

#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "ground/assembly.h"
#include "ground/program.h"

namespace woodstock {

// Predicates from this number on are guards: they only limit what a grounder instantiates, other
// conditions repeat what they say. finish() takes them as true, so that they vanish.
constexpr std::uint32_t first_guard_predicate = 1U << 20;

constexpr std::uint32_t no_symbol = 0xffffffffU;

struct RelationSize {
  std::uint32_t predicate = 0;
  std::uint32_t symbol = no_symbol;
  std::uint64_t atoms = 0;
};

// Atoms are known by the grounder's own numbers (positive, dense enough to index an array) and may
// be named before or after the rules that use them. An atom that no rule concludes and that is
// neither `true` nor `does` is false. Not safe for concurrent use.
class ProgramBuilder {
 public:
  // The number of the term symbol(args...); equal terms get equal numbers. Throws
  // std::invalid_argument when an argument is not a term of this builder.
  TermId add_term(std::uint32_t symbol, std::span<const TermId> args);

  // Names the atom. Throws std::invalid_argument for a number out of range, a name given twice or
  // an unknown term.
  void add_atom(AtomId atom, std::uint32_t predicate, std::span<const TermId> args);

  // head holds when every literal of the body does; an empty body makes a fact.
  void add_rule(AtomId head, std::span<const Literal> body);

  // How many atoms were named, by predicate and, where the last argument is a function term, its
  // symbol (no_symbol otherwise). This is what a second, better informed translation wants to know.
  std::vector<RelationSize> relation_sizes() const;

  std::size_t rule_count() const noexcept { return raw_.rules.size(); }
  AtomId largest_atom() const noexcept { return raw_.largest_atom; }
  std::size_t bytes() const noexcept;

  // Simplifies, drops (unless keep_all) fluents and moves that can never come about and what
  // neither legal, next, terminal, goal nor sees depends on, and orders the rest. Leaves the
  // builder empty. Throws std::invalid_argument when a rule concludes `true` or `does`. Time near
  // linear in the number of literals.
  GroundProgram finish(bool keep_all = false);

 private:
  AtomId checked(AtomId atom);

  RawProgram raw_;
  std::unordered_multimap<std::uint64_t, TermId> term_by_hash_;
};

}  // namespace woodstock
