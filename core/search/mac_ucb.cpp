#include "search/mac_ucb.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "search/halving.h"
#include "util/random.h"

namespace woodstock {

namespace {

constexpr std::uint32_t none = 0xffffffffU;
constexpr std::uint64_t widest_stage = 100'000;
constexpr double progress_seconds = 0.1;
constexpr float smallest_change = 1e-6F;
constexpr std::size_t longest_path = 4096;
constexpr std::size_t longest_spread = 10'000;

TreeOptions tree_options(const Circuit& circuit, const MacUcbOptions& options) {
  TreeOptions out;
  out.roles = circuit.roles();
  out.chance = options.chance;
  out.state_size = circuit.state_size();
  out.moves = circuit.moves();
  // Beside the tree there are the lists, which need less than a fifth of what it needs.
  out.memory = options.memory / 5 * 4;
  return out;
}

}  // namespace

MacUcb::MacUcb(std::shared_ptr<Simulator> simulator, std::shared_ptr<StageSolver> stages,
               const MacUcbOptions& options, std::shared_ptr<const learn::ValueNet> net)
    : simulator_(std::move(simulator)),
      stages_(std::move(stages)),
      options_(options),
      roles_(simulator_->circuit().roles()),
      utilities_(simulator_->circuit(), options.concept_, options.role, options.chance),
      tree_(tree_options(simulator_->circuit(), options)),
      bounds_(tree_, roles_, options.role, options.chance, options.concept_, Simultaneous::pure),
      stage_values_(tree_, roles_, options.role, options.chance, options.concept_),
      folding_(simulator_, options.role, options.chance),
      places_(roles_),
      goals_(roles_),
      values_(roles_) {
  options.check();
  options.check_player(roles_);
  if (options.values != Values::playouts) {
    net_.emplace(simulator_->circuit(), utilities_, std::move(net));
  }
}

void MacUcb::use(std::shared_ptr<const symmetry::Quotient> quotient) {
  folding_.use(std::move(quotient));
  tree_.clear();
  root_ = no_node;
}

// The graph of stages

NodeId MacUcb::add(const Visits& found, std::size_t i, std::uint32_t depth) {
  const std::size_t size = simulator_->circuit().state_size();
  const NodeId id = tree_.add(found.keys[i], found.states.data() + i * size, found.terminal[i] != 0,
                              found.legal_begin.data() + i * roles_, found.legal.data());
  ++nodes_;
  depth_of_.push_back(depth);
  parents_.push_back(none);
  depth_ = std::max(depth_, depth - depth_of_[root_ == no_node ? id : root_]);
  if (tree_.node(id).terminal) {
    utilities_(found.goals.data() + i * roles_, 1, values_.data());
    bounds_.settle(id, values_.data());
    RoleValue* values = tree_.values(id);
    for (std::uint32_t r = 0; r < roles_; ++r) values[r].value = values[r].lower;
  }
  return id;
}

void MacUcb::value_by_net(NodeId id, const double* expected) {
  if (tree_.node(id).proved) return;
  RoleValue* values = tree_.values(id);
  for (std::uint32_t r = 0; r < roles_; ++r) {
    values[r].value = values[r].expected = static_cast<float>(expected[r]);
  }
}

void MacUcb::adopt(NodeId child, NodeId parent) {
  // A state can be reached from many stages, and news about it must reach all of them.
  parent_list_.push_back({parent, parents_[child]});
  parents_[child] = static_cast<std::uint32_t>(parent_list_.size() - 1);
}

void MacUcb::set_root(std::span<const std::uint8_t> state) {
  stages_->look(state, visits_);
  if (folding_.on()) folding_.enter(visits_, scatter(options_.seed + ++thoughts_ * golden_gamma));
  root_ = tree_.find(visits_.keys[0], visits_.states.data());
  if (root_ == no_node) {
    tree_.clear();
    depth_of_.clear();
    root_ = add(visits_, 0, 0);
    if (net_) value_by_net(root_, (*net_)(visits_.states).data());
  }
  if (tree_.node(root_).terminal) {
    throw std::invalid_argument("the game is over or somebody has no move");
  }
  // What cannot be reached any more goes, and the list has only stages that matter.
  make_room();
}

void MacUcb::make_room() {
  const std::size_t before = tree_.size();
  root_ = tree_.compact(root_, 0.5);
  // Where compacting drops less than an eighth, the next stage would find no room again.
  frozen_ = crowded_ && tree_.size() > before - before / 8;
  crowded_ = false;
  restore_lists();
}

// After nodes have got new numbers: parents and depths are found again from the root on, and what
// is not solved is open. A stage that has lost a successor is no longer solved.
void MacUcb::restore_lists() {
  parents_.assign(tree_.size(), none);
  parent_list_.clear();
  depth_of_.assign(tree_.size(), none);
  open_ = {};
  aside_ = {};
  unsampled_.clear();
  std::vector<NodeId> layer{root_};
  depth_of_[root_] = 0;
  for (std::size_t next = 0; next < layer.size(); ++next) {
    const NodeId id = layer[next];
    Node& node = tree_.node(id);
    if (node.solved) {
      // A solved stage is solved whole, or values of lost successors would be missing in its own.
      for (std::uint64_t joint = 0; joint < node.width && node.solved; ++joint) {
        if (tree_.child(id, joint) == no_node) node.solved = false;
      }
    }
    if (!node.solved) {
      put(id);
      continue;
    }
    for (std::uint64_t joint = 0; joint < node.width; ++joint) {
      const NodeId child = tree_.child(id, joint);
      adopt(child, id);
      if (depth_of_[child] != none) continue;
      depth_of_[child] = depth_of_[id] + 1;
      layer.push_back(child);
    }
  }
  // What lies behind stages that are open again waits there until it is met once more.
  for (NodeId id = 0; id < tree_.size(); ++id) {
    if (depth_of_[id] == none) tree_.node(id).solved = false;
  }
}

// The list

void MacUcb::put(NodeId id) {
  const Node& node = tree_.node(id);
  // Stages too wide to be solved stay what samples make of them.
  if (node.proved || node.solved || node.width > widest_stage) return;
  double priority = 0;
  if (options_.order == StageOrder::utility) {
    priority = tree_.values(id)[options_.role].value;
  } else if (options_.order == StageOrder::depth) {
    priority = -static_cast<double>(depth_of_[id]);
  }
  // Entries are never taken out or moved when priorities change; stale ones are passed over when
  // they come up.
  (node.aside ? aside_ : open_).push({priority, ages_++, id});
}

NodeId MacUcb::follow_principal() {
  path_.clear();
  NodeId id = root_;
  // Down the moves that everybody would make, to the first stage that is not solved: that is where
  // the value of the root comes from.
  while (tree_.node(id).solved && path_.size() < longest_path) {
    Node& node = tree_.node(id);
    path_.push_back(id);
    // `pending` counts here how often a stage, or a move, has been followed: a small bonus lets the
    // rarely followed have their turn, or one wrong mean would hide a move for ever.
    const double all = std::log(2.0 + node.pending);
    const float least = node.choosers == 1 ? best_lower(tree_.arms(id, node.pivot)) : 0.0F;
    stage_values_.choose(id, places_.data(), [&](std::uint32_t role, std::uint32_t place) {
      const Arm& arm = tree_.arms(id, role)[place];
      // What is proved or of no use is not followed as long as there is anything else.
      if (node.choosers == 1 && (arm.lower == arm.upper || arm.upper <= least)) return -0.9;
      return options_.bonus * std::sqrt(all / (1.0 + arm.pending));
    });
    if (options_.chance < roles_) {
      // The draw that has been followed least, of those that are still open.
      const std::span<const Arm> draws = tree_.arms(id, options_.chance);
      std::uint32_t best = none;
      for (std::uint32_t i = 0; i < draws.size(); ++i) {
        places_[options_.chance] = i;
        const NodeId child = tree_.child(id, tree_.joint_of(id, places_.data()));
        if (tree_.node(child).proved) continue;
        if (best == none || draws[i].pending < draws[best].pending) best = i;
      }
      places_[options_.chance] = best == none ? 0 : best;
    }
    ++node.pending;
    for (std::uint32_t r = 0; r < roles_; ++r) ++tree_.arms(id, r)[places_[r]].pending;
    const NodeId child = tree_.child(id, tree_.joint_of(id, places_.data()));
    // Everybody's best play leads to what is proved: what else is open may still change their
    // minds.
    if (tree_.node(child).proved) return no_node;
    id = child;
  }
  return tree_.node(id).solved || tree_.node(id).width > widest_stage ? no_node : id;
}

NodeId MacUcb::next_open() {
  if (options_.order == StageOrder::principal) {
    const NodeId id = follow_principal();
    if (id != no_node) return id;
    // Several choose at once, or lines meet: any open stage will do.
  }
  for (auto* list : {&open_, &aside_}) {
    while (!list->empty()) {
      const NodeId id = list->top().id;
      list->pop();
      const Node& node = tree_.node(id);
      // Solved or proved since it was put there.
      if (!node.solved && !node.proved) return id;
    }
  }
  return no_node;
}

// Solving

bool MacUcb::solve(NodeId id) {
  const std::size_t size = simulator_->circuit().state_size();
  const std::span<const std::uint8_t> state{tree_.state(id), size};
  if (tree_.node(id).width > widest_stage) return false;
  choices_begin_.assign(1, 0);
  choices_.clear();
  for (std::uint32_t role = 0; role < roles_; ++role) {
    for (const Arm& arm : tree_.arms(id, role)) choices_.push_back(arm.move);
    choices_begin_.push_back(static_cast<std::uint32_t>(choices_.size()));
  }
  // The solver gives joint moves in the order of their numbers, so solution i is joint move i.
  if (!stages_->solve(state, {choices_begin_, choices_}, widest_stage, moves_, visits_)) {
    return false;
  }
  folding_.fold(visits_);
  const std::size_t count = visits_.terminal.size();
  const double* expected = net_ ? (*net_)(visits_.states).data() : nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    // With the cache a state met before is a transposition; without it, it is sampled anew.
    NodeId child =
        options_.cache ? tree_.find(visits_.keys[i], visits_.states.data() + i * size) : no_node;
    if (child != no_node && !tree_.node(id).single && !tree_.has_room(0)) {
      crowded_ = true;
      return false;
    }
    if (child == no_node) {
      const std::size_t arms =
          visits_.legal_begin[(i + 1) * roles_] - visits_.legal_begin[i * roles_];
      if (!tree_.has_room(arms)) {
        crowded_ = true;
        return false;
      }
      child = add(visits_, i, depth_of_[id] + 1);
      // Until it is sampled, a state is taken to be worth what its predecessor is.
      if (net_) {
        value_by_net(child, expected + i * roles_);
      } else if (!tree_.node(child).proved) {
        for (std::uint32_t r = 0; r < roles_; ++r) {
          tree_.values(child)[r].value = tree_.values(id)[r].value;
        }
      }
    }
    if (depth_of_[child] == none) depth_of_[child] = depth_of_[id] + 1;
    tree_.link(id, i, child);
    adopt(child, id);
  }
  tree_.node(id).solved = true;
  return true;
}

