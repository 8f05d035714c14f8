// Batches of lanes outside of the kernels: how wide, which lanes, and memory for them.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "circuit/kernel.h"

namespace woodstock {

// The words of the narrowest batch that holds so many lanes, but at most `width` units.
inline std::uint32_t words_for(std::uint64_t lanes, std::uint32_t width) noexcept {
  std::uint32_t words = narrow_words;
  while (words < width * unit_words && words * 64 < lanes) words *= 2;
  return words;
}

// Makes the first lanes the active ones.
inline void activate(const Workspace& work, std::size_t words, std::size_t lanes) noexcept {
  for (std::size_t w = 0; w < words; ++w) {
    const std::size_t here = lanes - std::min(lanes, w * 64);
    work.active[w] = here >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1;
  }
}

// Planes for vectors to work on. What they hold is lost when they grow.
class Planes {
 public:
  std::uint64_t* reserve(std::size_t words) {
    if (words > capacity_) {
      words_.reset(static_cast<std::uint64_t*>(
          ::operator new(words * sizeof(std::uint64_t), std::align_val_t{64})));
      capacity_ = words;
    }
    return words_.get();
  }
  const std::uint64_t* data() const noexcept { return words_.get(); }

 private:
  struct Free {
    void operator()(std::uint64_t* p) const noexcept { ::operator delete(p, std::align_val_t{64}); }
  };
  std::unique_ptr<std::uint64_t[], Free> words_;
  std::size_t capacity_ = 0;
};

}  // namespace woodstock
