// From what a grounder handed out to a ground program.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ground/program.h"
#include "ground/simplify.h"

namespace woodstock {

struct RawTerms {
  std::vector<std::uint32_t> symbol;
  std::vector<std::uint32_t> begin{0};
  std::vector<TermId> args;  // smaller than the number of the term

  std::size_t size() const noexcept { return symbol.size(); }
};

// What atoms are called, in any order; those without a name are not here.
struct RawNames {
  std::vector<AtomId> atom;
  std::vector<std::uint32_t> predicate;
  std::vector<std::uint32_t> begin{0};
  std::vector<TermId> args;

  std::size_t size() const noexcept { return atom.size(); }
  std::span<const TermId> args_of(std::size_t name) const noexcept {
    return std::span(args).subspan(begin[name], begin[name + 1] - begin[name]);
  }
};

// Every number in it is that of a term or atom of it, or it was never given out.
struct RawProgram {
  RawTerms terms;
  RawNames names;
  RawRules rules;
  AtomId largest_atom = 0;
};

// See ProgramBuilder::finish.
GroundProgram assemble(RawProgram raw, bool keep_all);

// Takes back the inputs that nothing can bring about: fluents without a founded init or next, moves
// without a founded legal. Linear in the literals.
void drop_unfounded(const RawProgram& raw, const std::vector<Category>& category,
                    std::vector<std::uint8_t>& input);

}  // namespace woodstock
