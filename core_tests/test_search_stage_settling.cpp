#include "search/stage_settling.h"

#include "check.h"
#include "search/stage_values.h"

using namespace woodstock;

namespace {

constexpr std::uint32_t chance = 2;

// Two players and chance.
StageGraph graph_of(std::uint32_t states) {
  StageGraphOptions options;
  options.roles = 3;
  options.chance = chance;
  options.state_size = 1;
  options.proofs = true;
  StageGraph graph(options);
  for (std::uint32_t i = 0; i < states; ++i) {
    const auto state = static_cast<std::uint8_t>(i);
    CHECK(graph.add(i, &state, 0) == i);
  }
  return graph;
}

void solve(StageGraph& graph, NodeId id, std::uint32_t first, std::uint32_t second,
           std::uint32_t draws, const std::vector<NodeId>& next) {
  const std::vector<std::uint32_t> moves(first + second + draws, 0);
  const std::vector<std::uint32_t> begin{0, first, first + second, first + second + draws};
  graph.solve(id, {begin, moves}, static_cast<std::uint32_t>(next.size()));
  for (std::uint32_t i = 0; i < next.size(); ++i) graph.link(id, i, next[i]);
}

}  // namespace

TEST(all_draws_and_all_moves_that_may_be_best_have_to_be_settled) {
  // Ours are two moves, with two draws each: to 1 and 2, or to 3 and 4.
  StageGraph graph = graph_of(5);
  StageValues values(graph, 3, 0, chance, Concept::maximin);
  StageSettling settling(graph, 3, 0, chance);
  solve(graph, 0, 2, 1, 2, {1, 2, 3, 4});
  const std::uint8_t choices[] = {1, 5, 2, 3, 4};
  for (NodeId id : {1U, 2U, 3U, 4U}) {
    graph.node(id).choices = choices[id];
    graph.worth(id)->value = id < 3 ? 0.4F : 0.6F;
    CHECK(!settling.recount(id));
  }
  values.update(0);
  CHECK(!settling.recount(0));
  // 5 + 1 for the first, 4 + 1 for the second, of which the harder counts and one for the other.
  CHECK(graph.proof(0).proof == 7);
  // The better move, and of its draws the one that needs less.
  CHECK(settling.nearest(0) == 3);
  // Once it is settled, the other draw of the move is left.
  const double three_quarters[] = {0.75, 0.25, 0};
  const double lost[] = {0, 1, 0};
  values.settle(3, three_quarters);
  settling.recount(3);
  CHECK(settling.nearest(0) == 4);
  values.settle(4, three_quarters);
  settling.recount(4);
  values.update(0);
  CHECK(!settling.recount(0));
  // The first move is still to be refuted.
  CHECK(graph.proof(0).proof == 6);
  CHECK(settling.nearest(0) == 2);
  // A lost draw leaves one half at most: nothing that could matter, whatever the other gives.
  values.settle(2, lost);
  settling.recount(2);
  values.update(0);
  CHECK(settling.recount(0));
  CHECK(graph.worth(0)->value == 0.75F);
}

TEST(who_is_against_us_takes_what_is_worst) {
  StageGraph graph = graph_of(3);
  StageValues values(graph, 3, 0, chance, Concept::maximin);
  StageSettling settling(graph, 3, 0, chance);
  solve(graph, 0, 1, 2, 1, {1, 2});
  graph.worth(1)->value = 0.7F;
  graph.worth(2)->value = 0.2F;
  for (NodeId id : {1U, 2U}) settling.recount(id);
  CHECK(!settling.recount(0));
  CHECK(settling.nearest(0) == 2);
  // Several at once: nothing to go by.
  StageGraph matrix = graph_of(5);
  StageSettling at_once(matrix, 3, 0, chance);
  solve(matrix, 0, 2, 2, 1, {1, 2, 3, 4});
  CHECK(!at_once.recount(0));
  CHECK(at_once.nearest(0) == no_node);
}
