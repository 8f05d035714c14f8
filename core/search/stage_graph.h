// The states that a search by stages knows, in bounded memory; transpositions share a node.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "circuit/expander.h"
#include "search/chunked.h"
#include "search/proof.h"
#include "search/tree.h"

namespace woodstock {

// What a state is worth to somebody, as far as is known, and proved bounds of it.
struct Worth {
  float value;
  float lower;
  float upper;

  bool settled() const noexcept { return lower == upper; }
};

// A state. There are many times more of them than of solved stages: all that only those need is
// kept in Stage.
struct StageNode {
  static constexpr std::uint32_t none = 0xffffffffU;

  std::uint32_t hash;
  std::uint32_t stage = none;    // what its moves lead to, once that is known
  std::uint32_t parent = none;   // a node with a stage that leads here
  std::uint32_t parents = none;  // a list of further ones
  std::uint16_t depth = 0;
  std::uint8_t choices = 1;  // moves of who has a choice, once asked for; 255 standing for more
  bool proved : 1 = false;   // all bounds have met
  bool wide : 1 = false;     // too many joint moves to be solved
  bool simple : 1 = false;   // solved: its worth is the best, or worst, of its successors'
  bool ours : 1 = false;     // ... the best, seen from the role that searches
  bool marked : 1 = false;   // for whoever goes through the graph; false in between
  bool bare : 1 = false;     // solved, but none of its solutions has been valued
};

// A stage that is solved.
struct Stage {
  NodeId node;
  std::uint32_t place;     // among the stages
  std::uint32_t children;  // place of the first, in the order of joint moves
  std::uint32_t arms;      // place of the first role's first
  std::uint32_t width;     // joint moves, those of chance included
  std::uint32_t followed;  // how often a search went through it
  std::uint32_t taken;     // the pivot's arm that its proofs have settled on; none: not yet
  std::uint16_t choosers;  // players (chance is none) with more than one move
  std::uint8_t pivot;      // a role with more than one move, a player if there is one, else role 0
  bool single;             // nobody but the pivot, chance included, has more than one move
};

// What games that were played from a state say, and what a net does.
struct Samples {
  double sum;
  float expected;
  std::uint32_t visits;
};

struct StageGraphOptions {
  std::uint32_t roles = 0;
  std::uint32_t chance = 0xffffffffU;  // the role whose moves are drawn
  std::uint32_t worths = 1;            // numbers of a state: one for each role, or one for all
  std::size_t state_size = 0;
  bool samples = false;
  bool proofs = false;                          // keep proof numbers
  std::size_t memory = std::size_t{256} << 20;  // bytes
};

// A leaf is a state and what it is worth; moves and successors come when its stage is solved, all
// together. States are found by their Zobrist key and compared in full. Not for several threads at
// once.
class StageGraph {
 public:
  static constexpr std::uint32_t none = StageNode::none;

  explicit StageGraph(const StageGraphOptions& options);

  std::size_t size() const noexcept { return size_; }
  std::uint32_t worths() const noexcept { return options_.worths; }
  std::size_t bytes() const noexcept;

  // Whether there is room for a stage with so many arms and joint moves, all leading to new states.
  bool has_room(std::size_t arms, std::size_t width) const noexcept;

  // To be called some time before `find`, which then waits less for memory: first the one, then,
  // when it has come, the other.
  void prefetch(std::uint64_t key) const noexcept;
  void prefetch_node(std::uint64_t key) const noexcept;
  NodeId find(std::uint64_t key, const std::uint8_t* state) const noexcept;

  // Adds a leaf. Bounds are 0 and 1, and its value is 0.5.
  NodeId add(std::uint64_t key, const std::uint8_t* state, std::uint32_t depth);

  StageNode& node(NodeId id) { return *reinterpret_cast<StageNode*>(nodes_.at(id)); }
  const StageNode& node(NodeId id) const {
    return *reinterpret_cast<const StageNode*>(nodes_.at(id));
  }
  Worth* worth(NodeId id) { return worths_.at(id); }
  const Worth* worth(NodeId id) const { return worths_.at(id); }
  std::span<const std::uint8_t> state(NodeId id) const {
    return {reinterpret_cast<const std::uint8_t*>(nodes_.at(id) + sizeof(StageNode)),
            options_.state_size};
  }
  // Where the options ask for them.
  Samples* samples(NodeId id) { return samples_.at(id); }
  const Samples* samples(NodeId id) const { return samples_.at(id); }

