// nauty (McKay and Piperno) as a second engine, where the build found it.

#pragma once

#include "symmetry/automorphisms.h"
#include "symmetry/graph.h"
#include "symmetry/meter.h"

namespace woodstock::symmetry {

bool has_nauty() noexcept;

// As find_automorphisms(), by sparse nauty; throws std::invalid_argument without it. The limits are
// looked at between nodes of nauty's tree only, so the deadline may be missed by a refinement of
// the whole graph. Neither is a path of more than 5000 decisions followed, which needs too much
// stack: then nothing is found. nauty keeps its state in global variables: one call waits for
// another.
Automorphisms find_automorphisms_by_nauty(const Graph& graph, const SearchLimits& limits = {});

}  // namespace woodstock::symmetry
