#include "search/information_search.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "search/bandit.h"
#include "search/decider.h"
#include "search/regret.h"
#include "util/random.h"

namespace woodstock {

namespace {

constexpr std::uint32_t longest_path = 512;
constexpr double progress_seconds = 0.1;
constexpr std::uint32_t first_width = 64;  // lanes

InformationTreeOptions tree_options(const Circuit& circuit,
                                    const InformationSearchOptions& options) {
  // The playout policy is a tree of sets as well, and has a quarter of the memory.
  const std::size_t policy = options.known_fluents.empty() ? 0 : options.memory / 4;
  return {circuit.moves(), options.choice == Choice::regret, options.memory - policy};
}

}  // namespace

InformationSearch::InformationSearch(std::shared_ptr<Simulator> simulator,
                                     const InformationSearchOptions& options)
    : simulator_(std::move(simulator)),
      options_(options),
      roles_(simulator_->circuit().roles()),
      players_(roles_ - (options.chance < roles_ ? 1 : 0)),
      longest_(options.max_depth == 0 ? longest_path : options.max_depth),
      utilities_(simulator_->circuit(), options.concept_, options.role, options.chance),
      tree_(tree_options(simulator_->circuit(), options)),
      policy_({simulator_->circuit().moves(), false, options.memory / 4}),
      // By a policy every simulation goes on to the end as one game: there is nothing to play in
      // bulk.
      weight_(options.known_fluents.empty() ? options.playouts : 1),
      draws_(options.seed),
      totals_(roles_),
      values_(roles_),
      other_(roles_) {
  options.check();
  options.check_player(roles_);
  if (!options.known_fluents.empty() &&
      options.known_fluents.size() != roles_ * simulator_->circuit().state_size()) {
    throw std::invalid_argument("what is known needs a state for each role");
  }
  if (options.risk_exponent != 1 && players_ > 1) {
    throw std::invalid_argument("risk_exponent is 1 for who does not play alone");
  }
}

std::uint64_t InformationSearch::key_of(std::uint32_t role, std::uint64_t memory) const noexcept {
  return scatter(memory + (role + 1) * golden_gamma);
}

std::uint64_t InformationSearch::set_of(std::uint32_t lane, std::uint32_t role,
                                        const Visits& visits) const noexcept {
  // Who sees everything tells states apart by themselves.
  if (role != options_.role && options_.others == Others::everything) {
    return key_of(role, visits.keys[lanes_[lane].place]);
  }
  return key_of(role, lane_memories_[std::size_t{lane} * roles_ + role]);
}

// The belief

void InformationSearch::set_root(const Hypotheses& belief, std::span<const std::uint32_t> ours) {
  if (belief.size() == 0 || belief.memories.size() != belief.size() * roles_ ||
      belief.states.size() != belief.size() * simulator_->circuit().state_size()) {
    throw std::invalid_argument("no hypotheses to think about");
  }
  const std::size_t size = simulator_->circuit().state_size();
  simulator_->visit(belief.states, {}, roots_, {.legal = false});
  sums_.clear();
  belief_ = &belief;
  double sum = 0;
  double most = -1;
  std::size_t likeliest = 0;
  for (std::size_t h = 0; h < belief.size(); ++h) {
    if (roots_.terminal[h] == 0) {
      sum += belief.weights[h];
      // Moves are looked up in the likeliest state, should the caller not know them.
      if (belief.weights[h] > most) {
        most = belief.weights[h];
        likeliest = h;
      }
    }
    sums_.push_back(sum);
  }
  if (!(sum > 0)) throw std::invalid_argument("the game is over");
  simulator_->visit({belief.states.data() + likeliest * size, size}, {}, roots_);
  const std::uint32_t* begin = roots_.legal_begin.data();
  for (std::uint32_t r = 0; r < roles_; ++r) {
    if (begin[r] == begin[r + 1]) throw std::invalid_argument("somebody has no move");
  }
  const std::span<const std::uint32_t> legal(roots_.legal.data() + begin[options_.role],
                                             begin[options_.role + 1] - begin[options_.role]);
  if (ours.empty()) ours = legal;
  ours_.assign(ours.begin(), ours.end());
  // There is no telling which sets can still be met: memories are hashed. So all go, or none.
  if (2 * tree_.bytes() > options_.memory) tree_.clear();
  if (8 * policy_.bytes() > options_.memory) policy_.clear();
  const std::uint64_t key = key_of(options_.role, belief.memories[options_.role]);
  root_ = tree_.find(key);
  if (root_ == no_node) {
    root_ = tree_.add(key, options_.role, ours_);
    ++nodes_;
  }
  tree_.allow(root_, ours_, allowed_);
  // One that was only met on the way has no visits to be chosen by.
  tree_.at(root_).visits = std::max(1U, tree_.at(root_).visits);
}

// A pass

bool InformationSearch::choose(std::uint32_t number, const Visits& visits) {
  Lane& lane = lanes_[number];
  const std::uint32_t* begin = visits.legal_begin.data() + std::size_t{lane.place} * roles_;
  // Ends of the way: the game is over, it has gone on for too long, or somebody is stuck.
  if (visits.terminal[lane.place] != 0 || lane.depth >= longest_) return false;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    if (begin[r] == begin[r + 1]) return false;
  }
  if (lane.free) {
    play_on(number, visits);
    return true;
  }
  // Who has a choice: a set that nobody has chosen in yet is a leaf for all.
  bool fresh = false;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    if (r == options_.chance || begin[r + 1] - begin[r] < 2) continue;
    const std::span<const std::uint32_t> legal(visits.legal.data() + begin[r],
                                               begin[r + 1] - begin[r]);
    const std::uint64_t key = set_of(number, r, visits);
    NodeId id = tree_.find(key);
    if (id == no_node && tree_.has_room(legal.size())) {
      id = tree_.add(key, r, legal);
      ++nodes_;
    }
    if (id == no_node || tree_.at(id).visits == 0) {
      if (!fresh) lane.leaf = static_cast<std::uint32_t>(leaves_.size());
      fresh = true;
      if (id != no_node) leaves_.push_back(id);
    }
  }
  if (fresh) {
    leaves_.push_back(no_node);
    // Without a policy the rest is played at random, in bulk.
    if (options_.known_fluents.empty()) return false;
    lane.free = true;
    play_on(number, visits);
    return true;
  }
  const std::uint32_t before = lane.last;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    const std::span<const std::uint32_t> legal(visits.legal.data() + begin[r],
                                               begin[r + 1] - begin[r]);
    if (legal.size() == 1) {
      moves_.push_back(legal[0]);
      continue;
    }
    if (r == options_.chance) {
      moves_.push_back(legal[draws_.below(legal.size())]);
      continue;
    }
    const NodeId id = tree_.find(set_of(number, r, visits));
    // The legal moves of this state, which may not be all arms of the set.
    bool all = tree_.allow(id, legal, allowed_);
    const std::span<Arm> arms = tree_.arms(id);
    if (id == root_) all = keep_ours(arms, all);
    DrawnArm drawn{no_arm, 1};
    if (options_.choice == Choice::regret) {
      // Only who learns tries everything; the others play their strategies, which make the average.
      const bool learns = lane.learner == r;
      drawn = draw_by_regret(
          tree_.regrets(id), [&](std::uint32_t i) { return all || allowed_[i] != 0; },
          {.mixing = learns ? options_.mixing : 0.0, .average = !learns}, draws_.luck());
    } else if (id == root_ && halving_.on() && all) {
      // Only where all are legal: halving shares out simulations by arms, whatever the state.
      drawn.arm = halving_.choose(arms);
    } else {
      // Those who choose at the same time do not know of each other.
      Lane earlier = lane;
      earlier.last = before;
      const NodeId policy =
          options_.known_fluents.empty() ? no_node : policy_.find(context_of(number, r, visits));
      drawn.arm = choose_arm(id, all, reference_of(earlier, r, id), policy);
    }
    if (drawn.arm == no_arm) {
      // There was no room for the moves that are legal here.
      moves_.push_back(legal[draws_.below(legal.size())]);
      continue;
    }
    moves_.push_back(arms[drawn.arm].move);
    arms[drawn.arm].pending += weight_;
    tree_.at(id).pending += weight_;
    steps_.push_back({id, drawn.arm, r, lane.last, static_cast<float>(drawn.probability), false});
    lane.last = static_cast<std::uint32_t>(steps_.size() - 1);
  }
  ++lane.depth;
  depth_ = std::max(depth_, lane.depth);
  return true;
}