  Proof& proof(NodeId id) { return proofs_[id]; }
  const Proof& proof(NodeId id) const { return proofs_[id]; }

  bool solved(NodeId id) const { return node(id).stage != none; }
  Stage& stage(NodeId id) { return stages_[node(id).stage]; }
  const Stage& stage(NodeId id) const { return stages_[node(id).stage]; }

  // Makes the stage of a leaf; all of its children are to be linked.
  void solve(NodeId id, const Choices& choices, std::uint32_t width);
  void link(NodeId id, std::uint32_t joint, NodeId child);
  // Another child that the stage leads to already takes the place of this one.
  void relink(const Stage& stage, std::uint32_t joint, NodeId child) {
    children_[stage.children + joint] = child;
  }

  NodeId child(const Stage& stage, std::uint64_t joint) const {
    return children_[stage.children + joint];
  }
  // All of them; the same until the next call.
  const NodeId* children(const Stage& stage) const {
    return children_.array(stage.children, stage.width, scratch_);
  }
  // Arms of a role are numbered from 0 on.
  const std::uint32_t* offsets(const Stage& stage) const { return offsets_.at(stage.place); }
  std::uint32_t arms(const Stage& stage, std::uint32_t role) const {
    const std::uint32_t* at = offsets(stage) + role;
    return at[1] - at[0];
  }
  std::uint32_t move(const Stage& stage, std::uint32_t role, std::uint32_t arm) const {
    return moves_[stage.arms + offsets(stage)[role] + arm];
  }
  // How often a search took it.
  std::uint32_t& followed(const Stage& stage, std::uint32_t role, std::uint32_t arm) {
    return followed_[stage.arms + offsets(stage)[role] + arm];
  }
  const std::uint32_t* followed(const Stage& stage, std::uint32_t role) const {
    return followed_.array(stage.arms + offsets(stage)[role], arms(stage, role), more_scratch_);
  }

  // Joint moves have numbers, which count through the arms of the last role first.
  std::uint64_t joint_of(const Stage& stage, const std::uint32_t* places) const;
  void joint_places(const Stage& stage, std::uint64_t joint, std::uint32_t* places) const;
  // Goes on to the next joint move of the players, those of chance staying as they are; false, and
  // all players at their first arms, after the last.
  bool next_players(const Stage& stage, std::uint32_t* places) const;

  // Calls `visit` with each node whose stage leads to this one.
  template <class Visit>
  void for_each_parent(NodeId id, Visit visit) const {
    const StageNode& at = node(id);
    if (at.parent == none) return;
    visit(at.parent);
    for (std::uint32_t p = at.parents; p != none; p = parents_[p].next) visit(parents_[p].id);
  }

  // Forgets what cannot be reached from `root` and then the stages that were followed least, until
  // at most `share` of the memory is in use, as far as that is possible. What such a stage was
  // worth stays: it is a leaf again. Node numbers change: tells the new one of the root.
  NodeId compact(NodeId root, double share);
  void clear();

 private:
  struct Parent {
    NodeId id;
    std::uint32_t next;
  };

  void adopt(NodeId child, NodeId parent);
  std::size_t weight(const Stage& stage) const;
  std::size_t slot_of(std::uint32_t hash) const noexcept;
  void mark(NodeId root, std::vector<std::uint8_t>& found) const;
  void forget_rare(std::vector<std::uint8_t>& found, NodeId root, double share);
  NodeId slide(const std::vector<std::uint8_t>& keep, NodeId root);
  void find_parents(NodeId root);
  void rebuild_index();

  StageGraphOptions options_;
  std::size_t size_ = 0;
  Chunked<std::byte> nodes_;  // StageNode and state: whoever looks for a state reads both
  Chunked<Worth> worths_;     // apart: most is read of siblings, whose worths lie side by side
  Chunked<Samples> samples_;
  Chunked<Proof> proofs_;
  Chunked<Stage> stages_;
  Chunked<std::uint32_t> offsets_;  // per stage: of each role's arms, and of their end
  Chunked<NodeId> children_;
  Chunked<std::uint32_t> moves_;     // per arm
  Chunked<std::uint32_t> followed_;  // per arm
  Chunked<Parent> parents_;
  std::vector<NodeId> by_key_;  // open addressing, a power of two
  mutable std::vector<NodeId> scratch_;
  mutable std::vector<std::uint32_t> more_scratch_;
};

}  // namespace woodstock
