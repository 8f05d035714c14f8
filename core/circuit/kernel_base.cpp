// What every machine of the target's kind can run: SSE2 on x86-64, NEON on ARM.
#define WOODSTOCK_VECTOR_BYTES 16
#include "circuit/kernel_impl.h"

namespace woodstock {
const Kernel* kernel_base() noexcept {
  static constexpr Kernel kernel{"base", &play_block, &run_part, &rollout, &draw_moves};
  return &kernel;
}
}  // namespace woodstock
