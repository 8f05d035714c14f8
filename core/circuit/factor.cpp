#include "circuit/factor.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace woodstock {

void OneHot::add_group(std::vector<Ref> members) {
  const auto group = static_cast<std::uint32_t>(members_.size());
  for (Ref ref : members) {
    if (node_of(ref) >= group_.size()) group_.resize(node_of(ref) + 1, none);
    group_[node_of(ref)] = group;
  }
  members_.push_back(std::move(members));
  count_.push_back(0);
  met_.resize(group_.size(), 0);
}

Ref OneHot::disjunction(Logic& logic, std::vector<Ref>& refs) {
  std::sort(refs.begin(), refs.end());
  refs.erase(std::unique(refs.begin(), refs.end()), refs.end());
  std::vector<std::uint32_t> groups;
  for (Ref ref : refs) {
    const std::uint32_t group = group_of(ref);
    if (group != none && count_[group]++ == 0) groups.push_back(group);
  }
  for (std::uint32_t group : groups) {
    const std::size_t count = std::exchange(count_[group], 0);
    const std::vector<Ref>& members = members_[group];
    // Not shorter the other way round, or not by more than the negation costs.
    if (2 * count <= members.size() + 1) continue;
    for (Ref ref : refs) {
      if (group_of(ref) == group) met_[node_of(ref)] = 1;
    }
    std::vector<Ref> rest;
    for (Ref ref : members) {
      if (!std::exchange(met_[node_of(ref)], std::uint8_t{0})) rest.push_back(ref);
    }
    std::erase_if(refs, [&](Ref ref) { return group_of(ref) == group; });
    refs.push_back(negate(logic.disjunction(rest)));
  }
  return logic.disjunction(refs);
}

namespace {

// One level of factoring: sums inside are built by recursion.
class Factoring {
 public:
  Factoring(Logic& logic, OneHot& one_hot) : logic_(logic), one_hot_(one_hot) {}

  Ref build(const Sum& sum, int depth) {
    if (sum.size() == 0) return ref_false;
    if (sum.size() == 1) return conjunction(sum.product(0));
    std::vector<std::pair<Ref, std::uint32_t>> uses;  // (reference, product), sorted
    uses.reserve(sum.refs.size());
    for (std::uint32_t i = 0; i < sum.size(); ++i) {
      const auto product = sum.product(i);
      if (product.empty()) return ref_true;
      // A part by itself already; taken out, it would leave the constant behind.
      if (product.size() == 1) continue;
      for (Ref ref : product) uses.emplace_back(ref, i);
    }
    std::sort(uses.begin(), uses.end());

    std::vector<std::uint8_t> done(sum.size(), 0);
    std::vector<Ref> parts;
    // Each level takes a reference off its products, so only long ones get that far.
    if (depth < max_depth) take_out(sum, uses, done, parts, depth);
    for (std::uint32_t i = 0; i < sum.size(); ++i) {
      if (!done[i]) parts.push_back(conjunction(sum.product(i)));
    }
    return one_hot_.disjunction(logic_, parts);
  }

 private:
  static constexpr int max_depth = 64;  // products of more references than that are not factored on

  using Uses = std::vector<std::pair<Ref, std::uint32_t>>;

  // Pulls out the most frequent reference until none is met twice.
  void take_out(const Sum& sum, const Uses& uses, std::vector<std::uint8_t>& done,
                std::vector<Ref>& parts, int depth) {
    struct Candidate {
      std::uint32_t count;
      std::uint32_t first;  // into uses
      std::uint32_t last;
      bool operator<(const Candidate& other) const noexcept {
        // Among equals the reference met first, whatever the order in the queue.
        return count != other.count ? count < other.count : first > other.first;
      }
    };
    std::priority_queue<Candidate> queue;
    for (std::uint32_t i = 0; i < uses.size();) {
      std::uint32_t last = i + 1;
      while (last < uses.size() && uses[last].first == uses[i].first) ++last;
      if (last - i > 1) queue.push({last - i, i, last});
      i = last;
    }
    while (!queue.empty()) {
      // Counts in the queue are of the beginning and only fall: whoever is first by its own count
      // is first indeed, or goes back with it.
      Candidate best = queue.top();
      queue.pop();
      std::uint32_t count = 0;
      for (std::uint32_t i = best.first; i < best.last; ++i) count += done[uses[i].second] ? 0 : 1;
      if (count < 2) continue;
      if (count < best.count) {  // earlier factors took some of its products
        best.count = count;
        queue.push(best);
        continue;
      }
      const Ref factor = uses[best.first].first;
      Sum rest;
      for (std::uint32_t i = best.first; i < best.last; ++i) {
        const std::uint32_t product = uses[i].second;
        if (std::exchange(done[product], std::uint8_t{1})) continue;
        for (Ref ref : sum.product(product)) {
          if (ref != factor) rest.refs.push_back(ref);
        }
        rest.close();
      }
      scratch_.assign({factor, build(rest, depth + 1)});
      parts.push_back(logic_.conjunction(scratch_));
    }
  }

  Ref conjunction(std::span<const Ref> refs) {
    scratch_.assign(refs.begin(), refs.end());
    return logic_.conjunction(scratch_);
  }

  Logic& logic_;
  OneHot& one_hot_;
  std::vector<Ref> scratch_;
};

}  // namespace

Ref build_sum(Logic& logic, OneHot& one_hot, const Sum& sum) {
  return Factoring(logic, one_hot).build(sum, 0);
}

}  // namespace woodstock
