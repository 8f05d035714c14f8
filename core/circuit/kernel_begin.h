// How games get into their lanes. See kernel_impl.h.

#pragma once

#include "circuit/kernel_choice.h"

namespace woodstock {
namespace {

template <std::size_t N>
struct Beginning : Choosing<N> {
  using Base = Choosing<N>;
  using Base::any_in;
  using Base::Base;
  using Base::circuit;
  using Base::K;
  using Base::slot;

  // Makes `each` neighbouring lanes of every bit of a plane of states.
  struct Spread {
    const std::uint32_t each;
    const std::uint32_t log_states;  // 2^log_states states in a word of lanes
    V shift[K];

    explicit Spread(std::uint32_t n)
        : each(n), log_states(6 - static_cast<std::uint32_t>(__builtin_ctz(n))) {
      for (std::size_t w = 0; w < N; ++w) words(shift)[w] = (w % each) << log_states;
    }

    WOODSTOCK_INLINE V operator()(const std::uint64_t* plane, std::size_t k) const {
      const std::size_t first = k * words_per_vector;
      V x;
      // Then all words of a vector take their states from the same word of the plane.
      if (each >= words_per_vector) {
        x = (zeros() + plane[first / each]) >> shift[k];
      } else {
        for (std::size_t i = 0; i < words_per_vector; ++i) {
          x[i] = plane[(first + i) / each] >> shift[k][i];
        }
      }
      if (each == 1) return x;
      x &= (std::uint64_t{1} << (1U << log_states)) - 1;
      // Halves, quarters, ... go to where their first lane is.
      for (std::uint32_t half = (1U << log_states) / 2; half != 0; half /= 2) {
        x = (x | (x << (half * (each - 1)))) & stripes(half, half * each);
      }
      // A one at the first lane of each state becomes ones in all of them: 2^each - 1 times it.
      return each == 64 ? zeros() - x : (x << each) - x;
    }

    // The lowest `size` bits of every `period` bits.
    static WOODSTOCK_INLINE std::uint64_t stripes(std::uint32_t size, std::uint32_t period) {
      const std::uint64_t one = (std::uint64_t{1} << size) - 1;
      // 1 + 2^period + 2^(2 * period) + ...; a period divides 64 and is below it.
      return one * (~std::uint64_t{0} / ((std::uint64_t{1} << period) - 1));
    }
  };

  // Puts the states into the lanes of `mask`.
  void load(const RolloutTask& task, const Spread& spread, const V* mask) const {
    const std::uint64_t* plane = task.states;
    for (std::uint32_t f = 0; f < circuit.fluents; ++f, plane += task.state_words) {
      V* to = slot(1 + f);
      for (std::size_t k = 0; k < K; ++k) {
        to[k] = and_not(to[k], mask[k]) | (spread(plane, k) & mask[k]);
      }
    }
  }

  // Lets those waiting lanes begin that wake up nothing that sleeps in all active ones; where none
  // is active, those that are like the first; and everybody who has waited long enough. Where
  // players take turns, half of the work is spared as long as it is the same player's turn in all
  // lanes.
  void begin(const RolloutTask& task, const Spread& spread, RolloutLanes& lanes) const {
    const std::size_t first = first_lane(lanes.waiting);
    if (first == N * 64) return;
    V* const active = reinterpret_cast<V*>(lanes.active);
    V* const waiting = reinterpret_cast<V*>(lanes.waiting);
    V* const begun = reinterpret_cast<V*>(lanes.begun[lanes.pass]);
    const std::size_t leader = first / task.each;
    const bool leads = first_lane(lanes.active) == N * 64;
    V mask[K];
    for (std::size_t k = 0; k < K; ++k) mask[k] = waiting[k];
    for (std::uint32_t g = 0; lanes.pass < rollout_patience && g < circuit.guard_count; ++g) {
      const Plane guard = circuit.guards[g];
      const std::uint64_t* plane = task.states + (slot_of(guard) - 1) * task.state_words;
      const bool holds = ((plane[leader / 64] >> (leader % 64)) & 1U) != 0;
      // Awake already, or woken by the first: whoever needs it may begin. Otherwise whoever does
      // has to wait.
      if (leads ? holds != is_negative(guard) : any_in(guard, active)) continue;
      const V flip = is_negative(guard) ? ones() : zeros();
      for (std::size_t k = 0; k < K; ++k) mask[k] = and_not(mask[k], spread(plane, k) ^ flip);
    }
    load(task, spread, mask);
    for (std::size_t k = 0; k < K; ++k) {
      active[k] |= mask[k];
      waiting[k] = and_not(waiting[k], mask[k]);
      begun[k] = mask[k];
    }
  }

  // N * 64 when there is none.
  static std::size_t first_lane(const std::uint64_t* lanes) {
    for (std::size_t w = 0; w < N; ++w) {
      if (lanes[w] != 0) return w * 64 + static_cast<std::size_t>(__builtin_ctzll(lanes[w]));
    }
    return N * 64;
  }
};

}  // namespace
}  // namespace woodstock