// Stages whose value can hardly be what the mover is sure to get elsewhere come last.
void MacUcb::set_aside(NodeId id) {
  const Node& node = tree_.node(id);
  // Only where one player decides can a mean be held against another.
  const bool judge = options_.pruning && node.choosers == 1 && node.single;
  double threshold = 0;
  double all = 0;
  if (judge) {
    for (const Arm& arm : tree_.arms(id, node.pivot)) all += tree_.node(arm.child).visits;
    for (const Arm& arm : tree_.arms(id, node.pivot)) {
      const Node& child = tree_.node(arm.child);
      const double value = tree_.values(arm.child)[node.pivot].value;
      if (child.proved) {
        threshold = std::max(threshold, value);
      } else if (child.visits != 0) {
        // UCB1's confidence, both ways: the threshold is what a move is worth at least, with high
        // probability.
        const double doubt = std::sqrt(2.0 * std::log(std::max(2.0, all)) / child.visits);
        threshold = std::max(threshold, value - doubt);
      }
    }
  }
  for (std::uint64_t joint = 0; joint < node.width; ++joint) {
    const NodeId id_of = tree_.child(id, joint);
    Node& child = tree_.node(id_of);
    if (child.solved || child.proved) continue;
    if (judge && child.visits != 0) {
      const double doubt = std::sqrt(2.0 * std::log(std::max(2.0, all)) / child.visits);
      child.aside = tree_.values(id_of)[node.pivot].value + doubt < threshold;
    }
    put(id_of);
  }
}

