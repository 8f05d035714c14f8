// Many games side by side, played by a net against itself, and what can be learned from them.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "circuit/simulator.h"
#include "learn/value_net.h"
#include "util/random.h"

namespace woodstock::learn {

struct SelfPlayOptions {
  std::uint32_t chance = 0xffffffffU;   // the role whose moves are drawn
  bool difference = false;              // what counts is the difference of two players' goals
  std::uint32_t games = 128;            // side by side, for each thread
  std::uint32_t opening = 8;            // up to so many moves at the beginning are random
  double random_moves = 0.02;           // ... and this share of the others
  double temperature = 0.03;            // of the softmax over values by which moves are drawn
  double first_lambda = 1;              // TD(lambda): how much of a target comes from later states
  double lambda = 0.85;                 // ... and what that falls to
  double cut = 0.03;                    // a move so much worse than the best ends the trace
  std::uint32_t successors = 512;       // of a state that are looked at; of more, some are drawn
  std::uint32_t together = 64;          // the same where several choose at once
  std::uint32_t draws = 16;             // of chance that are looked at
  std::uint32_t max_plies = 1000;       // a longer game ends there, worth what the net says
  std::uint32_t rounds_of_regret = 24;  // of regret matching, where several choose at once

  // Throws std::invalid_argument for values without sense.
  void check() const;
};

// Positions of finished games, one after the other.
struct Record {
  std::vector<std::uint8_t> states;
  std::vector<float> targets;   // position * roles + role: TD(lambda)
  std::vector<float> outcomes;  // the same: of the game; of one that was cut off, as the net has it
  std::vector<float> values;    // the same: what the best move was worth when it was played
  std::vector<std::uint64_t> choosers;  // bit r: role r has more than one move
  std::uint64_t games = 0;
  std::uint64_t successors = 0;
  std::uint64_t cut = 0;  // games that were too long

  std::size_t size() const { return choosers.size(); }
  void clear();
};

// One thread's games. Each goes on from call to call until it ends; then another begins in its
// place.
class SelfPlay {
 public:
  SelfPlay(std::shared_ptr<const Circuit> circuit, const SelfPlayOptions& options,
           std::uint64_t seed);

  // Plays so many plies of every game; the positions of those that end are added to `out`. `net`
  // may be null: all moves are random then. False when `go_on` said no before that.
  bool play(const std::shared_ptr<const ValueNet>& net, double lambda, std::uint32_t plies,
            Record& out, const std::function<bool()>& go_on);

 private:
  struct Game {
    std::uint32_t opening = 0;  // random moves that are left
    std::uint32_t plies = 0;
    // Of the positions that are learned from.
    std::vector<std::uint8_t> states;
    std::vector<float> values;
    std::vector<std::uint8_t> cuts;  // whether the trace ends here
    std::vector<std::uint64_t> choosers;
  };
  // The successors of a game that are looked at.
  struct Stage {
    std::size_t first = 0;  // among all successors
    std::size_t count = 0;  // 0: some role has no move
  };
  struct Choice {
    std::size_t successor = 0;
    bool cut = false;  // something worse than the best was taken
  };

  void begin(std::size_t game);
  void list_successors(std::size_t game, bool random);
  // What goals are worth to everybody.
  void judge(const std::uint32_t* goals, float* out) const;
  void value_successors(const std::shared_ptr<const ValueNet>& net);
  // Chooses among the successors of a stage; `value` gets what the state is worth to each role.
  Choice choose(std::size_t game, float* value);
  Choice choose_alone(const Stage& stage, const std::uint32_t* counts, std::uint32_t chooser,
                      float* value);
  Choice choose_together(const Stage& stage, const std::uint32_t* counts, float* value);
  void make_matrix(const Stage& stage, const std::uint32_t* counts, std::uint32_t row,
                   std::uint32_t column, std::size_t row_stride, std::size_t column_stride);
  void weigh_matrix(const double* rows, const double* columns, double* row_worths,
                    double* column_worths, std::size_t height, std::size_t width) const;
  void finish(Game& game, const float* outcome, double lambda, Record& out);
  std::uint64_t who_chooses(std::size_t game) const;

  std::shared_ptr<const Circuit> circuit_;
  SelfPlayOptions options_;
  Simulator simulator_;
  RandomStream random_;
  std::uint32_t roles_;
  std::size_t size_;
  float scale_;

  std::vector<Game> games_;
  std::vector<std::uint8_t> states_;  // of the games, as they stand
  Visits here_;
  Visits after_;
  std::unique_ptr<Evaluator> evaluator_;

  std::vector<Stage> stages_;          // per game
  std::vector<std::uint32_t> counts_;  // game * roles + role: moves that are looked at
  std::vector<std::uint32_t> options_of_role_;
  std::vector<std::uint8_t> from_;
  std::vector<std::uint32_t> moves_;
  std::vector<float> values_;  // successor * roles + role
  std::vector<float> arms_;
  std::vector<double> weights_;
  std::vector<double> regrets_;
  std::vector<double> strategy_;
  std::vector<double> average_;
  std::vector<double> worths_;
  std::vector<double> matrix_;
};

}  // namespace woodstock::learn
