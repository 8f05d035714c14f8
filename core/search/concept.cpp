#include "search/concept.h"

#include <algorithm>

namespace woodstock {

Utilities::Utilities(const Circuit& circuit, Concept solution_concept, std::uint32_t me,
                     std::uint32_t chance)
    : roles_(circuit.roles()), me_(me), chance_(chance), concept_(solution_concept) {
  std::uint32_t greatest = 100;
  for (std::uint32_t value : circuit.role_table().goal_value) greatest = std::max(greatest, value);
  scale_ = 1.0 / greatest;
}

// One half where our goal is the mean of the others'; our goal where there is nobody else.
template <class Goal>
double Utilities::ahead(const Goal* goals, double scale) const {
  const double mine = goals[me_] * scale;
  double sum = 0;
  std::uint32_t others = 0;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    if (r == me_ || r == chance_) continue;
    sum += goals[r] * scale;
    ++others;
  }
  return others == 0 ? mine : (1 + mine - sum / others) / 2;
}

template <class Goal>
void Utilities::combine(const Goal* goals, double scale, double* utilities) const {
  switch (concept_) {
    case Concept::maxn:
      for (std::uint32_t r = 0; r < roles_; ++r) utilities[r] = goals[r] * scale;
      break;
    case Concept::maximin:
    case Concept::difference: {
      const double mine =
          concept_ == Concept::difference ? ahead(goals, scale) : goals[me_] * scale;
      for (std::uint32_t r = 0; r < roles_; ++r) utilities[r] = r == me_ ? mine : 1.0 - mine;
      break;
    }
    case Concept::team: {
      double sum = 0;
      std::uint32_t members = 0;
      for (std::uint32_t r = 0; r < roles_; ++r) {
        if (r == chance_) continue;
        sum += goals[r] * scale;
        ++members;
      }
      std::fill_n(utilities, roles_, members == 0 ? 0.0 : sum / members);
      break;
    }
  }
}

void Utilities::operator()(const std::uint32_t* goal_sums, double games, double* utilities) const {
  combine(goal_sums, scale_ / games, utilities);
}

void Utilities::of_expected(const float* goals, double* utilities) const {
  combine(goals, 1.0, utilities);
}

}  // namespace woodstock
