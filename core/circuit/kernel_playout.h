// Playouts: lanes are filled with games, played to the end, scored and filled again. See
// kernel_impl.h.

#pragma once

#include "circuit/kernel_choice.h"

namespace woodstock {
namespace {

template <std::size_t N>
struct Playing : Choosing<N> {
  using Base = Choosing<N>;
  using Base::any_in;
  using Base::Base;
  using Base::choose;
  using Base::circuit;
  using Base::count_moves;
  using Base::find_awake;
  using Base::K;
  using Base::latch;
  using Base::read;
  using Base::run;
  using Base::slot;
  using Base::work;
  using typename Base::Tree;

  // Puts playouts of the jobs that are next in line into the lanes of `idle`; lanes that get none
  // stay idle.
  struct Queue {
    std::uint32_t job = 0;
    std::uint64_t left = 0;  // of this job
  };

  void load(const std::uint8_t* state, const V* mask) const {
    for (std::uint32_t f = 0; f < circuit.fluents; ++f) {
      V* to = slot(1 + f);
      if (state[f] != 0) {
        for (std::size_t k = 0; k < K; ++k) to[k] |= mask[k];
      } else {
        for (std::size_t k = 0; k < K; ++k) to[k] = and_not(to[k], mask[k]);
      }
    }
  }

  void refill(const BlockTask& task, Queue& queue, V* active, std::uint32_t pass) const {
    for (;;) {
      while (queue.left == 0) {
        if (queue.job + 1 >= task.job_count) return;
        queue.left = task.jobs[++queue.job].playouts;
      }
      V mask[K];
      std::uint64_t taken = 0;
      for (std::size_t w = 0; w < K * words_per_vector; ++w) {
        std::uint64_t idle = ~words(active)[w];
        std::uint64_t take = 0;
        while (idle != 0 && taken < queue.left) {
          const std::uint64_t bit = idle & (0 - idle);
          idle ^= bit;
          take |= bit;
          const std::size_t lane = w * 64 + static_cast<std::size_t>(__builtin_ctzll(bit));
          work.lane_start[lane] = pass;
          work.lane_job[lane] = queue.job;
          ++taken;
        }
        words(mask)[w] = take;
      }
      if (taken == 0) return;
      for (std::size_t k = 0; k < K; ++k) active[k] |= mask[k];
      load(task.jobs[queue.job].state, mask);
      queue.left -= taken;
    }
  }

  // Scores the lanes of `finished`.
  void score(const BlockTask& task, const V* finished, std::uint32_t pass) const {
    run(Part::goals);
    const bool one_job = task.job_count == 1;
    for (std::size_t w = 0; w < K * words_per_vector; ++w) {
      std::uint64_t lanes = words(finished)[w];
      while (lanes != 0) {
        const std::size_t lane = w * 64 + static_cast<std::size_t>(__builtin_ctzll(lanes));
        lanes &= lanes - 1;
        const std::uint32_t length = pass - work.lane_start[lane];
        // With one job, lanes are not told apart: to count lengths is cheaper than to add up four
        // figures for every game.
        if (one_job && length < counted_lengths) {
          ++work.histogram[length];
        } else {
          add_lengths(task.lengths[work.lane_job[lane]], length, 1);
        }
      }
    }
    for (std::uint32_t role = 0; role < circuit.roles; ++role) {
      V open[K];     // no goal seen yet
      V closed[K];   // a goal of a higher value seen
      V unclear[K];  // goals of two values seen
      for (std::size_t k = 0; k < K; ++k) {
        open[k] = finished[k];
        closed[k] = zeros();
        unclear[k] = zeros();
      }
      std::uint64_t last_value = 0;
      for (std::uint32_t g = circuit.goals_begin[role]; g < circuit.goals_begin[role + 1]; ++g) {
        const std::uint64_t value = circuit.goals[g].value;
        // Several goals may have the same value, which is not unclear; so lanes are closed only
        // when the value goes down.
        if (value != last_value) {
          for (std::size_t k = 0; k < K; ++k) closed[k] = and_not(finished[k], open[k]);
          last_value = value;
        }
        V hit[K];
        V some = zeros();
        for (std::size_t k = 0; k < K; ++k) {
          const V holds = finished[k] & read(circuit.goals[g].plane, k);
          hit[k] = holds & open[k];
          unclear[k] |= holds & closed[k];
          open[k] = and_not(open[k], holds);
          some |= hit[k];
        }
        if (value == 0 || !any(some)) continue;
        if (one_job) {
          std::uint64_t times = 0;
          for (std::size_t k = 0; k < K; ++k) times += count_ones(hit[k]);
          task.goals[role].sum += times * value;
          task.goals[role].squares += times * value * value;
        } else {
          for (std::size_t w = 0; w < K * words_per_vector; ++w) {
            for (std::uint64_t lanes = words(hit)[w]; lanes != 0; lanes &= lanes - 1) {
              const std::size_t lane = w * 64 + static_cast<std::size_t>(__builtin_ctzll(lanes));
              GoalTally& tally = task.goals[work.lane_job[lane] * circuit.roles + role];
              tally.sum += value;
              tally.squares += value * value;
            }
          }
        }
      }
      V some = zeros();
      for (std::size_t k = 0; k < K; ++k) {
        unclear[k] |= open[k];
        some |= unclear[k];
      }
      if (any(some)) tally_lanes(task, unclear, &LengthTally::unclear);
    }
  }