void InformationSearch::start_lanes() {
  const std::size_t size = simulator_->circuit().state_size();
  lanes_.assign(width_, Lane{});
  lane_memories_.resize(lanes_.size() * roles_);
  lane_seen_.assign(lanes_.size() * roles_, 0);
  steps_.clear();
  leaves_.clear();
  leaf_states_.clear();
  ends_.clear();
  moving_.clear();
  moves_.clear();
  states_.clear();
  ++passes_;
  // Each lane is a determinization; every hypothesis gets its share of them.
  draw_evenly(sums_, lanes_.size(), draws_.luck(), [&](std::size_t lane, std::size_t h) {
    const auto i = static_cast<std::uint32_t>(lane);
    lanes_[i].place = i;
    // By turns; in the turn of chance, or of nobody, all play their strategies.
    lanes_[i].learner = static_cast<std::uint32_t>((passes_ + i) % std::max(2U, roles_));
    if (lanes_[i].learner == options_.chance || lanes_[i].learner >= roles_) {
      lanes_[i].learner = nothing;
    }
    for (std::uint32_t r = 0; r < roles_; ++r) {
      // We know what we remember; and who is not to know more than what comes next has nothing.
      const bool own = r == options_.role || options_.others == Others::next;
      lane_memories_[std::size_t{i} * roles_ + r] =
          own ? belief_->memories[options_.role] : belief_->memories[h * roles_ + r];
    }
    const std::uint8_t* state = belief_->states.data() + h * size;
    states_.insert(states_.end(), state, state + size);
    moving_.push_back(i);
  });
}

