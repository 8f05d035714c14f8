#include "search/information_tree.h"

#include <algorithm>

namespace woodstock {

namespace {

constexpr std::size_t smallest_index = 1024;

}  // namespace

InformationTree::InformationTree(const InformationTreeOptions& options)
    : options_(options),
      arms_(1, std::max<std::size_t>(1, options.moves)),
      regrets_(1, std::max<std::size_t>(1, options.moves)),
      amafs_(std::max<std::size_t>(1, options.moves)),
      by_key_(smallest_index, no_node) {}

std::size_t InformationTree::bytes() const noexcept {
  return sets_.bytes() + arms_.bytes() + regrets_.bytes() + amafs_.bytes() +
         by_key_.size() * sizeof(NodeId);
}

bool InformationTree::has_room(std::size_t moves) const noexcept {
  // An index that is to grow doubles.
  const std::size_t index = 2 * (sets_.size() + 1) > by_key_.size() ? by_key_.size() : 0;
  const std::size_t regrets = options_.regrets ? regrets_.bytes_with(moves) : 0;
  return sets_.bytes_with(1) + arms_.bytes_with(moves) + regrets + amafs_.bytes() +
             (by_key_.size() + index) * sizeof(NodeId) <=
         options_.memory;
}

void InformationTree::clear() {
  const auto empty = [](auto& chunks) {
    chunks.restart();
    chunks.trim();
  };
  empty(sets_);
  empty(arms_);
  empty(regrets_);
  empty(amafs_);
  by_key_.assign(smallest_index, no_node);
}

NodeId InformationTree::find(std::uint64_t key) const noexcept {
  const std::size_t mask = by_key_.size() - 1;
  for (std::size_t slot = key & mask; by_key_[slot] != no_node; slot = (slot + 1) & mask) {
    // Sets have no state to compare: 64 bits of what was done and perceived stand for it.
    if (sets_[by_key_[slot]].key == key) return by_key_[slot];
  }
  return no_node;
}

void InformationTree::make_arms(InformationSet& set, std::span<const std::uint32_t> moves) {
  set.arms = static_cast<std::uint32_t>(arms_.add(moves.size()));
  set.count = static_cast<std::uint32_t>(moves.size());
  for (std::size_t i = 0; i < moves.size(); ++i) {
    arms_[set.arms + i] = {moves[i], 0, 0, no_node, 0, 0, 1};
  }
  set.regrets = InformationSet::none;
  if (options_.regrets) {
    set.regrets = static_cast<std::uint32_t>(regrets_.add(moves.size()));
    std::fill_n(regrets_.at(set.regrets), moves.size(), Regret{0, 0});
  }
}

NodeId InformationTree::add(std::uint64_t key, std::uint32_t role,
                            std::span<const std::uint32_t> moves) {
  const auto id = static_cast<NodeId>(sets_.add());
  sets_[id] = {key, 0, 0, 0, 0, 0, 0, role, InformationSet::none};
  make_arms(sets_[id], moves);
  if (2 * sets_.size() > by_key_.size()) {
    rebuild_index();
  } else {
    const std::size_t mask = by_key_.size() - 1;
    std::size_t slot = key & mask;
    while (by_key_[slot] != no_node) slot = (slot + 1) & mask;
    by_key_[slot] = id;
  }
  return id;
}

void InformationTree::rebuild_index() {
  const std::size_t size = 2 * by_key_.size();
  by_key_.assign(size, no_node);
  for (std::size_t i = 0; i < sets_.size(); ++i) {
    std::size_t slot = sets_[i].key & (size - 1);
    while (by_key_[slot] != no_node) slot = (slot + 1) & (size - 1);
    by_key_[slot] = static_cast<NodeId>(i);
  }
}

bool InformationTree::allow(NodeId id, std::span<const std::uint32_t> moves,
                            std::vector<std::uint8_t>& allowed) {
  const std::span<const Arm> known = arms(id);
  if (std::ranges::equal(known, moves, {}, &Arm::move)) return true;
  allowed.assign(known.size(), 0);
  merged_.clear();
  for (const Arm& arm : known) merged_.push_back(arm.move);
  for (std::uint32_t move : moves) {
    const auto place = static_cast<std::size_t>(std::ranges::find(merged_, move) - merged_.begin());
    if (place == merged_.size()) {
      merged_.push_back(move);
      allowed.push_back(0);
    }
    allowed[place] = 1;
  }
  if (merged_.size() > known.size()) {
    if (!has_room(merged_.size())) {
      allowed.resize(known.size());
      return false;
    }
    // Arms lie one after the other, so a set that gets more of them moves; the old place is lost
    // until the tree is cleared. Few rulesheets need it.
    const InformationSet old = sets_[id];
    InformationSet& set = sets_[id];
    make_arms(set, merged_);
    std::copy_n(arms_.at(old.arms), old.count, arms_.at(set.arms));
    if (options_.regrets) {
      std::copy_n(regrets_.at(old.regrets), old.count, regrets_.at(set.regrets));
    }
  }
  return merged_.size() == moves.size();
}

std::span<Arm> InformationTree::arms(NodeId id) {
  return {arms_.at(sets_[id].arms), sets_[id].count};
}

std::span<const Arm> InformationTree::arms(NodeId id) const {
  return {arms_.at(sets_[id].arms), sets_[id].count};
}

std::span<Regret> InformationTree::regrets(NodeId id) {
  return {regrets_.at(sets_[id].regrets), sets_[id].count};
}

Amaf* InformationTree::amaf(NodeId id) {
  return sets_[id].amaf == InformationSet::none ? nullptr : amafs_.at(sets_[id].amaf);
}

Amaf* InformationTree::make_amaf(NodeId id) {
  if (bytes() + amafs_.bytes_with(1) - amafs_.bytes() > options_.memory) return nullptr;
  sets_[id].amaf = static_cast<std::uint32_t>(amafs_.add());
  Amaf* table = amafs_.at(sets_[id].amaf);
  std::fill_n(table, options_.moves, Amaf{0, 0});
  return table;
}

}  // namespace woodstock
