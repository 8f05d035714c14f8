// Information-set Monte-Carlo tree search (ISMCTS), with multiple observers: tree search for who
// does not see everything, in which every role has a tree of its own, over what it can tell apart.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "circuit/simulator.h"
#include "search/belief_searcher.h"
#include "search/concept.h"
#include "search/draws.h"
#include "search/halving.h"
#include "search/information_tree.h"
#include "search/options.h"

namespace woodstock {

// Multiple-observer ISMCTS (Cowling, Powley and Whitehouse 2012) in bulk: each simulation draws a
// determinization, which is one of the hypotheses, and goes on from there; all simulations of a
// pass advance together, and every role chooses by what it remembers, so nobody acts on what it
// does not see. With regret matching it is Monte-Carlo counterfactual regret minimisation by
// outcome sampling with baselines (Lanctot et al. 2009; Schmid et al. 2019), from the belief on: in
// each simulation one player learns, the others play their current strategies.
class InformationSearch final : public BeliefSearcher {
 public:
  // Throws std::invalid_argument for options without sense.
  InformationSearch(std::shared_ptr<Simulator> simulator, const InformationSearchOptions& options);
  InformationSearch(const InformationSearch&) = delete;  // parts of it point at others
  InformationSearch& operator=(const InformationSearch&) = delete;

  Decision think(const Hypotheses& belief, std::span<const std::uint32_t> ours,
                 const Limits& limits, const std::atomic<bool>& stop,
                 const Progress& progress) override;

 private:
  static constexpr std::uint32_t nothing = 0xffffffffU;

  // A choice on the way down.
  struct Step {
    NodeId set;
    std::uint32_t arm;
    std::uint32_t role;
    std::uint32_t next;  // the step before it on the same way
    float probability;   // with which it was drawn
    bool beyond;         // the trees: `set` is one of policy_
  };
  // What came of an arm, whatever that counts for in the search.
  struct Worth {
    double games = 0;
    double sum = 0;  // of our utility
  };
  // A simulation: where it is, and how it got there.
  struct Lane {
    std::uint32_t place = 0;          // of its position in the visits, or of its goals in ends_
    std::uint32_t last = nothing;     // step
    std::uint32_t leaf = nothing;     // first entry of leaves_
    std::uint32_t rollout = nothing;  // its place among the playouts; the rest is over
    std::uint32_t learner = 0;        // regret: who learns
    std::uint32_t depth = 0;
    bool free = false;  // beyond the trees
  };

  void set_root(const Hypotheses& belief, std::span<const std::uint32_t> ours);
  // False when time was up in the middle of it, which leaves no trace.
  bool pass(const Watch& watch);
  void start_lanes();
  // Lets the lanes that are moving choose, in states just visited; those that end stop moving.
  void move_lanes(const Visits& visits);
  void remember_turn();
  // Lets a lane choose; false when it ends here.
  bool choose(std::uint32_t lane, const Visits& visits);
  // The same beyond the trees.
  void play_on(std::uint32_t lane, const Visits& visits);
  // What a role knows in a lane, as a key of policy_.
  std::uint64_t context_of(std::uint32_t lane, std::uint32_t role, const Visits& visits) const;
  // Where not all arms are legal, allowed_ tells which are.
  std::uint32_t choose_arm(NodeId id, bool all, const Amaf* table, NodeId policy);
  std::uint32_t choose_by_policy(NodeId id, bool all);
  InformationTree& tree_of(const Step& step) { return step.beyond ? policy_ : tree_; }
  // Leaves only the moves that we may answer with, if there is one of them; as `all` before.
  bool keep_ours(std::span<const Arm> arms, bool all);
  const Amaf* reference_of(const Lane& lane, std::uint32_t role, NodeId id);
  void play_out(const Watch& watch);
  void back_up(const Lane& lane);
  void learn(const Lane& lane);
  void count_moves(const Lane& lane);
  void call_off();
  std::uint64_t key_of(std::uint32_t role, std::uint64_t memory) const noexcept;
  // Of the set in which a role of a lane chooses.
  std::uint64_t set_of(std::uint32_t lane, std::uint32_t role, const Visits& visits) const noexcept;
  Decision decide(const Watch& watch, double luck);
  void draw_move(Decision& decision, double luck);

  std::shared_ptr<Simulator> simulator_;
  InformationSearchOptions options_;
  std::uint32_t roles_;
  std::uint32_t players_;
  std::uint32_t longest_;
  Utilities utilities_;
  InformationTree tree_;
  InformationTree policy_;
  std::uint32_t weight_;  // games of a simulation
  Draws draws_;
  Halving halving_;
  NodeId root_ = no_node;

  // The belief.
  const Hypotheses* belief_ = nullptr;
  std::vector<double> sums_;         // of the weights
  std::vector<std::uint32_t> ours_;  // the moves to choose from

  // Of this call.
  std::uint64_t nodes_ = 0;
  std::uint64_t simulations_ = 0;
  std::uint32_t depth_ = 0;
  std::uint32_t width_ = 0;  // lanes of the next pass
  std::uint64_t passes_ = 0;
  std::vector<double> totals_;  // per role: utilities over all simulations
  std::vector<Worth> worth_;    // per arm of the root

  // Of a pass.
  std::vector<Lane> lanes_;
  std::vector<std::uint64_t> lane_memories_;  // lane * roles + role
  std::vector<std::uint64_t> lane_seen_;      // the same: what was perceived last
  std::vector<Step> steps_;
  std::vector<std::uint32_t> moving_;  // lanes that go on
  std::vector<std::uint32_t> moves_;   // of those
  std::vector<std::uint8_t> states_;
  std::vector<NodeId> leaves_;  // sets that were met for the first time, no_node between
  std::vector<std::uint8_t> leaf_states_;
  std::vector<std::uint32_t> ends_;  // goals of games that are over, per role
  Visits roots_;
  Visits visits_;
  Rollouts rollouts_;
  std::vector<double> values_;
  std::vector<double> other_;
  std::vector<std::uint8_t> allowed_;  // per arm
};

}  // namespace woodstock
