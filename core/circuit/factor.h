// From "one of these rules fires" to few nodes: factoring of sums of products.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "circuit/logic.h"

namespace woodstock {

// Sources of which exactly one holds whenever the logic above them is looked at, such as the moves
// of a role. A disjunction of most of them is written as the negation of the few that are left.
class OneHot {
 public:
  // All members must be known before the first of them is used.
  void add_group(std::vector<Ref> members);

  // The same disjunction or a shorter one. The argument is scratch of the caller.
  Ref disjunction(Logic& logic, std::vector<Ref>& refs);

 private:
  static constexpr std::uint32_t none = 0xffffffffU;
  std::uint32_t group_of(Ref ref) const noexcept {
    return !is_negated(ref) && node_of(ref) < group_.size() ? group_[node_of(ref)] : none;
  }

  std::vector<std::uint32_t> group_;  // per node
  std::vector<std::vector<Ref>> members_;
  std::vector<std::uint32_t> count_;  // scratch: members met, per group
  std::vector<std::uint8_t> met_;     // scratch: per node
};

// A sum of products, stored flat: product i is refs[begin[i] .. begin[i+1]), each sorted.
struct Sum {
  std::vector<std::uint32_t> begin{0};
  std::vector<Ref> refs;

  std::size_t size() const noexcept { return begin.size() - 1; }
  std::span<const Ref> product(std::size_t i) const noexcept {
    return {refs.data() + begin[i], begin[i + 1] - begin[i]};
  }
  void clear() {
    begin.assign(1, 0);
    refs.clear();
  }
  // Ends the product whose references were pushed to `refs`.
  void close() { begin.push_back(static_cast<std::uint32_t>(refs.size())); }
};

// Builds the sum in the logic: what most products have in common is taken out first, again and
// again, so that a condition shared by many rules is asked once. n log n in the size of the sum for
// each level of nesting.
Ref build_sum(Logic& logic, OneHot& one_hot, const Sum& sum);

}  // namespace woodstock
