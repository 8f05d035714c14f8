#include "symmetry/chain.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "util/random.h"

namespace woodstock::symmetry {

namespace {

// Work that a proof may take: some seconds.
constexpr double longest_proof = 4e9;

void spend(Meter& meter, std::size_t work) {
  if (meter.spend(work)) throw OutOfTime("the group was not found out in the time there was");
}

}  // namespace

// Product replacement (Celler, Leedham-Green, Murray, Niemeyer, O'Brien), with an accumulator.
class Chain::Random {
 public:
  Random(std::size_t points, std::span<const Permutation> generators, Meter& meter)
      : meter_(meter), product_(identity(points)) {
    constexpr std::size_t least = 10;
    slots_.assign(generators.begin(), generators.end());
    while (slots_.size() < least) {
      slots_.push_back(generators[slots_.size() % generators.size()]);
    }
    // Where generators move few points each, it takes long until a product moves many.
    const std::size_t well = slots_.size() * (20 + 10 * std::bit_width(points));
    const std::size_t least_steps = 4 * slots_.size() + 20;
    constexpr std::size_t most_work = 200'000'000;
    const std::size_t steps = std::min(well, std::max(least_steps, most_work / (points + 1)));
    for (std::size_t i = 0; i < steps; ++i) step();
  }

  // With many generators one step changes little.
  const Permutation& draw() {
    for (std::size_t i = 0; i < 1 + slots_.size() / 8; ++i) step();
    return product_;
  }

 private:
  void step() {
    // A slot is multiplied by another or its inverse, which keeps what all of them generate; the
    // product of all that came so far is nearer to random than any slot.
    const std::size_t to = dice_.below(slots_.size());
    const std::size_t by = (to + 1 + dice_.below(slots_.size() - 1)) % slots_.size();
    if (dice_.below(2) == 0) {
      multiply(slots_[to], slots_[by]);
    } else {
      multiply(slots_[to], inverse(slots_[by]));
    }
    multiply(product_, slots_[to]);
    spend(meter_, 4 * product_.size());
  }

  Meter& meter_;
  RandomStream dice_{1};
  std::vector<Permutation> slots_;
  Permutation product_;
};

Chain::Chain(std::size_t points, std::span<const Point> base) : points_(points) {
  for (const Point point : base) extend_base(point);
}

void Chain::extend_base(Point point) {
  levels_.push_back({point, {}, {point}, std::vector<std::uint32_t>(points_, none), {0}, 0});
}

// Every strong generator moves a point of the base, or the base becomes longer by one.
void Chain::add(Permutation p) {
  std::size_t depth = 0;
  while (depth < levels_.size() && p[levels_[depth].base] == levels_[depth].base) ++depth;
  if (depth == levels_.size()) {
    Point moved = 0;
    while (p[moved] == moved) ++moved;
    extend_base(moved);
  }
  const auto index = static_cast<std::uint32_t>(strong_.size());
  Permutation back = inverse(p);
  strong_.push_back({std::move(p), std::move(back), depth});
  // It keeps the first base points, so it is in the groups of all levels down to that.
  for (std::size_t i = 0; i <= depth; ++i) {
    levels_[i].generators.push_back(index);
    grow_orbit(levels_[i], levels_[i].generators.size() - 1);
  }
}

// A generator that leads nowhere new costs one look at each point.
void Chain::grow_orbit(Level& level, std::size_t old_generators) {
  const std::size_t old_points = level.orbit.size();
  for (std::size_t i = 0; i < level.orbit.size(); ++i) {
    const Point point = level.orbit[i];
    // Old points have seen the old generators.
    for (std::size_t j = i < old_points ? old_generators : 0; j < level.generators.size(); ++j) {
      const std::uint32_t g = level.generators[j];
      for (const std::uint32_t edge : {2 * g, 2 * g + 1}) {
        const Point next = step(edge)[point];
        if (next == level.base || level.edges[next] != none) continue;
        level.edges[next] = edge;
        level.orbit.push_back(next);
        level.heights.push_back(level.heights[i] + 1);
        level.height = std::max(level.height, level.heights.back());
      }
    }
  }
}

std::size_t Chain::sift(Permutation& p, std::size_t from) const {
  for (std::size_t i = from; i < levels_.size(); ++i) {
    if (!sift_level(levels_[i], p)) return i;
  }
  return levels_.size();
}

bool Chain::sift_level(const Level& level, Permutation& p) const {
  for (Point image = p[level.base]; image != level.base; image = p[level.base]) {
    // Not in the orbit, so not in the group. Else a step back in the tree brings the base point
    // nearer to where it was.
    if (level.edges[image] == none) return false;
    multiply(p, step_back(level.edges[image]));
  }
  return true;
}

// Breadth first.
void Chain::grow_anew(Level& level) {
  for (const Point point : level.orbit) level.edges[point] = none;
  level.orbit.resize(1);
  level.heights.resize(1);
  level.height = 0;
  grow_orbit(level, 0);
}

// On the way a random element of a level's group makes its tree lower, if it is high: with a few
// of them, the points of any orbit are some logarithm away. A single generator that turns a large
// circle would let every sift walk half around it. Such an element is used up: divided by itself it
// says nothing about the levels below.
bool Chain::sift_random(Permutation p) {
  bool used_up = false;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    if (levels_[i].height > 2 * std::bit_width(levels_[i].orbit.size()) + 2 && !is_identity(p)) {
      add(p);
      grow_anew(levels_[i]);
      used_up = true;
    }
    if (!sift_level(levels_[i], p)) break;
  }
  return sift_and_add(std::move(p)) && !used_up;
}

bool Chain::sift_and_add(Permutation p, std::size_t from) {
  if (sift(p, from) == levels_.size() && is_identity(p)) return true;
  add(std::move(p));
  return false;
}

