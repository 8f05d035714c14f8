// Monte-Carlo tree search with playouts in bulk: UCT, GRAVE, regret matching and flat bandits.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "circuit/simulator.h"
#include "search/bandit.h"
#include "search/bounds.h"
#include "search/concept.h"
#include "search/draws.h"
#include "search/folding.h"
#include "search/halving.h"
#include "search/mast.h"
#include "search/net_values.h"
#include "search/options.h"
#include "search/proof_numbers.h"
#include "search/searcher.h"
#include "search/tree.h"

namespace woodstock {

// One pass takes many simulations down the tree, choosing as if those under way had come out like
// the mean so far; the new leaves are then made together, and all playouts are played together. A
// playout counts as a visit. Nodes are proved from the end of the game upwards, and moves that a
// proof makes needless are not visited again.
class TreeSearch final : public Searcher {
 public:
  // Throws std::invalid_argument for options without sense, and where a blend needs a net that is
  // not given or is another game's.
  TreeSearch(std::shared_ptr<Simulator> simulator, const TreeSearchOptions& options,
             std::shared_ptr<const learn::ValueNet> net = nullptr);
  TreeSearch(const TreeSearch&) = delete;  // parts of it point at others
  TreeSearch& operator=(const TreeSearch&) = delete;

  Decision think(std::span<const std::uint8_t> state, const Limits& limits,
                 const std::atomic<bool>& stop, const Progress& progress) override;
  void use(std::shared_ptr<const symmetry::Quotient> quotient) override;

  // What it knows, to look at.
  const Tree& tree() const noexcept { return tree_; }

 private:
  static constexpr std::uint32_t nothing = 0xffffffffU;

  // A way down: steps [begin, end) of the pass, and where it ends.
  struct Path {
    std::size_t begin = 0;
    std::size_t end = 0;
    NodeId leaf = no_node;            // no_node where there is no room for one
    std::uint32_t fresh = nothing;    // its place among the states that are new
    std::uint32_t rollout = nothing;  // its place among the playouts; the rest is proved
  };

  void set_root(std::span<const std::uint8_t> state);
  NodeId add(const Visits& found, std::size_t i);
  // False when time was up in the middle of it, which leaves no trace.
  bool pass(const Watch& watch);
  void call_off();
  void descend(Path& path);
  // The table of moves that a choice looks at, and how states were folded on the way from there.
  struct Reference {
    const Amaf* table = nullptr;
    Folding::Element fold = 0;
  };
  std::uint32_t choose(NodeId id, std::uint32_t role, const Reference& reference);
  std::uint32_t choose_arm(NodeId id, std::uint32_t role, std::span<const Arm> arms,
                           const Reference& reference);
  void make_leaves();
  void play_out(const Watch& watch);
  void back_up();
  void back_up(const Path& path);
  // What came back through a node may not be better or worse than what is proved of it.
  void keep_within_bounds(NodeId id, const std::uint32_t* places);
  void count_moves(const Path& path);
  void learn_regrets(NodeId id, const std::uint32_t* places, const float* chances);
  void make_room();
  // Proof-number search in the same tree.
  void search_proofs(const Watch& watch);
  bool open_nearest();
  void open(NodeId id);
  Decision decide(const Watch& watch, double luck);

  std::shared_ptr<Simulator> simulator_;
  TreeSearchOptions options_;
  std::uint32_t roles_;
  Utilities utilities_;
  std::optional<NetValues> net_;
  Tree tree_;
  Bounds bounds_;
  ProofNumbers proof_numbers_;
  Halving halving_;
  Mast mast_;
  Folding folding_;
  Draws draws_;
  Logarithms logarithms_;
  NodeId root_ = no_node;

  // Of this call.
  std::uint64_t nodes_ = 0;
  std::uint64_t simulations_ = 0;
  std::uint64_t visits_made_ = 0;  // simulations and those that ended in what is proved
  std::uint64_t idle_ = 0;         // passes that made no node
  std::uint32_t depth_ = 0;
  bool crowded_ = false;  // a leaf found no room
  bool frozen_ = false;   // making room has not helped
  double steps_due_ = 0;  // towards a proof

  // Of this pass; steps are joint moves: a node, and for each role the place of its arm.
  std::vector<Path> paths_;
  std::vector<NodeId> step_node_;
  std::vector<std::uint32_t> step_places_;
  std::vector<Folding::Element> step_folds_;  // grave: how the state behind was folded
  std::vector<float> step_chances_;           // regret: with which probability the arm was drawn
  std::vector<std::uint8_t> from_states_;
  std::vector<std::uint32_t> from_moves_;
  std::vector<NodeId> from_node_;
  std::vector<std::uint64_t> from_joint_;
  std::vector<std::uint32_t> from_index_;  // open addressing by node and joint move
  std::vector<std::uint8_t> leaf_states_;
  std::vector<NodeId> line_;  // to what is nearest to a proof
  std::vector<std::uint32_t> line_places_;
  Visits visits_;
  Rollouts rollouts_;
  std::span<const double> expected_;  // by the net, of the leaves that are played out
  std::vector<double> values_;        // per role, of the path at hand
  std::vector<double> other_;         // the same, of a move
};

}  // namespace woodstock
