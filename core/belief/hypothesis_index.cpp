#include "belief/hypothesis_index.h"

#include <algorithm>
#include <cstring>

#include "util/random.h"

namespace woodstock {

namespace {

constexpr std::uint32_t nothing = 0xffffffffU;

}  // namespace

std::uint64_t HypothesisIndex::key_of(const std::uint8_t* state,
                                      const std::uint64_t* memories) const {
  std::uint64_t key = 0;
  // Word by word, each scattered into the next: states differ in few bits.
  for (std::size_t i = 0; i < size_; i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, state + i, std::min<std::size_t>(8, size_ - i));
    key = scatter(key + word + golden_gamma);
  }
  for (std::size_t r = 0; r < roles_; ++r) key = scatter(key + memories[r]);
  return key;
}

void HypothesisIndex::grow(const Hypotheses& to) {
  if (2 * (to.size() + 1) <= slots_.size()) return;
  std::size_t size = 256;
  while (size < 4 * (to.size() + 1)) size *= 2;
  // Places, not copies: the list itself may be moved when it grows.
  slots_.assign(size, nothing);
  for (std::size_t i = 0; i < to.size(); ++i) {
    std::size_t slot = key_of(to.states.data() + i * size_, to.memories.data() + i * roles_);
    while (slots_[slot &= size - 1] != nothing) ++slot;
    slots_[slot] = static_cast<std::uint32_t>(i);
  }
}

std::size_t HypothesisIndex::keep(Hypotheses& to, const std::uint8_t* state,
                                  const std::uint64_t* memories, double weight) {
  grow(to);
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = key_of(state, memories) & mask;
  for (; slots_[slot] != nothing; slot = (slot + 1) & mask) {
    const std::size_t i = slots_[slot];
    if (std::equal(state, state + size_, to.states.data() + i * size_) &&
        std::equal(memories, memories + roles_, to.memories.data() + i * roles_)) {
      to.weights[i] += weight;
      return i;
    }
  }
  slots_[slot] = static_cast<std::uint32_t>(to.size());
  to.states.insert(to.states.end(), state, state + size_);
  to.memories.insert(to.memories.end(), memories, memories + roles_);
  to.weights.push_back(weight);
  return to.size() - 1;
}

}  // namespace woodstock
