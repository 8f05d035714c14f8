#if defined(WOODSTOCK_AVX512)
#define WOODSTOCK_VECTOR_BYTES 64
#include "circuit/kernel_impl.h"

namespace woodstock {
const Kernel* kernel_avx512() noexcept {
  static constexpr Kernel kernel{"avx512", &play_block, &run_part, &rollout, &draw_moves};
  return &kernel;
}
}  // namespace woodstock
#else
#include "circuit/kernel.h"

namespace woodstock {
const Kernel* kernel_avx512() noexcept { return nullptr; }
}  // namespace woodstock
#endif
