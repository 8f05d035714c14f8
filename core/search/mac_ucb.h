// MAC-UCB (Koriche, Lagrue, Piette and Tabary): a list of open one-stage networks; the next one is
// solved, its solutions are sampled as the arms of a bandit, and values travel up.

#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <vector>

#include "circuit/simulator.h"
#include "search/distinct_games.h"
#include "search/folding.h"
#include "search/literal_bandit.h"
#include "search/net_values.h"
#include "search/options.h"
#include "search/searcher.h"
#include "search/stage.h"
#include "search/stage_graph.h"
#include "search/stage_proofs.h"
#include "search/stage_settling.h"
#include "search/stage_values.h"

namespace woodstock {

// How UCB1 and playouts in bulk fit together: a batch is shared out one by one, always to the arm
// of the highest index, counting those already given as visits of unchanged mean; then it is
// played, and the means are brought up to date. With a batch of one this is UCB1.
//
// With the values of a net nothing is played: in principal order that is best-first minimax without
// bound (Korf and Chickering 1996; Cohen-Solal 2020).
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

  // What it knows, for whoever wants to check it.
  const StageGraph& graph() const noexcept { return graph_; }

  // Whoever tells which solutions of a stage are alike: for each of them the number of one that
  // stands for it, or nothing at all. Given are the state, the joint moves one after the other, for
  // each whether it was found to be worth less than the threshold, and seconds it may take.
  using Alike = std::function<std::vector<std::uint32_t>(
      std::span<const std::uint8_t> state, std::span<const std::uint32_t> joint_moves,
      const std::vector<std::uint8_t>& nogoods, double seconds)>;
  // Solutions that are alike are then solved once, and have one value (the symmetries of the
  // microstructure of each stage, with the nogoods of UCB; JFPC 2016, section 4). That they are
  // alike is known of one turn, and of the rest only by samples: nothing is proved any more.
  void use_alike(Alike alike);
  // Of all calls so far: combinations of moves below the threshold, and solutions that were spared.
  std::uint64_t nogoods() const noexcept { return nogoods_; }
  std::uint64_t spared() const noexcept { return spared_; }

 private:
  struct Open {
    double priority;
    std::uint64_t age;  // the older goes first
    NodeId id;
    bool operator<(const Open& other) const {
      return priority != other.priority ? priority < other.priority : age > other.age;
    }
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
  void set_root(std::span<const std::uint8_t> state, const Watch& watch);
  void start_anew();
  // Whether states are played out; the net may tell enough.
  bool plays() const noexcept { return options_.values != Values::net; }
  bool principal() const noexcept { return options_.order == StageOrder::principal; }
  bool is_open(NodeId id) const;
  void put(NodeId id);
  NodeId next_open();
  NodeId oldest_open();
  NodeId follow_principal();
  // Sets places_ to the joint move that everybody would make.
  void follow(Stage& stage);
  void follow_draw(const Stage& stage);
  bool solve(NodeId id);
  void make_children(NodeId id);
  void note_choices(NodeId id, const std::uint8_t* counts);
  void value_by_net(const std::uint8_t* parent);
  void sample(NodeId id, std::uint64_t count, const Watch& watch);
  void list_sampled(NodeId id);
  bool literal() const noexcept { return options_.sampling == Sampling::literal; }
  void sample_literally(NodeId id, std::uint64_t count);
  void list_arms(NodeId id);
  double count_game(NodeId child, const std::uint32_t* goals);
  std::uint32_t plies_left(NodeId id) const;
  void find_alike(NodeId id, const Watch& watch);
  void list_nogoods(const Stage& stage, std::vector<std::uint8_t>& out);
  void share_out(NodeId id, std::uint64_t count);
  void count_games(const std::vector<Tally>& tallies);
  void shrink();
  void shrink(std::span<const Sampled> sampled);
  void unblend();
  void blend();
  std::uint32_t visits_of(NodeId id) const { return graph_.samples(id)->visits; }
  double sum_of(NodeId id, std::uint32_t role) const;
  // Puts the solutions of a stage on the list, by what they are worth now.
  void put_solutions(NodeId id);
  void spread(NodeId id);
  void make_room();
  // Whether that is done long before time is up.
  bool time_to_make_room(const Watch& watch) const;
  // Proof-number search in the same graph.
  void search_proofs(const Watch& watch);
  bool solve_nearest();
  void recount_path(NodeId id);
  // By proof numbers, or by what is needed where there is luck.
  bool luck() const noexcept { return options_.chance < roles_; }
  bool recount(NodeId id) { return luck() ? settling_.recount(id) : proofs_.recount(id); }
  void restore_lists();
  Decision decide(const Watch& watch);

  std::shared_ptr<Simulator> simulator_;
  std::shared_ptr<StageSolver> stages_;
  MacUcbOptions options_;
  std::uint32_t roles_;
  Utilities utilities_;
  std::optional<NetValues> net_;
  StageGraph graph_;
  StageValues values_;
  StageProofs proofs_;
  StageSettling settling_;
  Folding folding_;
  NodeId root_ = no_node;

  // Open stages by priority, but for the principal order, which needs none of them in most games:
  // it goes through the nodes one by one.
  std::priority_queue<Open> open_;
  NodeId oldest_ = 0;
  double seconds_a_node_ = 1e-7;     // that making room takes
  bool trimmed_ = true;              // what cannot be reached is forgotten
  std::deque<Unsampled> unsampled_;  // solved stages, where solving and sampling share the time
  std::uint64_t ages_ = 0;
  std::uint64_t batches_ = 0;
  std::uint64_t thoughts_ = 0;

  std::optional<DistinctGames> games_;
  LiteralBandit bandit_;
  NodeId arms_of_ = no_node;                 // the stage whose arms it has
  std::vector<std::vector<NodeId>> behind_;  // per arm: a child for each move of chance
  bool cut_ = false;  // stages were left out at the horizon of an earlier position
  Alike alike_;
  std::deque<NodeId> unlike_;  // sampled stages whose solutions have not been compared
  bool believed_ = false;      // solutions were taken for alike: bounds prove nothing
  std::uint64_t nogoods_ = 0;
  std::uint64_t spared_ = 0;

  // Of this call.
  double alike_seconds_ = 0;
  std::uint64_t nodes_ = 0;
  std::uint64_t simulations_ = 0;
  std::uint32_t depth_ = 0;
  bool crowded_ = false;  // a stage found no room
  bool frozen_ = false;   // making room has not helped
  bool shares_time_ = false;
  double steps_due_ = 0;  // towards a proof
  double solving_seconds_ = 0;
  double sampling_seconds_ = 0;

  Visits visits_;
  Offspring offspring_;
  std::vector<std::uint32_t> begin_;  // choices at a stage
  std::vector<std::uint32_t> moves_;
  std::vector<NodeId> fresh_;  // nodes that were made for it
  std::vector<std::uint8_t> fresh_states_;
  std::vector<NodeId> path_;
  std::vector<std::uint32_t> places_;
  std::vector<std::uint32_t> goals_;  // sums of a tally, per role
  std::vector<double> utility_;       // per role
  std::vector<NodeId> waiting_;
  std::vector<Sampled> sampled_;
  std::vector<std::uint8_t> states_;
  std::vector<std::uint64_t> budgets_;
};

}  // namespace woodstock
