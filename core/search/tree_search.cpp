#include "search/tree_search.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "search/bandit.h"
#include "search/decider.h"
#include "search/regret.h"
#include "util/random.h"

namespace woodstock {

namespace {

constexpr std::size_t longest_path = 512;  // games without a counter of turns can go in circles
constexpr double progress_seconds = 0.1;

TreeOptions tree_options(const Circuit& circuit, const TreeSearchOptions& options) {
  TreeOptions out;
  out.roles = circuit.roles();
  out.chance = options.chance;
  out.state_size = circuit.state_size();
  out.moves = circuit.moves();
  out.regrets = options.choice == Choice::regret;
  out.proofs = options.proof_numbers > 0 || options.proof_steps > 0;
  out.folds = options.choice == Choice::grave;
  out.memory = options.memory;
  return out;
}

}  // namespace

TreeSearch::TreeSearch(std::shared_ptr<Simulator> simulator, const TreeSearchOptions& options,
                       std::shared_ptr<const learn::ValueNet> net)
    : simulator_(std::move(simulator)),
      options_(options),
      roles_(simulator_->circuit().roles()),
      utilities_(simulator_->circuit(), options.concept_, options.role, options.chance),
      tree_(tree_options(simulator_->circuit(), options)),
      bounds_(tree_, roles_, options.role, options.chance, options.concept_, Simultaneous::mixed),
      proof_numbers_(tree_, options.role, options.proof_numbers,
                     options.proof_numbers > 0 || options.proof_steps > 0),
      mast_(simulator_->circuit(), options.chance, options.mast),
      folding_(simulator_, options.role, options.chance),
      draws_(options.seed),
      logarithms_(options.playouts),
      values_(roles_) {
  options.check();
  options.check_player(roles_);
  if (options.values != Values::playouts) {
    net_.emplace(simulator_->circuit(), utilities_, std::move(net));
  }
  // An index for the new states of a pass that is never more than half full, so it need not grow.
  std::size_t index = 2;
  while (index < 2 * std::size_t{options.leaves} * simulator_->threads()) index *= 2;
  from_index_.assign(index, nothing);
}

void TreeSearch::use(std::shared_ptr<const symmetry::Quotient> quotient) {
  folding_.use(std::move(quotient));
  tree_.clear();
  root_ = no_node;
}

// Nodes

NodeId TreeSearch::add(const Visits& found, std::size_t i) {
  const std::uint32_t* legal_begin = found.legal_begin.data() + i * roles_;
  const NodeId id =
      tree_.add(found.keys[i], found.states.data() + i * simulator_->circuit().state_size(),
                found.terminal[i] != 0, legal_begin, found.legal.data());
  ++nodes_;
  if (tree_.node(id).terminal) {
    utilities_(found.goals.data() + i * roles_, 1, values_.data());
    bounds_.settle(id, values_.data());
  }
  return id;
}

void TreeSearch::set_root(std::span<const std::uint8_t> state) {
  simulator_->visit(state, {}, visits_);
  if (folding_.on()) folding_.enter(visits_, draws_.draw());
  root_ = tree_.find(visits_.keys[0], visits_.states.data());
  // A state that the tree does not know has nothing below it that we could use: begin anew.
  if (root_ == no_node) {
    tree_.clear();
    root_ = add(visits_, 0);
  } else if (2 * tree_.bytes() > options_.memory) {
    // What the move has made unreachable goes now, before the tree is full in the middle of a pass.
    root_ = tree_.compact(root_, 0.5);
  }
  if (tree_.node(root_).terminal) {
    throw std::invalid_argument("the game is over or somebody has no move");
  }
}

void TreeSearch::make_room() {
  const std::size_t before = tree_.size();
  root_ = tree_.compact(root_, 0.5);
  // Where next to nothing can be dropped, the tree has to stay as it is.
  frozen_ = tree_.size() > before - before / 8;
  crowded_ = false;
}

// Choosing

std::uint32_t TreeSearch::choose_arm(NodeId id, std::uint32_t role, std::span<const Arm> arms,
                                     const Reference& reference) {
  const Node& node = tree_.node(id);
  const double first = mean_of(tree_.values(id)[role].sum, node.visits);
  const double width = options_.exploration * options_.exploration *
                       logarithms_(std::uint64_t{node.visits} + node.pending);
  const bool by_proofs = options_.proof_numbers > 0 && node.choosers == 1;
  if (reference.table == nullptr && node.choosers == 1 && !by_proofs) {
    const Picked best = pick_free_arm(arms, width, first);
    if (best.arm != no_arm) return best.arm;
  }
  const float least = best_lower(arms);
  // What is proved is not visited: there is nothing to learn. Values are kept within the bounds on
  // the way back, so it counts nevertheless.
  const auto open = [&](std::uint32_t i) {
    return arms[i].upper > least && arms[i].lower != arms[i].upper;
  };
  const auto estimate = [&](std::uint32_t i) {
    double mean = mean_of(arms[i], first);
    if (reference.table != nullptr) {
      const Amaf& known = reference.table[folding_.move_back(reference.fold, arms[i].move)];
      mean = with_amaf(mean, tries_of(arms[i]), known, options_.bias);
    }
    // Visits from before a bound was found may say more than is possible.
    return std::clamp(mean, static_cast<double>(arms[i].lower), static_cast<double>(arms[i].upper));
  };
  const auto luck = [&] { return node.choosers > 1 ? draws_.nudge() : 1.0; };
  const Picked best = by_proofs ? pick_arm(
                                      arms, width, open,
                                      [&, bonus = ProofNumbers::Bonus(proof_numbers_, id, role)](
                                          std::uint32_t i) { return estimate(i) + bonus(i); },
                                      luck)
                                : pick_arm(arms, width, open, estimate, luck);
  // All arms may be proved or closed though the node is not: what it is worth to the others depends
  // on which of them is taken.
  return best.score < 0 ? most_visited(arms) : best.arm;
}

std::uint32_t TreeSearch::choose(NodeId id, std::uint32_t role, const Reference& reference) {
  const std::span<const Arm> arms = tree_.arms(id, role);
  if (arms.size() == 1) return 0;
  if (role == options_.chance) {
    return static_cast<std::uint32_t>(draws_.below(arms.size()));
  }
  if (id == root_ && role == options_.role && halving_.on()) return halving_.choose(arms);
  return choose_arm(id, role, arms, reference);
}

// A pass

void TreeSearch::descend(Path& path) {
  NodeId id = root_;
  path.begin = step_node_.size();
  Reference reference;
  for (std::size_t depth = 0;; ++depth) {
    Node& node = tree_.node(id);
    const bool deepest = options_.max_depth != 0 && depth >= options_.max_depth;
    // A node without visits is a leaf also where it has been made before: by another way, or by
    // this pass.
    if (node.proved || deepest || depth >= longest_path || (id != root_ && node.visits == 0)) {
      path.leaf = id;
      break;
    }
    // GRAVE: the nearest ancestor with enough visits; until there is one, the first table on the
    // way will do.
    if (options_.choice == Choice::grave && node.amaf != Node::none &&
        (node.visits >= options_.reference || reference.table == nullptr)) {
      reference = {tree_.amaf(id), 0};
    }
    const std::size_t step = step_node_.size();
    step_node_.push_back(id);
    step_folds_.push_back(0);
    step_places_.resize((step + 1) * roles_);
    std::uint32_t* places = step_places_.data() + step * roles_;
    if (options_.choice == Choice::regret) step_chances_.resize((step + 1) * roles_, 1.0F);
    // Virtual visits: simulations of the same pass spread over the tree as if these had come out
    // like the mean so far.
    node.pending += options_.playouts;
    for (std::uint32_t role = 0; role < roles_; ++role) {
      DrawnArm drawn{0, 1};
      const bool by_regret = options_.choice == Choice::regret && role != options_.chance &&
                             tree_.arms(id, role).size() > 1;
      if (by_regret) {
        // Everybody learns in every simulation, so everybody mixes, and every visit counts.
        drawn = draw_by_regret(
            tree_.regrets(id, role), [](std::uint32_t) { return true; },
            {.mixing = options_.mixing, .average = true}, draws_.luck());
      } else {
        drawn.arm = choose(id, role, reference);
      }
      places[role] = drawn.arm;
      if (options_.choice == Choice::regret) {
        step_chances_[step * roles_ + role] = static_cast<float>(drawn.probability);
      }
      tree_.arms(id, role)[places[role]].pending += options_.playouts;
    }
    const std::uint64_t joint = tree_.joint_of(id, places);
    const NodeId child = tree_.child(id, joint);
    if (child != no_node) {
      if (folding_.on()) {
        step_folds_[step] = tree_.fold(id, joint);
        // The table speaks the ancestor's words, this state those of its representative.
        reference.fold = folding_.join(reference.fold, step_folds_[step]);
      }
      id = child;
      continue;
    }
    // A new state, unless another simulation of this pass has just found it.
    // By node and joint move: the state is not known yet, so its key is not either.
    const std::size_t mask = from_index_.size() - 1;
    std::size_t slot = scatter(joint * golden_gamma + id) & mask;
    while (from_index_[slot] != nothing &&
           (from_node_[from_index_[slot]] != id || from_joint_[from_index_[slot]] != joint)) {
      slot = (slot + 1) & mask;
    }
    if (from_index_[slot] == nothing) {
      from_index_[slot] = static_cast<std::uint32_t>(from_node_.size());
      from_node_.push_back(id);
      from_joint_.push_back(joint);
      const std::uint8_t* state = tree_.state(id);
      from_states_.insert(from_states_.end(), state, state + simulator_->circuit().state_size());
      for (std::uint32_t role = 0; role < roles_; ++role) {
        from_moves_.push_back(tree_.arms(id, role)[places[role]].move);
      }
    }
    path.fresh = from_index_[slot];
    break;
  }
  path.end = step_node_.size();
  depth_ = std::max(depth_, static_cast<std::uint32_t>(path.end - path.begin));
}

void TreeSearch::make_leaves() {
  visits_.states.clear();
  if (from_node_.empty()) return;
  // All new states of the pass go through the circuit side by side.
  simulator_->visit(from_states_, from_moves_, visits_);
  folding_.fold(visits_);
  for (const std::uint64_t key : visits_.keys) tree_.expect(key);
  for (std::size_t i = 0; i < from_node_.size(); ++i) {
    const std::uint8_t* state = visits_.states.data() + i * simulator_->circuit().state_size();
    // A transposition: another way to a state that has a node gets a link to it.
    NodeId id = tree_.find(visits_.keys[i], state);
    if (id == no_node) {
      const std::size_t arms =
          visits_.legal_begin[(i + 1) * roles_] - visits_.legal_begin[i * roles_];
      if (!tree_.has_room(arms)) {
        // The pass goes on without the node: its playouts count for those above it.
        crowded_ = true;
        continue;
      }
      id = add(visits_, i);
    } else if (!tree_.node(from_node_[i]).single && !tree_.has_room(0)) {
      crowded_ = true;
      continue;
    }
    tree_.link(from_node_[i], from_joint_[i], id, folding_.on() ? folding_.elements()[i] : 0);
  }
}

void TreeSearch::play_out(const Watch& watch) {
  const std::size_t size = simulator_->circuit().state_size();
  leaf_states_.clear();
  std::uint32_t count = 0;
  for (Path& path : paths_) {
    const std::uint8_t* state = nullptr;
    if (path.fresh != nothing) {
      if (folding_.on()) step_folds_[path.end - 1] = folding_.elements()[path.fresh];
      path.leaf = tree_.child(from_node_[path.fresh], from_joint_[path.fresh]);
      // Also a leaf without room for a node is played out.
      if (path.leaf == no_node) state = visits_.states.data() + path.fresh * size;
    }
    if (path.leaf != no_node) {
      // What is proved is known better than by playing.
      if (tree_.node(path.leaf).proved) continue;
      state = tree_.state(path.leaf);
    }
    // Every simulation plays its own games, also where several end in one leaf.
    path.rollout = count++;
    leaf_states_.insert(leaf_states_.end(), state, state + size);
  }
  if (count == 0) return;
  RolloutOptions options;
  options.seed = draws_.next_batch();
  options.max_plies = options_.max_plies;
  options.batch = options_.leaves * options_.playouts;  // one for each thread
  options.trace = options_.choice == Choice::grave || mast_.listens();
  options.preferences = mast_.levels();
  options.go_on = [&watch] { return !watch.out_of_time(); };
  simulator_->rollouts(leaf_states_, options_.playouts, options, rollouts_);
  if (mast_.on()) mast_.hear(rollouts_, utilities_);
  if (net_) expected_ = (*net_)(leaf_states_);
}

void TreeSearch::count_moves(const Path& path) {
  if (path.rollout == nothing) return;
  std::vector<double>& values = other_;
  values.resize(roles_);
  // All moves as first: to each node of the way counts every move made below it, in the tree and in
  // the playouts.
  const auto& move_role = simulator_->circuit().role_table().move_role;
  for (std::size_t step = path.begin; step < path.end; ++step) {
    const NodeId id = step_node_[step];
    Amaf* table = tree_.amaf(id);
    if (table == nullptr) {
      // Those further down have hardly more visits, so the way ends here.
      if (!earns_amaf(tree_.node(id).visits, options_.reference) && id != root_) return;
      table = tree_.make_amaf(id);
      if (table == nullptr) return;
    }
    const auto games = static_cast<float>(options_.playouts);
    Folding::Element fold = 0;  // from here to what lies below
    for (std::size_t below = step; below < path.end; ++below) {
      for (std::uint32_t role = 0; role < roles_; ++role) {
        const std::span<const Arm> arms = tree_.arms(step_node_[below], role);
        // Who has no choice tells nothing by its move.
        if (arms.size() == 1) continue;
        const std::uint32_t move = arms[step_places_[below * roles_ + role]].move;
        Amaf& entry = table[folding_.move_back(fold, move)];
        entry.games += games;
        entry.sum += games * static_cast<float>(values_[role]);
      }
      if (folding_.on()) fold = folding_.join(fold, step_folds_[below]);
    }
    for (std::uint32_t i = rollouts_.played_begin[path.rollout];
         i < rollouts_.played_begin[path.rollout + 1]; ++i) {
      const Played& played = rollouts_.played[i];
      utilities_(rollouts_.played_goals.data() + std::size_t{i} * roles_, played.games,
                 values.data());
      // Not the mean of the leaf but that of the games in which the move was made.
      const std::uint32_t role = move_role[played.move];
      Amaf& entry = table[folding_.move_back(fold, played.move)];
      entry.games += static_cast<float>(played.games);
      entry.sum += static_cast<float>(played.games * values[role]);
    }
  }
}

void TreeSearch::learn_regrets(NodeId id, const std::uint32_t* places, const float* chances) {
  for (std::uint32_t role = 0; role < roles_; ++role) {
    const std::span<Regret> regrets = tree_.regrets(id, role);
    if (regrets.size() < 2 || role == options_.chance) continue;
    learn_from_outcome(regrets, places[role], chances[role], static_cast<float>(values_[role]));
  }
}

void TreeSearch::keep_within_bounds(NodeId id, const std::uint32_t* places) {
  const Node& node = tree_.node(id);
  const RoleValue* values = tree_.values(id);
  // Without luck a bound holds for every single game, and what is proved is exact with it.
  if (options_.chance >= roles_ || node.proved) {
    const auto within = [&](std::uint32_t r) {
      return std::clamp(values_[r], static_cast<double>(values[r].lower),
                        static_cast<double>(values[r].upper));
    };
    if (tied(options_.concept_)) {
      const double mine = within(options_.role);
      std::fill(values_.begin(), values_.end(), other_side(options_.concept_, mine));
      values_[options_.role] = mine;
    } else {
      for (std::uint32_t r = 0; r < roles_; ++r) values_[r] = within(r);
    }
    return;
  }
  // Where luck is part of the game, bounds are those of expectations: single results may lie beyond
  // them, but the mean of an arm may not. All results of the arm are moved by as much as it does.
  if (node.choosers != 1) return;
  const Arm& arm = tree_.arms(id, node.pivot)[places[node.pivot]];
  const double mean = arm.sum / arm.visits;
  const double move = std::clamp(mean, static_cast<double>(values[node.pivot].lower),
                                 static_cast<double>(values[node.pivot].upper)) -
                      mean;
  if (move == 0) return;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    // Utilities of the others move along or against it, as the concept has it; of maxn nothing
    // follows for them.
    const bool same_side =
        options_.concept_ == Concept::team || r == node.pivot ||
        (contest(options_.concept_) && r != options_.role && node.pivot != options_.role);
    if (same_side) {
      values_[r] += move;
    } else if (contest(options_.concept_)) {
      values_[r] -= move;
    }
  }
}