  static void add_lengths(LengthTally& tally, std::uint32_t length, std::uint64_t times) {
    tally.playouts += times;
    tally.length += times * length;
    tally.length_squares += times * length * length;
    if (length < tally.shortest) tally.shortest = length;
    if (length > tally.longest) tally.longest = length;
  }

  void sum_up(const BlockTask& task) const {
    for (std::uint32_t length = 0; length < counted_lengths; ++length) {
      if (work.histogram[length] == 0) continue;
      add_lengths(task.lengths[0], length, work.histogram[length]);
      work.histogram[length] = 0;
    }
  }

  void tally_lanes(const BlockTask& task, V* lanes_in, std::uint64_t LengthTally::* field) const {
    for (std::size_t w = 0; w < K * words_per_vector; ++w) {
      for (std::uint64_t lanes = words(lanes_in)[w]; lanes != 0; lanes &= lanes - 1) {
        const std::size_t lane = w * 64 + static_cast<std::size_t>(__builtin_ctzll(lanes));
        ++(task.lengths[work.lane_job[lane]].*field);
      }
    }
  }

  // Whether new playouts may begin now: they should not wake up a side that sleeps in all the
  // others. A playout waits for that a few steps at most.
  bool in_step(const BlockTask& task, const Queue& queue, const V* active) const {
    const std::uint8_t* state = task.jobs[queue.job].state;
    for (std::uint32_t g = 0; g < circuit.guard_count; ++g) {
      const Plane guard = circuit.guards[g];
      const bool wanted = (state[slot_of(guard) - 1] != 0) != is_negative(guard);
      if (wanted && !any_in(guard, active)) return false;
    }
    return true;
  }

  void play(const BlockTask& task) const {
    for (std::size_t k = 0; k < K; ++k) slot(zero_slot)[k] = zeros();
    V active[K];
    for (std::size_t k = 0; k < K; ++k) active[k] = zeros();
    Queue queue;
    queue.left = task.jobs[0].playouts;
    refill(task, queue, active, 0);
    std::uint32_t oldest = 0;  // no active lane began before this pass
    std::uint32_t waited = 0;
    for (std::uint32_t pass = 0;;) {
      if (task.probe != nullptr && !watch_fluents(*task.probe, active)) break;
      if (pass % 64 == 0 && task.go_on != nullptr && !task.go_on(task.context)) break;
      find_awake(active);
      run(Part::state);
      // All trees are kept: whether everybody can move must be known before anybody moves.
      Tree trees[max_roles];
      V stuck[K];
      V* const scratch = count_moves(trees, stuck);
      V finished[K];
      if (find_finished(task, active, stuck, pass, oldest, finished)) {
        score(task, finished, pass);
        for (std::size_t k = 0; k < K; ++k) active[k] = and_not(active[k], finished[k]);
      }
      V still = zeros();
      for (std::size_t k = 0; k < K; ++k) still |= active[k];
      const bool playing = any(still);
      if (playing) {
        for (std::uint32_t role = 0; role < circuit.roles; ++role) {
          const std::uint64_t draw = static_cast<std::uint64_t>(pass) * circuit.roles + role;
          choose(circuit.choices[role], trees[role], active,
                 task.key + draw * draw_bits * Base::random_step, scratch);
        }
        run(Part::move);
        latch();
      }
      ++pass;
      if (!begin_more(task, queue, active, pass, waited, playing)) break;
    }
    sum_up(task);
  }

