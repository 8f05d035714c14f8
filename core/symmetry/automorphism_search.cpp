#include "symmetry/automorphism_search.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "symmetry/permutation.h"

namespace woodstock::symmetry {

namespace {

constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

SparsePermutation named(const Graph& graph, const Difference& difference) {
  const std::size_t moved = difference.moved().size();
  if (moved > graph.size() / 16) {  // looking through all vertices costs less than sorting these
    SparsePermutation out;
    Permutation images = identity(graph.size());
    for (const Vertex v : difference.moved()) {
      images[graph.names[v]] = graph.names[difference.image(v)];
    }
    out.points.reserve(moved);
    out.images.reserve(moved);
    for (Vertex v = 0; v < images.size(); ++v) {
      if (images[v] == v) continue;
      out.points.push_back(v);
      out.images.push_back(images[v]);
    }
    return out;
  }
  std::vector<std::pair<Vertex, Vertex>> pairs;
  pairs.reserve(moved);
  for (const Vertex v : difference.moved()) {
    pairs.emplace_back(graph.names[v], graph.names[difference.image(v)]);
  }
  return from_pairs(std::move(pairs));
}

}  // namespace

AutomorphismSearch::AutomorphismSearch(const Graph& graph, const SearchLimits& limits)
    : graph_(graph),
      meter_(limits),
      partition_(graph.colors),
      refinement_(graph, partition_, meter_),
      difference_(graph, partition_),
      orbits_(graph.size()),
      failed_(graph.size(), never) {}

Automorphisms AutomorphismSearch::run() {
  answer_.complete = first_path() && search_levels();
  answer_.nodes = meter_.nodes();
  answer_.orbits = orbits_of(graph_.size(), answer_.generators);
  return std::move(answer_);
}

bool AutomorphismSearch::first_path() {
  if (meter_.spend(1) || refinement_.refine_all() != Refinement::Outcome::done) return false;
  for (Cell cell = 0; cell < partition_.size(); cell += partition_.length(cell)) {
    offers_.push_back(cell);
  }
  while (!partition_.discrete()) {
    if (meter_.spend_node()) return false;
    const Cell cell = choose_cell();
    const std::size_t splits = partition_.splits().size();
    const Vertex vertex = partition_.vertex_at(cell);
    levels_.push_back({cell, partition_.length(cell), vertex, trace_.size(), splits});
    if (refinement_.record(vertex, trace_) != Refinement::Outcome::done) return false;
    // The front parts are offered already, under the name that they had as a whole.
    for (const auto& split : partition_.splits().subspan(splits)) offers_.push_back(split.part);
  }
  difference_.remember_first();
  return true;
}

// Cells that came into being last are chosen first. So the path stays in one part of the graph
// until all is settled there, and a second path that leaves the first one in that part only need
// not go further. Sizes, degrees and joins as further criteria were measured to gain nothing.
AutomorphismSearch::Cell AutomorphismSearch::choose_cell() {
  while (partition_.length(offers_.back()) == 1) offers_.pop_back();
  return offers_.back();
}

bool AutomorphismSearch::search_levels() {
  for (std::size_t level = levels_.size(); level-- > 0;) {
    partition_.undo(levels_[level].splits);
    const bool searched = search_level(level);
    // From the last level up, all generators so far fix the vertices above, so this is the orbit in
    // the stabiliser: its size is a factor of the order.
    answer_.order_factors.push_back(orbits_.size(levels_[level].vertex));
    if (!searched) return false;
  }
  return true;
}

bool AutomorphismSearch::search_level(std::size_t level) {
  std::vector<Vertex> images = candidates(levels_[level]);
  for (const Vertex image : images) {
    const std::uint32_t root = orbits_.find(image);
    // Known automorphisms take it there already; or they take it to one that nothing leads to, and
    // then nothing leads to it.
    if (root == orbits_.find(levels_[level].vertex) || failed_[root] == level) continue;
    if (find_automorphism(level, image)) {
      add_generator(level);
    } else if (meter_.stopped()) {
      return false;
    } else {
      failed_[orbits_.find(image)] = level;
    }
  }
  keep(levels_[level], std::move(images));
  return true;
}

// All generators found so far keep the vertices of the levels above, so one vertex of each orbit
// speaks for all. Deeper levels have looked at parts of this cell already and kept one of each:
// without that, a cell of n like vertices would be walked over n times.
std::vector<Vertex> AutomorphismSearch::candidates(const Level& level) {
  std::vector<Vertex> out;
  const std::uint32_t end = level.cell + level.length;
  std::uint32_t position = level.cell;
  auto next = searched_.lower_bound(position);
  while (position < end) {
    if (next != searched_.end() && next->first == position) {
      std::vector<Vertex>& kept = next->second.representatives;
      if (out.empty()) {
        out = std::move(kept);
      } else {
        out.insert(out.end(), kept.begin(), kept.end());
      }
      position = next->second.end;
      next = searched_.erase(next);
    } else {
      out.push_back(difference_.first_at(position++));
    }
  }
  return out;
}

void AutomorphismSearch::keep(const Level& level, std::vector<Vertex> vertices) {
  for (Vertex& v : vertices) v = orbits_.find(v);
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  searched_.emplace(level.cell, Searched{level.cell + level.length, std::move(vertices)});
}

// An automorphism that keeps the vertices of all levels above and takes that of this level to
// `image`. Leaves the partition as it was.
bool AutomorphismSearch::find_automorphism(std::size_t level, Vertex image) {
  choices_.clear();
  next_attempt_ = 0;
  choose(level, image);
  Step outcome = Step::deeper;
  while (true) {
    outcome = step(choices_.back());
    if (outcome == Step::deeper) {
      const std::size_t next = choices_.back().level + 1;
      const Level& first = levels_[next];
      // As like the first path as can be: what keeps its place need not be looked at in the end.
      const bool stays = partition_.cell_of(first.vertex) == first.cell;
      choose(next, stays ? first.vertex : partition_.vertex_at(first.cell));
      continue;
    }
    if (outcome == Step::found || meter_.stopped()) break;
    undo(choices_.back());
    while (choices_.size() > 1 && !change(choices_.back())) {
      choices_.pop_back();
      undo(choices_.back());
    }
    if (choices_.size() == 1) break;
  }
  undo(choices_.front());
  return outcome == Step::found;
}

void AutomorphismSearch::choose(std::size_t level, Vertex vertex) {
  choices_.push_back({level, partition_.splits().size(), difference_.mark(), vertex});
}

AutomorphismSearch::Step AutomorphismSearch::step(const Choice& choice) {
  const std::size_t level = choice.level;
  const std::size_t end = level + 1 < levels_.size() ? levels_[level + 1].trace : trace_.size();
  if (meter_.spend_node() || refinement_.compare(choice.vertex, trace_, levels_[level].trace,
                                                 end) != Refinement::Outcome::done) {
    return Step::dead;
  }
  // Often the permutation is clear long before both partitions are discrete. A second path that
  // differs in one part of the graph is closed as soon as that part is settled.
  difference_.update(choice.splits);
  const bool settled = difference_.settled();
  if (!settled && (!difference_.closable() || difference_.mark() < next_attempt_)) {
    return Step::deeper;
  }
  if (difference_.is_automorphism(meter_)) return Step::found;
  // So that attempts that fail cost no more than the path they are made on.
  next_attempt_ = 2 * difference_.mark();
  return settled ? Step::dead : Step::deeper;
}

// Another vertex of the same cell, if there is one that was not tried. The partition is as before
// the choice.
bool AutomorphismSearch::change(Choice& choice) {
  if (!choice.listed) {
    const std::span<const Vertex> all = partition_.vertices(levels_[choice.level].cell);
    choice.others.assign(all.begin(), all.end());
    std::erase(choice.others, choice.vertex);
    choice.listed = true;
  }
  if (choice.others.empty()) return false;
  choice.vertex = choice.others.back();
  choice.others.pop_back();
  return true;
}

void AutomorphismSearch::undo(const Choice& choice) {
  partition_.undo(choice.splits);
  difference_.undo(choice.differences);
}

void AutomorphismSearch::add_generator(std::size_t level) {
  for (const Vertex v : difference_.moved()) {
    const auto [gone, root] = orbits_.join(v, difference_.image(v));
    // One of the orbit has failed, so all have.
    if (failed_[gone] == level) failed_[root] = level;
  }
  answer_.generators.push_back(named(graph_, difference_));
}

}  // namespace woodstock::symmetry
