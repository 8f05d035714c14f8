// What a role knows of a turn that has gone by.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace woodstock {

struct ObservedTurn {
  static constexpr std::uint32_t any_move = 0xffffffffU;

  std::uint32_t move = any_move;           // its own
  bool blind = false;                      // nothing is known of what it perceived
  std::uint64_t seen = 0;                  // percept_key of its percepts
  std::span<const std::uint8_t> excluded;  // per move, 1: cannot have been made; empty: none

  bool fits(std::size_t moves) const noexcept {
    return excluded.empty() || excluded.size() == moves;
  }
  bool allows(std::uint32_t made) const noexcept { return excluded.empty() || excluded[made] == 0; }
  bool agrees(std::uint64_t perceived) const noexcept { return blind || perceived == seen; }
};

}  // namespace woodstock
