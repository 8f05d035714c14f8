#include "belief/resample_move.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace woodstock {

namespace {

constexpr std::size_t together = 256;  // chains that are played in lanes at a time
constexpr std::size_t passes = 2;      // over some chains, before others are begun with
constexpr std::size_t surveyed = 8;    // every such lane is looked at closely, for what is open
constexpr std::size_t few = 8;         // what part of them has to agree where they were behind
constexpr double impossible = -std::numeric_limits<double>::infinity();

}  // namespace

ResampleMove::ResampleMove(Simulator& simulator, std::uint32_t observer,
                           std::span<const ObservedTurn> told, std::uint64_t seed)
    : simulator_(simulator),
      told_(told),
      roles_(simulator.circuit().roles()),
      size_(simulator.circuit().state_size()),
      observer_(observer),
      width_(told.size() * roles_),
      random_(seed),
      open_(width_),
      options_(roles_, observer),
      index_(size_, roles_) {
  for (const ObservedTurn& observed : told) {
    if (!observed.fits(simulator.circuit().moves())) {
      throw std::invalid_argument("lists that do not fit each other");
    }
  }
}

Hypotheses ResampleMove::run(const Hypotheses& from, std::size_t count, std::uint64_t steps,
                             Clock::time_point until) {
  check(from);
  known_ = from.lineage ? from.lineage->turns() : 0;
  if (count == 0 || told_.empty() || known_ > told_.size() ||
      !(std::accumulate(from.weights.begin(), from.weights.end(), 0.0) > 0)) {
    return {};
  }
  begin(from, count);
  move([&] {
    return steps_ >= steps || Clock::now() > until || (behind() && kept_.size() * few >= count);
  });
  return result();
}

void ResampleMove::check(const Hypotheses& from) const {
  bool fits = !from.lineage || from.lineage->parents.size() == from.size();
  for (const Lineage* at = from.lineage.get(); at; at = at->before.get()) {
    fits = fits && at->moves.size() == at->parents.size() * roles_;
  }
  if (!fits) throw std::invalid_argument("lists that do not fit each other");
}

std::vector<std::size_t> ResampleMove::resample(const std::vector<double>& weights,
                                                std::size_t count) {
  // One from each of equal parts of the weight: fewer are lost than by drawing each from all.
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<std::size_t> drawn;
  std::size_t h = 0;
  double passed = weights[0];
  for (std::size_t i = 0; i < count; ++i) {
    const double part = (static_cast<double>(i) + random_.luck()) / static_cast<double>(count);
    while (passed < part * sum && h + 1 < weights.size()) passed += weights[++h];
    drawn.push_back(h);
  }
  return drawn;
}

void ResampleMove::begin(const Hypotheses& from, std::size_t count) {
  chains_.moves.resize(count * width_);
  chains_.chances.assign(count, impossible);
  chains_.states.resize(count * size_);
  chains_.memories.resize(count * roles_);
  const std::vector<std::size_t> drawn = resample(from.weights, count);
  // What is drawn one after the other is alike. Time may be up after some lanes full of chains:
  // each takes its part from everywhere.
  const std::size_t parts = (count + together - 1) / together;
  std::size_t chain = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::size_t i = part; i < count; i += parts, ++chain) {
      std::size_t one = drawn[i];
      std::uint32_t* end = chains_.moves.data() + chain * width_ + known_ * roles_;
      for (const Lineage* at = from.lineage.get(); at; at = at->before.get()) {
        end -= roles_;
        std::copy_n(at->moves.data() + one * roles_, roles_, end);
        one = at->parents[one];
      }
    }
  }
}

template <class Enough>
void ResampleMove::move(const Enough& enough) {
  const std::size_t parts = (chains_.size() + together - 1) / together;
  for (std::size_t play = 0; !enough(); ++play) {
    // All chains are played once as they are, since how likely their matches are is not known yet,
    // and changed in a second pass. From then on every pass changes something.
    const bool again = play >= parts * passes;
    const bool changing = again || play % passes != 0;
    if (changing && sums_.back() == 0) {
      if (again) break;  // nobody ever had a choice
      continue;
    }
    const std::size_t first = play / passes % parts * together;
    replay(first, std::min(chains_.size(), first + together), changing);
    if (sums_.empty()) {
      sums_.resize(width_);
      std::partial_sum(open_.begin(), open_.end(), sums_.begin());
    }
  }
}

std::size_t ResampleMove::draw_change() {
  // Where many matches have a choice, there is much to find. The same for all chains and whatever
  // they are at, or steps would not be as likely one way as the other.
  const auto at = std::upper_bound(sums_.begin(), sums_.end(), random_.draw() % sums_.back());
  return static_cast<std::size_t>(at - sums_.begin());
}

void ResampleMove::enter(std::size_t first, std::size_t last, bool changing) {
  const std::vector<std::uint8_t>& initial = simulator_.circuit().initial();
  paths_.assign(chains_.moves.begin() + static_cast<std::ptrdiff_t>(first * width_),
                chains_.moves.begin() + static_cast<std::ptrdiff_t>(last * width_));
  memories_.assign((last - first) * roles_, 0);
  lanes_.clear();
  states_.clear();
  for (std::size_t chain = first; chain < last; ++chain) {
    lanes_.push_back({chain, changing ? draw_change() : width_});
    states_.insert(states_.end(), initial.begin(), initial.end());
  }
  alive_.resize(lanes_.size());
  std::iota(alive_.begin(), alive_.end(), std::size_t{0});
  place_ = alive_;
  simulator_.visit(states_, {}, visits_);
  steps_ += lanes_.size();
}

