#include "search/mac_ucb_ii.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "circuit/random.h"

namespace woodstock {

namespace {

constexpr double progress_seconds = 0.1;
constexpr std::uint32_t rounds = 4;  // of the samples of a stage
constexpr double doubt = 2;          // samples of the usual result that a stage begins with
constexpr double close = 1e-9;

}  // namespace

MacUcbII::MacUcbII(std::shared_ptr<Simulator> simulator, const MacUcbIIOptions& options)
    : simulator_(std::move(simulator)),
      options_(options),
      roles_(simulator_->circuit().roles()),
      size_(simulator_->circuit().state_size()),
      utilities_(simulator_->circuit(), options.concept_, options.role, options.chance),
      legal_(roles_),
      cell_(roles_),
      best_(roles_),
      values_(roles_) {
  if (options.role >= roles_ || options.role == options.chance) {
    throw std::invalid_argument("no such player");
  }
  if (options.hypotheses == 0 || options.successors == 0 || options.simulations == 0) {
    throw std::invalid_argument("hypotheses, successors and simulations are at least 1");
  }
  if (!(options.confidence >= 0) || !(options.bonus >= 0)) {
    throw std::invalid_argument("confidence and bonus are not negative");
  }
  if (options.memory < std::size_t{4} << 20) {
    throw std::invalid_argument("a search needs 4 MB of memory");
  }
}

std::uint64_t MacUcbII::draw() noexcept {
  return scatter(scatter(options_.seed + golden_gamma) + ++draws_ * golden_gamma);
}

double MacUcbII::uniform() noexcept { return static_cast<double>(draw() >> 11) * 0x1.0p-53; }

std::size_t MacUcbII::bytes() const noexcept {
  return stages_.capacity() * sizeof(Stage) + ranges_.capacity() * sizeof(Range) +
         sums_.capacity() * sizeof(double) + joints_.capacity() * sizeof(Joint) +
         ends_.capacity() * sizeof(double) + arms_.capacity() * sizeof(std::uint32_t) +
         widths_.capacity() * sizeof(std::uint32_t) + states_.capacity() +
         weights_.capacity() * sizeof(double);
}

void MacUcbII::set_root(const Hypotheses& belief) {
  stages_.clear();
  ranges_.clear();
  sums_.clear();
  joints_.clear();
  ends_.clear();
  arms_.clear();
  widths_.clear();
  states_.clear();
  weights_.clear();
  if (belief.size() == 0 || belief.states.size() != belief.size() * size_) {
    throw std::invalid_argument("no hypotheses to think about");
  }
  simulator_->visit(belief.states, {}, visits_, {.legal = false});
  std::vector<double> sums;
  double sum = 0;
  std::size_t open = 0;
  for (std::size_t h = 0; h < belief.size(); ++h) {
    if (visits_.terminal[h] == 0) {
      sum += belief.weights[h];
      ++open;
    }
    sums.push_back(sum);
  }
  if (!(sum > 0)) throw std::invalid_argument("the game is over");
  const bool sampled = open > options_.hypotheses;
  drawn_ = sampled;
  const auto add = [&](std::size_t h, double weight) {
    states_.insert(states_.end(), belief.states.data() + h * size_,
                   belief.states.data() + (h + 1) * size_);
    weights_.push_back(weight / sum);
  };
  if (sampled) {
    const double step = sum / options_.hypotheses;
    const double offset = uniform();
    for (std::uint32_t i = 0; i < options_.hypotheses; ++i) {
      const auto found = std::upper_bound(sums.begin(), sums.end(), (i + offset) * step);
      add(std::min(static_cast<std::size_t>(found - sums.begin()), belief.size() - 1), step);
    }
  } else {
    for (std::size_t h = 0; h < belief.size(); ++h) {
      if (sums[h] > (h == 0 ? 0 : sums[h - 1])) add(h, belief.weights[h]);
    }
  }
  Stage root;
  root.weight = 1;
  root.count = static_cast<std::uint32_t>(weights_.size());
  stages_.push_back(root);
  ranges_.resize(roles_);
  sums_.resize(roles_);
  ++nodes_;
}

// Solving a stage

bool MacUcbII::solve(Id id) {
  if (bytes() > options_.memory / 2) return false;
  const Stage stage = stages_[id];
  simulator_->visit({states_.data() + stage.first * size_, stage.count * size_}, {}, visits_);
  for (auto& moves : legal_) moves.clear();
  known_.assign(simulator_->circuit().moves(), 0);
  std::uint64_t chances = 0;
  for (std::uint32_t h = 0; h < stage.count; ++h) {
    for (std::uint32_t r = 0; r < roles_; ++r) {
      const std::uint32_t* begin = visits_.legal_begin.data() + std::size_t{h} * roles_ + r;
      if (!is_player(r)) {
        chances = std::max<std::uint64_t>(chances, begin[1] - begin[0]);
        continue;
      }
      for (std::uint32_t i = begin[0]; i < begin[1]; ++i) {
        std::uint8_t& known = known_[visits_.legal[i]];
        if (known == 0) legal_[r].push_back(visits_.legal[i]);
        known = 1;
      }
    }
  }
  double players = 1;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    if (is_player(r)) players *= static_cast<double>(legal_[r].size());
  }
  if (players > 1e6) return false;
  if (players == 0 || (options_.chance < roles_ && chances == 0)) {
    // Somebody has no move; it is worth what the samples say.
    stages_[id].settled = true;
    return true;
  }
  // Too much is made less: first the moves of chance, then the hypotheses.
  const double budget = std::max(1.0, static_cast<double>(options_.successors) / players);
  std::uint64_t draws = std::max<std::uint64_t>(1, chances);
  std::vector<std::uint32_t> kept(stage.count);
  std::iota(kept.begin(), kept.end(), 0U);
  if (static_cast<double>(draws) * stage.count > budget) {
    drawn_ = true;
    const double most = std::max(1.0, budget / std::min<double>(static_cast<double>(draws), 4));
    if (stage.count > most) {
      const double step = stage.weight / std::floor(most);
      double at = uniform() * step;
      double sum = 0;
      std::vector<std::uint32_t> some;
      for (std::uint32_t h = 0; h < stage.count; ++h) {
        sum += weights_[stage.first + h];
        for (; at < sum; at += step) some.push_back(h);
      }
      if (some.empty()) some.push_back(0);
      kept = some;
    }
    const double left = budget / static_cast<double>(kept.size());
    draws = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(left), 1, draws);
  }
  expand(id, kept, draws);
  make_children(id);
  return true;
}