Chain Chain::generated(std::size_t points, std::span<const Permutation> generators, Meter& meter) {
  Chain chain(points, {});
  std::vector<Permutation> moving;
  for (const Permutation& p : generators) {
    if (!is_identity(p)) moving.push_back(p);
  }
  if (moving.empty()) return chain;
  for (const Permutation& p : moving) {
    chain.add(p);
    spend(meter, points * chain.levels());
  }
  chain.complete(moving, meter);
  return chain;
}

void Chain::complete(std::span<const Permutation> generators, Meter& meter) {
  constexpr int enough = 40;
  if (is_symmetric()) return;
  Random random(points_, generators, meter);
  for (int known = 0; known < enough;) {
    // Where the chain lacks elements, it lacks at least half of the group: a random one is known by
    // chance with a probability of a half at most, so forty in a row are as good as a proof.
    known = sift_random(random.draw()) ? known + 1 : 0;
    spend(meter, points_ * levels_.size());
    if (is_symmetric()) return;
  }
  proven_ = cost_of_proof() <= longest_proof;
  if (proven_) prove(meter);
}

// All permutations of the points: then there is nothing to prove.
bool Chain::is_symmetric() const {
  if (levels_.size() + 1 != points_) return false;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    if (levels_[i].orbit.size() != points_ - i) return false;
  }
  return true;
}

double Chain::cost_of_proof() const {
  double cost = 0;
  for (const Level& level : levels_) {
    cost += static_cast<double>(level.orbit.size() * level.generators.size());
  }
  constexpr double steps_of_a_tree = 4;
  return cost * steps_of_a_tree * static_cast<double>(points_ * levels_.size());
}

// Schreier's lemma, from the smallest subgroup to the largest: a level's orbit and the next level's
// group are all there is of its group when the products that return to the base point are in the
// latter.
void Chain::prove(Meter& meter) {
  for (std::size_t level = levels_.size(); level-- > 0;) {
    // Something was missing and is there now, on any of the levels below: they are looked at anew.
    while (!prove_level(level, meter)) level = levels_.size() - 1;
  }
}

bool Chain::prove_level(std::size_t level, Meter& meter) {
  // Indices: what is added in between would move them.
  for (std::size_t i = 0; i < levels_[level].orbit.size(); ++i) {
    const Point point = levels_[level].orbit[i];
    const Permutation to_point = to(levels_[level], point);
    for (const std::uint32_t g : levels_[level].generators) {
      const Point next = strong_[g].forth[point];
      const std::vector<std::uint32_t>& edges = levels_[level].edges;
      // Along the tree, away from the base point or towards it, there is nothing new.
      if (edges[next] == 2 * g || edges[point] == 2 * g + 1) continue;
      Permutation p = to_point;
      multiply(p, strong_[g].forth);
      spend(meter, points_ * levels_.size());
      if (!sift_and_add(std::move(p), level)) return false;
    }
  }
  return true;
}

Permutation Chain::to(const Level& level, Point point) const {
  Permutation back = identity(points_);
  while (point != level.base) {
    // The tree knows the way back only, so the inverse is put together and turned round.
    const Permutation& edge = step_back(level.edges[point]);
    multiply(back, edge);
    point = edge[point];
  }
  return inverse(back);
}

double Chain::log_order() const {
  double sum = 0;
  for (const Level& level : levels_) sum += std::log2(static_cast<double>(level.orbit.size()));
  return sum;
}

Chain Chain::with_base(std::span<const Point> base, Meter& meter) const {
  Chain out(points_, base);
  for (const Strong& strong : strong_) {
    out.add(strong.forth);
    spend(meter, points_ * out.levels());
  }
  // Uniformly random elements fill the new chain up; that it is full is seen by its order.
  constexpr double rounding = 1e-6;
  RandomStream dice(1);
  while (out.log_order() < log_order() - rounding) {
    Permutation p = identity(points_);
    for (std::size_t i = levels_.size(); i-- > 0;) {
      const Level& level = levels_[i];
      multiply(p, to(level, level.orbit[dice.below(level.orbit.size())]));
    }
    spend(meter, points_ * (levels_.size() + out.levels()));
    out.sift_random(std::move(p));
  }
  out.proven_ = proven_;
  return out;
}

Chain Chain::tail(std::size_t levels) const {
  std::vector<Point> base;
  for (std::size_t i = levels; i < levels_.size(); ++i) base.push_back(levels_[i].base);
  Chain out(points_, base);
  for (Permutation& p : generators(levels)) out.add(std::move(p));
  out.proven_ = proven_;
  return out;
}

std::vector<std::uint32_t> Chain::orbit_sizes() const {
  std::vector<std::uint32_t> sizes;
  for (const Level& level : levels_) {
    sizes.push_back(static_cast<std::uint32_t>(level.orbit.size()));
  }
  return sizes;
}

std::vector<Permutation> Chain::generators(std::size_t level) const {
  std::vector<Permutation> out;
  for (const Strong& strong : strong_) {
    if (strong.depth >= level) out.push_back(strong.forth);
  }
  return out;
}

bool Chain::contains(Permutation p) const { return sift(p) == levels_.size() && is_identity(p); }

std::vector<Permutation> Chain::elements() const {
  std::vector<Permutation> out{identity(points_)};
  // Elements of a subgroup, then those of each orbit: every product once.
  for (std::size_t i = levels_.size(); i-- > 0;) {
    const std::vector<Permutation> subgroup = std::move(out);
    out.clear();
    for (const Point point : levels_[i].orbit) {
      const Permutation to_point = to(levels_[i], point);
      for (const Permutation& p : subgroup) multiply(out.emplace_back(p), to_point);
    }
  }
  return out;
}

}  // namespace woodstock::symmetry
