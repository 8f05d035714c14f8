#include "plan/nested.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "util/stopwatch.h"

namespace woodstock::plan {

namespace {

constexpr std::size_t weights_by_turn = std::size_t{1} << 14;
constexpr std::size_t longest = 2000;  // turns; games without a counter can go in circles

}  // namespace

void NestedOptions::check() const {
  if (lanes == 0 || iterations == 0) throw std::invalid_argument("no lanes or no iterations");
  if (!(rate > 0)) throw std::invalid_argument("rate must be above 0");
}

void NestedRollouts::Sequence::clear() {
  score = goal = -1;
  moves.clear();
  places.clear();
  begin.assign(1, 0);
  choices.clear();
}

NestedRollouts::NestedRollouts(std::shared_ptr<Simulator> simulator,
                               std::shared_ptr<Relaxation> relaxation, const NestedOptions& options,
                               std::span<const std::uint8_t> start)
    : simulator_(std::move(simulator)),
      relaxation_(std::move(relaxation)),
      options_(options),
      roles_(simulator_->circuit().roles()),
      size_(simulator_->circuit().state_size()),
      weights_(options.by_turn ? weights_by_turn : simulator_->circuit().moves()),
      start_(start.begin(), start.end()),
      random_(options.seed),
      lanes_(options.lanes) {
  options.check();
  if (start.size() != size_ || options.role >= roles_) {
    throw std::invalid_argument("a state or a role of another game");
  }
  for (Lane& lane : lanes_) begin_anew(lane);
}

std::uint32_t NestedRollouts::place_of(std::uint32_t move, std::size_t turn) const {
  if (!options_.by_turn) return move;
  return static_cast<std::uint32_t>(scatter(move * golden_gamma + turn) & (weights_ - 1));
}

void NestedRollouts::begin_anew(Lane& lane) {
  for (Policy* const policy : {&lane.upper, &lane.lower}) {
    policy->weights.assign(weights_, 0);
    policy->powers.assign(weights_, 1);
  }
  lane.best_lower.clear();
  lane.best_upper.clear();
  lane.outer = lane.inner = 0;
}

// A move for every role in the state at that place of the visits.
void NestedRollouts::draw(Lane& lane, std::size_t at, std::size_t turn) {
  Sequence& played = lane.played;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    const std::uint32_t first = visits_.legal_begin[at * roles_ + r];
    const std::uint32_t last = visits_.legal_begin[at * roles_ + r + 1];
    scratch_.clear();
    float sum = 0;
    for (std::uint32_t i = first; i < last; ++i) {
      const std::uint32_t place = place_of(visits_.legal[i], turn);
      played.choices.push_back(place);
      sum += lane.lower.powers[place];
      scratch_.push_back(sum);
    }
    const auto luck = static_cast<float>(random_.luck()) * sum;
    const auto drawn = static_cast<std::uint32_t>(
        std::upper_bound(scratch_.begin(), scratch_.end() - 1, luck) - scratch_.begin());
    const std::uint32_t move = visits_.legal[first + drawn];
    played.begin.push_back(static_cast<std::uint32_t>(played.choices.size()));
    played.moves.push_back(move);
    played.places.push_back(place_of(move, turn));
    moves_.push_back(move);
  }
}