void InformationSearch::move_lanes(const Visits& visits) {
  const std::size_t size = simulator_->circuit().state_size();
  moves_.clear();
  states_.clear();
  std::size_t kept = 0;
  for (std::size_t k = 0; k < moving_.size(); ++k) {
    Lane& lane = lanes_[moving_[k]];
    const std::uint8_t* state = visits.states.data() + k * size;
    if (choose(moving_[k], visits)) {
      states_.insert(states_.end(), state, state + size);
      moving_[kept++] = moving_[k];
    } else if (visits.terminal[lane.place] != 0) {
      // What the end is worth: kept beside the playouts.
      const std::uint32_t* goals = visits.goals.data() + std::size_t{lane.place} * roles_;
      lane.place = static_cast<std::uint32_t>(ends_.size());
      ends_.insert(ends_.end(), goals, goals + roles_);
    } else {
      lane.rollout = static_cast<std::uint32_t>(leaf_states_.size() / size);
      leaf_states_.insert(leaf_states_.end(), state, state + size);
    }
  }
  moving_.resize(kept);
}

// What everybody has done and perceived is all that tells sets apart.
void InformationSearch::remember_turn() {
  for (std::size_t k = 0; k < moving_.size(); ++k) {
    const std::size_t lane = std::size_t{moving_[k]} * roles_;
    for (std::uint32_t r = 0; r < roles_; ++r) {
      const std::uint64_t seen = visits_.seen[k * roles_ + r];
      lane_memories_[lane + r] = remember(lane_memories_[lane + r], moves_[k * roles_ + r], seen);
      lane_seen_[lane + r] = seen;
    }
    lanes_[moving_[k]].place = static_cast<std::uint32_t>(k);
  }
}

bool InformationSearch::pass(const Watch& watch) {
  start_lanes();
  simulator_->visit(states_, {}, roots_);
  move_lanes(roots_);
  while (!moving_.empty()) {
    simulator_->visit(states_, moves_, visits_, {.percepts = true});
    remember_turn();
    move_lanes(visits_);
    if (watch.out_of_time()) {
      call_off();
      return false;
    }
  }
  try {
    play_out(watch);
  } catch (const Interrupted&) {
    call_off();
    return false;
  }
  for (const Lane& lane : lanes_) back_up(lane);
  return true;
}

void InformationSearch::call_off() {
  for (const Step& step : steps_) {
    tree_of(step).at(step.set).pending -= weight_;
    tree_of(step).arms(step.set)[step.arm].pending -= weight_;
  }
}

void InformationSearch::play_out(const Watch& watch) {
  if (leaf_states_.empty()) return;
  RolloutOptions options;
  options.seed = draws_.next_batch();
  options.max_plies = options_.max_plies;
  options.batch = options_.leaves * weight_;
  options.trace = options_.choice == Choice::grave;
  options.go_on = [&watch] { return !watch.out_of_time(); };
  simulator_->rollouts(leaf_states_, weight_, options, rollouts_);
}

