#include <cmath>

#include "search_sample.h"

using namespace sample;
using namespace woodstock;

namespace {

constexpr double tiny = 1e-5;

struct Case {
  Concept solution_concept;
  Simultaneous simultaneous;
  GraphShape shape;
};

// Makes edges and passes bounds on in random order; tells of every node whether its bounds hold.
template <class Holds>
void prove_at_random(const Case& one, std::uint32_t seed, Holds holds) {
  std::mt19937 rng(seed);
  const GraphGame game = random_graph(one.shape, seed);
  const std::uint32_t players = game.roles - (one.shape.chance ? 1 : 0);
  const std::uint32_t me = static_cast<std::uint32_t>(rng() % players);
  const Exact exact(game, one.solution_concept, me);
  Tree tree = tree_of(game);
  Bounds bounds(tree, game.roles, me, game.chance, one.solution_concept, one.simultaneous);
  std::vector<std::pair<NodeId, std::uint64_t>> edges;
  std::vector<NodeId> inner;
  for (NodeId id = 0; id < game.places.size(); ++id) {
    const Place& place = game.places[id];
    if (place.over) {
      bounds.settle(id, exact.of(id).data());
      continue;
    }
    inner.push_back(id);
    for (std::uint64_t joint = 0; joint < place.next.size(); ++joint) edges.push_back({id, joint});
  }
  std::shuffle(edges.begin(), edges.end(), rng);
  const auto look = [&](NodeId id) {
    const bool before = tree.node(id).proved;
    const bool changed = bounds.tighten(id);
    CHECK(!before || !changed);
    holds(game, exact, tree, id, me);
  };
  for (const auto& [id, joint] : edges) {
    tree.link(id, joint, game.places[id].next[joint]);
    look(id);
    for (std::size_t i = 0; i < 4; ++i) look(inner[rng() % inner.size()]);
  }
  for (std::size_t i = inner.size(); i-- > 0;) look(inner[i]);
  for (NodeId id : inner) holds(game, exact, tree, id, me);
}

bool around(const RoleValue& bounds, double value) {
  return bounds.lower <= bounds.upper && bounds.lower <= value + tiny &&
         value <= bounds.upper + tiny;
}

const std::vector<std::uint32_t> many = [] {
  std::vector<std::uint32_t> out;
  for (std::uint32_t value = 0; value <= 100; ++value) out.push_back(value);
  return out;
}();

}  // namespace

TEST(bounds_hold_the_exact_value_and_meet_in_it) {
  std::vector<Case> cases;
  for (Concept solution_concept : {Concept::maximin, Concept::difference, Concept::team}) {
    for (bool together : {false, true}) {
      for (bool chance : {false, true}) {
        for (std::uint32_t roles : {1U, 2U, 3U}) {
          GraphShape shape;
          shape.roles = roles + (chance ? 1 : 0);
          shape.chance = chance;
          shape.together = together;
          cases.push_back({solution_concept, Simultaneous::pure, shape});
        }
      }
    }
  }
  for (const Case& one : cases) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
      prove_at_random(
          one, seed,
          [&](const GraphGame& game, const Exact& exact, Tree& tree, NodeId id, std::uint32_t) {
            const RoleValue* values = tree.values(id);
            for (std::uint32_t r = 0; r < game.roles; ++r) {
              if (r != game.chance) CHECK(around(values[r], exact.of(id)[r]));
            }
          });
    }
  }
}

TEST(everything_below_known_everything_is_proved) {
  for (Concept solution_concept : {Concept::maximin, Concept::difference, Concept::team}) {
    for (bool chance : {false, true}) {
      GraphShape shape;
      shape.roles = chance ? 3 : 2;
      shape.chance = chance;
      shape.together = true;
      for (std::uint32_t seed = 0; seed < 50; ++seed) {
        const GraphGame game = random_graph(shape, seed);
        const Exact exact(game, solution_concept, 0);
        Tree tree = tree_of(game);
        Bounds bounds(tree, game.roles, 0, game.chance, solution_concept, Simultaneous::pure);
        for (NodeId id = static_cast<NodeId>(game.places.size()); id-- > 0;) {
          const Place& place = game.places[id];
          if (place.over) {
            bounds.settle(id, exact.of(id).data());
            continue;
          }
          for (std::uint64_t j = 0; j < place.next.size(); ++j) tree.link(id, j, place.next[j]);
          bounds.tighten(id);
          CHECK(tree.node(id).proved);
          CHECK(std::abs(tree.values(id)[0].lower - exact.of(id)[0]) < tiny);
        }
      }
    }
  }
}

TEST(bounds_of_moves_made_at_once_hold_what_can_be_reached_by_lot) {
  // Between the pure values of the two sides, each moving first, lies whatever coins can reach.
  for (bool chance : {false, true}) {
    GraphShape shape;
    shape.roles = chance ? 3 : 2;
    shape.chance = chance;
    shape.together = true;
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
      std::unique_ptr<Exact> other;
      GraphGame turned;
      prove_at_random(
          {Concept::maximin, Simultaneous::mixed, shape}, seed,
          [&](const GraphGame& game, const Exact& mine, Tree& tree, NodeId id, std::uint32_t me) {
            if (other == nullptr) {
              turned = game;
              for (Place& place : turned.places) {
                place.goals[1 - me] = 100 - place.goals[me];
              }
              other = std::make_unique<Exact>(turned, Concept::maximin, 1 - me);
            }
            const RoleValue& bounds = tree.values(id)[me];
            CHECK(bounds.lower <= bounds.upper);
            CHECK(bounds.lower <= 1 - other->of(id)[1 - me] + tiny);
            CHECK(bounds.upper >= mine.of(id)[me] - tiny);
          });
    }
  }
}

