// Where one role's utility gives that of all others, their values and bounds are one interval seen
// from several sides, at every node of every search.

#include <cmath>

#include "search/mac_ucb.h"
#include "search/tree_search.h"
#include "search_sample.h"

using namespace sample;
using namespace woodstock;

namespace {

const std::atomic<bool> never{false};

// Games with many draws: contests in which a side may be sure of a half and no more.
std::vector<GraphShape> shapes() {
  std::vector<GraphShape> out;
  for (bool together : {false, true}) {
    for (bool chance : {false, true}) {
      for (std::uint32_t players : {2U, 3U}) {
        GraphShape shape;
        shape.roles = players + (chance ? 1 : 0);
        shape.chance = chance;
        shape.together = together;
        shape.circles = players == 3;
        shape.places = 40;
        shape.values = {0, 50, 50, 100, 30};
        out.push_back(shape);
      }
    }
  }
  return out;
}

// The utility of the others, that of one role being `mine`.
template <class T>
T other(Concept solution_concept, T mine) {
  return solution_concept == Concept::team ? mine : 1 - mine;
}

void check_sides(const Tree& tree, const GraphGame& game, Concept solution_concept,
                 std::uint32_t me) {
  for (NodeId id = 0; id < tree.size(); ++id) {
    const Node& node = tree.node(id);
    const RoleValue* values = tree.values(id);
    const RoleValue& mine = values[me];
    CHECK(mine.lower <= mine.upper);
    CHECK(node.proved == (mine.lower == mine.upper));
    const bool contest = solution_concept != Concept::team;
    for (std::uint32_t r = 0; r < game.roles; ++r) {
      if (r == me) continue;
      // To the bit: bounds are rounded so that what is left of one is exact.
      CHECK(values[r].lower == other(solution_concept, contest ? mine.upper : mine.lower));
      CHECK(values[r].upper == other(solution_concept, contest ? mine.lower : mine.upper));
      // Up to that of a sum of some thousand doubles.
      const double sum = contest ? node.visits - mine.sum : mine.sum;
      CHECK(std::abs(values[r].sum - sum) < 1e-6);
    }
    if (node.terminal || node.choosers != 1) continue;
    // What is known of the moves is known of the node.
    float lower = 0;
    float upper = 0;
    for (const Arm& arm : tree.arms(id, node.pivot)) {
      CHECK(arm.lower <= arm.upper);
      lower = std::max(lower, arm.lower);
      upper = std::max(upper, arm.upper);
    }
    CHECK(values[node.pivot].lower >= lower);
    CHECK(values[node.pivot].upper <= upper);
  }
}

// Stages have one number for all sides.
void check_stages(const StageGraph& graph, Concept solution_concept, std::uint32_t me) {
  CHECK(graph.worths() == 1);
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Worth& mine = *graph.worth(id);
    CHECK(mine.lower <= mine.value && mine.value <= mine.upper);
    CHECK(graph.node(id).proved == mine.settled());
    // What is left of it to 1 is exact.
    CHECK(1 - (1 - mine.value) == mine.value);
    CHECK(1 - (1 - mine.lower) == mine.lower && 1 - (1 - mine.upper) == mine.upper);
    if (!graph.solved(id)) continue;
    const Stage& stage = graph.stage(id);
    if (!stage.single || stage.choosers != 1) continue;
    const bool ours = solution_concept == Concept::team || stage.pivot == me;
    // What is known of the moves is known of the stage.
    for (std::uint32_t i = 0; i < stage.width; ++i) {
      const Worth& child = *graph.worth(graph.child(stage, i));
      CHECK(ours ? mine.lower >= child.lower : mine.upper <= child.upper);
    }
  }
}

template <class Check>
void for_each_game(Check check) {
  for (const GraphShape& shape : shapes()) {
    for (Concept solution_concept : {Concept::maximin, Concept::difference, Concept::team}) {
      for (std::uint32_t seed = 0; seed < 6; ++seed) {
        const GraphGame game = random_graph(shape, seed);
        check(game, solution_concept, seed, seed % (shape.chance ? shape.roles - 1 : shape.roles));
      }
    }
  }
}

}  // namespace

TEST(the_sides_of_a_contest_are_one_interval_in_a_tree_search) {
  for (Choice choice : {Choice::ucb, Choice::grave, Choice::regret}) {
    for_each_game([&](const GraphGame& game, Concept solution_concept, std::uint32_t seed,
                      std::uint32_t me) {
      const auto simulator = std::make_shared<Simulator>(compile(rules(game)), "base", 1);
      TreeSearchOptions options;
      options.concept_ = solution_concept;
      options.choice = choice;
      options.role = me;
      options.chance = game.chance;
      options.seed = seed;
      options.leaves = 8;
      options.playouts = 2;
      options.max_plies = 100;
      TreeSearch search(simulator, options);
      for (std::uint64_t simulations : {50U, 200U, 1000U}) {
        Limits limits;
        limits.simulations = simulations;
        const Decision found = search.think(simulator->circuit().initial(), limits, never, nullptr);
        check_sides(search.tree(), game, solution_concept, me);
        for (std::uint32_t r = 0; r < game.roles; ++r) {
          if (r == me) continue;
          CHECK(std::abs(found.values[r] - other(solution_concept, found.values[me])) < 1e-6);
        }
      }
    });
  }
}

TEST(the_sides_of_a_contest_are_one_interval_in_a_search_by_stages) {
  for (StageOrder order : {StageOrder::utility, StageOrder::principal, StageOrder::depth}) {
    for_each_game([&](const GraphGame& game, Concept solution_concept, std::uint32_t seed,
                      std::uint32_t me) {
      const auto simulator = std::make_shared<Simulator>(compile(rules(game)), "base", 1);
      MacUcbOptions options;
      options.concept_ = solution_concept;
      options.order = order;
      options.role = me;
      options.chance = game.chance;
      options.seed = seed;
      options.samples = 32;
      options.batch = 16;
      options.max_plies = 100;
      options.shrinking = seed % 2 == 0;
      MacUcb search(simulator, std::make_shared<CompiledStages>(simulator), options);
      for (std::uint64_t nodes : {10U, 10U, 10U}) {
        Limits limits;
        limits.nodes = nodes;
        const Decision found = search.think(simulator->circuit().initial(), limits, never, nullptr);
        check_stages(search.graph(), solution_concept, me);
        for (std::uint32_t r = 0; r < game.roles; ++r) {
          if (r == me) continue;
          CHECK(std::abs(found.values[r] - other(solution_concept, found.values[me])) < 1e-6);
        }
      }
    });
  }
}