void InformationSearch::back_up(const Lane& lane) {
  const std::uint32_t weight = weight_;
  if (lane.rollout == nothing) {
    utilities_(ends_.data() + lane.place, 1, values_.data());
  } else {
    utilities_(rollouts_.goals.data() + std::size_t{lane.rollout} * roles_, weight, values_.data());
  }
  for (std::uint32_t r = 0; r < roles_; ++r) totals_[r] += weight * values_[r];
  // As it is told: without the risk exponent, which is only for choosing.
  const double worth = values_[options_.role];
  if (options_.risk_exponent != 1) {
    for (double& value : values_) value = std::pow(value, options_.risk_exponent);
  }
  simulations_ += weight;
  // Sets that nobody had chosen in before get their first visit, and are no leaves any more.
  if (lane.leaf != nothing) {
    for (std::uint32_t i = lane.leaf; leaves_[i] != no_node; ++i) {
      InformationSet& set = tree_.at(leaves_[i]);
      set.visits += weight;
      set.sum += weight * values_[set.role];
    }
  }
  if (options_.choice == Choice::grave) count_moves(lane);
  // Before visits change: a baseline must not know the outcome that it is held against.
  if (options_.choice == Choice::regret) learn(lane);
  for (std::uint32_t s = lane.last; s != nothing; s = steps_[s].next) {
    const Step& step = steps_[s];
    InformationSet& set = tree_of(step).at(step.set);
    Arm& arm = tree_of(step).arms(step.set)[step.arm];
    if (step.set == root_ && !step.beyond) {
      worth_.resize(std::max<std::size_t>(worth_.size(), step.arm + 1));
      worth_[step.arm].games += weight;
      worth_[step.arm].sum += weight * worth;
    }
    set.visits += weight;
    set.pending -= weight;
    set.sum += weight * values_[step.role];
    arm.visits += weight;
    arm.pending -= weight;
    arm.sum += weight * values_[step.role];
  }
}

void InformationSearch::learn(const Lane& lane) {
  if (lane.learner == nothing) return;
  // What the game is worth to the learner if it goes on by its strategy: what came out, set right
  // for moves that it would not have made.
  double value = values_[lane.learner];
  for (std::uint32_t s = lane.last; s != nothing; s = steps_[s].next) {
    const Step& step = steps_[s];
    if (step.role != lane.learner || step.beyond) continue;
    const InformationSet& set = tree_.at(step.set);
    value = learn_with_baselines(tree_.regrets(step.set), tree_.arms(step.set),
                                 mean_of(set.sum, set.visits), step.arm, step.probability, value);
  }
}

void InformationSearch::count_moves(const Lane& lane) {
  const auto& move_role = simulator_->circuit().role_table().move_role;
  const auto games = static_cast<float>(weight_);
  for (std::uint32_t s = lane.last; s != nothing; s = steps_[s].next) {
    // Choices by policy belong to no tree of sets.
    if (steps_[s].beyond) continue;
    const std::uint32_t role = steps_[s].role;
    const NodeId id = steps_[s].set;
    Amaf* table = tree_.amaf(id);
    if (table == nullptr) {
      if (!earns_amaf(tree_.at(id).visits, options_.reference) && id != root_) continue;
      table = tree_.make_amaf(id);
      if (table == nullptr) continue;
    }
    for (std::uint32_t below = lane.last;; below = steps_[below].next) {
      // A table is one role's: it knows its own moves below the set.
      if (steps_[below].role == role) {
        const Arm& arm = tree_of(steps_[below]).arms(steps_[below].set)[steps_[below].arm];
        table[arm.move].games += games;
        table[arm.move].sum += games * static_cast<float>(values_[role]);
      }
      if (below == s) break;
    }
    if (lane.rollout == nothing) continue;
    for (std::uint32_t i = rollouts_.played_begin[lane.rollout];
         i < rollouts_.played_begin[lane.rollout + 1]; ++i) {
      const Played& played = rollouts_.played[i];
      if (move_role[played.move] != role) continue;
      utilities_(rollouts_.played_goals.data() + std::size_t{i} * roles_, played.games,
                 other_.data());
      table[played.move].games += static_cast<float>(played.games);
      table[played.move].sum += static_cast<float>(played.games * other_[role]);
    }
  }
}

