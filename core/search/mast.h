// MAST, the move-average sampling technique: playouts prefer moves that have done well in the games
// of a search, wherever they were made.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "circuit/simulator.h"
#include "search/concept.h"

namespace woodstock {

// Keeps the mean result of every move over the games that it was made in, once or more often
// (Finnsson and Bjornsson 2008), and gives levels of preference, as rollouts take them: 0 below
// what is usual for the role, one more for each `step` above it. Games listened to are played by
// preference as well, so players learn to answer each other.
class Mast {
 public:
  // A step of 0: nothing is preferred.
  Mast(const Circuit& circuit, std::uint32_t chance, double step);

  bool on() const noexcept { return step_ > 0; }
  // Whether the moves of the next batch are wanted: telling them takes time, and some will do.
  bool listens() const noexcept { return on() && heard_ % every == 0; }
  // A batch has been played; its moves if it has been listened to.
  void hear(const Rollouts& rollouts, const Utilities& utilities);
  // Empty until something is known.
  std::span<const std::uint8_t> levels() const noexcept { return levels_; }

 private:
  static constexpr std::uint64_t every = 4;
  // Games of the usual result that every move begins with.
  static constexpr double doubt = 30;

  struct Record {
    double games = 0;
    double sum = 0;
  };
  void rank();

  const RoleTable& table_;
  std::uint32_t roles_;
  std::uint32_t chance_;
  double step_;
  std::uint64_t heard_ = 0;
  std::vector<Record> moves_;
  std::vector<Record> usual_;  // per role
  std::vector<std::uint8_t> levels_;
  std::vector<double> values_;
};

}  // namespace woodstock
