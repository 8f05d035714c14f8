// MAC-UCB-II (Koriche, Lagrue, Piette and Tabary 2016): MAC-UCB on beliefs that all players share.

#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "circuit/simulator.h"
#include "search/belief_searcher.h"
#include "search/concept.h"
#include "search/distinct_games.h"
#include "search/draws.h"
#include "search/literal_bandit.h"
#include "search/options.h"
#include "search/stage.h"
#include "symmetry/quotient.h"

namespace woodstock {

// A stage is a belief: states that nobody can tell from each other. To solve it is to find all
// joint moves in all of its states; the solutions of a joint move of the players that are perceived
// alike make the belief of the next stage. Games that end are perceived to end. A game whose
// players share their information thus becomes one of complete information, whose chances are those
// of the percepts. Where players know more than each other, the search takes everybody to know what
// we do. The stage that everybody's best play leads to is solved next, its solutions are sampled as
// the arms of a bandit, and values and proved bounds travel up: expectation over percepts, best
// over own moves, worst over those of the others.
//
// What a belief is worth depends on nothing but its states and their weights. With symmetries (use)
// beliefs of the same turn that some symmetry takes to each other, weights and all, are one: the
// first is solved, the others, its twins, are worth the same.
class MacUcbII final : public BeliefSearcher {
 public:
  // Without stages, the circuit solves them. Throws std::invalid_argument for options without
  // sense.
  MacUcbII(std::shared_ptr<Simulator> simulator, const MacUcbIIOptions& options,
           std::shared_ptr<StageSolver> stages = nullptr);

  // As Searcher::use; symmetries must leave alone what players perceive, too.
  void use(std::shared_ptr<const symmetry::Quotient> quotient);
  // Of the last call: beliefs that are equal to another, up to symmetry.
  std::uint64_t twins() const noexcept { return twins_; }

  Decision think(const Hypotheses& belief, std::span<const std::uint32_t> ours,
                 const Limits& limits, const std::atomic<bool>& stop,
                 const Progress& progress) override;

 private:
  using Id = std::uint32_t;
  static constexpr Id nobody = 0xffffffffU;
  static constexpr double settled_within = 1e-9;

  struct Range {
    double value = 0.5;
    double lower = 0;
    double upper = 1;
  };
  struct Stage {
    Id parent = nobody;
    std::uint32_t joint = 0;  // of the parent
    double weight = 0;        // of its hypotheses, among those of the joint move
    std::uint32_t first = 0;  // hypothesis
    std::uint32_t count = 0;
    std::uint32_t joints = 0;  // place of the first
    std::uint32_t moves = 0;   // place of the first arm of the first role in arms_
    std::uint32_t widths = 0;  // place of the arms' numbers, per role
    std::uint32_t depth = 0;
    std::uint64_t visits = 0;   // samples
    std::uint64_t follows = 0;  // how often it was on the way
    Id twin = nobody;           // the stage of an equal belief, which has all that is known
    Id first_twin = nobody;     // whose twin this is, as a list
    Id next_twin = nobody;
    bool solved = false;
    bool settled = false;  // nothing below it can change its value
  };
  struct Open {
    double priority;
    std::uint64_t age;  // the older goes first
    Id id;
    bool operator<(const Open& other) const {
      return priority != other.priority ? priority < other.priority : age > other.age;
    }
  };
  struct Unsampled {
    Id id;
    std::uint32_t left;  // samples
  };
  // A joint move of the players: games that end, and stages that follow.
  struct Joint {
    double weight = 0;  // of everything
    double over = 0;    // of games that end
    Id first = 0;       // stage
    std::uint32_t count = 0;
    std::uint64_t visits = 0;
    std::uint64_t follows = 0;
    std::uint32_t ends = 0;  // place in ends_: utilities over the games that end, weighted
  };
  struct Next {
    std::uint32_t joint;
    std::uint64_t seen;
    std::uint32_t place;  // among the successors
    double weight;
  };