void TreeSearch::back_up(const Path& path) {
  const std::uint32_t weight = options_.playouts;
  const bool exact = path.rollout == nothing;
  if (exact) {
    const RoleValue* values = tree_.values(path.leaf);
    // Its bounds have met.
    for (std::uint32_t r = 0; r < roles_; ++r) values_[r] = values[r].lower;
  } else {
    utilities_(rollouts_.goals.data() + std::size_t{path.rollout} * roles_, weight, values_.data());
  }
  if (path.leaf != no_node) tree_.node(path.leaf).visits += weight;
  // What moves are worth wherever they are made is told by games alone.
  if (options_.choice == Choice::grave) count_moves(path);
  if (net_ && !exact) {
    const double* expected = expected_.data() + std::size_t{path.rollout} * roles_;
    for (std::uint32_t r = 0; r < roles_; ++r) {
      values_[r] += options_.net_weight * (expected[r] - values_[r]);
    }
  }
  if (path.leaf != no_node) {
    RoleValue* values = tree_.values(path.leaf);
    for (std::uint32_t r = 0; r < roles_; ++r) values[r].sum += weight * values_[r];
  }
  // Bounds change only from what is proved upwards, and only as long as they do change.
  bool news = exact;
  NodeId child = path.leaf;
  for (std::size_t step = path.end; step-- > path.begin;) {
    const NodeId id = step_node_[step];
    const std::uint32_t* places = step_places_.data() + step * roles_;
    Node& node = tree_.node(id);
    RoleValue* values = tree_.values(id);
    node.visits += weight;
    node.pending -= weight;
    for (std::uint32_t r = 0; r < roles_; ++r) {
      Arm& arm = tree_.arms(id, r)[places[r]];
      arm.visits += weight;
      arm.pending -= weight;
      arm.sum += weight * values_[r];
    }
    if (options_.choice == Choice::regret) {
      learn_regrets(id, places, step_chances_.data() + step * roles_);
    }
    // The arm has got what came back from below; the node, and those above it, get what the bounds
    // leave of that.
    if (news) news = bounds_.tighten(id);
    if (proof_numbers_.on() && node.choosers <= 1 && child != no_node) {
      proof_numbers_.hear(id, places[node.pivot], child);
    }
    child = id;
    keep_within_bounds(id, places);
    for (std::uint32_t r = 0; r < roles_; ++r) values[r].sum += weight * values_[r];
  }
}

