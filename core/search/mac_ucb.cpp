#include "search/mac_ucb.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "util/random.h"

namespace woodstock {

namespace {

constexpr std::uint64_t widest_stage = 100'000;
constexpr double progress_seconds = 0.1;
constexpr std::size_t longest_spread = 10'000;

StageGraphOptions graph_options(const Circuit& circuit, const MacUcbOptions& options) {
  StageGraphOptions out;
  out.roles = circuit.roles();
  out.chance = options.chance;
  out.worths = StageValues::worths(options.concept_, circuit.roles());
  out.state_size = circuit.state_size();
  out.samples = options.values != Values::net;
  out.proofs = options.proof_steps > 0;
  // Beside the graph there may be the lists, which need less than a fifth of what it needs.
  const bool lists = options.order != StageOrder::principal;
  out.memory = lists ? options.memory / 5 * 4 : options.memory - options.memory / 32;
  return out;
}

// sqrt(log(2 + all) / (1 + n)) in two parts, looked up as long as the numbers are small: every arm
// on the way down asks for it.
struct Rarity {
  std::array<float, 4096> of_all;
  std::array<float, 4096> of_one;

  static float all(std::uint32_t n) { return static_cast<float>(std::sqrt(std::log(2.0 + n))); }
  static float one(std::uint32_t n) { return 1.0F / std::sqrt(1.0F + static_cast<float>(n)); }