void MacUcbII::expand(Id id, std::span<const std::uint32_t> kept, std::uint64_t draws) {
  const Stage stage = stages_[id];
  from_states_.clear();
  from_moves_.clear();
  from_joint_.clear();
  from_weight_.clear();
  const bool fewer = kept.size() != stage.count;
  std::vector<std::uint32_t> at(roles_);
  std::vector<std::uint32_t> moves(roles_);
  for (std::uint32_t h : kept) {
    const std::uint32_t* begin = visits_.legal_begin.data() + std::size_t{h} * roles_;
    const double weight =
        fewer ? stage.weight / static_cast<double>(kept.size()) : weights_[stage.first + h];
    const std::uint64_t chances =
        options_.chance < roles_ ? begin[options_.chance + 1] - begin[options_.chance] : 1;
    const std::uint64_t each = std::min(draws, chances);
    const std::uint64_t offset = each < chances ? draw() % chances : 0;
    std::fill(at.begin(), at.end(), 0U);
    for (std::uint32_t joint = 0;; ++joint) {
      bool fits = true;
      for (std::uint32_t r = 0; r < roles_; ++r) {
        if (!is_player(r)) continue;
        moves[r] = legal_[r][at[r]];
        fits &= std::binary_search(visits_.legal.begin() + begin[r],
                                   visits_.legal.begin() + begin[r + 1], moves[r]);
      }
      for (std::uint64_t c = 0; fits && c < each; ++c) {
        if (options_.chance < roles_) {
          // Evenly spaced from a random start: none twice.
          const std::uint64_t place = each == chances ? c : (offset + c * chances / each) % chances;
          moves[options_.chance] = visits_.legal[begin[options_.chance] + place];
        }
        from_states_.insert(from_states_.end(), states_.data() + (stage.first + h) * size_,
                            states_.data() + (stage.first + h + 1) * size_);
        from_moves_.insert(from_moves_.end(), moves.begin(), moves.end());
        from_joint_.push_back(joint);
        from_weight_.push_back(weight / static_cast<double>(each));
      }
      std::uint32_t r = roles_;
      while (r-- > 0) {
        if (!is_player(r)) continue;
        if (++at[r] < legal_[r].size()) break;
        at[r] = 0;
      }
      if (r >= roles_) break;
    }
  }
  simulator_->visit(from_states_, from_moves_, after_, {.legal = false, .percepts = true});
}