TEST(where_moves_made_at_once_have_a_saddle_point_the_bounds_meet) {
  for (std::uint32_t value : {10U, 20U, 30U, 60U, 70U, 80U, 90U}) {
    for (std::uint32_t me : {0U, 1U}) {
      GraphGame game;
      game.roles = 2;
      game.places.resize(2);
      game.places[0] = {false, {2, 2}, {1, 1, 1, 1}, {0, 0}};
      game.places[1] = {true, {1, 1}, {}, {value, value}};
      const Exact exact(game, Concept::maximin, me);
      Tree tree = tree_of(game);
      Bounds bounds(tree, 2, me, Utilities::nobody, Concept::maximin, Simultaneous::mixed);
      bounds.settle(1, exact.of(1).data());
      for (std::uint64_t joint = 0; joint < 4; ++joint) tree.link(0, joint, 1);
      CHECK(bounds.tighten(0));
      CHECK(tree.node(0).proved);
      CHECK(tree.values(0)[me].lower == tree.values(0)[me].upper);
    }
  }
}

TEST(bounds_never_cross_where_everybody_plays_for_himself) {
  for (bool together : {false, true}) {
    for (bool chance : {false, true}) {
      for (std::uint32_t roles : {2U, 3U}) {
        GraphShape shape;
        shape.roles = roles + (chance ? 1 : 0);
        shape.chance = chance;
        shape.together = together;
        shape.values = {0, 50, 100};  // many moves are equally good
        for (std::uint32_t seed = 0; seed < 60; ++seed) {
          prove_at_random(
              {Concept::maxn, Simultaneous::pure, shape}, seed,
              [&](const GraphGame& game, const Exact&, Tree& tree, NodeId id, std::uint32_t) {
                for (std::uint32_t r = 0; r < game.roles; ++r) {
                  const RoleValue& value = tree.values(id)[r];
                  if (r != game.chance) CHECK(value.lower <= value.upper);
                }
              });
        }
      }
    }
  }
}

TEST(without_equal_moves_everybody_gets_the_value_of_his_own_choice) {
  for (bool chance : {false, true}) {
    GraphShape shape;
    shape.roles = chance ? 4 : 3;
    shape.chance = chance;
    shape.values = many;
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
      const GraphGame game = random_graph(shape, seed);
      // Equal values come from equal places only if every place has values of its own.
      bool tie = false;
      const Exact exact(game, Concept::maxn, 0);
      for (const Place& place : game.places) {
        for (std::size_t a = 0; a < place.next.size(); ++a) {
          for (std::size_t b = 0; b < a; ++b) {
            for (std::uint32_t r = 0; r < 3; ++r) {
              tie |= place.next[a] != place.next[b] &&
                     std::abs(exact.of(place.next[a])[r] - exact.of(place.next[b])[r]) < tiny;
            }
          }
        }
      }
      if (tie) continue;
      prove_at_random(
          {Concept::maxn, Simultaneous::pure, shape}, seed,
          [](const GraphGame& g, const Exact& values, Tree& tree, NodeId id, std::uint32_t) {
            for (std::uint32_t r = 0; r < g.roles; ++r) {
              if (r != g.chance) CHECK(around(tree.values(id)[r], values.of(id)[r]));
            }
          });
    }
  }
}

TEST(circles_prove_nothing) {
  // Two places that lead to each other, and a way out for whoever wants it.
  GraphGame game;
  game.roles = 2;
  game.places.resize(3);
  game.places[0] = {false, {2, 1}, {1, 2}, {0, 0}};
  game.places[1] = {false, {1, 2}, {0, 2}, {0, 0}};
  game.places[2] = {true, {1, 1}, {}, {50, 50}};
  Tree tree = tree_of(game);
  Bounds bounds(tree, 2, 0, Utilities::nobody, Concept::maximin, Simultaneous::pure);
  const double half[2] = {0.5, 0.5};
  bounds.settle(2, half);
  for (NodeId id : {0U, 1U}) {
    for (std::uint64_t joint = 0; joint < 2; ++joint) {
      tree.link(id, joint, game.places[id].next[joint]);
    }
  }
  for (int i = 0; i < 10; ++i) {
    for (NodeId id : {0U, 1U}) bounds.tighten(id);
  }
  // Who can leave is sure of a half; and the other can hold it there.
  CHECK(tree.values(0)[0].lower == 0.5F);
  CHECK(tree.values(1)[1].lower == 0.5F);
  // Without the way out nobody is sure of anything.
  Tree round = tree_of(game);
  Bounds loose(round, 2, 0, Utilities::nobody, Concept::maximin, Simultaneous::pure);
  for (NodeId id : {0U, 1U}) round.link(id, 0, game.places[id].next[0]);
  for (int i = 0; i < 10; ++i) {
    for (NodeId id : {0U, 1U}) CHECK(!loose.tighten(id));
  }
}
