#include "circuit/simulator.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <stdexcept>
#include <utility>

#include "circuit/isa.h"
#include "circuit/lanes.h"
#include "circuit/transpose.h"
#include "util/random.h"

namespace woodstock {

namespace {

// A stretch of playouts that one thread does: jobs from first_job on, of the first and the last
// perhaps only a part.
struct Block {
  std::size_t first_job = 0;
  std::vector<std::uint64_t> playouts;
};

// Cuts the work into blocks. How it is cut does not depend on the number of threads, since the
// random numbers do depend on it. Long blocks waste less at their end, where lanes run empty; short
// ones share better.
class Cutter {
 public:
  Cutter(std::span<const std::uint64_t> budgets, const Circuit& circuit) : budgets_(budgets) {
    std::uint64_t total = 0;
    for (std::uint64_t budget : budgets) total += std::min(budget, ~std::uint64_t{0} - total);
    const std::uint64_t lanes = circuit.width() * unit_lanes;
    // With few playouts a state, refilling lanes one state at a time costs more than it gains.
    const bool few_each = total / 64 < budgets.size();
    // The larger the circuit, the less a block's end weighs.
    const std::uint64_t longest =
        std::clamp<std::uint64_t>(4'000'000 / (1 + circuit.statistics().operands), 1, 16);
    const std::uint64_t share = total / (16 * unit_lanes) + 1;
    quota_ = few_each ? lanes : unit_lanes * std::min(share, longest * circuit.width());
    if (!budgets.empty()) left_ = budgets[0];
  }

  // The next `most` blocks, or those that are left.
  std::vector<Block> next(std::size_t most) {
    std::vector<Block> blocks;
    while (blocks.size() < most) {
      Block block;
      for (std::uint64_t room = quota_; room != 0;) {
        while (left_ == 0 && job_ + 1 < budgets_.size()) left_ = budgets_[++job_];
        if (left_ == 0) break;
        if (block.playouts.empty()) block.first_job = job_;
        const std::uint64_t part = std::min(left_, room);
        block.playouts.resize(job_ - block.first_job + 1, 0);
        block.playouts.back() = part;
        left_ -= part;
        room -= part;
      }
      if (block.playouts.empty()) break;
      blocks.push_back(std::move(block));
    }
    return blocks;
  }

 private:
  std::span<const std::uint64_t> budgets_;
  std::uint64_t quota_ = unit_lanes;
  std::size_t job_ = 0;
  std::uint64_t left_ = 0;  // of this job
};

// The narrowest batch that holds so many lanes, `most` at most.
std::uint32_t width_for(std::uint64_t lanes, std::uint32_t most) noexcept {
  std::uint32_t width = 1;
  while (width < most && width * unit_lanes < lanes) width *= 2;
  return width;
}

void add(LengthTally& to, const LengthTally& from) {
  to.playouts += from.playouts;
  to.stuck += from.stuck;
  to.cut += from.cut;
  to.unclear += from.unclear;
  to.length += from.length;
  to.length_squares += from.length_squares;
  to.shortest = std::min(to.shortest, from.shortest);
  to.longest = std::max(to.longest, from.longest);
}

bool get_bit(const std::uint64_t* words, std::size_t i) noexcept {
  return ((words[i / 64] >> (i % 64)) & 1U) != 0;
}

}  // namespace

Simulator::Simulator(std::shared_ptr<const Circuit> circuit, std::string_view isa, unsigned threads)
    : circuit_(std::move(circuit)), kernel_(find_kernel(isa)), pool_(threads), visitor_(*circuit_) {
  memory_.reserve(pool_.size());
  rollout_memory_.reserve(pool_.size());
  for (unsigned i = 0; i < pool_.size(); ++i) {
    memory_.emplace_back(*circuit_);
    rollout_memory_.emplace_back(*circuit_, memory_[i].workspace());
  }
}

std::size_t Simulator::count_states(std::span<const std::uint8_t> states) const {
  const std::size_t size = circuit_->state_size();
  if (states.size() % size != 0) throw std::invalid_argument("states of the wrong size");
  // States that are equal must be equal byte by byte: they are compared and hashed as they are.
  const std::size_t spare = circuit_->fluents() % 8;
  if (spare != 0 || circuit_->fluents() == 0) {
    for (std::size_t i = size - 1; i < states.size(); i += size) {
      if ((states[i] >> spare) != 0) {
        throw std::invalid_argument("state with bits beyond the last fluent");
      }
    }
  }
  return states.size() / size;
}

void Simulator::check_moves(std::size_t states, std::span<const std::uint32_t> moves) const {
  const std::size_t roles = circuit_->roles();
  const std::vector<std::uint32_t>& role_of = circuit_->role_table().move_role;
  if (moves.size() != states * roles) {
    throw std::invalid_argument("one move is needed for each role of each state");
  }
  for (std::size_t i = 0, role = 0; i < moves.size();
       ++i, role = role + 1 == roles ? 0 : role + 1) {
    if (moves[i] >= role_of.size() || role_of[moves[i]] != role) {
      throw std::invalid_argument("no such move of that role");
    }
  }
}

std::vector<Tally> Simulator::playouts(std::span<const std::uint8_t> states,
                                       std::span<const std::uint64_t> budgets,
                                       const PlayoutOptions& options) {
  const std::size_t count = count_states(states);
  if (budgets.size() != count) throw std::invalid_argument("one budget is needed for each state");
  if (options.max_plies == 0) throw std::invalid_argument("playouts need at least one ply");
  const std::size_t fluents = circuit_->fluents();
  const std::size_t roles = circuit_->roles();
  std::vector<std::uint8_t> unpacked(count * fluents);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* state = states.data() + i * circuit_->state_size();
    for (std::size_t f = 0; f < fluents; ++f) {
      unpacked[i * fluents + f] = (state[f / 8] >> (f % 8)) & 1U;
    }
  }
  std::vector<Tally> result(count);
  for (Tally& tally : result) tally.goals.resize(roles);