  Rarity() {
    for (std::uint32_t n = 0; n < of_all.size(); ++n) {
      of_all[n] = all(n);
      of_one[n] = one(n);
    }
  }
};

const Rarity rarities;

float among(std::uint32_t n) {
  return n < rarities.of_all.size() ? rarities.of_all[n] : Rarity::all(n);
}
float rarity(std::uint32_t n) {
  return n < rarities.of_one.size() ? rarities.of_one[n] : Rarity::one(n);
}

// Whether the best of several numbers can change where one of them does; or the worst.
bool concerns(bool best, const Worth& before, const Worth& after, const Worth& whole) {
  const auto turned = [](const Worth& one) { return Worth{-one.value, -one.upper, -one.lower}; };
  if (!best) return concerns(true, turned(before), turned(after), turned(whole));
  return after.value > whole.value || before.value >= whole.value || after.lower > whole.lower ||
         (after.upper < before.upper && before.upper >= whole.upper);
}

}  // namespace

MacUcb::MacUcb(std::shared_ptr<Simulator> simulator, std::shared_ptr<StageSolver> stages,
               const MacUcbOptions& options, std::shared_ptr<const learn::ValueNet> net)
    : simulator_(std::move(simulator)),
      stages_(std::move(stages)),
      options_(options),
      roles_(simulator_->circuit().roles()),
      utilities_(simulator_->circuit(), options.concept_, options.role, options.chance),
      graph_(graph_options(simulator_->circuit(), options)),
      values_(graph_, roles_, options.role, options.chance, options.concept_),
      proofs_(graph_, roles_, options.role),
      settling_(graph_, roles_, options.role, options.chance),
      folding_(simulator_, options.role, options.chance),
      places_(roles_),
      goals_(roles_),
      utility_(roles_) {
  options.check();
  options.check_player(roles_);
  offspring_.asked_choices = options.proof_steps > 0;
  if (options.values != Values::playouts) {
    net_.emplace(simulator_->circuit(), utilities_, std::move(net));
  }
  if (literal()) games_.emplace(simulator_, options.seed, options.memory / 4);
}

void MacUcb::use(std::shared_ptr<const symmetry::Quotient> quotient) {
  folding_.use(std::move(quotient));
  graph_.clear();
  root_ = no_node;
}

// The graph of stages

void MacUcb::start_anew() {
  graph_.clear();
  cut_ = believed_ = false;
  root_ = graph_.add(visits_.keys[0], visits_.states.data(), 0);
  ++nodes_;
  fresh_.assign(1, root_);
  fresh_states_ = visits_.states;
  value_by_net(nullptr);
  trimmed_ = true;
  restore_lists();
}

void MacUcb::set_root(std::span<const std::uint8_t> state, const Watch& watch) {
  stages_->look(state, visits_);
  for (std::uint32_t r = 0; r < roles_; ++r) {
    if (visits_.legal_begin[r] == visits_.legal_begin[r + 1]) {
      throw std::invalid_argument("the game is over or somebody has no move");
    }
  }
  if (folding_.on()) folding_.enter(visits_, scatter(options_.seed + ++thoughts_ * golden_gamma));
  // What lay beyond the horizon of an earlier position may lie before that of this one.
  const NodeId known = cut_ ? no_node : graph_.find(visits_.keys[0], visits_.states.data());
  trimmed_ = known == root_;
  root_ = known;
  // Half the memory is enough for now; what has no time to be tidied up goes when it is in the way.
  const bool crowded = graph_.bytes() > options_.memory / 2;
  const bool in_the_way = graph_.bytes() > options_.memory / 16 * 15;
  if (root_ == no_node || (in_the_way && !time_to_make_room(watch))) {
    start_anew();
  } else if (!principal() || (crowded && time_to_make_room(watch))) {
    // What cannot be reached any more goes, and the list has only stages that matter.
    make_room();
  }
}

bool MacUcb::time_to_make_room(const Watch& watch) const {
  return 2 * seconds_a_node_ * static_cast<double>(graph_.size()) < watch.left();
}

void MacUcb::make_room() {
  const Stopwatch begun;
  const std::size_t before = graph_.size();
  root_ = graph_.compact(root_, 0.5);
  seconds_a_node_ = begun.seconds() / static_cast<double>(before);
  // Where compacting drops less than an eighth, the next stage would find no room again.
  frozen_ = crowded_ && graph_.size() > before - before / 8;
  crowded_ = false;
  trimmed_ = true;
  path_.clear();  // nodes have new numbers
  restore_lists();
}

// After nodes have got new numbers: what is not solved is open.
void MacUcb::restore_lists() {
  oldest_ = 0;
  open_ = {};
  unsampled_.clear();
  unlike_.clear();
  arms_of_ = no_node;
  if (principal()) return;
  for (NodeId id = 0; id < graph_.size(); ++id) put(id);
}

// The list

bool MacUcb::is_open(NodeId id) const {
  const StageNode& node = graph_.node(id);
  // Stages too wide to be solved stay what samples make of them.
  return (node.stage == StageGraph::none || node.bare) && !node.proved && !node.wide;
}

void MacUcb::put(NodeId id) {
  if (principal() || !is_open(id)) return;
  const StageNode& node = graph_.node(id);
  const double priority = options_.order == StageOrder::utility
                              ? values_.worth(id, options_.role).value
                              : -static_cast<double>(node.depth);
  // Entries are never taken out or moved when priorities change; stale ones are passed over when
  // they come up.
  open_.push({priority, ages_++, id});
}

void MacUcb::put_solutions(NodeId id) {
  // The principal order needs no list.
  if (principal()) return;
  const Stage& stage = graph_.stage(id);
  for (std::uint32_t i = 0; i < stage.width; ++i) put(graph_.child(stage, i));
}

// The draw that has been followed least, of those that are still open.
void MacUcb::follow_draw(const Stage& stage) {
  const std::uint32_t draws = graph_.arms(stage, options_.chance);
  std::uint32_t best = draws;
  std::uint32_t least = 0;
  for (std::uint32_t i = 0; i < draws; ++i) {
    places_[options_.chance] = i;
    if (graph_.node(graph_.child(stage, graph_.joint_of(stage, places_.data()))).proved) continue;
    const std::uint32_t followed = graph_.followed(stage, options_.chance, i);
    if (best == draws || followed < least) {
      best = i;
      least = followed;
    }
  }
  places_[options_.chance] = best == draws ? 0 : best;
}

void MacUcb::follow(Stage& stage) {
  // A small bonus lets moves that are rarely followed have their turn, or one wrong value would
  // hide a move for ever. What is proved or of no use is not followed as long as there is anything
  // else.
  const float bonus = static_cast<float>(options_.bonus) * among(stage.followed);
  ++stage.followed;
  if (values_.is_simple(stage)) {
    const NodeId* const children = graph_.children(stage);
    const std::uint32_t* const followed = graph_.followed(stage, stage.pivot);
    // Whoever it is wants this number to be high, seen from its side.
    const float side = values_.ours(stage) ? 1.0F : -1.0F;
    const float least = values_.worth(stage.node, stage.pivot).lower;
    const float sure = values_.ours(stage) ? least : 1 - least;
    float best = -10;
    std::uint32_t place = 0;
    for (std::uint32_t i = 0; i < stage.width; ++i) {
      const Worth& worth = *graph_.worth(children[i]);
      const float most = values_.ours(stage) ? worth.upper : worth.lower;
      const bool closed = worth.settled() || side * most <= side * sure;
      const float score = side * worth.value + (closed ? -5.0F : bonus * rarity(followed[i]));
      if (score > best) {
        best = score;
        place = i;
      }
    }
    ++graph_.followed(stage, stage.pivot, place);
    places_[stage.pivot] = place;
    return;
  }
  float least = 0;
  if (stage.choosers == 1) {
    for (const Worth& arm : values_.arms(stage, stage.pivot)) least = std::max(least, arm.lower);
  }
  values_.choose(stage, places_.data(),
                 [&](std::uint32_t role, std::uint32_t place, const Worth& worth) {
                   if (stage.choosers == 1 && (worth.settled() || worth.upper <= least))
                     return -0.9F;
                   return bonus * rarity(graph_.followed(stage, role, place));
                 });
  if (options_.chance < roles_) follow_draw(stage);
  for (std::uint32_t r = 0; r < roles_; ++r) ++graph_.followed(stage, r, places_[r]);
}

NodeId MacUcb::follow_principal() {
  path_.clear();
  NodeId id = root_;
  // Down the moves that everybody would make, to the first stage that is not solved: that is where
  // the value of the root comes from.
  bool circle = false;
  while (graph_.solved(id) && !graph_.node(id).bare) {
    circle = graph_.node(id).marked;
    if (circle) break;
    graph_.node(id).marked = true;
    path_.push_back(id);
    Stage& stage = graph_.stage(id);
    follow(stage);
    id = graph_.child(stage, graph_.joint_of(stage, places_.data()));
  }
  for (const NodeId on : path_) graph_.node(on).marked = false;
  // Everybody's best play may lead to what is proved: what else is open may still change their
  // minds.
  return circle || !is_open(id) ? no_node : id;
}

NodeId MacUcb::oldest_open() {
  while (oldest_ < graph_.size() && !is_open(oldest_)) ++oldest_;
  return oldest_ < graph_.size() ? oldest_ : no_node;
}

NodeId MacUcb::next_open() {
  if (principal()) {
    const NodeId id = follow_principal();
    if (id != no_node) return id;
    // Several choose at once, or lines meet: any open stage will do that can still be reached.
    if (!trimmed_) make_room();
    return oldest_open();
  }
  while (!open_.empty()) {
    const NodeId id = open_.top().id;
    open_.pop();
    // Solved or proved since it was put there.
    if (!is_open(id)) continue;
    // Who is above it counts how often the search came by: that is what making room goes by.
    for (NodeId up = graph_.node(id).parent; up != no_node; up = graph_.node(up).parent) {
      ++graph_.stage(up).followed;
      if (up == root_) break;
    }
    return id;
  }
  return no_node;
}

// Solving

bool MacUcb::solve(NodeId id) {
  stages_->open(graph_.state(id), begin_, moves_);
  folding_.merge(graph_.state(id), begin_, moves_);
  const std::optional<std::uint64_t> width = count_joint({begin_, moves_}, widest_stage);
  if (!width) {
    graph_.node(id).wide = true;
    return true;
  }
  if (!graph_.has_room(moves_.size(), *width)) {
    crowded_ = true;
    return false;
  }
  // The solver gives joint moves in the order of their numbers, so solution i is joint move i.
  if (!stages_->solve({begin_, moves_}, widest_stage, offspring_)) return false;
  folding_.fold(offspring_.states, offspring_.keys);
  make_children(id);
  return true;
}

void MacUcb::make_children(NodeId id) {
  const std::size_t size = simulator_->circuit().state_size();
  const auto count = static_cast<std::uint32_t>(offspring_.keys.size());
  // They lie anywhere in memory: ask for all of them before waiting for the first.
  if (options_.cache) {
    for (const std::uint64_t key : offspring_.keys) graph_.prefetch(key);
    for (const std::uint64_t key : offspring_.keys) graph_.prefetch_node(key);
  }
  graph_.solve(id, {begin_, moves_}, count);
  const Stage& stage = graph_.stage(id);
  graph_.node(id).simple = values_.is_simple(stage);
  graph_.node(id).ours = values_.ours(stage);
  const std::uint32_t depth = graph_.node(id).depth + 1U;
  depth_ = std::max(depth_, depth - std::min<std::uint32_t>(depth, graph_.node(root_).depth));
  fresh_.clear();
  fresh_states_.clear();
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint8_t* const state = offspring_.states.data() + i * size;
    // With the cache a state met before is a transposition; without it, it is sampled anew.
    NodeId child = options_.cache ? graph_.find(offspring_.keys[i], state) : no_node;
    if (child == no_node) {
      child = graph_.add(offspring_.keys[i], state, depth);
      ++nodes_;
      if (offspring_.over[i] != 0) {
        utilities_(offspring_.goals.data() + i * roles_, 1, utility_.data());
        values_.settle(child, utility_.data());
      } else if (literal() && plies_left(child) == 0) {
        // Beyond the horizon nobody gets anything; that is no proof of what the game is worth.
        goals_.assign(roles_, 0);
        utilities_(goals_.data(), 1, utility_.data());
        values_.estimate(child, utility_.data());
        graph_.node(child).wide = true;
        cut_ = true;
      } else {
        fresh_.push_back(child);
        if (offspring_.asked_choices) note_choices(child, offspring_.choices.data() + i * roles_);
        fresh_states_.insert(fresh_states_.end(), state, state + size);
        // Until it is valued, a state is taken to be worth what its predecessor is.
        for (std::uint32_t w = 0; w < graph_.worths(); ++w) {
          graph_.worth(child)[w].value = graph_.worth(id)[w].value;
        }
      }
    }
    graph_.link(id, i, child);
    if (options_.proof_steps > 0) recount(child);
  }
  value_by_net(graph_.state(id).data());
}

