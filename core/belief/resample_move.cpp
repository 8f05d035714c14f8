// ParticleFilter::rejuvenate: other matches that agree, by changing one move at a time.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "belief/particle_filter.h"

namespace woodstock {

namespace {

constexpr std::size_t together = 256;
constexpr std::size_t passes = 2;  // over some matches, before others are begun with
constexpr std::size_t survey = 8;  // every such match is looked at closely, for what can be changed
constexpr std::size_t few = 8;     // what part of them has to agree where they were behind
constexpr double impossible = -std::numeric_limits<double>::infinity();

std::size_t turns_of(const Hypotheses& hypotheses) {
  std::size_t turns = 0;
  for (const Lineage* at = hypotheses.lineage.get(); at; at = at->before.get()) ++turns;
  return turns;
}

}  // namespace

Lineage::~Lineage() {
  while (before && before.use_count() == 1) {
    // All of them are made as ones that may change, and nobody else has this one.
    std::shared_ptr<const Lineage> next = std::move(const_cast<Lineage&>(*before).before);
    before = std::move(next);
  }
}

std::shared_ptr<const Lineage> lineage_of(const std::vector<std::vector<std::uint32_t>>& moves,
                                          std::size_t matches) {
  std::shared_ptr<const Lineage> last;
  for (const std::vector<std::uint32_t>& joints : moves) {
    std::vector<std::uint32_t> parents(matches);
    if (last) std::iota(parents.begin(), parents.end(), 0U);
    const auto one = std::make_shared<Lineage>();
    one->before = std::move(last);
    one->parents = std::move(parents);
    one->moves = joints;
    last = one;
  }
  return last;
}

std::size_t Hypotheses::ancestors(std::size_t turns) const {
  std::vector<std::uint32_t> found(size());
  std::iota(found.begin(), found.end(), 0U);
  for (const Lineage* at = lineage.get(); at && turns > 0; at = at->before.get(), --turns) {
    for (std::uint32_t& one : found) one = at->parents[one];
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
  }
  return found.size();
}

struct ParticleFilter::Matches {
  std::span<const ObservedTurn> told;
  std::size_t known;  // turns of the matches; the moves of what was told after that are drawn
  std::uint64_t seed;
  std::uint64_t drawn = 0;
  std::uint64_t steps = 0;
  std::vector<std::uint32_t> moves = {};  // (match * turns + turn) * roles + role
  std::vector<double> chances = {};       // logarithms; impossible for what is not known to agree
  std::vector<std::uint8_t> states = {};  // where they lead, as far as they are known, and
  std::vector<std::uint64_t> memories = {};
  std::vector<std::uint64_t> open =
      {};  // turn * roles + role: matches with more than one move there
  std::vector<std::uint64_t> sums = {};  // the same, added up
  bool changing = false;                 // or they are played as they are
  std::vector<std::uint32_t> kept = {};  // moves of the matches that have all that was told

  std::uint64_t draw() { return scatter(seed + ++drawn * golden_gamma); }
  double luck() { return static_cast<double>(draw() >> 11) * 0x1.0p-53; }
  std::size_t size() const { return chances.size(); }

