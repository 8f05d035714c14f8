// The vector kernel, compiled once for each instruction set.
//
// Before including this file, define WOODSTOCK_VECTOR_BYTES. Everything here and in the kernel_*.h
// below it has internal linkage and calls nothing from outside: a function compiled for wide
// instructions must never be picked by the linker for code that runs everywhere.

#pragma once

#include "circuit/kernel_playout.h"

namespace woodstock {
namespace {

void play_block(const CircuitView& circuit, const BlockTask& task, const Workspace& work) {
  switch (task.width) {
    case 1:
      return Playing<1>(circuit, work).play(task);
    case 2:
      return Playing<2>(circuit, work).play(task);
    default:
      return Playing<4>(circuit, work).play(task);
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
