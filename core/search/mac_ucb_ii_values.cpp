// Sampling the solutions of a stage, and passing values up.

#include <algorithm>
#include <cmath>

#include "search/mac_ucb_ii.h"

namespace woodstock {

namespace {

constexpr std::uint32_t rounds = 4;  // of the samples of a stage
constexpr double doubt = 2;          // samples of the usual result that a stage begins with

}  // namespace

std::size_t MacUcbII::count_joints(Id id) const {
  std::size_t count = 1;
  for (std::uint32_t width : widths(id)) count *= width;
  return count;
}

std::uint32_t MacUcbII::plies_left(Id id) const {
  if (options_.sampling != Sampling::literal || options_.horizon == 0) return options_.max_plies;
  return options_.horizon - std::min(options_.horizon, stages_[id].depth);
}

// By luck and weight: a stage that follows on the joint move and wants samples, and one of its
// hypotheses.
bool MacUcbII::draw_game(std::size_t arm, DistinctGames::Request& request, std::uint32_t& place) {
  const Joint& joint = joints_[arm_joints_[arm]];
  double sum = 0;
  for (Id child = joint.first; child < joint.first + joint.count; ++child) {
    if (wants_samples(child)) sum += stages_[child].weight;
  }
  double luck = draws_.luck() * sum;
  Id drawn = nobody;
  for (Id child = joint.first; child < joint.first + joint.count && luck >= 0; ++child) {
    if (!wants_samples(child)) continue;
    drawn = child;
    luck -= stages_[child].weight;
  }
  if (drawn == nobody) return false;
  const Stage& next = stages_[known(drawn)];
  luck = draws_.luck() * next.weight;
  std::uint32_t h = next.first;
  for (; h + 1 < next.first + next.count && luck >= weights_[h]; ++h) luck -= weights_[h];
  // From there on, so that one of which nothing is left gives way to the next.
  for (std::uint32_t i = 0; i < next.count; ++i) {
    const std::uint32_t at = next.first + (h - next.first + i) % next.count;
    request.state = {states_.data() + at * size_, size_};
    request.key = zobrist_hash(request.state);
    request.plies = plies_left(known(drawn));
    place = known(drawn);
    if (!games_->explored(request.key, request.plies)) return true;
  }
  return false;
}

void MacUcbII::sample_literally(Id id, std::uint32_t count) {
  const Stage& stage = stages_[id];
  if (arms_of_ != id) {
    arms_of_ = id;
    arm_joints_.clear();
    std::vector<LiteralBandit::Arm> arms;
    for (std::size_t j = 0; j < count_joints(id); ++j) {
      const Joint& joint = joints_[stage.joints + j];
      LiteralBandit::Arm arm;
      bool open = false;
      for (Id child = joint.first; child < joint.first + joint.count; ++child) {
        open |= wants_samples(child);
        arm.visits += static_cast<double>(stages_[known(child)].visits);
        arm.sum += sums_[std::size_t{known(child)} * roles_ + options_.role];
      }
      if (!open) continue;
      arms.push_back(arm);
      arm_joints_.push_back(static_cast<std::uint32_t>(stage.joints + j));
    }
    bandit_.restart(std::move(arms));
  }
  const auto draw = [this](std::size_t arm, DistinctGames::Request& request, std::uint32_t& place) {
    return draw_game(arm, request, place);
  };
  const auto counted = [this](std::uint32_t place, const std::uint32_t* goals) {
    utilities_(goals, 1, values_.data());
    ++stages_[place].visits;
    for (std::uint32_t r = 0; r < roles_; ++r) {
      double& sum = sums_[std::size_t{place} * roles_ + r];
      sum += values_[r];
      range(place, r).value = sum / static_cast<double>(stages_[place].visits);
    }
    return values_[options_.role];
  };
  simulations_ += bandit_.sample(count, options_.confidence, *games_, draw, counted, go_on_);
  for (std::size_t arm = 0; arm < bandit_.size(); ++arm) {
    joints_[arm_joints_[arm]].visits = static_cast<std::uint64_t>(bandit_.arm(arm).visits);
  }
}

void MacUcbII::sample(Id id, std::uint32_t samples, const Watch& watch) {
  const Stage stage = stages_[id];
  const std::size_t count = count_joints(id);
  const std::span<Joint> joints(joints_.data() + stage.joints, count);
  if (options_.sampling == Sampling::literal) {
    sample_literally(id, samples);
    if (options_.shrinking) shrink(joints);
    return;
  }
  // What of a joint move is still to be sampled; all of it, unless some belief was met before.
  std::vector<double> open(count);
  for (std::size_t j = 0; j < count; ++j) {
    const Joint& joint = joints[j];
    bool all = joint.count != 0;
    double weight = 0;
    for (Id child = joint.first; child < joint.first + joint.count; ++child) {
      all &= wants_samples(child);
      if (wants_samples(child)) weight += stages_[child].weight;
    }
    open[j] = all ? joint.weight - joint.over : weight;
  }
  if (std::all_of(open.begin(), open.end(), [](double weight) { return !(weight > 0); })) return;
  // UCB1 for who has a choice; where several have, joint moves are tried evenly.
  std::uint32_t choosers = 0;
  std::uint32_t pivot = options_.role;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    if (widths(id)[r] < 2) continue;
    ++choosers;
    pivot = r;
  }
  // In rounds: the means that UCB1 goes by are brought up to date between them.
  const std::size_t batch = samples / rounds + std::size_t{1};
  std::size_t cursor = draws_.below(count);
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
      std::size_t best = cursor;
      double best_index = -1;
      for (std::size_t j = 0; choosers <= 1 && j < count; ++j) {
        if (!(open[j] > 0)) continue;
        const double tries = static_cast<double>(joints[j].visits);
        // Every joint move once before any twice.
        const double index = tries == 0 ? 1e9 : means[j] + std::sqrt(width / tries);
        if (index > best_index) {
          best_index = index;
          best = j;
        }
      }
      if (choosers > 1) {
        while (!(open[cursor] > 0)) cursor = (cursor + 1) % count;
        best = cursor;
        cursor = (cursor + 1) % count;
      }
      Joint& joint = joints[best];
      ++joint.visits;
      // A stage by weight, a hypothesis of it by weight.
      double luck = draws_.luck() * open[best];
      Id child = nobody;
      for (Id at = joint.first; at < joint.first + joint.count; ++at) {
        if (!wants_samples(at)) continue;
        child = known(at);
        if (luck < stages_[at].weight) break;
        luck -= stages_[at].weight;
      }
      const Stage& next = stages_[child];
      luck = draws_.luck() * next.weight;
      std::uint32_t h = next.first;
      for (; h + 1 < next.first + next.count && luck >= weights_[h]; ++h) luck -= weights_[h];
      from_states_.insert(from_states_.end(), states_.data() + h * size_,
                          states_.data() + (h + 1) * size_);
      chosen.push_back(child);
    }
    RolloutOptions options;
    options.seed = draws_.next_batch();
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
    if (options_.shrinking) {
      shrink(joints);
      continue;
    }
    for (const Id child : chosen) {
      for (std::uint32_t r = 0; r < roles_; ++r) {
        range(child, r).value =
            sums_[std::size_t{child} * roles_ + r] / static_cast<double>(stages_[child].visits);
      }
    }
  }
}

