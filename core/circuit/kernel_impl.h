// The vector kernel, compiled once for each instruction set.
//
// Before including this file, define WOODSTOCK_VECTOR_BYTES. Everything here has internal linkage
// and calls nothing from outside: a function compiled for wide instructions must never be picked by
// the linker for code that runs everywhere.

#pragma once

#include <cstdint>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "circuit/kernel.h"

namespace woodstock {
namespace {

using V = std::uint64_t __attribute__((vector_size(WOODSTOCK_VECTOR_BYTES), may_alias));
constexpr std::size_t words_per_vector = WOODSTOCK_VECTOR_BYTES / 8;
constexpr std::size_t vectors_per_unit = unit_words / words_per_vector;

#define WOODSTOCK_INLINE inline __attribute__((always_inline))

WOODSTOCK_INLINE V zeros() { return V{}; }
WOODSTOCK_INLINE V ones() { return ~V{}; }

// Functions of three vectors that AVX-512 has as one instruction.
#if defined(__AVX512F__)
template <int table>
WOODSTOCK_INLINE V ternary(V a, V b, V c) {
  return (V)_mm512_ternarylogic_epi64((__m512i)a, (__m512i)b, (__m512i)c, table);
}
WOODSTOCK_INLINE V and_not(V acc, V b) { return ternary<0x30>(acc, b, b); }
WOODSTOCK_INLINE V not_both(V acc, V a, V b) { return ternary<0x70>(acc, a, b); }
WOODSTOCK_INLINE V not_but(V acc, V a, V b) { return ternary<0xb0>(acc, a, b); }
WOODSTOCK_INLINE V either(V acc, V a, V b) { return ternary<0xe0>(acc, a, b); }
WOODSTOCK_INLINE V xor3(V a, V b, V c) { return ternary<0x96>(a, b, c); }
WOODSTOCK_INLINE V majority(V a, V b, V c) { return ternary<0xe8>(a, b, c); }
// The borrow of a - b with a borrow c coming in.
WOODSTOCK_INLINE V borrow(V a, V b, V c) { return ternary<0x8e>(a, b, c); }
WOODSTOCK_INLINE bool any(V a) { return _mm512_test_epi64_mask((__m512i)a, (__m512i)a) != 0; }
#else
WOODSTOCK_INLINE V and_not(V acc, V b) { return acc & ~b; }
WOODSTOCK_INLINE V not_both(V acc, V a, V b) { return acc & ~(a & b); }
WOODSTOCK_INLINE V not_but(V acc, V a, V b) { return acc & (~a | b); }
WOODSTOCK_INLINE V either(V acc, V a, V b) { return acc & (a | b); }
WOODSTOCK_INLINE V xor3(V a, V b, V c) { return a ^ b ^ c; }
WOODSTOCK_INLINE V majority(V a, V b, V c) { return (a & b) | (c & (a ^ b)); }
WOODSTOCK_INLINE V borrow(V a, V b, V c) { return (~a & b) | (c & ~(a ^ b)); }
WOODSTOCK_INLINE bool any(V a) {
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < words_per_vector; ++i) all |= a[i];
  return all != 0;
}
#endif

WOODSTOCK_INLINE std::uint64_t count_ones(V a) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < words_per_vector; ++i) {
    count += static_cast<std::uint64_t>(__builtin_popcountll(a[i]));
  }
  return count;
}

// The finaliser of splitmix64: every counter gives 64 independent-looking bits.
WOODSTOCK_INLINE V mix(V z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}
constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;
constexpr std::uint32_t draw_bits = 32;

// All functions below work on batches of `width` units, W of them; K is the number of vectors.
template <std::size_t W>
struct Batch {
  static constexpr std::size_t K = W * vectors_per_unit;

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

  // ---- the circuit -----------------------------------------------------------------------------

