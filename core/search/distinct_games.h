// Random games none of which repeats the moves of another: what is completely explored is not
// played again (Koriche, Lagrue, Piette and Tabary 2016, section 4.4; 2017, section 4.2.2).

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "circuit/simulator.h"
#include "util/random.h"

namespace woodstock {

// A game is known by the state it begins in and the joint moves that follow. For every point of a
// game that has been left in all ways but some, it is kept which ways are closed; with the number
// of joint moves there, that tells when nothing is left. Moves are drawn evenly from those that are
// not closed. Games are played side by side, and one that turns out like another is begun anew.
class DistinctGames {
 public:
  // `memory` bounds what is kept, in bytes, about; when it is full everything is forgotten.
  DistinctGames(std::shared_ptr<Simulator> simulator, std::uint64_t seed, std::size_t memory);

  struct Request {
    std::span<const std::uint8_t> state;
    std::uint64_t key = 0;    // of the state
    std::uint32_t plies = 0;  // until the horizon: what is not over then counts 0
    std::uint32_t games = 0;  // that are wanted
  };

  // Plays, for each request, as many games as are wanted, or fewer where there are no more:
  // goals[i] gets the goals of all roles, game after game. False when go_on said no: what was not
  // played to its end counts for nobody.
  bool play(std::span<const Request> requests, const std::function<bool()>& go_on,
            std::vector<std::vector<std::uint32_t>>& goals);

  // Whether every game from this state has been played.
  bool explored(std::uint64_t key, std::uint32_t plies) const;

  std::uint64_t plies() const noexcept { return plies_; }

 private:
  struct Point {
    std::uint64_t total = 0;   // joint moves
    std::uint64_t closed = 0;  // of them
    std::vector<std::uint64_t> bits;
  };
  // A step of a game: where it was, out of how many joint moves, and which one was made.
  struct Step {
    std::uint64_t path;
    std::uint64_t total;
    std::uint64_t joint;
  };
  struct Lane {
    std::size_t request;
    std::uint64_t path;  // stands for the beginning and all moves since
    std::uint32_t left;  // plies
    std::vector<std::uint8_t> state;
    std::vector<std::uint32_t> begin;  // its legal moves, as in Choices
    std::vector<std::uint32_t> legal;
    std::vector<Step> steps;
  };

  static std::uint64_t root_of(std::uint64_t key, std::uint32_t plies) {
    return scatter(key + golden_gamma * (plies + std::uint64_t{1}));
  }
  static std::uint64_t joint_moves(const Lane& lane);
  void start(Lane& lane, const Request& request, const Lane& fresh);
  // A joint move that is not closed; `total` of them are closed: all.
  std::uint64_t choose(std::uint64_t path, std::uint64_t total);
  // Closes the last step of a game, and all above it that is thereby explored; false where it was
  // closed already.
  bool close(const Lane& lane);
  void moves_of(const Lane& lane, std::uint64_t joint, std::vector<std::uint32_t>& out) const;
  void read(Lane& lane, std::size_t at) const;

  std::shared_ptr<Simulator> simulator_;
  std::uint32_t roles_;
  RandomStream random_;
  std::size_t most_;  // bytes
  std::size_t bytes_ = 0;
  std::uint64_t plies_ = 0;
  std::unordered_map<std::uint64_t, Point> points_;
  Visits visits_;
};

}  // namespace woodstock