  // The active lanes whose playout ends here; whether there is one.
  bool find_finished(const BlockTask& task, const V* active, V* stuck, std::uint32_t pass,
                     std::uint32_t& oldest, V* finished) const {
    V some = zeros(), some_stuck = zeros();
    for (std::size_t k = 0; k < K; ++k) {
      const V terminal = read(circuit.terminal, k);
      stuck[k] &= and_not(active[k], terminal);
      finished[k] = (active[k] & terminal) | stuck[k];
      some_stuck |= stuck[k];
      some |= finished[k];
    }
    if (any(some_stuck)) tally_lanes(task, stuck, &LengthTally::stuck);
    // A bound for all lanes, so that the limit costs nothing while no game can have reached it.
    if (pass - oldest >= task.max_plies) {
      cut(task, active, finished, pass, oldest);
      for (std::size_t k = 0; k < K; ++k) some |= finished[k];
    }
    return any(some);
  }

  // False when it has seen enough.
  bool watch_fluents(Probe& probe, const V* active) const {
    std::uint64_t playing = 0;
    for (std::size_t k = 0; k < K; ++k) playing += count_ones(active[k]);
    // A few stragglers say nothing about full batches.
    if (probe.passes == probe.max_passes || 2 * playing < N * 64) return false;
    ++probe.passes;
    for (std::uint32_t f = 0; f < circuit.fluents; ++f) {
      const Plane plane = 2 * (1 + f);
      const std::uint8_t now = !any_in(plane, active) ? 1 : !any_in(plane + 1, active) ? 2 : 0;
      probe.never[f] += now == 1 ? 1U : 0U;
      probe.always[f] += now == 2 ? 1U : 0U;
      probe.turns[f] += now + probe.last[f] == 3 ? 1U : 0U;
      probe.last[f] = now;
    }
    return true;
  }

  // Fills idle lanes if it is time to; false when everything is done.
  bool begin_more(const BlockTask& task, Queue& queue, V* active, std::uint32_t pass,
                  std::uint32_t& waited, bool playing) const {
    constexpr std::uint32_t patience = 3;  // passes
    while (queue.left == 0 && queue.job + 1 < task.job_count) {
      queue.left = task.jobs[++queue.job].playouts;
    }
    if (queue.left == 0) return playing;
    V idle = zeros();
    for (std::size_t k = 0; k < K; ++k) idle |= ~active[k];
    if (!any(idle)) return true;
    if (playing && waited < patience && !in_step(task, queue, active)) {
      ++waited;
      return true;
    }
    waited = 0;
    refill(task, queue, active, pass);
    return true;
  }

  // Ends the playouts that have reached the limit.
  void cut(const BlockTask& task, const V* active, V* finished, std::uint32_t pass,
           std::uint32_t& oldest) const {
    V over[K];
    oldest = pass;
    for (std::size_t w = 0; w < K * words_per_vector; ++w) {
      std::uint64_t late = 0;
      const std::uint64_t running = words(active)[w] & ~words(finished)[w];
      for (std::uint64_t lanes = running; lanes != 0; lanes &= lanes - 1) {
        const std::size_t lane = w * 64 + static_cast<std::size_t>(__builtin_ctzll(lanes));
        if (pass - work.lane_start[lane] >= task.max_plies) {
          late |= lanes & (0 - lanes);
        } else if (work.lane_start[lane] < oldest) {
          oldest = work.lane_start[lane];
        }
      }
      words(over)[w] = late;
    }
    tally_lanes(task, over, &LengthTally::cut);
    for (std::size_t k = 0; k < K; ++k) finished[k] |= over[k];
  }
};

}  // namespace
}  // namespace woodstock
