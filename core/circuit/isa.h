// Which vector kernel this machine can run.

#pragma once

#include <string_view>
#include <vector>

#include "circuit/kernel.h"

namespace woodstock {

// Kernels of this binary that run here, the fastest first.
std::vector<const Kernel*> available_kernels();

// "auto" is the fastest one; "avx512", "avx2" and "base" name one. All give the same results.
// Throws std::invalid_argument for a name that is unknown or cannot run here.
const Kernel& find_kernel(std::string_view name);

}  // namespace woodstock
