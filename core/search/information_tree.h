// What a search knows about information sets: all that a role can tell apart when it has to choose.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/chunked.h"
#include "search/tree.h"

namespace woodstock {

// Decisions that a role cannot tell from each other: it has done and perceived the same.
struct InformationSet {
  static constexpr std::uint32_t none = 0xffffffffU;

  std::uint64_t key;
  double sum;             // of the role's utility over the visits
  std::uint32_t visits;   // finished simulations
  std::uint32_t pending;  // simulations under way
  std::uint32_t arms;     // place of the first
  std::uint32_t regrets;  // place of the first, where there are any
  std::uint32_t count;    // of the arms
  std::uint32_t role;
  std::uint32_t amaf;  // place of the table
};

struct InformationTreeOptions {
  std::size_t moves = 0;  // of the whole game
  bool regrets = false;
  std::size_t memory = std::size_t{256} << 20;  // bytes
};

// Rules are written so that a role knows its legal moves; a set whose states have different ones
// gets the arms of all of them, in the order in which they are met. Not for several threads at
// once.
class InformationTree {
 public:
  explicit InformationTree(const InformationTreeOptions& options);

  std::size_t size() const noexcept { return sets_.size(); }
  std::size_t bytes() const noexcept;
  // Whether there is room for one more set with so many moves.
  bool has_room(std::size_t moves) const noexcept;
  void clear();

  NodeId find(std::uint64_t key) const noexcept;
  NodeId add(std::uint64_t key, std::uint32_t role, std::span<const std::uint32_t> moves);
  // Sees to it that these moves are among the arms; whether they are all the arms there are. If
  // not, `allowed` has for each arm whether it is one of them.
  bool allow(NodeId id, std::span<const std::uint32_t> moves, std::vector<std::uint8_t>& allowed);

  InformationSet& at(NodeId id) { return sets_[id]; }
  const InformationSet& at(NodeId id) const { return sets_[id]; }
  std::span<Arm> arms(NodeId id);
  std::span<const Arm> arms(NodeId id) const;
  std::span<Regret> regrets(NodeId id);
  // One entry for each move of the game; nullptr: there is no table.
  Amaf* amaf(NodeId id);
  Amaf* make_amaf(NodeId id);

 private:
  void make_arms(InformationSet& set, std::span<const std::uint32_t> moves);
  void rebuild_index();

  InformationTreeOptions options_;
  Chunked<InformationSet> sets_;
  Chunked<Arm> arms_;
  Chunked<Regret> regrets_;
  Chunked<Amaf> amafs_;
  std::vector<NodeId> by_key_;  // open addressing, a power of two
  std::vector<std::uint32_t> merged_;
};

}  // namespace woodstock