  void set_root(const Hypotheses& belief);
  // Leaves it unsolved where there are too many moves, or somebody has none.
  void solve(Id id);
  bool expand(Id id, std::span<const std::uint32_t> kept, std::uint64_t draws);
  bool solve_by_tables();
  void make_children(Id id);
  // Of the stage made last, whose hypotheses are complete.
  void find_twin(Id id);
  using Element = symmetry::Quotient::Element;
  void hash_belief(std::span<const std::uint8_t> states, std::span<const double> weights,
                   double sum, std::uint64_t seed);
  std::vector<Element> symmetries_of(const Hypotheses& belief, std::span<const double> sums);
  // Solves or samples; false when nothing is open or there is no room.
  bool step(const Watch& watch);
  Id next_open();
  Id solve_next();
  void put_children(Id id);
  void sample(Id id, std::uint32_t count, const Watch& watch);
  void sample_literally(Id id, std::uint32_t count);
  bool draw_game(std::size_t arm, DistinctGames::Request& request, std::uint32_t& place);
  std::uint32_t plies_left(Id id) const;
  // Which stage knows what this one is worth.
  Id known(Id id) const { return stages_[id].twin == nobody ? id : stages_[id].twin; }
  bool wants_samples(Id id) const {
    const Stage& stage = stages_[known(id)];
    return !stage.solved && !stage.settled;
  }
  std::size_t count_joints(Id id) const;
  void shrink(std::span<const Joint> joints);
  Id follow();
  bool is_open(const Joint& joint) const;
  bool has_open_child(Id id) const;
  void update(Id id);
  void spread(Id id);
  void look_at(const Joint& joint, Range* out) const;
  // What each arm of each role is worth to the role: worth_, role after role.
  void weigh(Id id, bool with_bonus);
  std::span<const std::uint32_t> widths(Id id) const {
    return {widths_.data() + stages_[id].widths, roles_};
  }
  Range& range(Id id, std::uint32_t role) { return ranges_[std::size_t{id} * roles_ + role]; }
  const Range& range(Id id, std::uint32_t role) const {
    return ranges_[std::size_t{id} * roles_ + role];
  }
  bool is_player(std::uint32_t role) const noexcept { return role != options_.chance; }
  std::size_t bytes() const noexcept;
  Decision decide(const Watch& watch);

  std::shared_ptr<Simulator> simulator_;
  MacUcbIIOptions options_;
  std::uint32_t roles_;
  std::size_t size_;  // of a state
  Utilities utilities_;
  Draws draws_;

  std::shared_ptr<StageSolver> solver_;
  std::optional<DistinctGames> games_;
  LiteralBandit bandit_;
  Id arms_of_ = nobody;                    // the stage whose arms it has
  std::vector<std::uint32_t> arm_joints_;  // per arm

  std::shared_ptr<const symmetry::Quotient> quotient_;
  std::unordered_map<std::uint64_t, Id> beliefs_;  // by a hash of the belief up to symmetry
  std::uint64_t twins_ = 0;

  std::priority_queue<Open> open_;  // but for the principal order
  std::uint64_t open_age_ = 0;
  std::deque<Unsampled> unsampled_;  // solved stages, where solving and sampling share the time

  std::vector<Stage> stages_;
  std::vector<Range> ranges_;  // stage * roles + role
  std::vector<double> sums_;   // stage * roles + role: utilities over the samples
  std::vector<Joint> joints_;
  std::vector<double> ends_;
  std::vector<std::uint32_t> arms_;    // moves
  std::vector<std::uint32_t> widths_;  // how many arms each role has; 1 for chance
  std::vector<std::uint8_t> states_;   // of the hypotheses
  std::vector<double> weights_;

  // Of this call.
  std::vector<std::uint32_t> ours_;  // the moves to choose from
  bool drawn_ = false;  // hypotheses or moves of chance were left out: bounds are of a sample
  std::uint64_t nodes_ = 0;
  std::uint64_t simulations_ = 0;
  std::uint32_t depth_ = 0;
  bool shares_time_ = false;
  double solving_seconds_ = 0;
  double sampling_seconds_ = 0;
  std::function<bool()> go_on_;

  // Scratch.
  Offspring offspring_;
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> moves_;
  symmetry::Quotient::Image image_;
  std::vector<std::uint8_t> folded_;
  std::vector<std::uint64_t> hashes_;
  Visits visits_;
  Visits after_;
  Rollouts rollouts_;
  std::vector<std::vector<std::uint32_t>> legal_;  // per role: arms
  std::vector<std::uint8_t> known_;                // per move: it is among them
  std::vector<std::uint8_t> from_states_;
  std::vector<std::uint32_t> from_moves_;
  std::vector<std::uint32_t> from_joint_;
  std::vector<double> from_weight_;
  std::vector<Next> next_;
  std::vector<Range> cell_;
  std::vector<double> worth_;
  std::vector<Range> worths_;
  std::vector<std::uint32_t> best_;
  std::vector<double> values_;
};

}  // namespace woodstock