void MacUcbII::make_children(Id id) {
  stages_[id].solved = true;
  stages_[id].moves = static_cast<std::uint32_t>(arms_.size());
  stages_[id].widths = static_cast<std::uint32_t>(widths_.size());
  stages_[id].joints = static_cast<std::uint32_t>(joints_.size());
  std::size_t count = 1;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    arms_.insert(arms_.end(), legal_[r].begin(), legal_[r].end());
    widths_.push_back(is_player(r) ? static_cast<std::uint32_t>(legal_[r].size()) : 1);
    if (is_player(r)) count *= legal_[r].size();
  }
  const std::size_t first = joints_.size();
  joints_.resize(first + count);
  for (std::size_t j = 0; j < count; ++j) {
    joints_[first + j].ends = static_cast<std::uint32_t>(ends_.size());
    ends_.resize(ends_.size() + roles_);
  }
  next_.clear();
  for (std::uint32_t i = 0; i < from_joint_.size(); ++i) {
    Joint& joint = joints_[first + from_joint_[i]];
    joint.weight += from_weight_[i];
    if (after_.terminal[i] != 0) {
      joint.over += from_weight_[i];
      utilities_(after_.goals.data() + std::size_t{i} * roles_, 1, values_.data());
      for (std::uint32_t r = 0; r < roles_; ++r) {
        ends_[joint.ends + r] += from_weight_[i] * values_[r];
      }
      continue;
    }
    const std::uint64_t seen = after_.seen[std::size_t{i} * roles_ + options_.role];
    next_.push_back({from_joint_[i], seen, i, from_weight_[i]});
  }
  const auto state = [&](const Next& one) {
    return std::span(after_.states).subspan(one.place * size_, size_);
  };
  std::sort(next_.begin(), next_.end(), [&](const Next& a, const Next& b) {
    if (a.joint != b.joint) return a.joint < b.joint;
    if (a.seen != b.seen) return a.seen < b.seen;
    if (after_.keys[a.place] != after_.keys[b.place]) {
      return after_.keys[a.place] < after_.keys[b.place];
    }
    return a.place < b.place;
  });
  const std::uint32_t depth = stages_[id].depth + 1;
  for (std::size_t i = 0; i < next_.size(); ++i) {
    const Next& one = next_[i];
    const bool alike = i > 0 && next_[i - 1].joint == one.joint && next_[i - 1].seen == one.seen;
    if (!alike) {
      Joint& joint = joints_[first + one.joint];
      if (joint.count++ == 0) joint.first = static_cast<Id>(stages_.size());
      Stage child;
      child.parent = id;
      child.joint = static_cast<std::uint32_t>(first + one.joint);
      child.first = static_cast<std::uint32_t>(weights_.size());
      child.depth = depth;
      stages_.push_back(child);
      ++nodes_;
    } else if (std::ranges::equal(state(next_[i - 1]), state(one))) {
      weights_.back() += one.weight;
      stages_.back().weight += one.weight;
      continue;
    }
    Stage& child = stages_.back();
    const auto packed = state(one);
    states_.insert(states_.end(), packed.begin(), packed.end());
    weights_.push_back(one.weight);
    child.weight += one.weight;
    ++child.count;
  }
  ranges_.resize(stages_.size() * roles_);
  sums_.resize(stages_.size() * roles_);
  depth_ = std::max(depth_, depth);
}

// Sampling