  const std::lock_guard lock(mutex_);
  std::mutex merging;
  std::atomic<bool> stopped{false};
  struct Context {
    const PlayoutOptions& options;
    std::atomic<bool>& stopped;
    unsigned worker;
  };
  const auto go_on = [](void* pointer) {
    const auto& context = *static_cast<Context*>(pointer);
    // Only the caller's own thread asks, since what it asks may belong to that thread: Python's
    // signals do.
    if (context.worker == 0 && context.options.go_on && !context.options.go_on()) {
      context.stopped = true;
    }
    return !context.stopped;
  };
  const auto play = [&](const Block& block, std::size_t number, unsigned worker) {
    const std::size_t jobs = block.playouts.size();
    std::vector<BlockJob> list(jobs);
    std::uint64_t total = 0;
    for (std::size_t j = 0; j < jobs; ++j) {
      total += block.playouts[j];
      list[j] = {unpacked.data() + (block.first_job + j) * fluents, block.playouts[j]};
    }
    std::vector<LengthTally> lengths(jobs);
    std::vector<GoalTally> goals(jobs * roles);
    Context context{options, stopped, worker};
    BlockTask task{};
    // Lanes that would be refilled only once or twice are better left out.
    task.width = width_for(total / 4, circuit_->width());
    // By the number of the block, not of the thread that happens to play it.
    task.key = scatter(scatter(options.seed + golden_gamma) + number * golden_gamma);
    task.jobs = list.data();
    task.job_count = static_cast<std::uint32_t>(jobs);
    task.max_plies = options.max_plies;
    task.lengths = lengths.data();
    task.goals = goals.data();
    task.go_on = go_on;
    task.context = &context;
    // Each worker has its memory. Sums are of whole numbers, so the order in which blocks are added
    // up does not matter.
    kernel_.play(circuit_->view(), task, memory_[worker].workspace());
    if (stopped) throw Interrupted();
    const std::lock_guard merge(merging);
    for (std::size_t j = 0; j < jobs; ++j) {
      Tally& tally = result[block.first_job + j];
      add(tally.lengths, lengths[j]);
      for (std::size_t role = 0; role < roles; ++role) {
        tally.goals[role].sum += goals[j * roles + role].sum;
        tally.goals[role].squares += goals[j * roles + role].squares;
      }
    }
  };
  Cutter cutter(budgets, *circuit_);
  // Not all at once: a large budget has many.
  constexpr std::size_t at_once = 4096;  // blocks
  for (std::size_t done = 0;;) {
    const std::vector<Block> blocks = cutter.next(at_once);
    if (blocks.empty()) break;
    pool_.run(blocks.size(),
              [&](std::size_t i, unsigned worker) { play(blocks[i], done + i, worker); });
    done += blocks.size();
  }
  return result;
}

