#include "symmetry/nauty.h"

#include <stdexcept>

#ifdef WOODSTOCK_NAUTY

#include <nauty/nausparse.h>

#include <algorithm>
#include <mutex>
#include <numeric>

namespace woodstock::symmetry {

namespace {

// What the call in progress has found; nauty's callbacks carry no pointer of ours.
struct Found {
  explicit Found(const Graph& g, const SearchLimits& limits) : graph(g), meter(limits) {}

  const Graph& graph;
  Meter meter;
  Automorphisms answer;
  std::size_t settled = 0;  // generators of levels that are done
};
Found* found = nullptr;

void on_automorphism(int, int* perm, int*, int, int, int n) {
  std::vector<std::pair<Vertex, Vertex>> pairs;
  const std::vector<Vertex>& names = found->graph.names;
  for (int v = 0; v < n; ++v) {
    if (perm[v] != v) {
      pairs.emplace_back(names[static_cast<std::size_t>(v)],
                         names[static_cast<std::size_t>(perm[v])]);
    }
  }
  found->answer.generators.push_back(from_pairs(std::move(pairs)));
}

void on_level(int*, int*, int, int*, statsblk*, int, int index, int, int, int, int) {
  found->answer.order_factors.push_back(static_cast<std::uint32_t>(index));
  found->settled = found->answer.generators.size();
}

// nauty calls itself for each level: more of them than this could take more stack than there is.
constexpr int most_levels = 5000;

void on_node(graph*, int*, int*, int level, int, int, int, int, int) {
  if (found->meter.spend_node() || level > most_levels) nauty_kill_request = 1;
}

struct Arrays {
  explicit Arrays(const Graph& g) : starts(g.size()), degrees(g.size()), lab(g.size()), ptn(lab) {
    targets.assign(g.targets.begin(), g.targets.end());
    for (Vertex v = 0; v < g.size(); ++v) {
      starts[v] = g.begin[v];
      degrees[v] = static_cast<int>(g.degree(v));
    }
    std::iota(lab.begin(), lab.end(), 0);
    const auto color = [&](int v) { return g.colors[static_cast<std::size_t>(v)]; };
    std::stable_sort(lab.begin(), lab.end(), [&](int a, int b) { return color(a) < color(b); });
    for (std::size_t i = 0; i + 1 < g.size(); ++i) ptn[i] = color(lab[i]) == color(lab[i + 1]);
  }

  std::vector<std::size_t> starts;
  std::vector<int> degrees;
  std::vector<int> targets;
  std::vector<int> lab;
  std::vector<int> ptn;
};

}  // namespace

bool has_nauty() noexcept { return true; }

Automorphisms find_automorphisms_by_nauty(const Graph& g, const SearchLimits& limits) {
  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  Found here(g, limits);
  if (g.size() > 0 && !here.meter.spend(1)) {
    Arrays arrays(g);
    sparsegraph sparse;
    SG_INIT(sparse);
    sparse.nv = static_cast<int>(g.size());
    sparse.nde = g.targets.size();
    sparse.v = arrays.starts.data();
    sparse.d = arrays.degrees.data();
    sparse.e = arrays.targets.data();
    sparse.vlen = sparse.dlen = g.size();
    sparse.elen = g.targets.size();
    static DEFAULTOPTIONS_SPARSEGRAPH(defaults);
    optionblk options = defaults;
    options.defaultptn = FALSE;
    options.userautomproc = on_automorphism;
    options.userlevelproc = on_level;
    options.usernodeproc = on_node;
    statsblk stats;
    std::vector<int> orbits(g.size());
    found = &here;
    nauty_kill_request = 0;
    sparsenauty(&sparse, arrays.lab.data(), arrays.ptn.data(), orbits.data(), &options, &stats,
                nullptr);
    nauty_kill_request = 0;
    found = nullptr;
    nauty_freedyn();
    nausparse_freedyn();
    here.answer.complete = stats.errstatus == 0;
  } else {
    here.answer.complete = g.size() == 0;
  }
  // Of the level where it was stopped we do not know the orbit.
  here.answer.generators.resize(here.settled);
  here.answer.nodes = here.meter.nodes();
  here.answer.orbits = orbits_of(g.size(), here.answer.generators);
  return std::move(here.answer);
}

}  // namespace woodstock::symmetry

#else

namespace woodstock::symmetry {

bool has_nauty() noexcept { return false; }

Automorphisms find_automorphisms_by_nauty(const Graph&, const SearchLimits&) {
  throw std::invalid_argument(
      "this build has no nauty: install libnauty-dev and build again, or use the engine 'own'");
}

}  // namespace woodstock::symmetry

#endif