// Where one alone has a choice; what several have to decide is taken as a single thing.
void MacUcb::note_choices(NodeId id, const std::uint8_t* counts) {
  const auto several = [](std::uint8_t count) { return count > 1; };
  if (std::count_if(counts, counts + roles_, several) != 1) return;
  const std::uint8_t* const most = std::max_element(counts, counts + roles_);
  graph_.node(id).choices = *most;
  graph_.node(id).ours = most - counts == options_.role;
}

// The states that have just been made, of one and the same parent if there is one.
void MacUcb::value_by_net(const std::uint8_t* parent) {
  if (!net_ || fresh_.empty()) return;
  if (parent != nullptr && fresh_.size() > 1) net_->compare_with(parent);
  const std::span<const double> expected = (*net_)(fresh_states_);
  for (std::size_t i = 0; i < fresh_.size(); ++i) {
    values_.estimate(fresh_[i], expected.data() + i * roles_);
    if (!plays()) continue;
    Samples* const samples = graph_.samples(fresh_[i]);
    for (std::uint32_t w = 0; w < graph_.worths(); ++w) {
      samples[w].expected = graph_.worth(fresh_[i])[w].value;
    }
  }
}

// Values and bounds of a stage and of all that depends on it.
void MacUcb::spread(NodeId id) {
  waiting_.clear();
  waiting_.push_back(id);
  const std::uint16_t top = graph_.node(root_).depth;
  // Where games are played, means of states change before anybody is told.
  const bool exact = !plays() && options_.chance >= roles_;
  // In a graph with circles values could go round for ever.
  for (std::size_t next = 0; next < waiting_.size() && next < longest_spread; ++next) {
    const NodeId at = waiting_[next];
    graph_.node(at).marked = false;
    // News that change nothing need not go on; what was asked for does, since its parents may not
    // know it yet.
    const Worth before = *graph_.worth(at);
    if (!values_.update(at) && at != id) continue;
    const Worth after = *graph_.worth(at);
    graph_.for_each_parent(at, [&](NodeId parent) {
      StageNode& node = graph_.node(parent);
      // What lies above the root belongs to the past.
      if (node.marked || node.depth < top) return;
      // Most states have many parents, and few of these care: to look at all the others'
      // successors would cost more than anything else here.
      if (exact && node.simple && !concerns(node.ours, before, after, *graph_.worth(parent)))
        return;
      node.marked = true;
      waiting_.push_back(parent);
    });
  }
  for (const NodeId left : waiting_) graph_.node(left).marked = false;
}