  // The instructions of a run. The counts are either constants of the shape or those of the run;
  // with `watch`, gives the lanes in which a destination changes.
  template <bool watch>
  WOODSTOCK_INLINE V execute_shape(const Run& run, std::uint32_t plain, std::uint32_t negated,
                                   std::uint32_t both, std::uint32_t but,
                                   std::uint32_t either_or) const {
    const std::uint32_t* at = circuit.operands + run.operands;
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

  // ---- choosing moves --------------------------------------------------------------------------
  //
  // The legal moves of a role are counted by a tree of adders over groups of eight, in every lane
  // at once: level 0 holds a number of 4 bits for each group, level l numbers of 4 + l bits for two
  // nodes of the level below. A number r below the root's count then walks down the tree to the
  // r-th legal move: to the left if r is below the left count, else to the right with r less it.
  // Numbers are bit-sliced: bit b of a number is K vectors.

  struct Tree {
    V* level[28];
    std::uint32_t nodes[28];
    std::uint32_t top;  // the root's level
  };

  V* number(const Tree& tree, std::uint32_t level, std::uint32_t node) const {
    return tree.level[level] + static_cast<std::size_t>(node) * (4 + level) * K;
  }

  void count_group(const ChoiceGroup& group, V* out) const {
    for (std::size_t k = 0; k < K; ++k) {
      V a[group_size];
      for (std::size_t i = 0; i < group_size; ++i) a[i] = read(group.legal[i], k);
      const V s1 = xor3(a[0], a[1], a[2]), c1 = majority(a[0], a[1], a[2]);
      const V s2 = xor3(a[3], a[4], a[5]), c2 = majority(a[3], a[4], a[5]);
      const V s3 = xor3(a[6], a[7], s1), c3 = majority(a[6], a[7], s1);
      const V c4 = s2 & s3;
      const V s5 = xor3(c1, c2, c3), d1 = majority(c1, c2, c3);
      const V d2 = s5 & c4;
      out[0 * K + k] = s2 ^ s3;
      out[1 * K + k] = s5 ^ c4;
      out[2 * K + k] = d1 ^ d2;
      out[3 * K + k] = d1 & d2;
    }
  }

  // Counts the legal moves of a role; the tree lies in the workspace behind `from`.
  V* count(const RoleChoice& choice, V* from, Tree& tree) const {
    const std::uint32_t groups = choice.last_group - choice.first_group;
    tree.top = 0;
    tree.nodes[0] = groups;
    tree.level[0] = from;
    from += static_cast<std::size_t>(groups) * 4 * K;
    for (std::uint32_t g = 0; g < groups; ++g) {
      const ChoiceGroup& group = circuit.groups[choice.first_group + g];
      V* out = number(tree, 0, g);
      if (group.guard != 0 && work.awake[group.guard - 1] == 0) {
        for (std::size_t i = 0; i < 4 * K; ++i) out[i] = zeros();
      } else {
        count_group(group, out);
      }
    }
    while (tree.nodes[tree.top] > 1) {
      const std::uint32_t below = tree.top++;
      const std::uint32_t level = tree.top;
      tree.nodes[level] = (tree.nodes[below] + 1) / 2;
      tree.level[level] = from;
      from += static_cast<std::size_t>(tree.nodes[level]) * (4 + level) * K;
      for (std::uint32_t n = 0; n < tree.nodes[level]; ++n) {
        add_children(tree, level, n);
      }
    }
    return from;
  }

  void add_children(const Tree& tree, std::uint32_t level, std::uint32_t node) const {
    const std::uint32_t bits = 3 + level;  // of a child
    const V* a = number(tree, level - 1, 2 * node);
    V* out = number(tree, level, node);
    if (2 * node + 1 == tree.nodes[level - 1]) {
      for (std::size_t i = 0; i < bits * K; ++i) out[i] = a[i];
      for (std::size_t k = 0; k < K; ++k) out[bits * K + k] = zeros();
      return;
    }
    const V* b = number(tree, level - 1, 2 * node + 1);
    for (std::size_t k = 0; k < K; ++k) {
      V carry = zeros();
      for (std::uint32_t i = 0; i < bits; ++i) {
        const V x = a[i * K + k], y = b[i * K + k];
        out[i * K + k] = xor3(x, y, carry);
        carry = majority(x, y, carry);
      }
      out[bits * K + k] = carry;
    }
  }

  // For each lane a number below its count: floor(u * count / 2^32) for 32 random bits u, by adding
  // count for every bit of u that is set and halving.
  void draw(const V* counts, std::uint32_t bits, std::uint64_t counter, V* out) const {
    std::uint32_t used = bits;  // leading zeros in all lanes cost nothing
    while (used > 0) {
      V top = zeros();
      for (std::size_t k = 0; k < K; ++k) top |= counts[(used - 1) * K + k];
      if (any(top)) break;
      --used;
    }
    for (std::size_t i = 0; i < bits * K; ++i) out[i] = zeros();
    if (used <= 1) return;  // at most one move everywhere: number 0
    switch (used) {
      case 2:
        return draw_fixed<2>(counts, counter, out);
      case 3:
        return draw_fixed<3>(counts, counter, out);
      case 4:
        return draw_fixed<4>(counts, counter, out);
      case 5:
        return draw_fixed<5>(counts, counter, out);
      case 6:
        return draw_fixed<6>(counts, counter, out);
      case 7:
        return draw_fixed<7>(counts, counter, out);
      case 8:
        return draw_fixed<8>(counts, counter, out);
      case 9:
        return draw_fixed<9>(counts, counter, out);
      case 10:
        return draw_fixed<10>(counts, counter, out);
      case 11:
        return draw_fixed<11>(counts, counter, out);
      case 12:
        return draw_fixed<12>(counts, counter, out);
      default:
        return draw_wide(counts, used, counter, out);
    }
  }

  // Word w of random plane b is the mix of key + (something unique to pass, role, b and w) *
  // golden.
  WOODSTOCK_INLINE static V first_random(std::uint64_t counter, std::size_t k) {
    V index;
    for (std::size_t w = 0; w < words_per_vector; ++w) {
      index[w] = counter + (k * words_per_vector + w) * golden;
    }
    return index;
  }
  static constexpr std::uint64_t random_step = unit_words * max_width * golden;

  template <std::uint32_t bits>
  void draw_fixed(const V* counts, std::uint64_t counter, V* out) const {
    for (std::size_t k = 0; k < K; ++k) {
      V c[bits], acc[bits];
      for (std::uint32_t i = 0; i < bits; ++i) {
        c[i] = counts[i * K + k];
        acc[i] = zeros();
      }
      V index = first_random(counter, k);
      for (std::uint32_t b = 0; b < draw_bits; ++b, index += random_step) {
        const V u = mix(index);
        V carry = c[0] & u & acc[0];
        for (std::uint32_t i = 1; i < bits; ++i) {
          const V x = c[i] & u;
          acc[i - 1] = xor3(acc[i], x, carry);
          carry = majority(acc[i], x, carry);
        }
        acc[bits - 1] = carry;
      }
      for (std::uint32_t i = 0; i < bits; ++i) out[i * K + k] = acc[i];
    }
  }

  void draw_wide(const V* counts, std::uint32_t bits, std::uint64_t counter, V* out) const {
    for (std::size_t k = 0; k < K; ++k) {
      V index = first_random(counter, k);
      for (std::uint32_t b = 0; b < draw_bits; ++b, index += random_step) {
        const V u = mix(index);
        V carry = counts[k] & u & out[k];
        for (std::uint32_t i = 1; i < bits; ++i) {
          const V x = counts[i * K + k] & u;
          const V old = out[i * K + k];
          out[(i - 1) * K + k] = xor3(old, x, carry);
          carry = majority(old, x, carry);
        }
        out[(bits - 1) * K + k] = carry;
      }
    }
  }

  void clear_moves(const RoleChoice& choice, std::uint32_t first, std::uint32_t last) const {
    const std::uint32_t groups = choice.last_group - choice.first_group;
    for (std::uint32_t g = first; g < last && g < groups; ++g) {
      for (const Slot to : circuit.groups[choice.first_group + g].does) {
        if (to == zero_slot) continue;
        for (std::size_t k = 0; k < K; ++k) slot(to)[k] = zeros();
      }
    }
  }

  // In the lanes of `chosen`, makes the move with number r (3 bits) of the group.
  void choose_in_group(const ChoiceGroup& group, const V* chosen, const V* r) const {
    V made[group_size][K];
    for (std::size_t k = 0; k < K; ++k) {
      V a[group_size];
      for (std::size_t i = 0; i < group_size; ++i) a[i] = read(group.legal[i], k);
      const V r0 = r[k], r1 = r[K + k], r2 = r[2 * K + k];
      // How many are legal among the first two and the next two, and among all four.
      const V x = a[0] ^ a[1], y = a[0] & a[1];
      const V z = a[2] ^ a[3], w = a[2] & a[3];
      const V four0 = x ^ z, carry = x & z;
      const V four1 = xor3(y, w, carry), four2 = majority(y, w, carry);
      const V borrow0 = and_not(four0, r0);
      const V borrow1 = borrow(r1, four1, borrow0);
      const V left = chosen[k] & borrow(r2, four2, borrow1);
      const V right = and_not(chosen[k], left);
      const V after0 = r0 ^ four0, after1 = xor3(r1, four1, borrow0);
      choose_of_four(a[0], a[1], a[2], a[3], left, r0, r1, made, 0, k);
      choose_of_four(a[4], a[5], a[6], a[7], right, after0, after1, made, 4, k);
    }
    for (std::size_t i = 0; i < group_size; ++i) {
      if (group.does[i] == zero_slot) continue;
      for (std::size_t k = 0; k < K; ++k) slot(group.does[i])[k] = made[i][k];
    }
  }

  WOODSTOCK_INLINE static void choose_of_four(V a, V b, V c, V d, V chosen, V r0, V r1,
                                              V (*made)[K], std::size_t at, std::size_t k) {
    const V one = a ^ b, two = a & b;
    const V left = chosen & and_not(two | and_not(one, r0), r1);
    const V right = and_not(chosen, left);
    const V after0 = r0 ^ one;
    made[at][k] = left & and_not(a, r0);
    made[at + 1][k] = and_not(left, made[at][k]);
    made[at + 2][k] = right & and_not(c, after0);
    made[at + 3][k] = and_not(right, made[at + 2][k]);
    (void)d;
  }

  // Walks down from a node to the moves. `rest` is memory for the numbers that go right.
  void descend(const RoleChoice& choice, const Tree& tree, std::uint32_t level, std::uint32_t node,
               const V* chosen, const V* r, V* rest) const {
    if (level == 0) {
      choose_in_group(circuit.groups[choice.first_group + node], chosen, r);
      return;
    }
    if (2 * node + 1 == tree.nodes[level - 1]) {
      descend(choice, tree, level - 1, 2 * node, chosen, r, rest);
      return;
    }
    const std::uint32_t bits = 3 + level;
    const V* counts = number(tree, level - 1, 2 * node);
    V left[K], right[K];
    V some_left = zeros(), some_right = zeros();
    for (std::size_t k = 0; k < K; ++k) {
      V carry = zeros();
      for (std::uint32_t i = 0; i < bits; ++i) {
        const V x = r[i * K + k], y = counts[i * K + k];
        rest[i * K + k] = xor3(x, y, carry);
        carry = borrow(x, y, carry);
      }
      left[k] = chosen[k] & carry;
      right[k] = and_not(chosen[k], carry);
      some_left |= left[k];
      some_right |= right[k];
    }
    const std::uint32_t span = 1U << (level - 1);  // groups below a child
    V* below = rest + static_cast<std::size_t>(bits) * K;
    if (any(some_left)) {
      descend(choice, tree, level - 1, 2 * node, left, r, below);
    } else {
      clear_moves(choice, 2 * node * span, (2 * node + 1) * span);
    }
    if (any(some_right)) {
      descend(choice, tree, level - 1, 2 * node + 1, right, rest, below);
    } else {
      clear_moves(choice, (2 * node + 1) * span, (2 * node + 2) * span);
    }
  }

  void choose(const RoleChoice& choice, const Tree& tree, const V* active, std::uint64_t counter,
              V* scratch) const {
    const std::uint32_t bits = 4 + tree.top;
    const V* counts = number(tree, tree.top, 0);
    V* r = scratch;
    draw(counts, bits, counter, r);
    V chosen[K];
    V some = zeros();
    for (std::size_t k = 0; k < K; ++k) {
      V nonzero = zeros();
      for (std::uint32_t i = 0; i < bits; ++i) nonzero |= counts[i * K + k];
      chosen[k] = active[k] & nonzero;
      some |= chosen[k];
    }
    if (any(some)) {
      descend(choice, tree, tree.top, 0, chosen, r, r + static_cast<std::size_t>(bits) * K);
    } else {
      clear_moves(choice, 0, choice.last_group - choice.first_group);
    }
  }

  // ---- playouts --------------------------------------------------------------------------------

  static WOODSTOCK_INLINE std::uint64_t* words(V* v) { return reinterpret_cast<std::uint64_t*>(v); }

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
      std::uint64_t lanes = words(const_cast<V*>(finished))[w];
      while (lanes != 0) {
        const std::size_t lane = w * 64 + static_cast<std::size_t>(__builtin_ctzll(lanes));
        lanes &= lanes - 1;
        const std::uint32_t length = pass - work.lane_start[lane];
        if (one_job && length < counted_lengths) {
          ++work.histogram[length];
        } else {
          add_lengths(task.lengths[work.lane_job[lane]], length, 1);
        }
      }
    }
    for (std::uint32_t role = 0; role < circuit.roles; ++role) {
      V open[K];     // no goal seen yet
      V unclear[K];  // more than one
      for (std::size_t k = 0; k < K; ++k) {
        open[k] = finished[k];
        unclear[k] = zeros();
      }
      for (std::uint32_t g = circuit.goals_begin[role]; g < circuit.goals_begin[role + 1]; ++g) {
        const std::uint64_t value = circuit.goals[g].value;
        V hit[K];
        V some = zeros();
        for (std::size_t k = 0; k < K; ++k) {
          const V holds = finished[k] & read(circuit.goals[g].plane, k);
          hit[k] = holds & open[k];
          unclear[k] |= and_not(holds, open[k]);
          open[k] = and_not(open[k], holds);
          some |= hit[k];
        }
        if (value == 0 || !any(some)) continue;
        if (one_job) {
          std::uint64_t count = 0;
          for (std::size_t k = 0; k < K; ++k) count += count_ones(hit[k]);
          task.goals[role].sum += count * value;
          task.goals[role].squares += count * value * value;
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
      V odd[K];
      for (std::size_t k = 0; k < K; ++k) odd[k] = open[k] | unclear[k];
      tally_lanes(task, odd, &LengthTally::unclear);
    }
  }

  static void add_lengths(LengthTally& tally, std::uint32_t length, std::uint64_t count) {
    tally.playouts += count;
    tally.length += count * length;
    tally.length_squares += count * length * length;
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
    constexpr std::uint32_t patience = 3;
    V active[K];
    for (std::size_t k = 0; k < K; ++k) active[k] = zeros();
    for (std::size_t k = 0; k < K; ++k) slot(zero_slot)[k] = zeros();
    Queue queue;
    queue.left = task.jobs[0].playouts;
    std::uint32_t pass = 0;
    std::uint32_t waited = 0;
    std::uint32_t oldest = 0;  // no active lane began before this pass
    refill(task, queue, active, pass);
    V* const choice = reinterpret_cast<V*>(work.choice);
    for (;;) {
      if (task.probe != nullptr && !watch_fluents(*task.probe, active)) break;
      find_awake(active);
      run(Part::state);
      // One tree after the other, all kept: whether everybody can move must be known before anybody
      // moves.
      V finished[K], stuck[K];
      for (std::size_t k = 0; k < K; ++k) stuck[k] = zeros();
      Tree trees[max_roles];
      V* free = choice;
      for (std::uint32_t role = 0; role < circuit.roles; ++role) {
        free = count(circuit.choices[role], free, trees[role]);
        const V* counts = number(trees[role], trees[role].top, 0);
        for (std::size_t k = 0; k < K; ++k) {
          V nonzero = zeros();
          for (std::uint32_t i = 0; i < 4 + trees[role].top; ++i) nonzero |= counts[i * K + k];
          stuck[k] |= ~nonzero;
        }
      }
      V some = zeros(), some_stuck = zeros();
      for (std::size_t k = 0; k < K; ++k) {
        const V terminal = read(circuit.terminal, k);
        stuck[k] &= and_not(active[k], terminal);
        finished[k] = (active[k] & terminal) | stuck[k];
        some_stuck |= stuck[k];
      }
      if (any(some_stuck)) tally_lanes(task, stuck, &LengthTally::stuck);
      if (pass - oldest >= task.max_plies) cut(task, active, finished, pass, oldest);
      for (std::size_t k = 0; k < K; ++k) some |= finished[k];
      V still = zeros();
      if (any(some)) {
        score(task, finished, pass);
        for (std::size_t k = 0; k < K; ++k) active[k] = and_not(active[k], finished[k]);
      }
      for (std::size_t k = 0; k < K; ++k) still |= active[k];
      const bool playing = any(still);
      if (playing) {
        for (std::uint32_t role = 0; role < circuit.roles; ++role) {
          const std::uint64_t counter =
              task.key + ((static_cast<std::uint64_t>(pass) * circuit.roles + role) * draw_bits *
                          unit_words * max_width) *
                             golden;
          choose(circuit.choices[role], trees[role], active, counter, free);
        }
        run(Part::move);
        latch();
      }
      ++pass;
      if (!begin_more(task, queue, active, pass, waited, playing, patience)) break;
    }
    sum_up(task);
  }

  // False when it has seen enough.
  bool watch_fluents(Probe& probe, const V* active) const {
    std::uint64_t playing = 0;
    for (std::size_t k = 0; k < K; ++k) playing += count_ones(active[k]);
    // A few stragglers say nothing about full batches.
    if (probe.passes == probe.max_passes || 2 * playing < W * unit_lanes) return false;
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
                  std::uint32_t& waited, bool playing, std::uint32_t patience) const {
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
  void cut(const BlockTask& task, V* active, V* finished, std::uint32_t pass,
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

void play_block(const CircuitView& circuit, const BlockTask& task, const Workspace& work) {
  switch (task.width) {
    case 1:
      return Batch<1>(circuit, work).play(task);
    case 2:
      return Batch<2>(circuit, work).play(task);
    default:
      return Batch<4>(circuit, work).play(task);
  }
}

template <std::size_t W>
void run_batch(const CircuitView& circuit, Part part, const Workspace& work) {
  const Batch<W> batch(circuit, work);
  if (part == Part::state) {
    for (std::size_t k = 0; k < Batch<W>::K; ++k) batch.slot(zero_slot)[k] = zeros();
    batch.find_awake(reinterpret_cast<const V*>(work.active));
  }
  batch.run(part);
  if (part == Part::move) batch.latch();
}

void run_part(const CircuitView& circuit, Part part, const Workspace& work, std::uint32_t width) {
  switch (width) {
    case 1:
      return run_batch<1>(circuit, part, work);
    case 2:
      return run_batch<2>(circuit, part, work);
    default:
      return run_batch<4>(circuit, part, work);
  }
}

}  // namespace
}  // namespace woodstock
