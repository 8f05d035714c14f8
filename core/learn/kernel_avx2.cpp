#if defined(WOODSTOCK_AVX2)
#include "learn/kernel_impl.h"

namespace woodstock::learn {
const Kernel* kernel_avx2() noexcept {
  static constexpr Kernel kernel{"avx2", &sum_rows, &dot_rectified, &add_gradient, &step_adam};
  return &kernel;
}
}  // namespace woodstock::learn
#else
#include "learn/kernel.h"

namespace woodstock::learn {
const Kernel* kernel_avx2() noexcept { return nullptr; }
}  // namespace woodstock::learn
#endif
