#include "circuit/logic.h"

#include <algorithm>
#include <stdexcept>

#include "util/random.h"

namespace woodstock {

namespace {

std::uint64_t hash_of(std::span<const Ref> refs) noexcept {
  std::uint64_t h = golden_gamma + refs.size();
  for (Ref ref : refs) {
    h ^= ref;
    h *= 0xff51afd7ed558ccdULL;
    h ^= h >> 32;
  }
  return h;
}

}  // namespace

Logic::Logic()
    : kind_{NodeKind::constant}, index_{0}, begin_{0, 0}, table_(std::size_t{1} << 10, 0) {}

Ref Logic::add_source(NodeKind kind, std::uint32_t index) {
  const auto node = static_cast<NodeId>(kind_.size());
  if (node >= 0x7fffffffU) throw std::length_error("too many nodes for one circuit");
  kind_.push_back(kind);
  index_.push_back(index);
  begin_.push_back(static_cast<std::uint32_t>(inputs_.size()));
  return ref_of(node);
}

Ref Logic::conjunction(std::vector<Ref>& refs) {
  std::sort(refs.begin(), refs.end());
  refs.erase(std::unique(refs.begin(), refs.end()), refs.end());
  if (!refs.empty() && refs.front() == ref_false) return ref_false;
  if (!refs.empty() && refs.front() == ref_true) refs.erase(refs.begin());
  for (std::size_t i = 1; i < refs.size(); ++i) {
    if (refs[i] == negate(refs[i - 1])) return ref_false;  // x and not x are neighbours
  }
  if (refs.empty()) return ref_true;
  if (refs.size() == 1) return refs.front();

  if (2 * shared_ >= table_.size()) grow();
  const std::size_t mask = table_.size() - 1;
  std::size_t at = hash_of(refs) & mask;
  for (; table_[at] != 0; at = (at + 1) & mask) {
    const auto other = inputs(table_[at]);
    if (std::equal(refs.begin(), refs.end(), other.begin(), other.end())) {
      return ref_of(table_[at]);
    }
  }
  if (inputs_.size() + refs.size() > 0xffffffffU) {
    throw std::length_error("too many references for one circuit");
  }
  inputs_.insert(inputs_.end(), refs.begin(), refs.end());
  const Ref made = add_source(NodeKind::conjunction, 0);
  table_[at] = node_of(made);
  ++shared_;
  return made;
}

Ref Logic::disjunction(std::vector<Ref>& refs) {
  for (Ref& ref : refs) ref = negate(ref);
  return negate(conjunction(refs));
}

void Logic::grow() {
  std::vector<NodeId> table(table_.size() * 2, 0);
  const std::size_t mask = table.size() - 1;
  for (NodeId node : table_) {
    if (node == 0) continue;
    std::size_t at = hash_of(inputs(node)) & mask;
    while (table[at] != 0) at = (at + 1) & mask;
    table[at] = node;
  }
  table_ = std::move(table);
}

}  // namespace woodstock