// The whole

Decision MacUcb::think(std::span<const std::uint8_t> state, const Limits& limits,
                       const std::atomic<bool>& stop, const Progress& progress) {
  Watch watch(limits, stop);
  nodes_ = simulations_ = 0;
  depth_ = 0;
  crowded_ = frozen_ = false;
  steps_due_ = 0;
  solving_seconds_ = sampling_seconds_ = alike_seconds_ = 0;
  // Neither a table solver nor playouts may go on for long after the end.
  struct Leave {
    StageSolver& stages;
    ~Leave() { stages.go_on = nullptr; }
  } const leave{*stages_};
  stages_->go_on = [&watch] { return !watch.out_of_time(); };
  set_root(state, watch);
  // Shares of nodes or simulations mean nothing: they are shares of time.
  shares_time_ = plays() && options_.solving_share > 0 &&
                 (limits.deadline != Clock::time_point::max() || std::isfinite(limits.cpu_seconds));
  double told = 0;
  bool made_room = false;
  while (!graph_.node(root_).proved) {
    if (step(watch)) {
      made_room = false;
      if (options_.proof_steps > 0) search_proofs(watch);
    } else {
      // A stage that finds no room in half the memory finds none at all.
      if (!crowded_ || frozen_ || made_room || !time_to_make_room(watch)) break;
      make_room();
      made_room = true;
    }
    if (watch.over(nodes_, simulations_)) break;
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
    if (id == no_node || (!graph_.solved(id) && !solve(id))) return false;
    if (!graph_.solved(id)) return true;
    graph_.node(id).bare = false;
    if (plays()) {
      sample(id, options_.samples, watch);
    } else {
      ++simulations_;  // what a limit on them counts where nothing is played
    }
    if (alike_) find_alike(id, watch);
    put_solutions(id);
    spread(id);
    if (options_.proof_steps > 0 && principal()) recount_path(id);
    return true;
  }
  const double before = watch.cpu_seconds();
  if (!unlike_.empty() && alike_seconds_ * (1 - options_.alike_share) <=
                              (solving_seconds_ + sampling_seconds_) * options_.alike_share) {
    const NodeId id = unlike_.front();
    unlike_.pop_front();
    find_alike(id, watch);
    spread(id);
    alike_seconds_ += watch.cpu_seconds() - before;
    return true;
  }
  // Solving and sampling each go on while the other has had its share.
  if (!graph_.solved(root_) || solving_seconds_ * (1 - options_.solving_share) <=
                                   sampling_seconds_ * options_.solving_share) {
    const NodeId id = next_open();
    if (id == no_node || (!graph_.solved(id) && !solve(id))) return false;
    if (!graph_.solved(id)) return true;
    graph_.node(id).bare = false;
    put_solutions(id);
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
  put_solutions(next.id);
  spread(next.id);
  next.left -= now;
  // Where nothing was played, its solutions are all proved or solved by now.
  if (next.left == 0 || simulations_ == played) {
    if (alike_) unlike_.push_back(next.id);
    unsampled_.pop_front();
  }
  sampling_seconds_ += watch.cpu_seconds() - before;
  return true;
}

}  // namespace woodstock
