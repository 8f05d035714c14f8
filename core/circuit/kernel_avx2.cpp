#if defined(WOODSTOCK_AVX2)
#define WOODSTOCK_VECTOR_BYTES 32
#include "circuit/kernel_impl.h"

namespace woodstock {
const Kernel* kernel_avx2() noexcept {
  static constexpr Kernel kernel{"avx2", &play_block, &run_part, &rollout, &draw_moves};
  return &kernel;
}
}  // namespace woodstock
#else
#include "circuit/kernel.h"

namespace woodstock {
const Kernel* kernel_avx2() noexcept { return nullptr; }
}  // namespace woodstock
#endif