void Simulator::load(const Workspace& work, std::size_t words,
                     std::span<const std::uint8_t> states) const {
  bytes_to_planes(states, circuit_->state_size(), circuit_->fluents(), work.values + words, words);
}

void Simulator::store(const Workspace& work, std::size_t words,
                      std::span<std::uint8_t> states) const {
  planes_to_bytes(work.values + words, words, circuit_->fluents(), states, circuit_->state_size());
}

namespace {

// Lists of planes that hold, lane by lane.
class LaneLists {
 public:
  LaneLists(const Workspace& work, std::size_t words, std::span<const std::uint64_t> active)
      : values_(work.values), words_(words), active_(active), lists_(words * 64) {}

  void add(std::uint32_t index, Plane plane) {
    const std::uint64_t flip = is_negative(plane) ? ~std::uint64_t{0} : 0;
    const std::uint64_t* slot = values_ + slot_of(plane) * words_;
    for (std::size_t w = 0; w < words_; ++w) {
      for (std::uint64_t bits = (slot[w] ^ flip) & active_[w]; bits != 0; bits &= bits - 1) {
        lists_[w * 64 + static_cast<std::size_t>(std::countr_zero(bits))].push_back(index);
      }
    }
  }

  void append(std::size_t lanes, std::vector<std::uint32_t>& begin,
              std::vector<std::uint32_t>& items) const {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      items.insert(items.end(), lists_[lane].begin(), lists_[lane].end());
      begin.push_back(static_cast<std::uint32_t>(items.size()));
    }
  }

 private:
  const std::uint64_t* values_;
  std::size_t words_;
  std::span<const std::uint64_t> active_;
  std::vector<std::vector<std::uint32_t>> lists_;
};

}  // namespace

Positions Simulator::analyse(std::span<const std::uint8_t> states) {
  const std::size_t count = count_states(states);
  const std::uint32_t words = words_for(count, circuit_->width());
  const std::size_t lanes = words * std::size_t{64};
  const Code& code = circuit_->code();
  Positions out;
  out.legal_begin.push_back(0);
  out.goals_begin.push_back(0);
  const std::lock_guard lock(mutex_);
  const Workspace& work = memory_[0].workspace();
  for (std::size_t first = 0; first < count; first += lanes) {
    const std::size_t used = std::min(lanes, count - first);
    const std::size_t size = circuit_->state_size();
    load(work, words, states.subspan(first * size, used * size));
    activate(work, words, used);
    const std::span<const std::uint64_t> active(work.active, words);
    kernel_.run(circuit_->view(), Part::state, work, words);
    kernel_.run(circuit_->view(), Part::goals, work, words);
    const std::uint64_t* terminal = work.values + slot_of(code.terminal) * words;
    for (std::size_t lane = 0; lane < used; ++lane) {
      out.terminal.push_back(get_bit(terminal, lane) != is_negative(code.terminal) ? 1 : 0);
    }
    LaneLists legal(work, words, active);
    for (std::uint32_t m = 0; m < code.legal.size(); ++m) legal.add(m, code.legal[m]);
    legal.append(used, out.legal_begin, out.legal);
    LaneLists goals(work, words, active);
    for (std::uint32_t g = 0; g < code.goals.size(); ++g) goals.add(g, code.goals[g]);
    goals.append(used, out.goals_begin, out.goals);
  }
  return out;
}

std::vector<double> Simulator::legal_weights(std::span<const std::uint8_t> states,
                                             std::span<const double> weights) {
  if (count_states(states) != weights.size()) {
    throw std::invalid_argument("a weight is needed for each state");
  }
  Visits visits;
  visit(states, {}, visits);
  std::vector<double> out(circuit_->moves());
  const std::size_t roles = circuit_->roles();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    for (std::uint32_t j = visits.legal_begin[i * roles]; j < visits.legal_begin[(i + 1) * roles];
         ++j) {
      out[visits.legal[j]] += weights[i];
    }
  }
  return out;
}

