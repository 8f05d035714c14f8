#include "search/proof_numbers.h"

#include <cmath>

#include "search/tree_search.h"
#include "search_sample.h"

using namespace sample;
using namespace woodstock;

namespace {

constexpr std::uint64_t no_end = ProofNumbers::never;

struct Wanted {
  std::uint64_t proof;
  std::uint64_t disproof;
};

// By definition, from the places after the moves that are known.
Wanted by_definition(const GraphGame& game, const Tree& tree, const Exact& exact, std::uint32_t me,
                     float wanted, std::uint32_t place) {
  const Place& at = game.places[place];
  if (at.over) {
    return static_cast<float>(exact.of(place)[me]) >= wanted ? Wanted{0, no_end}
                                                             : Wanted{no_end, 0};
  }
  const bool ours = at.sizes[me] > 1;
  std::uint64_t least = no_end;
  std::uint64_t most = 0;
  std::uint64_t open = 0;
  for (std::uint64_t joint = 0; joint < at.next.size(); ++joint) {
    const Wanted after = tree.child(place, joint) == no_node
                             ? Wanted{1, 1}
                             : by_definition(game, tree, exact, me, wanted, at.next[joint]);
    least = std::min(least, ours ? after.proof : after.disproof);
    most = std::max(most, ours ? after.disproof : after.proof);
    open += (ours ? after.disproof : after.proof) > 0 ? 1 : 0;
  }
  const std::uint64_t all = open == 0 || most == no_end ? most : most + open - 1;
  return ours ? Wanted{least, all} : Wanted{all, least};
}

}  // namespace

TEST(proof_numbers_are_those_of_the_definition) {
  std::uint32_t open = 0;
  std::uint32_t questions = 0;
  for (Concept solution_concept : {Concept::maximin, Concept::difference}) {
    for (std::uint32_t roles : {1U, 2U, 3U}) {
      for (std::uint32_t seed = 0; seed < 20; ++seed) {
        GraphShape shape;
        shape.roles = roles;
        shape.places = 16;
        shape.values = {0, 50, 100};
        const GraphGame game = random_graph(shape, seed);
        const std::uint32_t me = seed % roles;
        const Exact exact(game, solution_concept, me);
        Tree tree = tree_of(game, true);
        Bounds bounds(tree, roles, me, Utilities::nobody, solution_concept, Simultaneous::mixed);
        ProofNumbers numbers(tree, me, 1, true);
        std::vector<std::pair<NodeId, std::uint64_t>> edges;
        for (NodeId id = 0; id < game.places.size(); ++id) {
          if (game.places[id].over) bounds.settle(id, exact.of(id).data());
          for (std::uint64_t joint = 0; joint < game.places[id].next.size(); ++joint) {
            edges.push_back({id, joint});
          }
        }
        std::mt19937 rng(seed);
        std::shuffle(edges.begin(), edges.end(), rng);
        numbers.ask(0);
        for (const auto& edge : edges) {
          tree.link(edge.first, edge.second, game.places[edge.first].next[edge.second]);
          for (NodeId id = static_cast<NodeId>(tree.size()); id-- > 0;) {
            bounds.tighten(id);
            for (std::uint32_t joint = 0; joint < game.places[id].next.size(); ++joint) {
              const NodeId child = tree.child(id, joint);
              if (child != no_node) numbers.hear(id, joint, child);
            }
          }
          const float before = numbers.wanted();
          numbers.ask(0);
          questions += numbers.wanted() != before ? 1 : 0;
          const RoleValue& root = tree.values(0)[me];
          if (root.lower == root.upper) break;
          // Neither answered nor out of reach.
          CHECK(root.lower < numbers.wanted() && numbers.wanted() <= root.upper);
          for (NodeId id = 0; id < tree.size(); ++id) {
            const Wanted wanted = by_definition(game, tree, exact, me, numbers.wanted(), id);
            const Proof found = numbers.of(id);
            CHECK(found.proof == wanted.proof && found.disproof == wanted.disproof);
            open += found.proof > 1 && found.proof < no_end ? 1 : 0;
          }
        }
      }
    }
  }
  CHECK(open > 1000);
  CHECK(questions > 10);
}

TEST(the_move_nearest_to_what_its_player_wants_gets_most) {
  // The first has three moves: a place with one answer, one with two, and one that is lost.
  GraphGame game;
  game.roles = 2;
  game.places.resize(5);
  game.places[0] = {false, {3, 1}, {1, 2, 3}, {0, 0}};
  game.places[1] = {false, {1, 1}, {4}, {0, 0}};
  game.places[2] = {false, {1, 2}, {4, 4}, {0, 0}};
  game.places[3] = {true, {1, 1}, {}, {0, 100}};
  game.places[4] = {true, {1, 1}, {}, {100, 0}};
  Tree tree = tree_of(game, true);
  Bounds bounds(tree, 2, 0, Utilities::nobody, Concept::maximin, Simultaneous::mixed);
  const double lost[] = {0, 1};
  bounds.settle(3, lost);
  ProofNumbers numbers(tree, 0, 0.5, true);
  numbers.ask(0);
  CHECK(numbers.wanted() == 1);
  for (std::uint32_t place = 0; place < 3; ++place) {
    tree.link(0, place, place + 1);
    numbers.hear(0, place, place + 1);
  }
  const ProofNumbers::Bonus ours(numbers, 0, 0);
  CHECK(ours(0) == 0.5);
  CHECK(ours(1) == 0.25);
  CHECK(ours(2) == 0);
  // What is further away counts for less: with the first move gone, the second is two leaves off.
  bounds.settle(1, lost);
  numbers.hear(0, 0, 1);
  const ProofNumbers::Bonus without(numbers, 0, 0);
  CHECK(without(0) == 0 && without(2) == 0);
  CHECK(std::abs(without(1) - 0.5 / std::sqrt(2.0)) < 1e-12);
  // To who is against it, every answer is as good as long as nothing is known of them.
  const ProofNumbers::Bonus theirs(numbers, 2, 1);
  CHECK(theirs(0) == 0.5 && theirs(1) == 0.5);
}

TEST(states_nearest_to_a_proof_are_opened_until_there_is_one) {
  const std::atomic<bool> stop{false};
  for (Concept solution_concept : {Concept::maximin, Concept::difference}) {
    for (bool together : {false, true}) {
      for (std::uint32_t seed = 0; seed < 20; ++seed) {
        GraphShape shape;
        shape.roles = 2 + seed % 2;
        shape.together = together;
        shape.places = 60;
        const GraphGame game = random_graph(shape, seed);
        const auto simulator = std::make_shared<Simulator>(compile(rules(game)), "base", 1);
        TreeSearchOptions options;
        options.concept_ = solution_concept;
        options.role = seed % shape.roles;
        options.seed = seed;
        options.leaves = 1;
        options.playouts = 1;
        options.proof_steps = 10'000;
        TreeSearch search(simulator, options);
        Limits limits;
        limits.simulations = 1;
        const Decision found = search.think(simulator->circuit().initial(), limits, stop, nullptr);
        // Where several choose at once there is more to it than proof numbers.
        CHECK(found.proved || together);
        if (!found.proved || together) continue;
        const Exact exact(game, solution_concept, options.role);
        CHECK(std::abs(found.value - exact.of(0)[options.role]) < 1e-5);
      }
    }
  }
}
