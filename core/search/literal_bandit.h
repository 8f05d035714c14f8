// UCB1 to the letter, one game at a time, on games that are never repeated.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "search/distinct_games.h"

namespace woodstock {

// The next game goes to the arm of the highest mean + sqrt(c ln n / n_i), every arm having had one
// before any has two; c is 2 in UCB1. Games of an arm do not depend on those of others: some are
// played ahead, side by side, and wait until they are asked for.
class LiteralBandit {
 public:
  struct Arm {
    double sum = 0;  // of utilities
    double visits = 0;
    bool explored = false;  // all of its games have been played
  };

  // Whoever has the arms: where the next game of an arm begins, and a number to know it by. False
  // where all of its games have been played.
  using Draw =
      std::function<bool(std::size_t arm, DistinctGames::Request& request, std::uint32_t& place)>;
  // Takes in the goals of a game, and tells what it is worth to the arm.
  using Count = std::function<double(std::uint32_t place, const std::uint32_t* goals)>;

  void restart(std::vector<Arm> arms);
  std::size_t size() const noexcept { return arms_.size(); }
  const Arm& arm(std::size_t i) const { return arms_[i]; }

  // The arm that is next; size() where all are explored.
  std::size_t next(double confidence) const;

  // Plays so many games, or fewer where there are no more of them or go_on said no. Tells how many.
  std::uint64_t sample(std::uint64_t count, double confidence, DistinctGames& games,
                       const Draw& draw, const Count& counted, const std::function<bool()>& go_on);

 private:
  struct Game {
    std::uint32_t place;
    std::vector<std::uint32_t> goals;
  };

  void play_ahead(std::size_t asked, DistinctGames& games, const Draw& draw,
                  const std::function<bool()>& go_on);

  std::vector<Arm> arms_;
  std::vector<std::deque<Game>> ready_;  // per arm
  double played_ = 0;
};

}  // namespace woodstock
