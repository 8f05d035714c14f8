#include "belief/hypotheses.h"

#include <memory>
#include <vector>

#include "check.h"

using namespace woodstock;

TEST(a_long_match_is_forgotten_without_a_deep_stack) {
  const std::vector<std::vector<std::uint32_t>> moves(500'000, {0});
  std::shared_ptr<const Lineage> lineage = lineage_of(moves, 1);
  const std::weak_ptr<const Lineage> before = lineage->before;
  lineage.reset();
  CHECK(before.expired());
}

TEST(ancestors_are_counted_turn_by_turn) {
  // Three hypotheses that follow on two, which follow on the beginning.
  const auto first = std::make_shared<Lineage>();
  first->parents = {0, 0};
  const auto last = std::make_shared<Lineage>();
  last->before = first;
  last->parents = {1, 1, 0};
  Hypotheses three;
  three.weights = {1, 1, 1};
  three.lineage = last;
  CHECK(last->turns() == 2);
  CHECK(three.ancestors(0) == 3 && three.ancestors(1) == 2 && three.ancestors(2) == 1);
  CHECK(three.ancestors(99) == 1);
}

TEST(memories_tell_moves_percepts_and_their_order_apart) {
  const std::uint64_t one = remember(remember(0, 1, 7), 2, 0);
  CHECK(one != remember(remember(0, 2, 0), 1, 7));
  CHECK(one != remember(remember(0, 1, 7), 2, 7));
  CHECK(remember(0, 0, 0) != 0);  // a turn in which nothing is perceived is a turn
}
