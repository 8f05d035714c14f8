// The vector kernel, compiled once for each instruction set.
//
// Before including this file, define WOODSTOCK_VECTOR_BYTES. Everything here and in the kernel_*.h
// below it has internal linkage and calls nothing from outside: a function compiled for wide
// instructions must never be picked by the linker for code that runs everywhere.

#pragma once

#include "circuit/kernel_playout.h"
#include "circuit/kernel_rollout.h"
#include "circuit/kernel_step.h"

namespace woodstock {
namespace {

void play_block(const CircuitView& circuit, const BlockTask& task, const Workspace& work) {
  switch (task.width) {
    case 1:
      return Playing<unit_words>(circuit, work).play(task);
    case 2:
      return Playing<2 * unit_words>(circuit, work).play(task);
    default:
      return Playing<4 * unit_words>(circuit, work).play(task);
  }
}

void run_part(const CircuitView& circuit, Part part, const Workspace& work, std::uint32_t words) {
  switch (words) {
    case narrow_words:
#if WOODSTOCK_VECTOR_BYTES <= 32
      return Batch<narrow_words>(circuit, work).run_alone(part);
#else
      return run_part_narrow(circuit, part, work);
#endif
    case unit_words:
      return Batch<unit_words>(circuit, work).run_alone(part);
    case 2 * unit_words:
      return Batch<2 * unit_words>(circuit, work).run_alone(part);
    default:
      return Batch<4 * unit_words>(circuit, work).run_alone(part);
  }
}

void draw_moves(const CircuitView& circuit, const DrawTask& task, const Workspace& work,
                std::uint32_t words) {
  switch (words) {
    case unit_words:
      return Stepping<unit_words>(circuit, work).draw_moves(task);
    case 2 * unit_words:
      return Stepping<2 * unit_words>(circuit, work).draw_moves(task);
    default:
      return Stepping<4 * unit_words>(circuit, work).draw_moves(task);
  }
}

void rollout(const CircuitView& circuit, RolloutTask& task, const Workspace& work) {
  switch (task.words) {
    case narrow_words:
#if WOODSTOCK_VECTOR_BYTES <= 32
      return Rolling<narrow_words>(circuit, work).roll(task);
#else
      return rollout_narrow(circuit, task, work);
#endif
    case unit_words:
      return Rolling<unit_words>(circuit, work).roll(task);
    case 2 * unit_words:
      return Rolling<2 * unit_words>(circuit, work).roll(task);
    default:
      return Rolling<4 * unit_words>(circuit, work).roll(task);
  }
}

}  // namespace
}  // namespace woodstock