  // A turn and a role whose move is changed; past the end if none is.
  std::size_t change() {
    if (!changing) return open.size();
    const auto at = std::upper_bound(sums.begin(), sums.end(), draw() % sums.back());
    return static_cast<std::size_t>(at - sums.begin());
  }
};

std::uint32_t ParticleFilter::another(std::uint32_t move, std::size_t role,
                                      std::uint64_t luck) const {
  const auto begin = options_.begin() + begin_[role];
  const auto end = options_.begin() + begin_[role + 1];
  const auto at = std::lower_bound(begin, end, move);
  const std::ptrdiff_t others = end - begin - (at != end && *at == move);
  if (others == 0) return move;
  const auto one = static_cast<std::ptrdiff_t>(luck % static_cast<std::uint64_t>(others));
  return begin[one + (others < end - begin && one >= at - begin)];
}

double ParticleFilter::chance_of(std::size_t position, const std::uint32_t* moves,
                                 const ObservedTurn& observed) const {
  if (visits_.terminal[position] != 0) return 0;
  double chance = 1;
  for (std::size_t r = 0; r < roles_; ++r) {
    const std::uint32_t* begin = visits_.legal_begin.data() + position * roles_ + r;
    const std::uint32_t* legal = visits_.legal.data();
    if (!std::binary_search(legal + begin[0], legal + begin[1], moves[r])) return 0;
    if (r == role_ && observed.move != ObservedTurn::any_move) {
      if (moves[r] != observed.move) return 0;
    } else {
      if (!observed.excluded.empty() && observed.excluded[moves[r]] != 0) return 0;
      chance /= begin[1] - begin[0];
    }
  }
  return chance;
}

void ParticleFilter::replay(Matches& matches, std::size_t first, std::size_t last, Hypotheses& to) {
  struct Lane {
    std::size_t match;
    std::size_t change;
    double chance = 0;  // of its moves, a logarithm
    double weight = 1;  // of what was drawn
  };
  const std::size_t turns = matches.told.size();
  const std::size_t width = turns * roles_;
  const std::vector<std::uint8_t>& initial = simulator_->circuit().initial();
  std::vector<Lane> lanes;
  std::vector<std::size_t> alive;  // lanes, and where they are among the states
  std::vector<std::size_t> place;
  std::vector<std::uint32_t> moves(
      matches.moves.begin() + static_cast<std::ptrdiff_t>(first * width),
      matches.moves.begin() + static_cast<std::ptrdiff_t>(last * width));
  std::vector<std::uint64_t> memories((last - first) * roles_);
  std::vector<std::uint8_t> states;
  std::vector<std::uint32_t> joints;
  for (std::size_t m = first; m < last; ++m) {
    alive.push_back(lanes.size());
    place.push_back(lanes.size());
    lanes.push_back({m, matches.change()});
    states.insert(states.end(), initial.begin(), initial.end());
  }
  simulator_->visit(states, {}, visits_);
  matches.steps += last - first;
  for (std::size_t t = 0; !alive.empty(); ++t) {
    std::vector<std::size_t> going;
    states.clear();
    joints.clear();
    for (std::size_t i = 0; i < alive.size(); ++i) {
      Lane& lane = lanes[alive[i]];
      const std::uint8_t* state = visits_.states.data() + place[i] * size_;
      std::uint32_t* path = moves.data() + alive[i] * width;
      const std::uint64_t* memory = memories.data() + alive[i] * roles_;
      if (t == matches.known) {
        // Left for the other as the Metropolis rule says: changes go both ways alike.
        double& chance = matches.chances[lane.match];
        if (std::log(matches.luck()) > lane.chance - chance) continue;
        chance = lane.chance;
        std::copy_n(path, width, matches.moves.data() + lane.match * width);
        std::copy_n(state, size_, matches.states.data() + lane.match * size_);
        std::copy_n(memory, roles_, matches.memories.data() + lane.match * roles_);
      }
      if (t == turns) {
        if (matches.known < turns &&
            keep(to, state, memory, lane.weight) * width == matches.kept.size()) {
          matches.kept.insert(matches.kept.end(), path, path + width);
        }
        continue;
      }
      const bool changes = lane.change / roles_ == t;
      const bool draws = t >= matches.known;
      const bool looks = matches.sums.empty() && i % survey == 0;
      Options found;
      if (changes || draws || looks) found = options(place[i], matches.told[t]);
      if (draws && found.joints != 0) {
        for (std::size_t r = 0; r < roles_; ++r) {
          path[t * roles_ + r] = options_[begin_[r] + matches.draw() % (begin_[r + 1] - begin_[r])];
        }
        lane.weight *= found.chance * static_cast<double>(found.joints);
      }
      if (changes) {
        const std::size_t r = lane.change % roles_;
        path[lane.change] = another(path[lane.change], r, matches.draw());
      }
      for (std::size_t r = 0; looks && !draws && r < roles_; ++r) {
        matches.open[t * roles_ + r] += begin_[r + 1] - begin_[r] > 1;
      }
      const double chance = chance_of(place[i], path + t * roles_, matches.told[t]);
      if (!(chance > 0)) continue;
      if (!draws) lane.chance += std::log(chance);
      going.push_back(alive[i]);
      states.insert(states.end(), state, state + size_);
      joints.insert(joints.end(), path + t * roles_, path + (t + 1) * roles_);
    }
    alive.clear();
    place.clear();
    if (going.empty()) return;
    simulator_->visit(states, joints, visits_, {.legal = true, .percepts = true});
    matches.steps += going.size();
    const ObservedTurn& observed = matches.told[t];
    for (std::size_t i = 0; i < going.size(); ++i) {
      const std::uint64_t* seen = visits_.seen.data() + i * roles_;
      if (!observed.blind && seen[role_] != observed.seen) continue;
      for (std::size_t r = 0; r < roles_; ++r) {
        std::uint64_t& memory = memories[going[i] * roles_ + r];
        memory = remember(memory, joints[i * roles_ + r], seen[r]);
      }
      alive.push_back(going[i]);
      place.push_back(i);
    }
  }
}

void ParticleFilter::rejuvenate(const Hypotheses& from, std::span<const ObservedTurn> told,
                                std::size_t count, std::uint64_t steps, std::uint64_t seed,
                                Clock::time_point until, Hypotheses& to) {
  to.clear();
  index_.clear();
  for (const ObservedTurn& observed : told) {
    if (!observed.excluded.empty() && observed.excluded.size() != simulator_->circuit().moves()) {
      throw std::invalid_argument("lists that do not fit each other");
    }
  }
  Matches matches{.told = told, .known = turns_of(from), .seed = seed};
  for (const Lineage* at = from.lineage.get(); at; at = at->before.get()) {
    if (at->moves.size() != at->parents.size() * roles_) {
      throw std::invalid_argument("lists that do not fit each other");
    }
  }
  const double sum = std::accumulate(from.weights.begin(), from.weights.end(), 0.0);
  if (told.empty() || matches.known > told.size() || !(sum > 0)) return;
  const std::size_t width = told.size() * roles_;
  matches.moves.resize(count * width);
  matches.chances.assign(count, impossible);
  matches.states.resize(count * size_);
  matches.memories.resize(count * roles_);
  matches.open.resize(width);
  std::vector<std::size_t> order;  // what is played together comes from everywhere
  const std::size_t parts = (count + together - 1) / together;
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::size_t m = part; m < count; m += parts) order.push_back(m);
  }
  std::vector<std::size_t> drawn;
  std::size_t h = 0;
  double passed = from.weights[0];
  for (std::size_t m = 0; m < count; ++m) {
    const double part = (static_cast<double>(m) + matches.luck()) / static_cast<double>(count);
    while (passed < part * sum && h + 1 < from.size()) passed += from.weights[++h];
    drawn.push_back(h);
  }
  for (std::size_t m = 0; m < count; ++m) {
    std::size_t one = drawn[order[m]];
    std::size_t turn = matches.known;
    for (const Lineage* at = from.lineage.get(); at; at = at->before.get()) {
      std::copy_n(at->moves.data() + one * roles_, roles_,
                  matches.moves.data() + m * width + --turn * roles_);
      one = at->parents[one];
    }
  }
  const bool behind = matches.known < told.size();
  const auto enough = [&] {
    return matches.steps >= steps || Clock::now() > until || (behind && to.size() * few >= count);
  };
  for (std::size_t play = 0; !enough(); ++play) {
    const std::size_t first = play / passes % parts * together;
    const bool again = play >= parts * passes;
    matches.changing = again || play % passes != 0;
    if (matches.changing && matches.sums.back() == 0) {
      if (again) break;  // there is nothing to change
      continue;
    }
    replay(matches, first, std::min(count, first + together), to);
    if (matches.sums.empty()) {
      matches.sums.resize(width);
      std::partial_sum(matches.open.begin(), matches.open.end(), matches.sums.begin());
    }
  }
  if (!behind) {
    for (std::size_t m = 0; m < count; ++m) {
      if (matches.chances[m] == impossible) continue;
      const std::uint32_t* path = matches.moves.data() + m * width;
      const std::size_t place =
          keep(to, matches.states.data() + m * size_, matches.memories.data() + m * roles_, 1.0);
      if (place * width == matches.kept.size()) {
        matches.kept.insert(matches.kept.end(), path, path + width);
      }
    }
  }
  std::vector<std::vector<std::uint32_t>> turns(told.size());
  for (std::size_t i = 0; i < matches.kept.size(); i += roles_) {
    const std::uint32_t* joint = matches.kept.data() + i;
    std::vector<std::uint32_t>& turn = turns[i / roles_ % told.size()];
    turn.insert(turn.end(), joint, joint + roles_);
  }
  to.lineage = lineage_of(turns, to.size());
}

}  // namespace woodstock