void MacUcbII::sample(Id id, const Watch& watch) {
  const Stage stage = stages_[id];
  std::size_t count = 1;
  for (std::uint32_t width : widths(id)) count *= width;
  const std::span<Joint> joints(joints_.data() + stage.joints, count);
  std::size_t open = 0;
  for (const Joint& joint : joints) open += joint.count != 0 ? 1 : 0;
  if (open == 0) return;
  // UCB1 for who has a choice; where several have, joint moves are tried evenly.
  std::uint32_t choosers = 0;
  std::uint32_t pivot = options_.role;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    if (widths(id)[r] < 2) continue;
    ++choosers;
    pivot = r;
  }
  const std::size_t batch =
      std::max<std::size_t>(options_.simulations, open) / rounds + std::size_t{1};
  std::vector<Id> chosen;
  std::vector<double> means(count);
  for (std::uint32_t round = 0; round < rounds; ++round) {
    from_states_.clear();
    chosen.clear();
    std::uint64_t all = 1;
    for (std::size_t j = 0; j < count; ++j) {
      all += joints[j].visits;
      look_at(joints[j], cell_.data());
      means[j] = cell_[pivot].value;
    }
    for (std::size_t i = 0; i < batch; ++i, ++all) {
      const double width = options_.confidence * std::log(static_cast<double>(all));
      std::size_t best = 0;
      double best_index = -1e30;
      for (std::size_t j = 0; j < count; ++j) {
        if (joints[j].count == 0) continue;
        const double tries = static_cast<double>(joints[j].visits);
        const double index = tries == 0      ? 1e9
                             : choosers <= 1 ? means[j] + std::sqrt(width / tries)
                                             : -tries;
        if (index > best_index) {
          best_index = index;
          best = j;
        }
      }
      Joint& joint = joints[best];
      ++joint.visits;
      // A stage by weight, a hypothesis of it by weight.
      double luck = uniform() * (joint.weight - joint.over);
      Id child = joint.first;
      for (; child + 1 < joint.first + joint.count && luck >= stages_[child].weight; ++child) {
        luck -= stages_[child].weight;
      }
      const Stage& next = stages_[child];
      luck = uniform() * next.weight;
      std::uint32_t h = next.first;
      for (; h + 1 < next.first + next.count && luck >= weights_[h]; ++h) luck -= weights_[h];
      from_states_.insert(from_states_.end(), states_.data() + h * size_,
                          states_.data() + (h + 1) * size_);
      chosen.push_back(child);
    }
    RolloutOptions options;
    options.seed = scatter(options_.seed + 2 * golden_gamma) + ++batches_;
    options.max_plies = options_.max_plies;
    options.go_on = [&watch] { return !watch.out_of_time(); };
    try {
      simulator_->rollouts(from_states_, 1, options, rollouts_);
    } catch (const Interrupted&) {
      break;
    }
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      utilities_(rollouts_.goals.data() + i * roles_, 1, values_.data());
      ++stages_[chosen[i]].visits;
      for (std::uint32_t r = 0; r < roles_; ++r) {
        sums_[std::size_t{chosen[i]} * roles_ + r] += values_[r];
      }
    }
    simulations_ += chosen.size();
    // Means of few samples are drawn towards that of the joint move.
    for (const Joint& joint : joints) {
      for (std::uint32_t r = 0; r < roles_; ++r) {
        double sum = 0;
        double tries = 0;
        for (Id child = joint.first; child < joint.first + joint.count; ++child) {
          sum += sums_[std::size_t{child} * roles_ + r];
          tries += static_cast<double>(stages_[child].visits);
        }
        const double usual = tries > 0 ? sum / tries : range(id, r).value;
        for (Id child = joint.first; child < joint.first + joint.count; ++child) {
          range(child, r).value = (sums_[std::size_t{child} * roles_ + r] + doubt * usual) /
                                  (static_cast<double>(stages_[child].visits) + doubt);
        }
      }
    }
  }
}

// Values

void MacUcbII::look_at(const Joint& joint, Range* out) const {
  for (std::uint32_t r = 0; r < roles_; ++r) {
    const double over = ends_[joint.ends + r];
    out[r] = {over, over, over};
  }
  for (Id child = joint.first; child < joint.first + joint.count; ++child) {
    const double weight = stages_[child].weight;
    for (std::uint32_t r = 0; r < roles_; ++r) {
      const Range& one = range(child, r);
      out[r].value += weight * one.value;
      out[r].lower += weight * one.lower;
      out[r].upper += weight * one.upper;
    }
  }
  for (std::uint32_t r = 0; r < roles_; ++r) {
    // A joint move that no hypothesis allows is worth nothing to anybody.
    const double weight = joint.weight > 0 ? joint.weight : 1;
    out[r] = {out[r].value / weight, out[r].lower / weight, out[r].upper / weight};
  }
}

