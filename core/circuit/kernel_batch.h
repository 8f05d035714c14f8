// A batch of lanes and the circuit run on it. See kernel_impl.h.

#pragma once

#include "circuit/kernel_vector.h"

namespace woodstock {
namespace {

// All functions below work on batches of N words a slot; K is the number of vectors.
template <std::size_t N>
struct Batch {
  static constexpr std::size_t K = N / words_per_vector;
  static_assert(K * words_per_vector == N);

  const CircuitView& circuit;
  const Workspace& work;
  V* values;  // slot s begins at values + s * K

  Batch(const CircuitView& c, const Workspace& w)
      : circuit(c), work(w), values(reinterpret_cast<V*>(w.values)) {}

  V* slot(Slot s) const { return values + static_cast<std::size_t>(s) * K; }

  WOODSTOCK_INLINE V read(Plane plane, std::size_t k) const {
    const V flip = zeros() - static_cast<std::uint64_t>(plane & 1U);
    return slot(slot_of(plane))[k] ^ flip;
  }

  bool any_in(Plane plane, const V* active) const {
    V found = zeros();
    for (std::size_t k = 0; k < K; ++k) found |= read(plane, k) & active[k];
    return any(found);
  }

  // The instructions of a run. The counts are either constants of the shape or those of the run;
  // with `watch`, gives the lanes in which a destination changes.
  template <bool watch>
  WOODSTOCK_INLINE V execute_shape(const Run& run, std::uint32_t plain, std::uint32_t negated,
                                   std::uint32_t both, std::uint32_t but,
                                   std::uint32_t either_or) const {
    const std::uint32_t* at = circuit.operands + run.operands;
    // Counts that are constants let the compiler unroll the loops below: the same text makes
    // straight code for common shapes and a loop for the rest.
    V changed = zeros();
    for (std::uint32_t i = run.count; i != 0; --i) {
      V* to = slot(*at++);
      V acc[K];
      for (std::size_t k = 0; k < K; ++k) acc[k] = ones();
      for (std::uint32_t j = 0; j < plain; ++j) {
        const V* a = slot(*at++);
        for (std::size_t k = 0; k < K; ++k) acc[k] &= a[k];
      }
      for (std::uint32_t j = 0; j < negated; ++j) {
        const V* a = slot(*at++);
        for (std::size_t k = 0; k < K; ++k) acc[k] = and_not(acc[k], a[k]);
      }
      for (std::uint32_t j = 0; j < both; ++j, at += 2) {
        const V* a = slot(at[0]);
        const V* b = slot(at[1]);
        for (std::size_t k = 0; k < K; ++k) acc[k] = not_both(acc[k], a[k], b[k]);
      }
      for (std::uint32_t j = 0; j < but; ++j, at += 2) {
        const V* a = slot(at[0]);
        const V* b = slot(at[1]);
        for (std::size_t k = 0; k < K; ++k) acc[k] = not_but(acc[k], a[k], b[k]);
      }
      for (std::uint32_t j = 0; j < either_or; ++j, at += 2) {
        const V* a = slot(at[0]);
        const V* b = slot(at[1]);
        for (std::size_t k = 0; k < K; ++k) acc[k] = either(acc[k], a[k], b[k]);
      }
      for (std::size_t k = 0; k < K; ++k) {
        if (watch) changed |= to[k] ^ acc[k];
        to[k] = acc[k];
      }
    }
    return changed;
  }

  template <bool watch>
  WOODSTOCK_INLINE V execute(const Run& run) const {
    enum : std::uint32_t {
      other_shape,
#define WOODSTOCK_NAME(p, n, b, u, e) shape_##p##_##n##_##b##_##u##_##e,
      WOODSTOCK_SHAPES(WOODSTOCK_NAME)
#undef WOODSTOCK_NAME
    };
    switch (run.form) {
#define WOODSTOCK_CASE(p, n, b, u, e)     \
  case shape_##p##_##n##_##b##_##u##_##e: \
    return execute_shape<watch>(run, p, n, b, u, e);
      WOODSTOCK_SHAPES(WOODSTOCK_CASE)
#undef WOODSTOCK_CASE
      default:
        return execute_shape<watch>(run, run.plain, run.negated, run.both, run.but, run.either);
    }
  }

  void fill(const Segment& segment) const {
    for (std::uint32_t i = segment.first_fill; i < segment.last_fill; ++i) {
      const Plane plane = circuit.fills[i];
      const V value = zeros() - static_cast<std::uint64_t>(plane & 1U);
      for (std::size_t k = 0; k < K; ++k) slot(slot_of(plane))[k] = value;
    }
  }

  void loop(const Segment& segment) const {
    fill(segment);
    std::uint32_t first = segment.first_run;
    std::uint32_t last = segment.middle;
    for (;;) {
      V changed = zeros();
      for (std::uint32_t r = first; r < last; ++r) changed |= execute<true>(circuit.runs[r]);
      if (!any(changed)) return;
      // The other direction, in which what has just changed reaches its neighbours at once.
      first = first == segment.first_run ? segment.middle : segment.first_run;
      last = first == segment.first_run ? segment.middle : segment.last_run;
    }
  }

  void run(Part part) const {
    const auto p = static_cast<std::size_t>(part);
    for (std::uint32_t s = circuit.part_begin[p]; s < circuit.part_begin[p + 1]; ++s) {
      const Segment& segment = circuit.segments[s];
      if (segment.guard != 0 && work.awake[segment.guard - 1] == 0) {
        fill(segment);
      } else if (segment.kind == Segment::loop) {
        loop(segment);
      } else {
        for (std::uint32_t r = segment.first_run; r < segment.last_run; ++r) {
          execute<false>(circuit.runs[r]);
        }
      }
    }
  }

  void find_awake(const V* active) const {
    for (std::uint32_t g = 0; g < circuit.guard_count; ++g) {
      work.awake[g] = any_in(circuit.guards[g], active) ? 1 : 0;
    }
  }

  // The state after the move becomes the state.
  void latch() const {
    for (std::uint32_t i = 0; i < circuit.save_count; ++i) {
      for (std::size_t k = 0; k < K; ++k) {
        slot(circuit.save[i].to)[k] = read(circuit.save[i].from, k);
      }
    }
    for (std::uint32_t i = 0; i < circuit.latch_count; ++i) {
      for (std::size_t k = 0; k < K; ++k) {
        slot(circuit.latch[i].to)[k] = read(circuit.latch[i].from, k);
      }
    }
  }

  // One part of a step by itself, for the lanes that are active in the workspace.
  void run_alone(Part part) const {
    if (part == Part::state) {
      for (std::size_t k = 0; k < K; ++k) slot(zero_slot)[k] = zeros();
      find_awake(reinterpret_cast<const V*>(work.active));
    }
    run(part);
    if (part == Part::move) latch();
  }
};

}  // namespace
}  // namespace woodstock
