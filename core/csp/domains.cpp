#include "csp/domains.h"

namespace woodstock::csp {

Domains::Domains(std::span<const std::uint32_t> sizes) : size_(sizes.begin(), sizes.end()) {
  begin_.reserve(sizes.size() + 1);
  begin_.push_back(0);
  for (const std::uint32_t size : sizes) {
    for (std::uint32_t value = 0; value < size; ++value) dense_.push_back(value);
    begin_.push_back(begin_.back() + size);
    if (size > 1) ++unbound_;
  }
  position_ = dense_;
  changes_.resize(dense_.size() + 1);
}

void Domains::undo(std::size_t kept, std::uint32_t unbound) noexcept {
  for (std::size_t i = change_count_; i-- > kept;) {
    size_[changes_[i].variable] = changes_[i].old_size;
  }
  change_count_ = kept;
  unbound_ = unbound;
}

}  // namespace woodstock::csp
