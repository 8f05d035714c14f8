// Games from many states, all begun together and none replaced. See kernel_impl.h.

#pragma once

#include "circuit/kernel_begin.h"
#include "circuit/kernel_compaction.h"

namespace woodstock {
namespace {

template <std::size_t N>
struct Rolling : Beginning<N> {
  using Base = Beginning<N>;
  using Base::Base;
  using Base::begin;
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
  using typename Base::Spread;
  using typename Base::Tree;

  void roll(RolloutTask& task) const {
    RolloutLanes lanes{};
    const std::size_t used = static_cast<std::size_t>(task.state_count) * task.each;
    for (std::size_t w = 0; w < N; ++w) {
      const std::size_t here = used > w * 64 ? used - w * 64 : 0;
      lanes.waiting[w] = here >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1;
    }
    for (std::size_t k = 0; k < K; ++k) slot(zero_slot)[k] = zeros();
    task.plies = task.stuck = task.cut = 0;
    play(task, lanes);
  }

  // Plays on from where the lanes are. Ends early, half done, when it may not go on.
  void play(RolloutTask& task, RolloutLanes& lanes) const {
    for (std::size_t i = 0; i < circuit.goals_begin[circuit.roles] * N; ++i) task.goals[i] = 0;
    const Spread spread(task.each);
    V* const active = reinterpret_cast<V*>(lanes.active);
    for (;; ++lanes.pass) {
      if (lanes.pass % 64 == 0 && task.go_on != nullptr && !task.go_on(task.context)) return;
      if (lanes.pass <= rollout_patience) begin(task, spread, lanes);
      find_awake(active);
      run(Part::state);
      // All trees are kept: whether everybody can move must be known before anybody moves.
      Tree trees[max_roles];
      V stuck[K];
      V* const scratch =
          count_moves(trees, stuck,
                      // Coins have a key of their own, so that no draw shares their numbers.
                      ~task.key + std::uint64_t{lanes.pass} * circuit.roles * preference_coins *
                                      Base::random_step);
      V finished[K];
      const bool fewer = find_finished(task, lanes, stuck, finished);
      if (fewer) score(task, finished);
      std::uint64_t left = 0;
      for (std::size_t k = 0; k < K; ++k) {
        active[k] = and_not(active[k], finished[k]);
        left += count_ones(active[k]);
      }
      if (left == 0 && !waits(lanes)) return;
      task.plies += left;
      for (std::uint32_t role = 0; role < circuit.roles; ++role) {
        const std::uint64_t draw = static_cast<std::uint64_t>(lanes.pass) * circuit.roles + role;
        choose(circuit.choices[role], trees[role], active,
               task.key + draw * draw_bits * Base::random_step, scratch);
      }
      run(Part::move);
      latch();
      if constexpr (N > narrow_words) {
        if (fewer && left <= N * 32 && lanes.pass >= rollout_compact_pass && !waits(lanes) &&
            Compaction<N / 2>::fits(lanes.active)) {
          return play_compacted(task, lanes);
        }
      }
    }
  }

  static bool waits(const RolloutLanes& lanes) {
    std::uint64_t some = 0;
    for (std::size_t w = 0; w < N; ++w) some |= lanes.waiting[w];
    return some != 0;
  }

  // Plays on in a batch of half the size, whose planes lie behind those of this one.
  void play_compacted(RolloutTask& task, RolloutLanes& lanes) const {
    constexpr std::size_t H = N / 2;
    const Compaction<H> compaction(lanes.active);
    // Slot by slot towards the front, so that nothing is overwritten before it is read.
    for (std::uint32_t f = 1; f <= circuit.fluents; ++f) {
      compaction.compact(work.values + f * N, work.values + f * H);
    }
    for (std::uint64_t* begun : lanes.begun) compaction.compact(begun, begun);
    compaction.compact(lanes.active, lanes.active);
    ++lanes.pass;
    std::uint64_t* const goals = task.goals;
    const std::size_t goal_count = circuit.goals_begin[circuit.roles];
    const std::size_t groups =
        circuit.roles == 0 ? 0 : circuit.choices[circuit.roles - 1].last_group;
    Workspace behind = work;
    task.goals = goals + goal_count * N;
    if (work.made != nullptr) {
      behind.made = work.made + groups * group_size * N;
      behind.met = work.met + groups;
    }
    play_on<H>(task, behind, lanes);
    for (std::size_t g = 0; g < goal_count; ++g) {
      compaction.spread_into(task.goals + g * H, goals + g * N);
    }
    task.goals = goals;
    if (work.made == nullptr) return;
    for (std::size_t g = 0; g < groups; ++g) {
      if (behind.met[g] != 0) spread_moves(compaction, behind, g);
    }
  }

  // The moves of a group that were made since.
  void spread_moves(const Compaction<N / 2>& compaction, const Workspace& behind,
                    std::size_t group) const {
    for (std::size_t leaf = group * group_size; leaf < (group + 1) * group_size; ++leaf) {
      if (circuit.groups[group].does[leaf % group_size] == zero_slot) continue;
      std::uint64_t* made = work.made + leaf * N;
      for (std::size_t w = 0; work.met[group] == 0 && w < N; ++w) made[w] = 0;
      compaction.spread_into(behind.made + leaf * (N / 2), made);
    }
    work.met[group] = 1;
  }

  template <std::size_t H>
  void play_on(RolloutTask& task, const Workspace& behind, RolloutLanes& lanes) const {
    if constexpr (H < words_per_vector) {
      rollout_rest_narrow(circuit, task, behind, lanes);
    } else {
      Rolling<H>(circuit, behind).play(task, lanes);
    }
  }

  // The active lanes whose game ends here; whether there is one.
  bool find_finished(RolloutTask& task, const RolloutLanes& lanes, const V* stuck,
                     V* finished) const {
    const V* active = reinterpret_cast<const V*>(lanes.active);
    V some = zeros();
    for (std::size_t k = 0; k < K; ++k) {
      const V over = active[k] & read(circuit.terminal, k);
      finished[k] = over | (active[k] & stuck[k]);
      some |= finished[k];
      task.stuck += count_ones(and_not(finished[k], over));
    }
    if (lanes.pass >= task.max_plies && lanes.pass - task.max_plies <= rollout_patience) {
      // Games begin in the first few passes alone, so there is no need to keep a start for every
      // lane: those of one pass are late together.
      const V* begun = reinterpret_cast<const V*>(lanes.begun[lanes.pass - task.max_plies]);
      for (std::size_t k = 0; k < K; ++k) {
        const V late = and_not(begun[k] & active[k], finished[k]);
        finished[k] |= late;
        some |= late;
        task.cut += count_ones(late);
      }
    }
    return any(some);
  }

  // Notes the highest goal of each role in the lanes of `finished`.
  void score(const RolloutTask& task, const V* finished) const {
    run(Part::goals);
    V* const goals = reinterpret_cast<V*>(task.goals);
    for (std::uint32_t role = 0; role < circuit.roles; ++role) {
      V open[K];
      for (std::size_t k = 0; k < K; ++k) open[k] = finished[k];
      for (std::uint32_t g = circuit.goals_begin[role]; g < circuit.goals_begin[role + 1]; ++g) {
        for (std::size_t k = 0; k < K; ++k) {
          const V hit = open[k] & read(circuit.goals[g].plane, k);
          goals[g * K + k] |= hit;
          open[k] = and_not(open[k], hit);
        }
      }
    }
  }
};

}  // namespace
}  // namespace woodstock
