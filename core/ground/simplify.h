// Folding what is already decided into the rules, before a GroundProgram is made of them.

#pragma once

#include <cstdint>
#include <vector>

#include "ground/program.h"

namespace woodstock {

// Normal rules over atoms of any numbering that starts with 1.
struct RawRules {
  std::vector<AtomId> head;
  std::vector<std::uint32_t> body_begin{0};  // rule r: literals[body_begin[r] .. body_begin[r+1])
  std::vector<Literal> literals;

  std::size_t size() const noexcept { return head.size(); }
};

enum class Value : std::uint8_t { open, always, never };

// Decides every atom whose value follows from the rules alone and removes it from them.
//
// Takes the rules and, for each atom number (entry 0 unused), whether it is an input. Afterwards
// every head and every body atom is `open`, bodies are sorted, non-empty and free of duplicates and
// contradictions, and no rule concludes one of its own conditions. Atoms without support, also
// those that only support each other, are `never`. Linear in the literals but for sorting the
// bodies; a further linear round each time an unsupported loop is found.
std::vector<Value> simplify(RawRules& rules, const std::vector<std::uint8_t>& is_input);

}  // namespace woodstock