void TreeSearch::back_up() {
  for (const Path& path : paths_) {
    back_up(path);
    // Ways that end in what is proved play no games, but they are to end the search as well.
    visits_made_ += options_.playouts;
    if (path.rollout != nothing) simulations_ += options_.playouts;
  }
}

bool TreeSearch::pass(const Watch& watch) {
  paths_.assign(std::size_t{options_.leaves} * simulator_->threads(), Path{});
  step_node_.clear();
  step_places_.clear();
  step_folds_.clear();
  step_chances_.clear();
  from_states_.clear();
  from_moves_.clear();
  from_node_.clear();
  from_joint_.clear();
  std::fill(from_index_.begin(), from_index_.end(), nothing);
  const std::uint64_t before = nodes_;
  for (Path& path : paths_) descend(path);
  make_leaves();
  // A pass that is interrupted leaves no trace: pending visits are taken back, so results do not
  // depend on when time ran out.
  try {
    play_out(watch);
  } catch (const Interrupted&) {
    call_off();
    return false;
  }
  back_up();
  if (nodes_ == before) ++idle_;
  return true;
}

// The simulations under way are given up.
void TreeSearch::call_off() {
  for (std::size_t step = 0; step < step_node_.size(); ++step) {
    tree_.node(step_node_[step]).pending -= options_.playouts;
    for (std::uint32_t r = 0; r < roles_; ++r) {
      const std::uint32_t place = step_places_[step * roles_ + r];
      tree_.arms(step_node_[step], r)[place].pending -= options_.playouts;
    }
  }
}