void MacUcbII::weigh(Id id, bool with_bonus) {
  const std::span<const std::uint32_t> width = widths(id);
  std::vector<std::size_t> begin(roles_ + 1);
  for (std::uint32_t r = 0; r < roles_; ++r) begin[r + 1] = begin[r] + width[r];
  worths_.assign(begin[roles_], Range{2, 2, 2});
  worth_.assign(begin[roles_], 0);
  std::vector<std::uint64_t> follows(begin[roles_]);
  std::vector<std::uint32_t> at(roles_);
  const std::size_t first = stages_[id].joints;
  for (std::size_t j = first;; ++j) {
    look_at(joints_[j], cell_.data());
    for (std::uint32_t r = 0; r < roles_; ++r) {
      // The others do their worst, or, of a team, their best.
      Range& one = worths_[begin[r] + at[r]];
      const bool team = options_.concept_ == Concept::team && one.value <= 1;
      const auto pick = [&](double a, double b) { return team ? std::max(a, b) : std::min(a, b); };
      one = {pick(one.value, cell_[r].value), pick(one.lower, cell_[r].lower),
             pick(one.upper, cell_[r].upper)};
      follows[begin[r] + at[r]] += joints_[j].follows;
    }
    std::uint32_t r = roles_;
    while (r-- > 0) {
      if (++at[r] < width[r]) break;
      at[r] = 0;
    }
    if (r >= roles_) break;
  }
  const double all = std::log(1.0 + static_cast<double>(stages_[id].follows));
  for (std::size_t i = 0; i < worth_.size(); ++i) {
    worth_[i] = worths_[i].value;
    if (with_bonus) {
      worth_[i] += options_.bonus * std::sqrt(all / (1.0 + static_cast<double>(follows[i])));
    }
  }
}

void MacUcbII::update(Id id) {
  Stage& stage = stages_[id];
  weigh(id, false);
  const std::span<const std::uint32_t> width = widths(id);
  std::uint32_t choosers = 0;
  std::uint32_t pivot = options_.role;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    if (width[r] < 2) continue;
    ++choosers;
    pivot = r;
  }
  std::size_t begin = 0;
  std::size_t pivot_begin = 0;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    if (r == pivot) pivot_begin = begin;
    begin += width[r];
  }
  if (choosers > 1) {
    begin = 0;
    for (std::uint32_t r = 0; r < roles_; begin += width[r], ++r) {
      Range best{-1, -1, -1};
      for (std::size_t i = begin; i < begin + width[r]; ++i) {
        best = {std::max(best.value, worths_[i].value), std::max(best.lower, worths_[i].lower),
                std::max(best.upper, worths_[i].upper)};
      }
      range(id, r) = best;
    }
  } else {
    // One decides; to the others it is worth what comes of that.
    std::size_t best = 0;
    double sure = 0;
    double most = 0;
    for (std::size_t i = 0; i < width[pivot]; ++i) {
      const Range& one = worths_[pivot_begin + i];
      if (one.value > worths_[pivot_begin + best].value) best = i;
      sure = std::max(sure, one.lower);
      most = std::max(most, one.upper);
    }
    std::vector<Range> found(roles_, Range{0, 1, 0});
    for (std::size_t i = 0; i < width[pivot]; ++i) {
      look_at(joints_[stage.joints + i], cell_.data());
      const bool possible = cell_[pivot].upper >= sure - close;
      for (std::uint32_t r = 0; r < roles_; ++r) {
        if (i == best) found[r].value = cell_[r].value;
        if (!possible) continue;
        found[r].lower = std::min(found[r].lower, cell_[r].lower);
        found[r].upper = std::max(found[r].upper, cell_[r].upper);
      }
    }
    found[pivot].lower = sure;
    found[pivot].upper = most;
    for (std::uint32_t r = 0; r < roles_; ++r) range(id, r) = found[r];
  }
  bool settled = true;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    Range& one = range(id, r);
    one.value = std::clamp(one.value, std::min(one.lower, one.upper), one.upper);
    if (is_player(r)) settled &= one.upper - one.lower < close;
  }
  stage.settled = settled;
}

void MacUcbII::spread(Id id) {
  for (; id != nobody; id = stages_[id].parent) update(id);
}

MacUcbII::Id MacUcbII::follow() {
  Id id = 0;
  while (stages_[id].solved) {
    ++stages_[id].follows;
    weigh(id, true);
    const std::span<const std::uint32_t> width = widths(id);
    std::size_t begin = 0;
    std::size_t place = 0;
    for (std::uint32_t r = 0; r < roles_; begin += width[r], ++r) {
      std::size_t best = nobody;
      for (std::size_t i = 0; i < width[r]; ++i) {
        // An arm with nothing left to find out is not followed as long as there is another.
        const Range& one = worths_[begin + i];
        const bool known = one.upper - one.lower < close;
        if (width[r] > 1 && known) continue;
        if (best == nobody || worth_[begin + i] > worth_[begin + best]) best = i;
      }
      if (best == nobody) best = draw() % width[r];
      place = place * width[r] + best;
    }
    Joint* joint = &joints_[stages_[id].joints + place];
    const auto open = [&](const Joint& one) {
      for (Id child = one.first; child < one.first + one.count; ++child) {
        if (!stages_[child].settled) return true;
      }
      return false;
    };
    if (!open(*joint)) {
      std::size_t count = 1;
      for (std::uint32_t one : width) count *= one;
      const std::size_t offset = draw() % count;
      bool found = false;
      for (std::size_t j = 0; j < count && !found; ++j) {
        joint = &joints_[stages_[id].joints + (offset + j) % count];
        found = open(*joint);
      }
      if (!found) {
        stages_[id].settled = true;
        return nobody;
      }
    }
    ++joint->follows;
    // By weight, among those that are open.
    double weight = 0;
    for (Id child = joint->first; child < joint->first + joint->count; ++child) {
      if (!stages_[child].settled) weight += stages_[child].weight;
    }
    double luck = uniform() * weight;
    Id next = nobody;
    for (Id child = joint->first; child < joint->first + joint->count; ++child) {
      if (stages_[child].settled) continue;
      next = child;
      luck -= stages_[child].weight;
      if (luck < 0) break;
    }
    id = next;
  }
  return id;
}