// Values and bounds of a stage and of all that depends on it.
void MacUcb::spread(NodeId id) {
  waiting_.clear();
  waiting_.push_back(id);
  queued_.resize(tree_.size(), 0);
  // In a graph with circles values could go round for ever.
  for (std::size_t next = 0; next < waiting_.size() && next < longest_spread; ++next) {
    const NodeId at = waiting_[next];
    queued_[at] = 0;
    if (!tree_.node(at).solved) continue;
    const bool tighter = bounds_.tighten(at);
    const float change = stage_values_.update(at);
    // News that change nothing need not go on; what was asked for does, since its parents may not
    // know it yet.
    if (!tighter && change < smallest_change && at != id) continue;
    for (std::uint32_t p = parents_[at]; p != none; p = parent_list_[p].next) {
      const NodeId parent = parent_list_[p].id;
      if (queued_[parent] != 0) continue;
      queued_[parent] = 1;
      waiting_.push_back(parent);
    }
  }
  for (const NodeId left : waiting_) queued_[left] = 0;
}

// The whole

Decision MacUcb::decide(const Watch& watch) {
  Decision out;
  const Node& root = tree_.node(root_);
  const RoleValue* values = tree_.values(root_);
  for (std::uint32_t r = 0; r < roles_; ++r) out.values.push_back(values[r].value);
  out.proved = root.proved;
  const std::span<const Arm> arms = tree_.arms(root_, options_.role);
  std::vector<double> worth(arms.size(), values[options_.role].value);
  if (root.solved) stage_values_.own_moves(root_, worth);
  const std::vector<Bounds::Range> sure = bounds_.own_moves(root_);
  for (std::size_t i = 0; i < arms.size(); ++i) {
    MoveValue move;
    move.move = arms[i].move;
    move.value = worth[i];
    // Bounds of single moves are kept in arms where we alone decide; elsewhere they follow from
    // joint moves.
    if (root.choosers == 1 && root.pivot == options_.role) {
      move.lower = arms[i].lower;
      move.upper = arms[i].upper;
    } else if (root.solved && root.choosers > 1) {
      move.lower = sure[i].lower;
      move.upper = sure[i].upper;
    }
    move.value = std::clamp(move.value, move.lower, move.upper);
    if (root.solved && root.single && arms.size() > 1) {
      move.visits = tree_.node(arms[i].child).visits + arms[i].pending;
    } else {
      move.visits = arms[i].pending;
    }
    out.moves.push_back(move);
  }
  std::stable_sort(out.moves.begin(), out.moves.end(), [&](const MoveValue& a, const MoveValue& b) {
    // An estimate may come up to what is proved of another move, but no more.
    if (out.proved && a.lower != b.lower) return a.lower > b.lower;
    if (a.value != b.value) return a.value > b.value;
    return a.lower > b.lower;
  });
  if (options_.answer == Answer::followed && !out.proved) {
    // What has been followed most was found best most often, not only at the end.
    const auto most =
        std::max_element(out.moves.begin(), out.moves.end(),
                         [](const auto& a, const auto& b) { return a.visits < b.visits; });
    std::rotate(out.moves.begin(), most, most + 1);
  }
  out.move = out.moves.front().move;
  out.value = out.proved ? out.values[options_.role] : out.moves.front().value;
  NodeId id = root_;
  for (std::size_t turn = 0; turn < 24 && tree_.node(id).solved; ++turn) {
    stage_values_.choose(id, places_.data(), [](std::uint32_t, std::uint32_t) { return 0.0; });
    if (options_.chance < roles_) places_[options_.chance] = 0;
    for (std::uint32_t r = 0; r < roles_; ++r) {
      out.line.push_back(tree_.arms(id, r)[places_[r]].move);
    }
    id = tree_.child(id, tree_.joint_of(id, places_.data()));
  }
  folding_.unfold(out);
  out.nodes = nodes_;
  out.simulations = simulations_;
  out.tree_nodes = tree_.size();
  out.bytes = tree_.bytes() + sizeof(Parent) * parent_list_.capacity() +
              sizeof(Open) * (open_.size() + aside_.size()) +
              sizeof(std::uint32_t) * (depth_of_.capacity() + parents_.capacity());
  out.depth = depth_;
  out.seconds = watch.seconds();
  out.cpu_seconds = watch.cpu_seconds();
  return out;
}

