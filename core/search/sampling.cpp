#include "search/sampling.h"

#include <stdexcept>

namespace woodstock {

void check(const SamplingOptions& options, std::uint32_t roles) {
  if (options.role >= roles || options.role == options.chance) {
    throw std::invalid_argument("no such player");
  }
  if (options.leaves == 0 || options.leaves > 4096) {
    throw std::invalid_argument("leaves must be between 1 and 4096");
  }
  if (options.playouts == 0 || options.playouts > 64 ||
      (options.playouts & (options.playouts - 1)) != 0) {
    throw std::invalid_argument("playouts must be 1, 2, 4, 8, 16, 32 or 64");
  }
  if (!(options.exploration >= 0) || !(options.reference >= 0) || !(options.bias >= 0) ||
      !(options.mixing >= 0 && options.mixing <= 1)) {
    throw std::invalid_argument("exploration, reference and bias are not negative, mixing 0 to 1");
  }
  if (options.memory < std::size_t{4} << 20) {
    throw std::invalid_argument("a search needs 4 MB of memory");
  }
}

}  // namespace woodstock
