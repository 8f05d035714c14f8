#include "circuit/isa.h"

#include <stdexcept>
#include <string>

namespace woodstock {

namespace {

#if defined(__x86_64__)
bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}
bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"); }
#else
bool has_avx512() { return false; }
bool has_avx2() { return false; }
#endif

}  // namespace

std::vector<const Kernel*> available_kernels() {
  std::vector<const Kernel*> found;
  if (kernel_avx512() != nullptr && has_avx512()) found.push_back(kernel_avx512());
  if (kernel_avx2() != nullptr && has_avx2()) found.push_back(kernel_avx2());
  found.push_back(kernel_base());
  return found;
}

const Kernel& find_kernel(std::string_view name) {
  const std::vector<const Kernel*> found = available_kernels();
  if (name == "auto") return *found.front();
  std::string known = "auto";
  for (const Kernel* kernel : found) {
    if (name == kernel->name) return *kernel;
    known += std::string(", ") + kernel->name;
  }
  throw std::invalid_argument("this machine cannot run instruction set \"" + std::string(name) +
                              "\"; it has " + known);
}

}  // namespace woodstock
