// Random legal moves, chosen in every lane at once, all alike or by preference. See kernel_impl.h.

#pragma once

#include "circuit/kernel_draw.h"

namespace woodstock {
namespace {

constexpr std::uint64_t preference_coins = 2;

// The legal moves of a role are counted by a tree of adders over groups of eight, in every lane
// at once: level 0 holds a number of 4 bits for each group, level l numbers of 4 + l bits for two
// nodes of the level below. A number r below the root's count then walks down the tree to the
// r-th legal move: to the left if r is below the left count, else to the right with r less it.
// Groups that sleep at either end are left out.
template <std::size_t N>
struct Choosing : Drawing<N> {
  using Base = Drawing<N>;
  using Base::Base;
  using Base::circuit;
  using Base::draw;
  using Base::K;
  using Base::read;
  using Base::slot;
  using Base::work;

  struct Tree {
    std::uint32_t first;  // group; as many as there are nodes on level 0
    V* level[28];
    std::uint32_t nodes[28];
    std::uint32_t top;  // the root's level
    const V* allowed;   // as `prefer` gives it
  };

  V* number(const Tree& tree, std::uint32_t level, std::uint32_t node) const {
    return tree.level[level] + static_cast<std::size_t>(node) * (4 + level) * K;
  }

  // The legal moves of a group that may be made.
  WOODSTOCK_INLINE void read_group(const ChoiceGroup& group, const V* allowed, std::size_t k,
                                   V* a) const {
    for (std::size_t i = 0; i < group_size; ++i) a[i] = read(group.legal[i], k);
    if (allowed == nullptr) return;
    const std::uint8_t* preferences = preferences_of(group);
    for (std::size_t i = 0; i < group_size; ++i) a[i] &= allowed[preferences[i] * K + k];
  }

  const std::uint8_t* preferences_of(const ChoiceGroup& group) const {
    return work.preferences + static_cast<std::size_t>(&group - circuit.groups) * group_size;
  }

  // Tosses two coins in every lane: whether it leaves out moves that are not preferred, and whether
  // even all but those that are preferred most; as far as it has others. `allowed` gets, for each
  // level of preference, the lanes where moves of that level may be made, or nullptr when it is all
  // the same. Gives the memory behind `from`.
  V* prefer(std::uint32_t first, std::uint32_t last, std::uint64_t counter, V* from,
            const V*& allowed) const {
    V some[preference_levels][K] = {};  // where a move of that level is legal
    for (std::uint32_t g = first; g < last; ++g) {
      if (sleeps(g)) continue;
      const ChoiceGroup& group = circuit.groups[g];
      const std::uint8_t* preferences = preferences_of(group);
      for (std::size_t i = 0; i < group_size; ++i) {
        if (preferences[i] == 0) continue;
        for (std::size_t k = 0; k < K; ++k) some[preferences[i]][k] |= read(group.legal[i], k);
      }
    }
    V found = zeros();
    for (std::size_t k = 0; k < K; ++k) found |= some[1][k] | some[2][k] | some[3][k];
    allowed = nullptr;
    if (!any(found)) return from;
    allowed = from;
    for (std::size_t k = 0; k < K; ++k) {
      const V index = Base::first_random(counter, k);
      const V some_out = mix(index);
      const V most_out = some_out & mix(index + Base::random_step);
      const V two_or_three = some[2][k] | some[3][k];
      from[0 * K + k] = ~(some_out & (some[1][k] | two_or_three));
      from[1 * K + k] = ~(most_out & two_or_three);
      from[2 * K + k] = ~(most_out & some[3][k]);
      from[3 * K + k] = ones();
    }
    return from + preference_levels * K;
  }

