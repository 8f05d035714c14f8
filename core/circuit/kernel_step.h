// One random move in every lane, for who runs the parts of a step one by one. See kernel_impl.h.

#pragma once

#include "circuit/kernel_choice.h"

namespace woodstock {
namespace {

template <std::size_t N>
struct Stepping : Choosing<N> {
  using Base = Choosing<N>;
  using Base::Base;
  using Base::choose;
  using Base::circuit;
  using Base::clear_moves;
  using Base::count_moves;
  using Base::K;
  using Base::work;
  using typename Base::Tree;

  void draw_moves(const DrawTask& task) const {
    V* const active = reinterpret_cast<V*>(work.active);
    // All trees are kept: whether everybody can move must be known before anybody moves.
    Tree trees[max_roles];
    V stuck[K];
    V* const scratch = count_moves(trees, stuck);
    for (std::size_t k = 0; k < K; ++k) active[k] = and_not(active[k], stuck[k]);
    for (std::uint32_t role = 0; role < circuit.roles; ++role) {
      const RoleChoice& choice = circuit.choices[role];
      if ((task.roles >> role & 1U) == 0) {
        clear_moves(choice.first_group, choice.last_group);
        continue;
      }
      const std::uint64_t draw = task.step * circuit.roles + role;
      choose(choice, trees[role], active, task.key + draw * draw_bits * Base::random_step, scratch);
    }
  }
};

}  // namespace
}  // namespace woodstock
