// A growing array whose elements stay where they are.

#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <memory>
#include <vector>

namespace woodstock {

// Memory comes in chunks, so that growing never needs old and new memory at once. An element is
// `stride` objects of type T. Elements that are added together lie in one chunk; where the rest of
// a chunk is too short for them, it is left unused.
template <class T>
class Chunked {
 public:
  // `block` is the most elements that will be added together.
  explicit Chunked(std::size_t stride = 1, std::size_t block = 1) : stride_(stride) {
    constexpr std::size_t bytes = std::size_t{1} << 18;
    while ((std::size_t{1} << shift_) < block ||
           (std::size_t{1} << (shift_ + 1)) * stride_ * sizeof(T) <= bytes) {
      ++shift_;
    }
  }

  std::size_t size() const noexcept { return size_; }
  std::size_t bytes() const noexcept { return chunks_.size() * chunk_bytes(); }
  // The memory in use if so many elements more were added together.
  std::size_t bytes_with(std::size_t count) const noexcept {
    const std::size_t chunks = (place(count) + count + mask()) >> shift_;
    return (chunks > chunks_.size() ? chunks : chunks_.size()) * chunk_bytes();
  }

  T* at(std::size_t i) { return chunks_[i >> shift_].get() + (i & mask()) * stride_; }
  const T* at(std::size_t i) const { return chunks_[i >> shift_].get() + (i & mask()) * stride_; }
  T& operator[](std::size_t i) { return *at(i); }
  const T& operator[](std::size_t i) const { return *at(i); }

  // Adds elements without giving them a value; tells where they begin.
  std::size_t add(std::size_t count = 1) {
    const std::size_t begin = place(count);
    size_ = begin + count;
    while ((chunks_.size() << shift_) < size_) {
      chunks_.push_back(std::make_unique_for_overwrite<T[]>(stride_ << shift_));
    }
    return begin;
  }

  // The same for elements that need not lie in one chunk: no place is left unused.
  std::size_t extend(std::size_t count) {
    const std::size_t begin = size_;
    size_ += count;
    while ((chunks_.size() << shift_) < size_) {
      chunks_.push_back(std::make_unique_for_overwrite<T[]>(stride_ << shift_));
    }
    return begin;
  }
  std::size_t bytes_extended(std::size_t count) const noexcept {
    return std::max(chunks_.size(), (size_ + count + mask()) >> shift_) * chunk_bytes();
  }
  // So many elements as an array: where they lie, or a copy in `scratch`.
  const T* array(std::size_t begin, std::size_t count, std::vector<T>& scratch) const {
    if ((begin & mask()) + count <= mask() + 1) return at(begin);
    scratch.clear();
    for (std::size_t i = begin; i < begin + count; ++i) {
      scratch.insert(scratch.end(), at(i), at(i) + stride_);
    }
    return scratch.data();
  }

  // Makes it empty, but keeps the memory for what is added next; see `trim`.
  void restart() noexcept { size_ = 0; }
  // Gives back the chunks that nothing lies in.
  void trim() {
    while (chunks_.size() > (size_ + mask()) >> shift_) chunks_.pop_back();
  }

 private:
  std::size_t mask() const noexcept { return (std::size_t{1} << shift_) - 1; }
  std::size_t chunk_bytes() const noexcept { return (stride_ << shift_) * sizeof(T); }
  std::size_t place(std::size_t count) const noexcept {
    const std::size_t room = (std::size_t{1} << shift_) - (size_ & mask());
    return count > room ? size_ + room : size_;
  }

  std::size_t stride_;
  unsigned shift_ = 0;
  std::size_t size_ = 0;
  std::vector<std::unique_ptr<T[]>> chunks_;
};

}  // namespace woodstock
