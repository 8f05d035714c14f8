// What can come to be known of a variable: that it has a value, or that it has not.

#pragma once

#include <cstdint>
#include <vector>

#include "csp/domains.h"

namespace woodstock::csp {

// "The variable is the value of this literal" or "it is not", as one number.
using Fact = std::uint32_t;

constexpr Fact is_not(std::uint32_t literal) noexcept { return 2 * literal; }
constexpr Fact is(std::uint32_t literal) noexcept { return 2 * literal + 1; }
constexpr bool positive(Fact fact) noexcept { return fact % 2 == 1; }
constexpr std::uint32_t literal_of(Fact fact) noexcept { return fact / 2; }

// Facts read against domains. Of a variable with two values there are two facts, not four: that it
// is one value is that it is not the other.
class Facts {
 public:
  explicit Facts(const Domains& domains) : domains_(domains) {
    owners_.reserve(domains.literals());
    for (std::uint32_t x = 0; x < domains.variables(); ++x) {
      owners_.insert(owners_.end(), domains.initial_size(x), x);
    }
  }

  std::uint32_t count() const noexcept { return 2 * domains_.literals(); }
  std::uint32_t variable(Fact fact) const noexcept { return owners_[literal_of(fact)]; }
  std::uint32_t value(Fact fact) const noexcept {
    return literal_of(fact) - domains_.literal(variable(fact), 0);
  }
  // The one way to write a fact.
  Fact normal(Fact fact) const noexcept {
    const std::uint32_t x = variable(fact);
    if (!positive(fact) || domains_.initial_size(x) != 2) return fact;
    return is_not(domains_.literal(x, 1 - value(fact)));
  }
  bool holds(Fact fact) const noexcept {
    const std::uint32_t x = variable(fact);
    return positive(fact) ? domains_.is(x, value(fact)) : !domains_.contains(x, value(fact));
  }
  bool impossible(Fact fact) const noexcept {
    const std::uint32_t x = variable(fact);
    return positive(fact) ? !domains_.contains(x, value(fact)) : domains_.is(x, value(fact));
  }

 private:
  const Domains& domains_;
  std::vector<std::uint32_t> owners_;  // per literal
};

}  // namespace woodstock::csp
