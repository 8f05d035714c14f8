#include "search/mac_ucb_ii.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace woodstock {

namespace {

constexpr double progress_seconds = 0.1;
constexpr double most_joints = 65'536;  // of the players, in a stage
constexpr std::uint32_t slice = 512;    // of samples, where solving and sampling share the time

}  // namespace

MacUcbII::MacUcbII(std::shared_ptr<Simulator> simulator, const MacUcbIIOptions& options,
                   std::shared_ptr<StageSolver> stages)
    : simulator_(std::move(simulator)),
      options_(options),
      roles_(simulator_->circuit().roles()),
      size_(simulator_->circuit().state_size()),
      utilities_(simulator_->circuit(), options.concept_, options.role, options.chance),
      draws_(options.seed),
      solver_(std::move(stages)),
      legal_(roles_),
      cell_(roles_),
      best_(roles_),
      values_(roles_) {
  options.check();
  options.check_player(roles_);
  if (options.sampling == Sampling::literal) {
    games_.emplace(simulator_, options.seed, options.memory / 4);
  }
}

void MacUcbII::use(std::shared_ptr<const symmetry::Quotient> quotient) {
  const Circuit& circuit = simulator_->circuit();
  if (quotient &&
      (quotient->fluents() != circuit.fluents() || quotient->moves() != circuit.moves())) {
    throw std::invalid_argument("symmetries of another game");
  }
  quotient_ = std::move(quotient);
}

