#include "belief/hypotheses.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace woodstock {

Lineage::~Lineage() {
  // Only what nobody else has is taken apart: others may share a part of the past.
  while (before && before.use_count() == 1) before = std::move(before->before);
}

std::size_t Lineage::turns() const noexcept {
  std::size_t count = 1;
  for (const Lineage* at = before.get(); at; at = at->before.get()) ++count;
  return count;
}

std::shared_ptr<const Lineage> lineage_of(const std::vector<std::vector<std::uint32_t>>& moves,
                                          std::size_t matches) {
  std::shared_ptr<const Lineage> last;
  for (const std::vector<std::uint32_t>& joints : moves) {
    // All follow on the one beginning, and from then on everyone on itself.
    std::vector<std::uint32_t> parents(matches);
    if (last) std::iota(parents.begin(), parents.end(), 0U);
    const auto one = std::make_shared<Lineage>();
    one->before = std::move(last);
    one->parents = std::move(parents);
    one->moves = joints;
    last = one;
  }
  return last;
}

std::size_t Hypotheses::ancestors(std::size_t turns) const {
  std::vector<std::uint32_t> found(size());
  std::iota(found.begin(), found.end(), 0U);
  for (const Lineage* at = lineage.get(); at && turns > 0; at = at->before.get(), --turns) {
    for (std::uint32_t& one : found) one = at->parents[one];
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
  }
  return found.size();
}

}  // namespace woodstock
