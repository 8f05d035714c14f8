#include "learn/kernel.h"

#include <bit>
#include <string_view>

#include "circuit/isa.h"

namespace woodstock::learn {

const Kernel* kernel_named(const char* name) {
  const std::string_view wanted = name;
  // What the circuit's kernels need is what these need.
  for (const woodstock::Kernel* kernel : available_kernels()) {
    if (wanted != kernel->name) continue;
    if (wanted == "avx512") return kernel_avx512();
    if (wanted == "avx2") return kernel_avx2();
    return kernel_base();
  }
  return nullptr;
}

const Kernel& best_kernel() {
  static const Kernel& best = []() -> const Kernel& {
    for (const char* name : {"avx512", "avx2"}) {
      if (const Kernel* kernel = kernel_named(name)) return *kernel;
    }
    return *kernel_base();
  }();
  return best;
}

float logistic(float x) noexcept {
  // Beyond this the result is 0 or 1 to the last bit, or nearly.
  const float bounded = x > 30.0F     ? 30.0F
                        : x >= -30.0F ? x
                                      : -30.0F;  // the last also for no number
  // e^-x = 2^n * e^r with |r| at most half of ln 2.
  const float turns = -bounded * 1.44269504F;
  const auto whole = static_cast<int>(turns < 0 ? turns - 0.5F : turns + 0.5F);
  const float r = -bounded - static_cast<float>(whole) * 0.693147181F;
  const float power =
      1 + r * (1 + r * (0.5F + r * (1.0F / 6 + r * (1.0F / 24 + r * (1.0F / 120)))));
  const float scaled = power * std::bit_cast<float>(static_cast<std::uint32_t>(127 + whole) << 23);
  return 1 / (1 + scaled);
}

}  // namespace woodstock::learn
