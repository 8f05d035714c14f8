#include "csp/nogoods.h"

#include <utility>

namespace woodstock::csp {

Nogoods::Nogoods(const Prepared& problem, const Domains& domains)
    : begin_(problem.nogood_begin),
      literals_(problem.nogood_literals),
      origins_(problem.nogood_origins) {
  if (origins_.empty()) return;
  head_.assign(domains.literals(), none);
  next_.resize(2 * origins_.size());
  for (std::uint32_t watch = 0; watch < next_.size(); ++watch) {
    const Literal& literal = literals_[begin_[watch / 2] + watch % 2];
    std::uint32_t& head = head_[domains.literal(literal.variable, literal.value)];
    next_[watch] = std::exchange(head, watch);
  }
}

bool Nogoods::propagate(Domains& domains, Propagator& tables) {
  if (origins_.empty()) return true;
  for (; seen_ < domains.changes().size(); ++seen_) {
    const std::uint32_t variable = domains.changes()[seen_].variable;
    if (domains.size(variable) != 1) continue;
    if (!assigned(domains.literal(variable, domains.value(variable)), domains, tables)) {
      return false;
    }
  }
  return true;
}

bool Nogoods::assigned(std::uint32_t literal, Domains& domains, Propagator& tables) {
  std::uint32_t* link = &head_[literal];
  while (*link != none) {
    const std::uint32_t watch = *link;
    Literal* const nogood = literals_.data() + begin_[watch / 2];
    const std::size_t size = begin_[watch / 2 + 1] - begin_[watch / 2];
    const Literal other = nogood[1 - watch % 2];
    // The other watched literal is false already, so the nogood is kept whatever else happens.
    if (!domains.contains(other.variable, other.value)) {
      link = &next_[watch];
      continue;
    }
    // A literal that does not hold yet takes over the watch. Undoing only makes literals open
    // again, so watches never have to be moved back.
    std::size_t i = 2;
    while (i < size && domains.is(nogood[i].variable, nogood[i].value)) ++i;
    if (i < size) {
      std::swap(nogood[watch % 2], nogood[i]);
      const Literal& watched = nogood[watch % 2];
      *link = next_[watch];
      std::uint32_t& head = head_[domains.literal(watched.variable, watched.value)];
      next_[watch] = std::exchange(head, watch);
      continue;
    }
    const std::uint32_t old = domains.size(other.variable);
    culprit_ = origins_[watch / 2];
    // All others hold and this one is all that is left: then all hold.
    if (old == 1) return false;
    domains.drop(other.variable, other.value);
    domains.commit(other.variable, old);
    if (!tables.changed(other.variable, old)) {
      culprit_ = tables.culprit();
      return false;
    }
    link = &next_[watch];
  }
  return true;
}

}  // namespace woodstock::csp