Successors Simulator::next(std::span<const std::uint8_t> states,
                           std::span<const std::uint32_t> moves, bool percepts) {
  const std::size_t count = count_states(states);
  const std::size_t roles = circuit_->roles();
  const std::uint32_t words = words_for(count, circuit_->width());
  const std::size_t lanes = words * std::size_t{64};
  const std::size_t size = circuit_->state_size();
  const Code& code = circuit_->code();
  check_moves(count, moves);
  Successors out;
  out.states.resize(states.size());
  out.percepts_begin.push_back(0);
  const std::lock_guard lock(mutex_);
  const Workspace& work = memory_[0].workspace();
  for (std::size_t first = 0; first < count; first += lanes) {
    const std::size_t used = std::min(lanes, count - first);
    load(work, words, states.subspan(first * size, used * size));
    activate(work, words, used);
    const std::span<const std::uint64_t> active(work.active, words);
    kernel_.run(circuit_->view(), Part::state, work, words);
    visitor_.make_moves(work, words, moves.data() + first * roles, used);
    if (percepts) {
      kernel_.run(circuit_->view(), Part::percepts, work, words);
      LaneLists seen(work, words, active);
      for (std::uint32_t p = 0; p < code.percepts.size(); ++p) seen.add(p, code.percepts[p]);
      seen.append(used, out.percepts_begin, out.percepts);
    }
    kernel_.run(circuit_->view(), Part::move, work, words);
    store(work, words, {out.states.data() + first * size, used * size});
  }
  return out;
}

Expansion Simulator::expand(std::span<const std::uint8_t> state, std::uint64_t limit,
                            bool percepts) {
  if (count_states(state) != 1) throw std::invalid_argument("one state is expanded at a time");
  const Positions position = analyse(state);
  const std::size_t roles = circuit_->roles();
  Expansion out;
  out.after.percepts_begin.push_back(0);
  std::vector<std::vector<std::uint32_t>> options(roles);
  for (std::uint32_t move : position.legal) {
    const std::uint32_t role = circuit_->role_table().move_role[move];
    if (role != RoleTable::no_role) options[role].push_back(move);
  }
  std::uint64_t total = position.terminal[0] != 0 || roles == 0 ? 0 : 1;
  for (const auto& list : options) {
    // Divided, since the product may not fit.
    if (!list.empty() && total > limit / list.size()) {
      throw std::length_error("the state has too many successors");
    }
    total *= list.size();
  }
  if (total == 0) return out;
  out.moves.reserve(total * roles);
  std::vector<std::size_t> at(roles, 0);
  for (std::uint64_t i = 0; i < total; ++i) {
    for (std::size_t role = 0; role < roles; ++role) out.moves.push_back(options[role][at[role]]);
    for (std::size_t role = roles; role-- > 0;) {
      if (++at[role] < options[role].size()) break;
      at[role] = 0;
    }
  }
  std::vector<std::uint8_t> copies(total * state.size());
  for (std::uint64_t i = 0; i < total; ++i) {
    std::copy(state.begin(), state.end(),
              copies.begin() + static_cast<std::ptrdiff_t>(i * state.size()));
  }
  out.after = next(copies, out.moves, percepts);
  return out;
}

std::uint64_t percept_key(std::uint32_t percept) noexcept {
  return scatter(~std::uint64_t{percept} * golden_gamma);
}

std::uint64_t zobrist_key(std::uint32_t fluent) noexcept {
  return scatter((std::uint64_t{fluent} + 1) * golden_gamma);
}

std::uint64_t zobrist_hash(std::span<const std::uint8_t> state) noexcept {
  std::uint64_t hash = 0;
  for (std::uint32_t i = 0; i < state.size(); ++i) {
    for (unsigned bits = state[i]; bits != 0; bits &= bits - 1) {
      hash ^= zobrist_key(8 * i + static_cast<std::uint32_t>(std::countr_zero(bits)));
    }
  }
  return hash;
}

}  // namespace woodstock
