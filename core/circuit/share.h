// Common parts of conjunctions, computed once.

#pragma once

#include "circuit/synthesis.h"

namespace woodstock {

// Whenever several conjunctions join the same two references, these become a node of their own;
// the pair met most often first, again and again, so that larger common parts grow from pairs. The
// same functions in fewer operands. References far apart in a long conjunction are not compared,
// and the effort is bounded: n log n in the size of the logic, about a second for millions of
// references.
GameLogic share_parts(const GameLogic& game);

}  // namespace woodstock