// One game in each lane.
void NestedRollouts::play() {
  active_.clear();
  ended_.clear();
  end_states_.clear();
  states_.clear();
  for (std::uint32_t i = 0; i < lanes_.size(); ++i) {
    lanes_[i].played.clear();
    active_.push_back(i);
    states_.insert(states_.end(), start_.begin(), start_.end());
  }
  simulator_->visit(states_, {}, visits_, {.legal = true, .keys = false});
  for (std::size_t turn = 0; !active_.empty(); ++turn) {
    states_.clear();
    moves_.clear();
    std::size_t going = 0;
    for (std::size_t at = 0; at < active_.size(); ++at) {
      Lane& lane = lanes_[active_[at]];
      bool stuck = false;
      for (std::uint32_t r = 0; r < roles_; ++r) {
        const std::size_t place = at * roles_ + r;
        stuck = stuck || visits_.legal_begin[place] == visits_.legal_begin[place + 1];
      }
      if (visits_.terminal[at] != 0) {
        lane.played.goal = visits_.goals[at * roles_ + options_.role];
        const std::uint8_t* const state = visits_.states.data() + at * size_;
        ended_.push_back(active_[at]);
        end_states_.insert(end_states_.end(), state, state + size_);
        continue;
      }
      if (stuck || turn >= longest || turn >= options_.horizon) continue;
      draw(lane, at, turn);
      states_.insert(states_.end(),
                     visits_.states.begin() + static_cast<std::ptrdiff_t>(at * size_),
                     visits_.states.begin() + static_cast<std::ptrdiff_t>((at + 1) * size_));
      active_[going++] = active_[at];
    }
    active_.resize(going);
    if (active_.empty()) break;
    simulator_->visit(states_, moves_, visits_, {.legal = true, .keys = false});
  }
  playouts_ += lanes_.size();
  judge();
}

// Goals come first; of equal ones, fewer faults are better.
void NestedRollouts::judge() {
  if (relaxation_) relaxation_->faults(end_states_, faults_);
  for (std::size_t i = 0; i < ended_.size(); ++i) {
    Sequence& played = lanes_[ended_[i]].played;
    const std::int64_t room = Relaxation::unreachable + 1;
    played.score = played.goal * room + (relaxation_ ? Relaxation::unreachable - faults_[i] : 0);
  }
}

void NestedRollouts::adapt(Policy& policy, const Sequence& towards) {
  changes_.resize(weights_, 0);
  changed_.clear();
  const auto rate = static_cast<float>(options_.rate);
  for (std::size_t step = 0; step < towards.places.size(); ++step) {
    const std::uint32_t first = towards.begin[step];
    const std::uint32_t last = towards.begin[step + 1];
    if (last - first < 2) continue;
    float sum = 0;
    for (std::uint32_t i = first; i < last; ++i) sum += policy.powers[towards.choices[i]];
    for (std::uint32_t i = first; i < last; ++i) {
      const std::uint32_t place = towards.choices[i];
      if (changes_[place] == 0) changed_.push_back(place);
      changes_[place] -= rate * policy.powers[place] / sum;
    }
    changes_[towards.places[step]] += rate;
  }
  // All changes are by the weights as they were.
  for (const std::uint32_t place : changed_) {
    // Beyond this the exponential has no room left. A place may be here twice, with nothing left.
    const float weight = std::clamp(policy.weights[place] + changes_[place], -40.F, 40.F);
    if (changes_[place] != 0) policy.powers[place] = std::exp(weight);
    policy.weights[place] = weight;
    changes_[place] = 0;
  }
}

// What a lane makes of its game.
void NestedRollouts::learn(Lane& lane) {
  if (lane.played.score >= lane.best_lower.score) std::swap(lane.played, lane.best_lower);
  if (lane.best_lower.score >= 0) adapt(lane.lower, lane.best_lower);
  if (++lane.inner < options_.iterations) return;
  lane.inner = 0;
  if (lane.best_lower.score >= lane.best_upper.score) std::swap(lane.best_lower, lane.best_upper);
  if (lane.best_upper.score >= 0) adapt(lane.upper, lane.best_upper);
  lane.lower = lane.upper;
  lane.best_lower.clear();
  if (++lane.outer == options_.iterations) begin_anew(lane);
}

bool NestedRollouts::go_on(std::int64_t above, double seconds) {
  const Clock::time_point until = deadline_in(seconds);
  bool found = false;
  do {
    play();
    for (Lane& lane : lanes_) {
      if (lane.played.goal > above) {
        above = lane.played.goal;
        goal_ = static_cast<std::uint32_t>(above);
        plan_ = lane.played.moves;
        found = true;
      }
      learn(lane);
    }
  } while (!found && Clock::now() < until);
  return found;
}

}  // namespace woodstock::plan
