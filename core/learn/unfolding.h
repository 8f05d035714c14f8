// What must hold for an atom to hold: bodies of rules, unfolded down to fluents.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "ground/program.h"
#include "learn/exclusion.h"

namespace woodstock::learn {

// Parts of a conjunction: a fluent, or one of several that exclude each other ("a tall piece is on
// this square").
using Part = std::uint32_t;

class Unfolding {
 public:
  using Conjunction = std::vector<Part>;  // ascending; no two parts of one group

  // The parts of a conjunction are `longest` at most, and `work` of them are made at most. Fluents
  // that are `left_out`, and those that hold in every state of the sample, are taken to hold.
  Unfolding(const GroundProgram& program, const Columns& columns, const Exclusion& exclusion,
            const std::vector<std::uint32_t>& left_out, std::size_t longest, std::uint64_t work);

  // Conjunctions of which one holds whenever one of the atoms does. Moves are taken to be made, and
  // fluents that must not hold not to hold; what is recursive or has too many conjunctions is taken
  // to be fulfilled. Each once, ascending.
  std::vector<Conjunction> conjunctions(std::span<const AtomId> atoms);

  // The fluents of a part, ascending, and the smallest group that they are in.
  std::span<const std::uint32_t> fluents(Part part) const { return parts_[part]; }
  std::uint32_t group(Part part) const;

 private:
  static constexpr Part nothing = 0xffffffffU;

  // No conjunctions: unfulfillable. An empty one: fulfilled, as far as is known.
  using Conjunctions = std::vector<Conjunction>;

  const Conjunctions& of(Literal literal);
  Conjunctions unfold(AtomId atom);
  Conjunctions unfold_negation(AtomId atom);
  void join(std::vector<const Conjunctions*> factors, Conjunctions& out);
  void join_body(std::uint32_t rule, Conjunctions& out);
  bool add(Conjunction& all, Part part);
  bool exclude(Part a, Part b) const;
  Part meet(Part a, Part b);
  Part part_of(std::vector<std::uint32_t> fluents);
  void fold(Conjunctions& all);
  std::vector<Literal> below(std::span<const AtomId> atoms) const;
  static std::size_t index(Literal literal) {
    return 2 * std::size_t{atom_of(literal)} + (literal < 0 ? 1 : 0);
  }

  const GroundProgram& program_;
  const Columns& columns_;
  const Exclusion& exclusion_;
  std::size_t longest_;
  std::uint64_t work_;
  std::vector<std::vector<std::uint32_t>> parts_;  // the fluents come first
  std::map<std::vector<std::uint32_t>, Part> number_;
  std::vector<std::uint32_t> fluent_of_;  // per atom true(f)
  std::vector<std::uint8_t> fulfilled_;   // per fluent
  std::vector<std::uint8_t> known_;       // per literal
  std::vector<Conjunctions> unfolded_;    // per literal
};

}  // namespace woodstock::learn
