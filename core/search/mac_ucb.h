// MAC-UCB (Koriche, Lagrue, Piette and Tabary): a list of open one-stage networks; the next one is
// solved, its solutions are sampled as the arms of a bandit, and values travel up.

#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <queue>
#include <vector>

#include "circuit/simulator.h"
#include "search/bounds.h"
#include "search/concept.h"
#include "search/folding.h"
#include "search/net_values.h"
#include "search/options.h"
#include "search/searcher.h"
#include "search/stage.h"
#include "search/stage_values.h"
#include "search/tree.h"

namespace woodstock {

// How UCB1 and playouts in bulk fit together: a batch is shared out one by one, always to the arm
// of the highest index, counting those already given as visits of unchanged mean; then it is
// played, and the means are brought up to date. With a batch of one this is UCB1.
class MacUcb final : public Searcher {
 public:
  // Throws std::invalid_argument for options without sense, and where values are to come from a net
  // that is not given or is another game's.
  MacUcb(std::shared_ptr<Simulator> simulator, std::shared_ptr<StageSolver> stages,
         const MacUcbOptions& options, std::shared_ptr<const learn::ValueNet> net = nullptr);
  MacUcb(const MacUcb&) = delete;  // parts of it point at others
  MacUcb& operator=(const MacUcb&) = delete;

  Decision think(std::span<const std::uint8_t> state, const Limits& limits,
                 const std::atomic<bool>& stop, const Progress& progress) override;
  void use(std::shared_ptr<const symmetry::Quotient> quotient) override;

  // What it knows, to look at.
  const Tree& tree() const noexcept { return tree_; }

 private:
  struct Open {
    double priority;
    std::uint64_t age;  // the older goes first
    NodeId id;
    bool operator<(const Open& other) const {
      return priority != other.priority ? priority < other.priority : age > other.age;
    }
  };
  struct Parent {
    NodeId id;
    std::uint32_t next;
  };

  struct Unsampled {
    NodeId id;
    std::uint32_t left;  // samples
  };

  struct Sampled {
    NodeId child;
    std::uint32_t arm;   // of the only chooser, 0 without one
    std::uint32_t draw;  // of chance, 0 without it
    std::uint64_t given;
  };

  // Solves or samples; false when nothing is open or there is no room.
  bool step(const Watch& watch);
  void set_root(std::span<const std::uint8_t> state);
  NodeId add(const Visits& found, std::size_t i, std::uint32_t depth);
  // Whether every new state is played out; the net may tell enough.
  bool plays() const noexcept { return options_.values != Values::net; }
  void value_by_net(NodeId id, const double* expected);
  void adopt(NodeId child, NodeId parent);
  void put(NodeId id);
  NodeId next_open();
  NodeId follow_principal();
  bool solve(NodeId id);
  void sample(NodeId id, std::uint64_t count, const Watch& watch);
  void share_out(NodeId id, std::uint64_t count);
  void shrink();
  void blend();
  void shrink(std::span<const Sampled> sampled);
  void set_aside(NodeId id);
  void spread(NodeId id);
  void make_room();
  void restore_lists();
  Decision decide(const Watch& watch);

  std::shared_ptr<Simulator> simulator_;
  std::shared_ptr<StageSolver> stages_;
  MacUcbOptions options_;
  std::uint32_t roles_;
  Utilities utilities_;
  std::optional<NetValues> net_;
  Tree tree_;
  Bounds bounds_;
  StageValues stage_values_;
  Folding folding_;
  NodeId root_ = no_node;

  // Beside the nodes.
  std::vector<std::uint32_t> depth_of_;
  std::vector<std::uint32_t> parents_;  // the newest entry of parent_list_
  std::vector<Parent> parent_list_;
  std::priority_queue<Open> open_;
  std::priority_queue<Open> aside_;
  std::deque<Unsampled> unsampled_;  // solved stages, where solving and sampling share the time
  std::uint64_t ages_ = 0;
  std::uint64_t batches_ = 0;
  std::uint64_t thoughts_ = 0;

  // Of this call.
  std::uint64_t nodes_ = 0;
  std::uint64_t simulations_ = 0;
  std::uint32_t depth_ = 0;
  bool crowded_ = false;  // a successor found no room
  bool frozen_ = false;   // making room has not helped
  bool shares_time_ = false;
  double solving_seconds_ = 0;
  double sampling_seconds_ = 0;

  Visits visits_;
  std::vector<std::uint32_t> moves_;
  std::vector<std::uint32_t> choices_begin_;
  std::vector<std::uint32_t> choices_;
  std::vector<NodeId> path_;
  std::vector<std::uint32_t> places_;
  std::vector<std::uint32_t> goals_;  // sums of a tally, per role
  std::vector<double> values_;
  std::vector<NodeId> waiting_;
  std::vector<std::uint8_t> queued_;  // per node
  std::vector<Sampled> sampled_;
  std::vector<std::uint8_t> states_;
  std::vector<std::uint64_t> budgets_;
};

}  // namespace woodstock
