// Solution concepts: whose goals count for whom.

#pragma once

#include <cstdint>
#include <span>

#include "circuit/circuit.h"

namespace woodstock {

// maximin: everybody else plays against the role that searches. difference: the same, and what
// counts is how far its goal is ahead of theirs. maxn: everybody for himself. team: all for the
// mean of everybody's goals.
enum class Concept { maximin, difference, maxn, team };

// Whether the others want the opposite of what the role that searches wants.
inline bool contest(Concept solution_concept) noexcept {
  return solution_concept == Concept::maximin || solution_concept == Concept::difference;
}

// Whether the utility of one role gives that of every other, so that there is one value to know and
// several sides to see it from.
inline bool tied(Concept solution_concept) noexcept { return solution_concept != Concept::maxn; }

// Where utilities are tied: what everybody else gets, the role that searches getting `mine`; and
// what that role gets, any other getting so much.
template <class Number>
Number other_side(Concept solution_concept, Number mine) noexcept {
  return contest(solution_concept) ? 1 - mine : mine;
}

// Turns goals into utilities between 0 and 1, one for each role, such that under every concept a
// role wants nothing but its own utility to be high.
class Utilities {
 public:
  static constexpr std::uint32_t nobody = 0xffffffffU;

  // `chance` is the role whose moves are drawn, or nobody. Goals are divided by 100, or by the
  // greatest goal where that is higher.
  Utilities(const Circuit& circuit, Concept solution_concept, std::uint32_t me,
            std::uint32_t chance);

  // The mean utilities over `games` games, from the sums of their goals.
  void operator()(const std::uint32_t* goal_sums, double games, double* utilities) const;

  // The same from expected goals, which are divided already.
  void of_expected(const float* goals, double* utilities) const;

  std::uint32_t roles() const noexcept { return roles_; }
  std::uint32_t chance() const noexcept { return chance_; }

 private:
  template <class Goal>
  double ahead(const Goal* goals, double scale) const;
  template <class Goal>
  void combine(const Goal* goals, double scale, double* utilities) const;

  std::uint32_t roles_;
  std::uint32_t me_;
  std::uint32_t chance_;
  Concept concept_;
  double scale_;
};

}  // namespace woodstock