  void count_group(const ChoiceGroup& group, const V* allowed, V* out) const {
    for (std::size_t k = 0; k < K; ++k) {
      V a[group_size];
      read_group(group, allowed, k, a);
      // Full adders, as few as it takes: sums s of weight 1, then carries c of weight 2 and d of 4.
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

  bool sleeps(std::uint32_t group) const {
    const std::uint32_t guard = circuit.groups[group].guard;
    return guard != 0 && work.awake[guard - 1] == 0;
  }

  // Counts the legal moves of a role; the tree lies in the workspace behind `from`.
  V* count(const RoleChoice& choice, std::uint64_t counter, V* from, Tree& tree) const {
    std::uint32_t last = choice.last_group;
    while (last - 1 > choice.first_group && sleeps(last - 1)) --last;
    tree.first = choice.first_group;
    while (tree.first + 1 < last && sleeps(tree.first)) ++tree.first;
    tree.top = 0;
    tree.allowed = nullptr;
    if (work.preferences != nullptr) from = prefer(tree.first, last, counter, from, tree.allowed);
    tree.nodes[0] = last - tree.first;
    tree.level[0] = from;
    from += static_cast<std::size_t>(tree.nodes[0]) * 4 * K;
    for (std::uint32_t g = tree.first; g < last; ++g) {
      V* out = number(tree, 0, g - tree.first);
      if (sleeps(g)) {
        for (std::size_t i = 0; i < 4 * K; ++i) out[i] = zeros();
      } else {
        count_group(circuit.groups[g], tree.allowed, out);
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

  // The trees of all roles, and the lanes in which some role has no move. Gives the memory behind.
  // `counter` is for the coins of preference.
  V* count_moves(Tree* trees, V* stuck, std::uint64_t counter = 0) const {
    for (std::size_t k = 0; k < K; ++k) stuck[k] = zeros();
    V* free = reinterpret_cast<V*>(work.choice);
    for (std::uint32_t role = 0; role < circuit.roles; ++role) {
      free = count(circuit.choices[role], counter + role * preference_coins * Base::random_step,
                   free, trees[role]);
      const V* counts = number(trees[role], trees[role].top, 0);
      for (std::size_t k = 0; k < K; ++k) {
        V nonzero = zeros();
        for (std::uint32_t i = 0; i < 4 + trees[role].top; ++i) nonzero |= counts[i * K + k];
        stuck[k] |= ~nonzero;
      }
    }
    return free;
  }

  // Slots of moves hold legality, or what was made a pass ago. Where nobody chooses, they have to
  // be cleared.
  void clear_moves(std::uint32_t first_group, std::uint32_t last_group) const {
    for (std::uint32_t g = first_group; g < last_group; ++g) {
      for (const Slot to : circuit.groups[g].does) {
        if (to == zero_slot) continue;
        for (std::size_t k = 0; k < K; ++k) slot(to)[k] = zeros();
      }
    }
  }

  // Those below a node.
  void clear_below(const Tree& tree, std::uint32_t level, std::uint32_t node) const {
    const std::uint32_t last = (node + 1) << level;
    clear_moves(tree.first + (node << level),
                tree.first + (last < tree.nodes[0] ? last : tree.nodes[0]));
  }

  // In the lanes of `chosen`, makes the move with number r (3 bits) of the group.
  void choose_in_group(const ChoiceGroup& group, const V* allowed, const V* chosen,
                       const V* r) const {
    V made[group_size][K];
    for (std::size_t k = 0; k < K; ++k) {
      // As in descend(), written out for eight: half by half, each time by the borrow of a
      // subtraction.
      V a[group_size];
      read_group(group, allowed, k, a);
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
    if (work.made != nullptr) note(group, made);
  }

  // Adds to the moves made so far.
  void note(const ChoiceGroup& group, const V (*made)[K]) const {
    const auto g = static_cast<std::size_t>(&group - circuit.groups);
    V* to = reinterpret_cast<V*>(work.made) + g * group_size * K;
    for (std::size_t i = 0; i < group_size; ++i, to += K) {
      if (group.does[i] == zero_slot) continue;
      for (std::size_t k = 0; k < K; ++k)
        // The first time, what an earlier call has left there is overwritten. Cheaper than to clear
        // it all.
        to[k] = work.met[g] != 0 ? to[k] | made[i][k] : made[i][k];
    }
    work.met[g] = 1;
  }

  WOODSTOCK_INLINE static void choose_of_four(V a, V b, V c, V d, V chosen, V r0, V r1,
                                              V (*made)[K], std::size_t at, std::size_t k) {
    // Who gets past a, b and c has d: there is no need to look at it.
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
  void descend(const Tree& tree, std::uint32_t level, std::uint32_t node, const V* chosen,
               const V* r, V* rest) const {
    if (level == 0) {
      choose_in_group(circuit.groups[tree.first + node], tree.allowed, chosen, r);
      return;
    }
    if (2 * node + 1 == tree.nodes[level - 1]) {
      descend(tree, level - 1, 2 * node, chosen, r, rest);
      return;
    }
    const std::uint32_t bits = 3 + level;
    const V* counts = number(tree, level - 1, 2 * node);
    V left[K], right[K];
    V some_left = zeros(), some_right = zeros();
    // One subtraction does both: its borrow is set where r is below the left count, and elsewhere
    // its digits are the number to go right with.
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
    V* below = rest + static_cast<std::size_t>(bits) * K;
    if (any(some_left)) {
      descend(tree, level - 1, 2 * node, left, r, below);
    } else {
      clear_below(tree, level - 1, 2 * node);
    }
    if (any(some_right)) {
      descend(tree, level - 1, 2 * node + 1, right, rest, below);
    } else {
      clear_below(tree, level - 1, 2 * node + 1);
    }
  }

  void choose(const RoleChoice& choice, const Tree& tree, const V* active, std::uint64_t counter,
              V* scratch) const {
    const std::uint32_t bits = 4 + tree.top;
    const V* counts = number(tree, tree.top, 0);
    V* r = scratch;
    draw(counts, bits, active, counter, r);
    V chosen[K];
    V some = zeros();
    for (std::size_t k = 0; k < K; ++k) {
      V nonzero = zeros();
      for (std::uint32_t i = 0; i < bits; ++i) nonzero |= counts[i * K + k];
      chosen[k] = active[k] & nonzero;
      some |= chosen[k];
    }
    clear_moves(choice.first_group, tree.first);
    if (any(some)) {
      descend(tree, tree.top, 0, chosen, r, r + static_cast<std::size_t>(bits) * K);
    } else {
      clear_below(tree, tree.top, 0);
    }
    clear_moves(tree.first + tree.nodes[0], choice.last_group);
  }
};

}  // namespace
}  // namespace woodstock
