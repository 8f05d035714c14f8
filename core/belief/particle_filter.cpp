#include "belief/particle_filter.h"

#include <algorithm>
#include <stdexcept>

#include "belief/resample_move.h"

namespace woodstock {

namespace {

constexpr std::size_t batch = 2048;  // joint moves that are tried in one call of the circuit

// Whether what has to be done will take much longer than until then, or did.
bool too_slow(Clock::time_point begun, Clock::time_point until, std::uint64_t done,
              std::uint64_t total) {
  using Seconds = std::chrono::duration<double>;
  const Clock::time_point now = Clock::now();
  const double expected =
      Seconds(now - begun).count() * static_cast<double>(total) / static_cast<double>(done);
  return now > until || expected > 1.5 * Seconds(until - begun).count();
}

}  // namespace

ParticleFilter::ParticleFilter(std::shared_ptr<Simulator> simulator, std::uint32_t role)
    : simulator_(std::move(simulator)),
      roles_(simulator_->circuit().roles()),
      size_(simulator_->circuit().state_size()),
      role_(role),
      options_(roles_, role),
      at_(roles_),
      index_(size_, roles_),
      memories_(roles_) {
  if (role >= roles_) throw std::invalid_argument("no such role");
}

void ParticleFilter::look_at(const Hypotheses& from, const ObservedTurn& observed) {
  if (from.states.size() != from.size() * size_ || from.memories.size() != from.size() * roles_ ||
      !observed.fits(simulator_->circuit().moves())) {
    throw std::invalid_argument("lists that do not fit each other");
  }
  simulator_->visit(from.states, {}, visits_);
}

void ParticleFilter::push(const Hypotheses& from, std::size_t hypothesis, double weight) {
  const std::uint8_t* state = from.states.data() + hypothesis * size_;
  states_.insert(states_.end(), state, state + size_);
  for (std::size_t r = 0; r < roles_; ++r) moves_.push_back(options_.of(r)[at_[r]]);
  weights_.push_back(weight);
  from_.push_back(hypothesis);
}

std::size_t ParticleFilter::flush(const Hypotheses& from, const ObservedTurn& observed,
                                  Hypotheses& to, Lineage& lineage) {
  std::size_t agreed = 0;
  if (!from_.empty()) simulator_->advance(states_, moves_, after_);
  for (std::size_t i = 0; i < from_.size(); ++i) {
    const std::uint64_t* seen = after_.seen.data() + i * roles_;
    if (!observed.agrees(seen[role_])) continue;
    const std::uint64_t* before = from.memories.data() + from_[i] * roles_;
    for (std::size_t r = 0; r < roles_; ++r) {
      memories_[r] = remember(before[r], moves_[i * roles_ + r], seen[r]);
    }
    // What differs in its past alone is one from here on. Its past is that of the first.
    const std::size_t place =
        index_.keep(to, after_.states.data() + i * size_, memories_.data(), weights_[i]);
    if (place == lineage.parents.size()) {
      const auto moves = moves_.begin() + static_cast<std::ptrdiff_t>(i * roles_);
      lineage.parents.push_back(static_cast<std::uint32_t>(from_[i]));
      lineage.moves.insert(lineage.moves.end(), moves, moves + static_cast<std::ptrdiff_t>(roles_));
    }
    ++agreed;
  }
  states_.clear();
  moves_.clear();
  weights_.clear();
  from_.clear();
  return agreed;
}

bool ParticleFilter::all(const Hypotheses& from, const ObservedTurn& observed,
                         std::uint64_t most_moves, std::size_t most, Clock::time_point until,
                         Hypotheses& to) {
  to.clear();
  index_.clear();
  look_at(from, observed);
  const auto lineage = std::make_shared<Lineage>();
  lineage->before = from.lineage;
  // Counted before anything is played: what is too much need not be begun.
  std::uint64_t total = 0;
  for (std::size_t h = 0; h < from.size(); ++h) {
    options_.find(visits_, h, observed);
    if (options_.joints() > most_moves - total) return false;
    total += options_.joints();
  }
  const Clock::time_point begun = Clock::now();
  std::uint64_t done = 0;
  for (std::size_t h = 0; h < from.size(); ++h) {
    options_.find(visits_, h, observed);
    std::fill(at_.begin(), at_.end(), std::size_t{0});
    for (std::uint64_t i = 0; i < options_.joints(); ++i) {
      push(from, h, from.weights[h] * options_.chance());
      // The next joint move, counted up like a number with a digit for each role.
      for (std::size_t r = roles_; r-- > 0;) {
        if (++at_[r] < options_.of(r).size()) break;
        at_[r] = 0;
      }
      if (from_.size() == batch) {
        flush(from, observed, to, *lineage);
        done += batch;
        if (to.size() > most || too_slow(begun, until, done, total)) return false;
      }
    }
  }
  flush(from, observed, to, *lineage);
  to.lineage = lineage;
  return to.size() <= most;
}

void ParticleFilter::some(const Hypotheses& from, const ObservedTurn& observed, std::size_t count,
                          std::uint64_t tries, std::uint64_t seed, Clock::time_point until,
                          Clock::time_point hopeless, Hypotheses& to) {
  to.clear();
  index_.clear();
  look_at(from, observed);
  const auto lineage = std::make_shared<Lineage>();
  lineage->before = from.lineage;
  std::vector<double> sums;
  double sum = 0;
  for (std::size_t h = 0; h < from.size(); ++h) {
    if (visits_.terminal[h] == 0) sum += from.weights[h];
    sums.push_back(sum);
  }
  // What is over cannot be played on, whatever it weighs.
  if (!(sum > 0)) return;
  RandomStream random(seed);
  std::size_t agreed = 0;
  for (std::uint64_t done = 0; done < tries && agreed < count;) {
    // Twice as many as are wanted, so that few rounds are needed and little is played in vain.
    const std::uint64_t here = std::min<std::uint64_t>(tries - done, std::min(batch, 2 * count));
    for (std::uint64_t i = 0; i < here; ++i) {
      // One from each of equal parts: fewer of them are lost than by drawing each from all.
      const double part = static_cast<double>(i) + random.luck();
      const double luck = part / static_cast<double>(here) * sum;
      const auto h = static_cast<std::size_t>(
          std::min<std::ptrdiff_t>(std::upper_bound(sums.begin(), sums.end(), luck) - sums.begin(),
                                   static_cast<std::ptrdiff_t>(from.size()) - 1));
      options_.find(visits_, h, observed);
      if (options_.joints() == 0) continue;
      for (std::size_t r = 0; r < roles_; ++r) at_[r] = random.below(options_.of(r).size());
      // Moves that are excluded were not drawn: what is left stands for less.
      push(from, h, options_.chance() * static_cast<double>(options_.joints()));
    }
    done += here;
    agreed += flush(from, observed, to, *lineage);
    const Clock::time_point now = Clock::now();
    if (now > hopeless || (agreed != 0 && now > until)) break;
  }
  to.lineage = lineage;
}

void ParticleFilter::rejuvenate(const Hypotheses& from, std::span<const ObservedTurn> told,
                                std::size_t count, std::uint64_t steps, std::uint64_t seed,
                                Clock::time_point until, Hypotheses& to) {
  to = ResampleMove(*simulator_, role_, told, seed).run(from, count, steps, until);
}

void ParticleFilter::forget(Hypotheses& hypotheses, std::uint64_t seed) {
  Hypotheses out;
  index_.clear();
  const std::vector<std::uint64_t> none(roles_);
  std::vector<std::size_t> kept;  // whose memories
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    const double weight = hypotheses.weights[i];
    const std::size_t place =
        index_.keep(out, hypotheses.states.data() + i * size_, none.data(), weight);
    if (place == kept.size()) kept.push_back(i);
    // One of them by weight, in one pass: each takes the place over with its share of the weight
    // so far.
    const double luck = unit(scatter(seed + i * golden_gamma));
    if (luck * out.weights[place] < weight) kept[place] = i;
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::copy_n(hypotheses.memories.data() + kept[i] * roles_, roles_,
                out.memories.data() + i * roles_);
  }
  if (hypotheses.lineage) {
    const Lineage& all = *hypotheses.lineage;
    const auto lineage = std::make_shared<Lineage>();
    lineage->before = all.before;
    for (const std::size_t i : kept) {
      const auto moves = all.moves.begin() + static_cast<std::ptrdiff_t>(i * roles_);
      lineage->parents.push_back(all.parents[i]);
      lineage->moves.insert(lineage->moves.end(), moves,
                            moves + static_cast<std::ptrdiff_t>(roles_));
    }
    out.lineage = lineage;
  }
  hypotheses = std::move(out);
}

}  // namespace woodstock
