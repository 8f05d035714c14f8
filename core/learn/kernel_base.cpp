#include "learn/kernel_impl.h"

namespace woodstock::learn {
const Kernel* kernel_base() noexcept {
  static constexpr Kernel kernel{"base", &sum_rows, &dot_rectified, &add_gradient, &step_adam};
  return &kernel;
}
}  // namespace woodstock::learn