// The whole

Decision TreeSearch::decide(const Watch& watch, double luck) {
  Decider decider(tree_, root_, options_.role, options_.chance, roles_);
  Decision out = decider.decision();
  if (out.proved && tree_.node(root_).choosers > 1) {
    // Arms have no bounds of their own where several choose: those of our moves are worked out from
    // the joint ones.
    const std::vector<Bounds::Range> worth = bounds_.own_moves(root_);
    const auto best = std::max_element(worth.begin(), worth.end(),
                                       [](auto a, auto b) { return a.lower < b.lower; });
    decider.take(out, static_cast<std::uint32_t>(best - worth.begin()));
  } else if (options_.choice == Choice::regret && tree_.node(root_).choosers > 1) {
    // Who must be hard to guess plays what was played on average; the last strategy may be
    // anything.
    decider.play_strategy(out, tree_.regrets(root_, options_.role), luck);
  } else if (halving_.on()) {
    decider.prefer(out, halving_.alive());
  }
  folding_.unfold(out);
  out.nodes = nodes_;
  out.simulations = simulations_;
  out.tree_nodes = tree_.size();
  out.bytes = tree_.bytes();
  out.depth = depth_;
  out.seconds = watch.seconds();
  out.cpu_seconds = watch.cpu_seconds();
  return out;
}

