// Uniformly random legal moves, chosen in every lane at once. See kernel_impl.h.

#pragma once

#include "circuit/kernel_batch.h"

namespace woodstock {
namespace {

// The finaliser of splitmix64: every counter gives 64 independent-looking bits.
WOODSTOCK_INLINE V mix(V z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}
constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;
constexpr std::uint32_t draw_bits = 32;

// The legal moves of a role are counted by a tree of adders over groups of eight, in every lane
// at once: level 0 holds a number of 4 bits for each group, level l numbers of 4 + l bits for two
// nodes of the level below. A number r below the root's count then walks down the tree to the
// r-th legal move: to the left if r is below the left count, else to the right with r less it.
// Numbers are bit-sliced: bit b of a number is K vectors.
template <std::size_t W>
struct Choosing : Batch<W> {
  using Batch<W>::Batch;
  using Batch<W>::K;
  using Batch<W>::circuit;
  using Batch<W>::work;
  using Batch<W>::read;
  using Batch<W>::slot;

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
};

}  // namespace
}  // namespace woodstock