Decision MacUcb::think(std::span<const std::uint8_t> state, const Limits& limits,
                       const std::atomic<bool>& stop, const Progress& progress) {
  const Watch watch(limits, stop);
  nodes_ = simulations_ = 0;
  depth_ = 0;
  crowded_ = frozen_ = false;
  solving_seconds_ = sampling_seconds_ = 0;
  // Neither a table solver nor playouts may go on for long after the end.
  struct Leave {
    StageSolver& stages;
    ~Leave() { stages.go_on = nullptr; }
  } const leave{*stages_};
  stages_->go_on = [&watch] { return !watch.out_of_time(); };
  set_root(state);
  // Shares of nodes or simulations mean nothing: they are shares of time.
  shares_time_ = plays() && options_.solving_share > 0 &&
                 (limits.deadline != Clock::time_point::max() || std::isfinite(limits.cpu_seconds));
  double told = 0;
  bool made_room = false;
  while (!tree_.node(root_).proved) {
    if (step(watch)) {
      made_room = false;
    } else {
      // A stage that finds no room in half the memory finds none at all.
      if (!crowded_ || frozen_ || made_room) break;
      make_room();
      made_room = true;
    }
    if (watch.spent(nodes_, simulations_) >= 1) break;
    if (progress && watch.seconds() - told > progress_seconds) {
      told = watch.seconds();
      progress(decide(watch));
    }
  }
  return decide(watch);
}