Decision TreeSearch::think(std::span<const std::uint8_t> state, const Limits& limits,
                           const std::atomic<bool>& stop, const Progress& progress) {
  const Watch watch(limits, stop);
  nodes_ = simulations_ = visits_made_ = idle_ = 0;
  depth_ = 0;
  crowded_ = frozen_ = false;
  steps_due_ = 0;
  set_root(state);
  if (proof_numbers_.on()) proof_numbers_.ask(root_);
  halving_.end();
  if (options_.halving) halving_.start(tree_.arms(root_, options_.role), options_.playouts);
  // Drawn once: reports on the way and the answer draw the same move, and asking for reports
  // changes nothing.
  const double luck = draws_.luck();
  double told = 0;
  for (;;) {
    if (!pass(watch)) break;
    if (crowded_ && !frozen_) make_room();
    if (proof_numbers_.on()) search_proofs(watch);
    // Passes that make no node count as one, or a limit on nodes would never be reached in a small
    // game.
    const double spent = watch.spent(nodes_ + idle_, visits_made_);
    if (spent >= 1 || tree_.node(root_).proved) break;
    if (halving_.on()) halving_.advance(tree_.arms(root_, options_.role), spent);
    if (progress && watch.seconds() - told > progress_seconds) {
      told = watch.seconds();
      progress(decide(watch, luck));
    }
  }
  return decide(watch, luck);
}

}  // namespace woodstock