void ResampleMove::replay(std::size_t first, std::size_t last, bool changing) {
  enter(first, last, changing);
  for (std::size_t turn = 0; !alive_.empty(); ++turn) {
    going_.clear();
    states_.clear();
    joints_.clear();
    for (std::size_t i = 0; i < alive_.size(); ++i) {
      Lane& lane = lanes_[alive_[i]];
      std::uint32_t* path = paths_.data() + alive_[i] * width_;
      const bool survey = sums_.empty() && i % surveyed == 0;
      if (!settle(lane, path, turn, i) || !choose(lane, path, turn, place_[i], survey)) continue;
      const std::uint8_t* state = state_at(place_[i]);
      going_.push_back(alive_[i]);
      states_.insert(states_.end(), state, state + size_);
      joints_.insert(joints_.end(), path + turn * roles_, path + (turn + 1) * roles_);
    }
    alive_.clear();
    place_.clear();
    if (!going_.empty()) advance(told_[turn]);
  }
}

bool ResampleMove::settle(const Lane& lane, const std::uint32_t* path, std::size_t turn,
                          std::size_t i) {
  const std::uint8_t* state = state_at(place_[i]);
  const std::uint64_t* memory = memories_.data() + alive_[i] * roles_;
  if (turn == known_) {
    // The Metropolis rule: a change and its way back are drawn alike, so how much likelier the one
    // match is than the other decides. What was impossible so far is left in any case.
    double& chance = chains_.chances[lane.chain];
    if (std::log(random_.luck()) > lane.chance - chance) return false;
    chance = lane.chance;
    std::copy_n(path, width_, chains_.moves.data() + lane.chain * width_);
    std::copy_n(state, size_, chains_.states.data() + lane.chain * size_);
    std::copy_n(memory, roles_, chains_.memories.data() + lane.chain * roles_);
  }
  if (turn < told_.size()) return true;
  // Few of those that were behind get here: all are kept, and not where the chains are in the end.
  if (behind()) keep(state, memory, path, lane.weight);
  return false;
}

bool ResampleMove::choose(Lane& lane, std::uint32_t* path, std::size_t turn, std::size_t position,
                          bool survey) {
  std::uint32_t* joint = path + turn * roles_;
  const bool changes = lane.change / roles_ == turn;
  const bool draws = turn >= known_;
  // To list the options of all roles is dear, and few lanes need them in a turn.
  if (changes || draws || survey) options_.find(visits_, position, told_[turn]);
  if (draws && options_.joints() != 0) {
    for (std::size_t r = 0; r < roles_; ++r) {
      const std::span<const std::uint32_t> options = options_.of(r);
      joint[r] = options[random_.below(options.size())];
    }
    // Moves that are excluded were not drawn: what is left stands for less.
    lane.weight *= options_.chance() * static_cast<double>(options_.joints());
  }
  if (changes) {
    const std::size_t r = lane.change % roles_;
    joint[r] = options_.another(joint[r], r, random_.draw());
  }
  if (survey && !draws) {
    for (std::size_t r = 0; r < roles_; ++r) open_[turn * roles_ + r] += options_.of(r).size() > 1;
  }
  const double chance = options_.chance_of(visits_, position, joint, told_[turn]);
  if (!(chance > 0)) return false;
  if (!draws) lane.chance += std::log(chance);
  return true;
}

void ResampleMove::advance(const ObservedTurn& observed) {
  simulator_.visit(states_, joints_, visits_, {.legal = true, .percepts = true});
  steps_ += going_.size();
  for (std::size_t i = 0; i < going_.size(); ++i) {
    const std::uint64_t* seen = visits_.seen.data() + i * roles_;
    if (!observed.agrees(seen[observer_])) continue;
    for (std::size_t r = 0; r < roles_; ++r) {
      std::uint64_t& memory = memories_[going_[i] * roles_ + r];
      memory = remember(memory, joints_[i * roles_ + r], seen[r]);
    }
    alive_.push_back(going_[i]);
    place_.push_back(i);
  }
}

void ResampleMove::keep(const std::uint8_t* state, const std::uint64_t* memories,
                        const std::uint32_t* path, double weight) {
  // Of matches that lead to the same, the first stands for all.
  if (index_.keep(kept_, state, memories, weight) * width_ == kept_paths_.size()) {
    kept_paths_.insert(kept_paths_.end(), path, path + width_);
  }
}

Hypotheses ResampleMove::result() {
  for (std::size_t chain = 0; !behind() && chain < chains_.size(); ++chain) {
    if (chains_.chances[chain] == impossible) continue;
    keep(chains_.states.data() + chain * size_, chains_.memories.data() + chain * roles_,
         chains_.moves.data() + chain * width_, 1.0);
  }
  std::vector<std::vector<std::uint32_t>> turns(told_.size());
  for (std::size_t i = 0; i < kept_paths_.size(); i += roles_) {
    const std::uint32_t* joint = kept_paths_.data() + i;
    std::vector<std::uint32_t>& turn = turns[i / roles_ % told_.size()];
    turn.insert(turn.end(), joint, joint + roles_);
  }
  kept_.lineage = lineage_of(turns, kept_.size());
  return std::move(kept_);
}

}  // namespace woodstock
