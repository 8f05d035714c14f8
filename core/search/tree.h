// The states a search knows and what it knows of them, in bounded memory; transpositions share a
// node.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/chunked.h"
#include "search/proof.h"
#include "util/random.h"

namespace woodstock {

using NodeId = std::uint32_t;
constexpr NodeId no_node = 0xffffffffU;

// A legal move of a role in a state. The bounds are those of the role's utility if it makes the
// move; they are kept where no other player has a choice.
struct Arm {
  std::uint32_t move;
  std::uint32_t visits;   // finished simulations
  std::uint32_t pending;  // simulations under way
  NodeId child;           // of the pivot's arms, see Node; no_node: not made yet
  double sum;             // of the role's utility over the visits
  float lower;
  float upper;
};

// What a node knows about a role: the sum of its utilities over the visits, and proved bounds.
struct RoleValue {
  double sum;
  float lower;
  float upper;
};

// How often a move was made anywhere below a node, and what came of it for who made it.
struct Amaf {
  float games;
  float sum;
};

// For regret matching: one for each arm.
struct Regret {
  float regret;
  float strategy;  // the sum of the strategies played
};

struct Node {
  static constexpr std::uint32_t none = 0xffffffffU;

  std::uint64_t key;
  std::uint64_t width;     // joint moves, those of chance included; 0 where the game is over
  std::uint32_t visits;    // finished simulations
  std::uint32_t pending;   // simulations under way
  std::uint32_t arms;      // of the first role; the others follow
  std::uint32_t regrets;   // the same of the regrets or of the proofs, where there are any
  std::uint32_t edge;      // the newest, where children are not in the arms
  std::uint32_t amaf;      // place of the table
  std::uint32_t folds;     // place of the folds of the first role's arms, where there are any
  std::uint32_t taken;     // the pivot's arm that its proofs have settled on
  std::uint16_t choosers;  // players (chance is none) with more than one move
  std::uint8_t pivot;      // a role with more than one move, a player if there is one, else role 0
  bool single;             // nobody but the pivot, chance included, has more than one move
  bool terminal;           // over, or some role has no move
  bool proved;             // all bounds have met
};

struct TreeOptions {
  std::uint32_t roles = 0;
  std::uint32_t chance = 0xffffffffU;  // the role whose moves are drawn
  std::size_t state_size = 0;
  std::size_t moves = 0;  // of the whole game
  bool regrets = false;
  bool proofs = false;                          // never with regrets
  bool folds = false;                           // whether links remember how a state was folded
  std::size_t memory = std::size_t{256} << 20;  // bytes
};

// A graph rather than a tree, with a transposition table of its own: states are found by their
// Zobrist key and compared in full, so each has one node however it is reached. Not for several
// threads at once.
class Tree {
 public:
  explicit Tree(const TreeOptions& options);

  std::size_t size() const noexcept { return nodes_.size(); }
  std::size_t bytes() const noexcept;

  // Whether there is room for a node with so many legal moves, and for the edge to it.
  bool has_room(std::size_t arms) const noexcept;

  NodeId find(std::uint64_t key, const std::uint8_t* state) const noexcept;
  // Somebody will soon look for it: memory is slow, so that it had better begin now.
  void expect(std::uint64_t key) const noexcept {
    __builtin_prefetch(&by_key_[scatter(key) & (by_key_.size() - 1)]);
  }

  // Adds a state that is not there yet. legal_begin has an entry for each role and one more, and
  // points into legal. A state without a move for some role counts as terminal. Bounds are 0, 1.
  NodeId add(std::uint64_t key, const std::uint8_t* state, bool terminal,
             const std::uint32_t* legal_begin, const std::uint32_t* legal);

  Node& node(NodeId id) { return nodes_[id]; }
  const Node& node(NodeId id) const { return nodes_[id]; }
  const std::uint8_t* state(NodeId id) const { return states_.at(id); }
  RoleValue* values(NodeId id) { return values_.at(id); }
  const RoleValue* values(NodeId id) const { return values_.at(id); }

  std::span<Arm> arms(NodeId id, std::uint32_t role) {
    const std::uint32_t* offset = offsets_.at(id) + role;
    if (offset[0] == offset[1]) return {};
    return {arms_.at(nodes_[id].arms + offset[0]), offset[1] - offset[0]};
  }
  std::span<const Arm> arms(NodeId id, std::uint32_t role) const {
    const std::uint32_t* offset = offsets_.at(id) + role;
    if (offset[0] == offset[1]) return {};
    return {arms_.at(nodes_[id].arms + offset[0]), offset[1] - offset[0]};
  }
  // Beside the arms, where the options ask for them.
  std::span<Regret> regrets(NodeId id, std::uint32_t role);
  std::span<Proof> proofs(NodeId id, std::uint32_t role);
  // The table of a node, one entry for each move of the game; nullptr: it has none.
  Amaf* amaf(NodeId id);
  // Makes one, all zero; nullptr when there is no room.
  Amaf* make_amaf(NodeId id);

  // Joint moves have numbers, which count through the moves of the last role first. The moves are
  // places among the arms of each role, or move numbers of the game.
  std::uint64_t joint_of(NodeId id, const std::uint32_t* places) const;
  void joint_places(NodeId id, std::uint64_t joint, std::uint32_t* places) const;
  void joint_moves(NodeId id, std::uint64_t joint, std::uint32_t* moves) const;
  // Goes on to the next joint move of the players, those of chance staying as they are; false, and
  // all players at their first moves, after the last.
  bool next_players(NodeId id, std::uint32_t* places) const;
  NodeId child(NodeId id, std::uint64_t joint) const;
  // The fold of a link is by which symmetry the state behind it became that of the child; it is
  // kept where the options ask for it, and 0 elsewhere.
  void link(NodeId id, std::uint64_t joint, NodeId child, std::uint8_t fold = 0);
  std::uint8_t fold(NodeId id, std::uint64_t joint) const;

  // Forgets what cannot be reached from `root` and then nodes with few visits, until at most
  // `share` of the memory is in use, as far as that is possible. Node numbers change: tells the new
  // one of the root.
  NodeId compact(NodeId root, double share);
  void clear();

 private:
  struct Edge {
    std::uint64_t joint;
    NodeId parent;
    NodeId child;
    std::uint32_t next;  // of the same parent
    std::uint8_t fold;
  };

  template <class Visit>
  void for_each_child(NodeId id, Visit visit) const;
  std::size_t edge_slot(NodeId parent, std::uint64_t joint) const noexcept;
  std::vector<std::uint8_t> reachable(NodeId root) const;
  void drop_rare(std::vector<std::uint8_t>& keep, NodeId root, double share) const;
  NodeId slide(const std::vector<std::uint8_t>& keep, NodeId root);
  void rebuild_indices();

  TreeOptions options_;
  Chunked<Node> nodes_;
  Chunked<std::uint8_t> states_;
  Chunked<RoleValue> values_;
  Chunked<std::uint32_t> offsets_;  // of each role's arms, and of their end
  Chunked<Arm> arms_;
  Chunked<Regret> regrets_;
  Chunked<Proof> proofs_;
  Chunked<std::uint8_t> folds_;
  Chunked<Amaf> amafs_;
  std::vector<NodeId> amaf_owners_;
  Chunked<Edge> edges_;
  std::vector<NodeId> by_key_;          // open addressing, a power of two
  std::vector<std::uint32_t> by_edge_;  // the same, of edges
};

}  // namespace woodstock