bool MacUcb::step(const Watch& watch) {
  if (!shares_time_) {
    const NodeId id = next_open();
    if (id == no_node || !solve(id)) return false;
    if (plays()) {
      sample(id, options_.samples, watch);
    } else {
      ++simulations_;  // what a limit on them counts where nothing is played
    }
    set_aside(id);
    spread(id);
    return true;
  }
  // Solving and sampling each go on while the other has had its share.
  const double before = watch.cpu_seconds();
  if (!tree_.node(root_).solved || solving_seconds_ * (1 - options_.solving_share) <=
                                       sampling_seconds_ * options_.solving_share) {
    const NodeId id = next_open();
    if (id == no_node || !solve(id)) return false;
    set_aside(id);
    spread(id);
    unsampled_.push_back({id, options_.samples});
    solving_seconds_ += watch.cpu_seconds() - before;
    return true;
  }
  // Sampling may be behind its share with nothing left to sample: then the root gets more.
  if (unsampled_.empty()) unsampled_.push_back({root_, options_.samples});
  Unsampled& next = unsampled_.front();
  const std::uint32_t now = std::min(next.left, options_.batch);
  const std::uint64_t played = simulations_;
  sample(next.id, now, watch);
  set_aside(next.id);
  spread(next.id);
  next.left -= now;
  // Where nothing was played, its solutions are all proved or solved by now.
  if (next.left == 0 || simulations_ == played) unsampled_.pop_front();
  sampling_seconds_ += watch.cpu_seconds() - before;
  return true;
}

}  // namespace woodstock