// The whole

Decision MacUcbII::decide(const Watch& watch) {
  Decision out;
  weigh(0, false);
  const std::span<const std::uint32_t> width = widths(0);
  std::size_t begin = 0;
  for (std::uint32_t r = 0; r < options_.role; ++r) begin += width[r];
  std::uint64_t all = 0;
  std::vector<std::uint64_t> visits(width[options_.role]);
  std::size_t inner = 1;
  for (std::uint32_t r = options_.role + 1; r < roles_; ++r) inner *= width[r];
  std::size_t count = 1;
  for (std::uint32_t one : width) count *= one;
  for (std::size_t j = 0; j < count; ++j) {
    const Joint& joint = joints_[stages_[0].joints + j];
    visits[j / inner % width[options_.role]] += joint.visits + joint.follows;
    all += joint.visits + joint.follows;
  }
  const bool sure = !drawn_;
  std::size_t moves = stages_[0].moves;
  for (std::uint32_t r = 0; r < options_.role; ++r) moves += is_player(r) ? width[r] : 0;
  const auto is_ours = [&](std::uint32_t move) {
    return std::binary_search(ours_.begin(), ours_.end(), move);
  };
  const auto first = arms_.begin() + static_cast<std::ptrdiff_t>(moves);
  const bool any = std::any_of(first, first + width[options_.role], is_ours);
  for (std::size_t i = 0; i < width[options_.role]; ++i) {
    if (any && !is_ours(arms_[moves + i])) continue;
    const Range& one = worths_[begin + i];
    const double share = all == 0 ? 0.0 : static_cast<double>(visits[i]) / static_cast<double>(all);
    out.moves.push_back({arms_[moves + i], std::clamp(one.value, one.lower, one.upper), share,
                         visits[i], sure ? one.lower : 0.0, sure ? one.upper : 1.0});
  }
  std::stable_sort(out.moves.begin(), out.moves.end(), [](const MoveValue& a, const MoveValue& b) {
    return a.value != b.value ? a.value > b.value : a.lower > b.lower;
  });
  out.move = out.moves.front().move;
  out.value = out.moves.front().value;
  const Range& mine = range(0, options_.role);
  out.proved = !drawn_ && mine.upper - mine.lower < close;
  for (std::uint32_t r = 0; r < roles_; ++r) out.values.push_back(range(0, r).value);
  out.nodes = nodes_;
  out.simulations = simulations_;
  out.tree_nodes = stages_.size();
  out.bytes = bytes();
  out.depth = depth_;
  out.seconds = watch.seconds();
  out.cpu_seconds = watch.cpu_seconds();
  return out;
}

Decision MacUcbII::think(const Hypotheses& belief, std::span<const std::uint32_t> ours,
                         const Limits& limits, const std::atomic<bool>& stop,
                         const Progress& progress) {
  const Watch watch(limits, stop);
  nodes_ = simulations_ = 0;
  depth_ = 0;
  set_root(belief);
  ours_.assign(ours.begin(), ours.end());
  double told = 0;
  for (Id id = 0; id != nobody; id = follow()) {
    if (!solve(id)) break;
    if (stages_[id].solved) {
      sample(id, watch);
      spread(id);
    }
    if (watch.spent(nodes_, simulations_) >= 1 || stages_[0].settled) break;
    if (progress && watch.seconds() - told > progress_seconds) {
      told = watch.seconds();
      progress(decide(watch));
    }
  }
  if (!stages_[0].solved) throw std::invalid_argument("too many moves, or somebody has none");
  return decide(watch);
}

}  // namespace woodstock