// The whole

void InformationSearch::draw_move(Decision& decision, double luck) {
  const std::span<const Arm> arms = tree_.arms(root_);
  std::vector<double> shares(arms.size());
  for (std::uint32_t i = 0; i < arms.size(); ++i) {
    const bool ours = std::binary_search(ours_.begin(), ours_.end(), arms[i].move);
    // Moves of hypotheses that we know to be wrong cannot be answered.
    if (!ours) continue;
    shares[i] = options_.choice == Choice::regret
                    ? static_cast<double>(tree_.regrets(root_)[i].strategy)
                    : arms[i].visits;
  }
  const std::uint32_t drawn = draw_by_share(shares, luck);
  if (drawn == no_arm) return;
  decision.move = arms[drawn].move;
  tell_shares(decision, arms, shares);
}

Decision InformationSearch::decide(const Watch& watch, double luck) {
  Decision out;
  const std::span<const Arm> arms = tree_.arms(root_);
  for (std::uint32_t r = 0; r < roles_; ++r) {
    out.values.push_back(simulations_ == 0 ? 0.5 : totals_[r] / static_cast<double>(simulations_));
  }
  std::uint64_t all = 0;
  for (const Arm& arm : arms) all += arm.visits;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    const Arm& arm = arms[i];
    if (!std::binary_search(ours_.begin(), ours_.end(), arm.move)) continue;
    double value = out.values[options_.role];
    // With a risk exponent the arms hold what choosing needs; what came out is kept beside them.
    if (options_.risk_exponent == 1) {
      if (arm.visits != 0) value = arm.sum / arm.visits;
    } else if (i < worth_.size() && worth_[i].games > 0) {
      value = worth_[i].sum / worth_[i].games;
    }
    const double share =
        all == 0 ? 0.0 : static_cast<double>(arm.visits) / static_cast<double>(all);
    out.moves.push_back({arm.move, value, share, arm.visits, 0, 1});
  }
  // With halving, those that are left have about the same number of visits.
  const auto left = [&](std::uint32_t move) {
    if (!halving_.on()) return true;
    return std::ranges::any_of(halving_.alive(),
                               [&](std::uint32_t arm) { return arms[arm].move == move; });
  };
  const auto better = [&](const MoveValue& a, const MoveValue& b) {
    if (halving_.on()) {
      if (left(a.move) != left(b.move)) return left(a.move);
      if (left(a.move)) return a.value > b.value;
    }
    return a.visits != b.visits ? a.visits > b.visits : a.value > b.value;
  };
  std::stable_sort(out.moves.begin(), out.moves.end(), better);
  out.move = out.moves.front().move;
  if (options_.mixed) draw_move(out, luck);
  std::stable_partition(out.moves.begin(), out.moves.end(),
                        [&](const MoveValue& one) { return one.move == out.move; });
  out.value = out.moves.front().value;
  out.nodes = nodes_;
  out.simulations = simulations_;
  out.tree_nodes = tree_.size();
  out.bytes = tree_.bytes() + policy_.bytes();
  out.depth = depth_;
  out.seconds = watch.seconds();
  out.cpu_seconds = watch.cpu_seconds();
  return out;
}

Decision InformationSearch::think(const Hypotheses& belief, std::span<const std::uint32_t> ours,
                                  const Limits& limits, const std::atomic<bool>& stop,
                                  const Progress& progress) {
  const Watch watch(limits, stop);
  nodes_ = simulations_ = 0;
  depth_ = 0;
  std::fill(totals_.begin(), totals_.end(), 0.0);
  worth_.clear();
  set_root(belief, ours);
  halving_.end();
  if (options_.halving) halving_.start(tree_.arms(root_), weight_);
  const double luck = draws_.luck();
  double told = 0;
  // Few at first: a pass that has to be called off leaves nothing.
  width_ = std::min(options_.leaves, first_width);
  while (pass(watch)) {
    width_ = std::min(options_.leaves, 2 * width_);
    const double spent = watch.spent(nodes_, simulations_);
    if (spent >= 1) break;
    if (halving_.on()) halving_.advance(tree_.arms(root_), spent);
    if (progress && watch.seconds() - told > progress_seconds) {
      told = watch.seconds();
      progress(decide(watch, luck));
    }
  }
  return decide(watch, luck);
}

}  // namespace woodstock
