#include "circuit/rollouts.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <functional>
#include <stdexcept>

#include "circuit/simulator.h"
#include "circuit/transpose.h"
#include "util/random.h"

namespace woodstock {

namespace {

// How many bits are set in each group of `size` neighbours (a power of two), there.
std::uint64_t count_in_groups(std::uint64_t bits, std::uint32_t size) noexcept {
  static constexpr std::uint64_t lower[] = {0x5555555555555555ULL, 0x3333333333333333ULL,
                                            0x0f0f0f0f0f0f0f0fULL, 0x00ff00ff00ff00ffULL,
                                            0x0000ffff0000ffffULL, 0x00000000ffffffffULL};
  for (unsigned i = 0; (1U << i) < size; ++i) {
    bits = (bits & lower[i]) + ((bits >> (1U << i)) & lower[i]);
  }
  return bits;
}

}  // namespace

RolloutMemory::RolloutMemory(const Circuit& circuit, const Workspace& work)
    : circuit_(circuit), work_(work), trace_(circuit) {}

void RolloutMemory::play(const Kernel& kernel, const RolloutChunk& chunk, std::uint32_t* goals,
                         std::uint64_t* squares, Rollouts& out) {
  const CircuitView& view = circuit_.view();
  const std::size_t count = chunk.states.size() / circuit_.state_size();
  RolloutTask task{};
  task.words = chunk.words;
  task.key = chunk.key;
  task.state_words = static_cast<std::uint32_t>((count + 63) / 64);
  task.state_count = static_cast<std::uint32_t>(count);
  task.each = chunk.each;
  task.max_plies = chunk.max_plies;
  task.go_on = chunk.go_on;
  task.context = chunk.context;
  states_.resize(std::max(states_.size(), circuit_.fluents() * task.state_words + chunk.words));
  bytes_to_planes(chunk.states, circuit_.state_size(), circuit_.fluents(), states_.data(),
                  task.state_words);
  task.states = states_.data();
  task.goals = goals_.reserve(2 * view.goals_begin[view.roles] * chunk.words);
  work_.made = nullptr;
  work_.preferences = chunk.preferences;
  if (chunk.trace) trace_.begin(work_, chunk.words);
  kernel.rollout(view, task, work_);
  out.plies += task.plies;
  out.stuck += task.stuck;
  out.cut += task.cut;
  add_goals(chunk, goals, squares);
  if (chunk.trace) trace_.sum_up({chunk.words, count, chunk.each, task.goals}, out);
}

void RolloutMemory::add_goals(const RolloutChunk& chunk, std::uint32_t* goals,
                              std::uint64_t* squares) const {
  const CircuitView& view = circuit_.view();
  const std::size_t count = chunk.states.size() / circuit_.state_size();
  const std::size_t per_word = 64 / chunk.each;  // states
  const std::uint64_t group = ~std::uint64_t{0} >> (64 - chunk.each);
  for (std::uint32_t role = 0; role < view.roles; ++role) {
    for (std::uint32_t g = view.goals_begin[role]; g < view.goals_begin[role + 1]; ++g) {
      const std::uint32_t value = view.goals[g].value;
      if (value == 0) continue;
      const std::uint64_t* plane = goals_.data() + std::size_t{g} * chunk.words;
      for (std::size_t w = 0; w * per_word < count; ++w) {
        if (plane[w] == 0) continue;
        // Lanes of a state are neighbours, so their wins are counted in place, all states of the
        // word together.
        std::uint64_t games = count_in_groups(plane[w], chunk.each);
        const std::size_t last = std::min(count, (w + 1) * per_word);
        for (std::size_t i = w * per_word; i < last; ++i) {
          const std::uint64_t times = games & group;
          goals[i * view.roles + role] += static_cast<std::uint32_t>(times) * value;
          squares[i * view.roles + role] += times * value * value;
          games = chunk.each == 64 ? 0 : games >> chunk.each;
        }
      }
    }
  }
}

namespace {

// What the parts of a call share.
struct Sharing {
  const RolloutOptions& options;
  std::atomic<bool> stopped{false};
};

struct Worker {
  Sharing* sharing;
  bool asks;
};

bool go_on(void* context) {
  const Worker& worker = *static_cast<Worker*>(context);
  Sharing& sharing = *worker.sharing;
  if (worker.asks && sharing.options.go_on && !sharing.options.go_on()) sharing.stopped = true;
  return !sharing.stopped;
}

// The lists of moves keep their length until they are cut off at the end: growing them anew in
// every call would cost as much as filling them.
void clear(Rollouts& rollouts, bool trace) {
  rollouts.plies = rollouts.stuck = rollouts.cut = 0;
  rollouts.played_begin.assign(trace ? 1 : 0, 0);
}

void cut_off(Rollouts& rollouts, std::size_t roles) {
  const std::size_t played = rollouts.played_begin.empty() ? 0 : rollouts.played_begin.back();
  rollouts.played.resize(played);
  rollouts.played_goals.resize(played * roles);
}

// Adds a part whose states are the next ones; all but the sums of goals.
void append(Rollouts& to, const Rollouts& part, std::size_t roles) {
  to.plies += part.plies;
  to.stuck += part.stuck;
  to.cut += part.cut;
  if (part.played_begin.empty()) return;
  const std::uint32_t behind = to.played_begin.back();
  const std::uint32_t played = part.played_begin.back();
  for (std::size_t i = 1; i < part.played_begin.size(); ++i) {
    to.played_begin.push_back(behind + part.played_begin[i]);
  }
  to.played.resize(std::max<std::size_t>(to.played.size(), behind + played));
  to.played_goals.resize(std::max(to.played_goals.size(), (behind + played) * roles));
  std::copy_n(part.played.data(), played, to.played.data() + behind);
  std::copy_n(part.played_goals.data(), played * roles, to.played_goals.data() + behind * roles);
}

}  // namespace

void Simulator::lay_out_preferences(std::span<const std::uint8_t> preferences) {
  preferences_.assign(circuit_->leaves(), 0);
  for (std::size_t move = 0; move < preferences.size(); ++move) {
    const std::uint32_t leaf = circuit_->leaf_of(move);
    if (leaf != Circuit::no_leaf) preferences_[leaf] = preferences[move];
  }
}

void Simulator::rollouts(std::span<const std::uint8_t> states, std::uint32_t each,
                         const RolloutOptions& options, Rollouts& out) {
  const std::size_t count = count_states(states);
  if (!std::has_single_bit(each) || each > 64) {
    throw std::invalid_argument("a state gets 1, 2, 4, 8, 16, 32 or 64 rollouts");
  }
  if (options.max_plies == 0) throw std::invalid_argument("rollouts need at least one ply");
  const bool known = std::all_of(options.preferences.begin(), options.preferences.end(),
                                 [](std::uint8_t level) { return level < preference_levels; });
  if (!known || (!options.preferences.empty() && options.preferences.size() != circuit_->moves())) {
    throw std::invalid_argument("preferences are 0, 1, 2 or 3, one for each move");
  }
  const std::size_t roles = circuit_->roles();
  const std::size_t size = circuit_->state_size();
  out.goals.assign(count * roles, 0);
  out.squares.assign(count * roles, 0);
  clear(out, options.trace);
  const std::size_t most =
      options.batch == 0 ? count * each : std::min<std::size_t>(options.batch, count * each);
  const std::size_t at_once =
      words_for(most, circuit_->width()) * std::size_t{64} / each;  // states
  const std::size_t chunks = (count + at_once - 1) / at_once;

  const std::lock_guard lock(mutex_);
  if (!options.preferences.empty()) lay_out_preferences(options.preferences);
  Sharing sharing{options};
  const auto play = [&](std::size_t number, unsigned worker, Rollouts& part) {
    const std::size_t first = number * at_once;
    const std::size_t used = std::min(at_once, count - first);
    Worker context{&sharing, worker == 0};
    RolloutChunk chunk;
    chunk.states = states.subspan(first * size, used * size);
    chunk.each = each;
    chunk.words = words_for(used * each, circuit_->width());
    chunk.key = scatter(scatter(options.seed + golden_gamma) + number * golden_gamma);
    chunk.max_plies = options.max_plies;
    chunk.go_on = go_on;
    chunk.context = &context;
    chunk.trace = options.trace;
    chunk.preferences = options.preferences.empty() ? nullptr : preferences_.data();
    rollout_memory_[worker].play(kernel_, chunk, out.goals.data() + first * roles,
                                 out.squares.data() + first * roles, part);
    if (sharing.stopped) throw Interrupted();
  };
  // Parts are put together in their order, not in that in which threads finish.
  if (chunks <= 1 || pool_.size() == 1) {
    for (std::size_t i = 0; i < chunks; ++i) play(i, 0, out);
  } else {
    parts_.resize(std::max(parts_.size(), chunks));
    const auto play_part = [&](std::size_t i, unsigned worker) {
      clear(parts_[i], options.trace);
      play(i, worker, parts_[i]);
    };
    pool_.run(chunks, std::cref(play_part));
    for (std::size_t i = 0; i < chunks; ++i) append(out, parts_[i], roles);
  }
  cut_off(out, roles);
}

}  // namespace woodstock
