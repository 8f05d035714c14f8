// Which variable to try next.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "csp/domains.h"
#include "csp/prepare.h"

namespace woodstock::csp {

// By size of domain over dynamic degree (the number of constraints with another variable that is
// not assigned yet), over weighted degree (each constraint counts once more for every failure it
// found), by size alone, by number, or by how often failures were about it (where they are learned
// from).
enum class Heuristic { dom_ddeg, dom_wdeg, dom, lex, activity };

// Variables to choose from, in the order a chooser gave them. The first `passed` are known to be
// assigned at a node; a node below starts there, and undoing needs the old number.
struct Candidates {
  std::vector<std::uint32_t> variables;
  std::uint32_t passed = 0;
};

// Ties go to the variable in more constraints, then to the lower number, or to an order drawn from
// the seed when it is not 0.
class Chooser {
 public:
  static constexpr std::uint32_t none = 0xffffffffU;

  Chooser(const Prepared& problem, Heuristic heuristic, std::uint64_t seed);

  Candidates candidates(std::span<const std::uint32_t> variables) const;
  // The best candidate with several values; none when all are assigned.
  std::uint32_t choose(const Domains& domains, Candidates& candidates) const;
  // The constraint found no solution.
  void blame(std::uint32_t constraint);

 private:
  template <Heuristic H>
  std::uint32_t best(const Domains& domains, const Candidates& candidates) const;
  std::uint64_t degree(const Domains& domains, std::uint32_t variable) const;

  const Prepared& problem_;
  Heuristic heuristic_;
  std::vector<std::uint64_t> weights_;  // per constraint; all 1 but for dom/wdeg
  std::vector<std::uint64_t> bounds_;   // per variable: the sum of the weights of its constraints
  std::vector<std::uint32_t> ranks_;    // per variable
};

}  // namespace woodstock::csp