// Means of few samples are drawn towards that of their joint move, and those of few samples of a
// joint move towards that of the stage.
void MacUcbII::shrink(std::span<const Joint> joints) {
  const auto add = [&](const Joint& joint, std::uint32_t role, double& sum, double& tries) {
    for (Id child = joint.first; child < joint.first + joint.count; ++child) {
      sum += sums_[std::size_t{known(child)} * roles_ + role];
      tries += static_cast<double>(stages_[known(child)].visits);
    }
  };
  for (std::uint32_t r = 0; r < roles_; ++r) {
    double all = 0;
    double games = 0;
    for (const Joint& joint : joints) add(joint, r, all, games);
    if (games == 0) continue;
    for (const Joint& joint : joints) {
      double sum = 0;
      double tries = 0;
      add(joint, r, sum, tries);
      const double usual = (sum + doubt * all / games) / (tries + doubt);
      for (Id at = joint.first; at < joint.first + joint.count; ++at) {
        if (!wants_samples(at)) continue;  // what is solved is known better
        const Id child = known(at);
        range(child, r).value = (sums_[std::size_t{child} * roles_ + r] + doubt * usual) /
                                (static_cast<double>(stages_[child].visits) + doubt);
      }
    }
  }
}

void MacUcbII::look_at(const Joint& joint, Range* out) const {
  for (std::uint32_t r = 0; r < roles_; ++r) {
    // An expectation: games that end count with their goals, those that go on with the value of
    // their stage.
    const double over = ends_[joint.ends + r];
    out[r] = {over, over, over};
  }
  for (Id child = joint.first; child < joint.first + joint.count; ++child) {
    const double weight = stages_[child].weight;
    for (std::uint32_t r = 0; r < roles_; ++r) {
      const Range& one = range(known(child), r);
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
  // 2 is above every utility: nothing has been seen of the arm yet.
  worths_.assign(begin[roles_], Range{2, 2, 2});
  worth_.assign(begin[roles_], 0);
  std::vector<std::uint64_t> follows(begin[roles_]);
  std::vector<std::uint32_t> at(roles_);
  const std::size_t first = stages_[id].joints;
  for (std::size_t j = first;; ++j) {
    look_at(joints_[j], cell_.data());
    // What no hypothesis allows cannot happen.
    for (std::uint32_t r = 0; joints_[j].weight > 0 && r < roles_; ++r) {
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
  // Arms that no hypothesis allows are never taken.
  for (Range& one : worths_) {
    if (one.value > 1) one = {0, 0, 0};
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
      // Who decides takes none that is proved worse than another: such moves say nothing about what
      // the others get.
      const bool possible = cell_[pivot].upper >= sure - settled_within;
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
    // Sums of weights are rounded: bounds may cross by a hair.
    one.value = std::clamp(one.value, std::min(one.lower, one.upper), one.upper);
    if (is_player(r)) settled &= one.upper - one.lower < settled_within;
  }
  // Also where bounds have not met: stages too wide to solve leave them open for good.
  stage.settled = settled || !has_open_child(id);
}

bool MacUcbII::is_open(const Joint& joint) const {
  for (Id child = joint.first; child < joint.first + joint.count; ++child) {
    if (!stages_[known(child)].settled) return true;
  }
  return false;
}

bool MacUcbII::has_open_child(Id id) const {
  std::size_t count = 1;
  for (std::uint32_t width : widths(id)) count *= width;
  const auto first = joints_.begin() + stages_[id].joints;
  return std::any_of(first, first + static_cast<std::ptrdiff_t>(count),
                     [this](const Joint& joint) { return is_open(joint); });
}

// A stage has one parent, and one more for each of its twins, all of the turn before: what changes
// goes up turn by turn.
void MacUcbII::spread(Id id) {
  std::vector<Id> here{id};
  std::vector<Id> above;
  while (!here.empty()) {
    above.clear();
    for (const Id at : here) {
      update(at);
      if (stages_[at].parent != nobody) above.push_back(known(stages_[at].parent));
      for (Id twin = stages_[at].first_twin; twin != nobody; twin = stages_[twin].next_twin) {
        above.push_back(stages_[twin].parent);
      }
    }
    std::sort(above.begin(), above.end());
    above.erase(std::unique(above.begin(), above.end()), above.end());
    here.swap(above);
  }
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
        const bool known = one.upper - one.lower < settled_within;
        if (width[r] > 1 && known) continue;
        if (best == nobody || worth_[begin + i] > worth_[begin + best]) best = i;
      }
      if (best == nobody) best = draws_.below(width[r]);
      place = place * width[r] + best;
    }
    Joint* joint = &joints_[stages_[id].joints + place];
    // What everybody would do leads to nothing new: some other joint move, by luck.
    if (!is_open(*joint)) {
      std::size_t count = 1;
      for (std::uint32_t one : width) count *= one;
      const std::size_t offset = draws_.below(count);
      bool found = false;
      for (std::size_t j = 0; j < count && !found; ++j) {
        joint = &joints_[stages_[id].joints + (offset + j) % count];
        found = is_open(*joint);
      }
      if (!found) return nobody;  // not met: who has no open child is settled
    }
    ++joint->follows;
    // By weight, among those that are open.
    double weight = 0;
    for (Id child = joint->first; child < joint->first + joint->count; ++child) {
      if (!stages_[known(child)].settled) weight += stages_[child].weight;
    }
    double luck = draws_.luck() * weight;
    Id next = nobody;
    for (Id child = joint->first; child < joint->first + joint->count; ++child) {
      if (stages_[known(child)].settled) continue;
      next = known(child);
      luck -= stages_[child].weight;
      if (luck < 0) break;
    }
    id = next;
  }
  return id;
}

}  // namespace woodstock