std::size_t MacUcbII::bytes() const noexcept {
  return stages_.size() * sizeof(Stage) + ranges_.size() * sizeof(Range) +
         (sums_.size() + ends_.size() + weights_.size()) * sizeof(double) +
         joints_.size() * sizeof(Joint) + (arms_.size() + widths_.size()) * sizeof(std::uint32_t) +
         states_.size();
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
  beliefs_.clear();
  twins_ = 0;
  open_ = {};
  unsampled_.clear();
  arms_of_ = nobody;
  // By the product of halves, what can be is all alike.
  const bool halves = options_.belief == Likelihood::halves;
  const auto weight_of = [&](std::size_t h) {
    return halves && belief.weights[h] > 0 ? 1.0 : belief.weights[h];
  };
  if (belief.size() == 0 || belief.states.size() != belief.size() * size_) {
    throw std::invalid_argument("no hypotheses to think about");
  }
  // Games that are over need no answer: what is left is what we think about.
  simulator_->visit(belief.states, {}, visits_, {.legal = false});
  std::vector<double> sums;
  double sum = 0;
  std::size_t open = 0;
  for (std::size_t h = 0; h < belief.size(); ++h) {
    if (visits_.terminal[h] == 0) {
      sum += weight_of(h);
      ++open;
    }
    sums.push_back(sum);
  }
  if (!(sum > 0)) throw std::invalid_argument("the game is over");
  const bool sampled = open > options_.hypotheses;
  // Nothing is proved by weights that are not those of the game.
  drawn_ = sampled || (halves && open > 1);
  const auto add = [&](std::size_t h, double weight) {
    states_.insert(states_.end(), belief.states.data() + h * size_,
                   belief.states.data() + (h + 1) * size_);
    weights_.push_back(weight / sum);
  };
  if (sampled) {
    // A sample of a symmetric belief is to be symmetric: with a state come its images.
    const std::vector<Element> keep = symmetries_of(belief, sums);
    const std::size_t draws = std::max<std::size_t>(1, options_.hypotheses / keep.size());
    const double weight = sum / static_cast<double>(draws * keep.size());
    draw_evenly(sums, draws, draws_.luck(), [&](std::size_t, std::size_t h) {
      for (const Element by : keep) {
        add(h, weight);
        if (by != 0) quotient_->apply(by, std::span(states_).last(size_));
      }
    });
  } else {
    // Those that add nothing to the sum are over, or of no weight.
    for (std::size_t h = 0; h < belief.size(); ++h) {
      if (sums[h] > (h == 0 ? 0 : sums[h - 1])) add(h, weight_of(h));
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

void MacUcbII::solve(Id id) {
  const Stage stage = stages_[id];
  simulator_->visit({states_.data() + stage.first * size_, stage.count * size_}, {}, visits_);
  for (auto& moves : legal_) moves.clear();
  // A player has the moves of all hypotheses: it does not know which of them is true.
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
  if (players > most_joints || players == 0 || (options_.chance < roles_ && chances == 0)) {
    return;  // too many moves, or somebody has none
  }
  // Too much is made less: first the moves of chance, then the hypotheses.
  const double budget = std::max(1.0, static_cast<double>(options_.successors) / players);
  std::uint64_t draws = std::max<std::uint64_t>(1, chances);
  std::vector<std::uint32_t> kept(stage.count);
  std::iota(kept.begin(), kept.end(), 0U);
  if (static_cast<double>(draws) * stage.count > budget) {
    drawn_ = true;
    // At least four draws of chance to a hypothesis, or what chance can do to it would not be seen.
    const double most = std::max(1.0, budget / std::min<double>(static_cast<double>(draws), 4));
    if (stage.count > most) {
      // Systematic sampling: heavy hypotheses come several times, light ones by luck.
      const double step = stage.weight / std::floor(most);
      double at = draws_.luck() * step;
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
  if (expand(id, kept, draws)) make_children(id);
}

bool MacUcbII::expand(Id id, std::span<const std::uint32_t> kept, std::uint64_t draws) {
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
    // Drawn by weight, those that are kept weigh the same.
    const double weight =
        fewer ? stage.weight / static_cast<double>(kept.size()) : weights_[stage.first + h];
    const std::uint64_t chances =
        options_.chance < roles_ ? begin[options_.chance + 1] - begin[options_.chance] : 1;
    const std::uint64_t each = std::min(draws, chances);
    const std::uint64_t offset = each < chances ? draws_.below(chances) : 0;
    std::fill(at.begin(), at.end(), 0U);
    for (std::uint32_t joint = 0;; ++joint) {
      // A joint move that this hypothesis does not allow has no successor here; it keeps its
      // number.
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
  // Where the tables have taken all the time, the circuit still knows what our moves lead to.
  return solver_ == nullptr || solve_by_tables() || id == 0;
}

// What the moves lead to is then what the network of each hypothesis says; it does not know what is
// perceived.
bool MacUcbII::solve_by_tables() {
  const std::size_t count = from_joint_.size();
  for (std::size_t i = 0, next = 0; i < count; i = next) {
    const std::span<const std::uint8_t> state(from_states_.data() + i * size_, size_);
    // The moves of a hypothesis come one after the other.
    for (next = i + 1; next < count; ++next) {
      if (!std::ranges::equal(state, std::span(from_states_.data() + next * size_, size_))) break;
    }
    solver_->open(state, begin_, moves_);
    if (!solver_->solve({begin_, moves_}, options_.successors * std::uint64_t{64}, offspring_)) {
      return false;
    }
    for (std::size_t k = i; k < next; ++k) {
      std::uint64_t joint = 0;
      for (std::uint32_t r = 0; r < roles_; ++r) {
        const auto from = moves_.begin() + begin_[r];
        const auto to = moves_.begin() + begin_[r + 1];
        const auto at = std::lower_bound(from, to, from_moves_[k * roles_ + r]);
        joint =
            joint * static_cast<std::uint64_t>(to - from) + static_cast<std::uint64_t>(at - from);
      }
      std::copy_n(offspring_.states.begin() + static_cast<std::ptrdiff_t>(joint * size_), size_,
                  after_.states.begin() + static_cast<std::ptrdiff_t>(k * size_));
      after_.keys[k] = offspring_.keys[joint];
      if (offspring_.over[joint] == 0) {
        after_.terminal[k] = 0;
        continue;
      }
      // Where somebody has no move the game is not over by the rules: the circuit tells.
      if (after_.terminal[k] == 0) continue;
      std::copy_n(offspring_.goals.begin() + static_cast<std::ptrdiff_t>(joint * roles_), roles_,
                  after_.goals.begin() + static_cast<std::ptrdiff_t>(k * roles_));
    }
  }
  return true;
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
  // Joint moves in mixed radix, as in a tree: the last role's moves change first.
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
    // What we perceive parts the successors; the others are taken to know what we do.
    const std::uint64_t seen = after_.seen[std::size_t{i} * roles_ + options_.role];
    next_.push_back({from_joint_[i], seen, i, from_weight_[i]});
  }
  const auto state = [&](const Next& one) {
    return std::span(after_.states).subspan(one.place * size_, size_);
  };
  // Sorted, so that what belongs to a stage lies together, and equal states beside each other. By
  // place at last: the order, and so all that follows, is the same every time.
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
    // The same joint move and the same percepts: the same stage.
    const bool alike = i > 0 && next_[i - 1].joint == one.joint && next_[i - 1].seen == one.seen;
    if (!alike) {
      if (quotient_ && i > 0) find_twin(static_cast<Id>(stages_.size() - 1));
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
  if (quotient_ && !next_.empty()) find_twin(static_cast<Id>(stages_.size() - 1));
  const Id before = static_cast<Id>(ranges_.size() / roles_);
  ranges_.resize(stages_.size() * roles_);
  sums_.resize(stages_.size() * roles_);
  for (Id child = before; child < stages_.size(); ++child) {
    for (std::uint32_t r = 0; r < roles_; ++r) {
      // Until it is sampled, a stage is taken to be worth what its predecessor is.
      range(child, r).value = range(id, r).value;
      if (plies_left(child) == 0) range(child, r).value = 0;
    }
    // Beyond the horizon nobody gets anything; that is no proof of what the game is worth.
    if (plies_left(child) > 0) continue;
    stages_[child].settled = true;
    drawn_ = true;
  }
  depth_ = std::max(depth_, depth);
}

// Beliefs are compared by a hash of their states and weights, which does not depend on the order:
// hashes_ gets what each symmetry makes of it.
void MacUcbII::hash_belief(std::span<const std::uint8_t> states, std::span<const double> weights,
                           double sum, std::uint64_t seed) {
  hashes_.assign(quotient_->size(), seed);
  for (std::size_t h = 0; h < weights.size(); ++h) {
    if (!(weights[h] > 0)) continue;
    const auto state = states.subspan(h * size_, size_);
    folded_.assign(state.begin(), state.end());
    quotient_->fold(folded_, image_);
    // Sums of weights are rounded.
    const auto weight = static_cast<std::uint64_t>(std::llround(weights[h] / sum * 1e9));
    for (std::size_t e = 0; e < hashes_.size(); ++e) {
      hashes_[e] += scatter(image_.hashes[e] + golden_gamma * (weight + 1));
    }
  }
}

// Those that take what is open of a belief to itself, weights and all; sums are those of its
// weights.
std::vector<MacUcbII::Element> MacUcbII::symmetries_of(const Hypotheses& belief,
                                                       std::span<const double> sums) {
  std::vector<Element> out{0};
  if (!quotient_ || quotient_->size() == 1) return out;
  std::vector<double> weights;
  for (std::size_t h = 0; h < sums.size(); ++h) {
    weights.push_back(sums[h] - (h == 0 ? 0 : sums[h - 1]));
  }
  hash_belief(belief.states, weights, sums.back(), 0);
  for (std::size_t e = 1; e < hashes_.size(); ++e) {
    if (hashes_[e] == hashes_[0]) out.push_back(static_cast<Element>(e));
  }
  return out;
}

// The stage made last is the twin of another where the smallest hash is the same.
void MacUcbII::find_twin(Id id) {
  Stage& stage = stages_[id];
  hash_belief(std::span(states_).subspan(stage.first * size_),
              std::span(weights_).subspan(stage.first), stage.weight,
              scatter(stage.depth + golden_gamma * stage.count));
  const std::uint64_t key = *std::min_element(hashes_.begin(), hashes_.end());
  const auto [found, fresh] = beliefs_.emplace(key, id);
  if (fresh) return;
  ++twins_;
  stage.twin = found->second;
  stage.next_twin = stages_[stage.twin].first_twin;
  stages_[stage.twin].first_twin = id;
  // Its hypotheses are needed no more.
  states_.resize(stage.first * size_);
  weights_.resize(stage.first);
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
  // Bounds from a sample of what may happen prove nothing.
  const bool sure = !drawn_;
  std::size_t moves = stages_[0].moves;
  for (std::uint32_t r = 0; r < options_.role; ++r) moves += is_player(r) ? width[r] : 0;
  const auto is_ours = [&](std::uint32_t move) {
    return std::binary_search(ours_.begin(), ours_.end(), move);
  };
  const auto first = arms_.begin() + static_cast<std::ptrdiff_t>(moves);
  // Hypotheses that were drawn may allow none of our legal moves; then all of theirs are told, for
  // some answer is better than none.
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
  out.proved = !drawn_ && mine.upper - mine.lower < settled_within;
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

MacUcbII::Id MacUcbII::next_open() {
  if (!stages_[0].solved) return stages_[0].settled ? nobody : 0;
  if (options_.order == StageOrder::principal) return follow();
  while (!open_.empty()) {
    const Id id = open_.top().id;
    open_.pop();
    if (!stages_[id].solved && !stages_[id].settled) return id;
  }
  return nobody;
}

// Entries are never moved when priorities change; stale ones are passed over.
void MacUcbII::put_children(Id id) {
  if (options_.order == StageOrder::principal) return;
  for (std::size_t j = 0; j < count_joints(id); ++j) {
    const Joint& joint = joints_[stages_[id].joints + j];
    for (Id child = joint.first; child < joint.first + joint.count; ++child) {
      if (stages_[child].twin != nobody || !wants_samples(child)) continue;
      const double priority = options_.order == StageOrder::utility
                                  ? range(child, options_.role).value
                                  : -static_cast<double>(stages_[child].depth);
      open_.push({priority, open_age_++, child});
    }
  }
}

// The stage that was next, or nobody when there is none or no room for it. It may be too wide.
MacUcbII::Id MacUcbII::solve_next() {
  const Id id = next_open();
  // The next stage may need as much again.
  if (id == nobody || (id != 0 && bytes() > options_.memory / 2)) return nobody;
  solve(id);
  if (!stages_[id].solved) {
    // It is worth what the samples say.
    stages_[id].settled = true;
    for (Id twin = id; twin != nobody;
         twin = twin == id ? stages_[id].first_twin : stages_[twin].next_twin) {
      if (stages_[twin].parent != nobody) spread(stages_[twin].parent);
    }
  }
  return id;
}

bool MacUcbII::step(const Watch& watch) {
  if (!shares_time_) {
    const Id id = solve_next();
    if (id == nobody) return false;
    if (!stages_[id].solved) return true;
    sample(id, options_.samples, watch);
    put_children(id);
    spread(id);
    return true;
  }
  const double before = watch.cpu_seconds();
  // Solving and sampling each go on while the other has had its share.
  if (!stages_[0].solved || solving_seconds_ * (1 - options_.solving_share) <=
                                sampling_seconds_ * options_.solving_share) {
    const Id id = solve_next();
    if (id == nobody) return false;
    if (stages_[id].solved) {
      put_children(id);
      spread(id);
      unsampled_.push_back({id, options_.samples});
    }
    solving_seconds_ += watch.cpu_seconds() - before;
    return true;
  }
  if (unsampled_.empty()) unsampled_.push_back({0, options_.samples});
  Unsampled& next = unsampled_.front();
  const std::uint32_t now = std::min(next.left, slice);
  const std::uint64_t played = simulations_;
  sample(next.id, now, watch);
  put_children(next.id);
  spread(next.id);
  next.left -= now;
  if (next.left == 0 || simulations_ == played) unsampled_.pop_front();
  sampling_seconds_ += watch.cpu_seconds() - before;
  return true;
}

Decision MacUcbII::think(const Hypotheses& belief, std::span<const std::uint32_t> ours,
                         const Limits& limits, const std::atomic<bool>& stop,
                         const Progress& progress) {
  const Watch watch(limits, stop);
  nodes_ = simulations_ = 0;
  depth_ = 0;
  set_root(belief);
  ours_.assign(ours.begin(), ours.end());
  go_on_ = [&watch] { return !watch.out_of_time(); };
  if (solver_) solver_->go_on = go_on_;
  struct Leave {
    MacUcbII& self;
    ~Leave() {
      self.go_on_ = nullptr;
      if (self.solver_) self.solver_->go_on = nullptr;
    }
  } const leave{*this};
  solving_seconds_ = sampling_seconds_ = 0;
  shares_time_ = options_.solving_share > 0 &&
                 (limits.deadline != Clock::time_point::max() || std::isfinite(limits.cpu_seconds));
  double told = 0;
  while (step(watch)) {
    if (watch.spent(nodes_, simulations_) >= 1 || stages_[0].settled) break;
    if (progress && watch.seconds() - told > progress_seconds) {
      told = watch.seconds();
      if (stages_[0].solved) progress(decide(watch));
    }
  }
  if (!stages_[0].solved) throw std::invalid_argument("too many moves, or somebody has none");
  return decide(watch);
}

}  // namespace woodstock
