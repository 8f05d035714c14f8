// Searches that take the values of a net: right with whatever net, and exact with an exact one.

#include <cmath>
#include <map>
#include <stdexcept>

#include "learn/value_net.h"
#include "search/mac_ucb.h"
#include "search/tree_search.h"
#include "search_sample.h"

using namespace sample;
using namespace woodstock;

namespace {

const std::atomic<bool> never{false};
constexpr StageOrder orders[] = {StageOrder::utility, StageOrder::principal, StageOrder::depth};
using Net = std::shared_ptr<const learn::ValueNet>;

Net make_net(const Circuit& circuit, std::uint32_t chance, std::uint32_t hidden,
             const std::function<float(std::uint32_t feature, std::uint32_t column)>& weight,
             const std::function<float()>& out_weight) {
  const auto fluents = static_cast<std::uint32_t>(circuit.fluents());
  auto features = std::make_shared<learn::Features>(fluents, std::vector<learn::Pattern>{});
  learn::NetShape shape;
  shape.roles = circuit.roles();
  if (chance < shape.roles) shape.chance = chance;
  shape.hidden = hidden;
  std::vector<float> rows;
  for (std::uint32_t feature = 0; feature <= features->size(); ++feature) {
    for (std::uint32_t column = 0; column < shape.columns(); ++column) {
      rows.push_back(weight(feature, column));
    }
  }
  std::vector<float> out(std::size_t{shape.heads()} * shape.values() * hidden);
  for (float& one : out) one = out_weight();
  return std::make_shared<learn::ValueNet>(features, shape, rows, out);
}

Net random_net(const Circuit& circuit, std::uint32_t chance, std::uint32_t seed) {
  std::mt19937 rng(seed);
  const auto draw = [&rng] { return static_cast<float>(rng() % 2001) / 500.0F - 2.0F; };
  return make_net(circuit, chance, 4, [&](auto, auto) { return draw(); }, draw);
}

// The states of the places that can be reached, by their only fluent.
std::map<std::uint32_t, std::uint32_t> fluents_of(const GraphGame& game, Simulator& simulator) {
  std::map<std::uint32_t, std::vector<std::uint8_t>> states{{0, simulator.circuit().initial()}};
  std::vector<std::uint32_t> waiting{0};
  std::map<std::uint32_t, std::uint32_t> out;
  while (!waiting.empty()) {
    const std::uint32_t place = waiting.back();
    waiting.pop_back();
    const std::vector<std::uint8_t> state = states[place];
    for (std::uint32_t f = 0; f < simulator.circuit().fluents(); ++f) {
      if (((state[f / 8] >> (f % 8)) & 1U) != 0) out[place] = f;
    }
    const Expansion all = simulator.expand(state, 100'000, false);
    for (std::size_t joint = 0; joint < all.after.states.size() / state.size(); ++joint) {
      const std::uint32_t next = game.places[place].next[joint];
      if (states.contains(next)) continue;
      const auto from =
          all.after.states.begin() + static_cast<std::ptrdiff_t>(joint * state.size());
      states[next].assign(from, from + static_cast<std::ptrdiff_t>(state.size()));
      waiting.push_back(next);
    }
  }
  return out;
}

// A net that knows what every place is worth.
Net exact_net(const GraphGame& game, const Exact& exact, Simulator& simulator) {
  constexpr std::uint32_t hidden = 1;
  std::vector<std::uint32_t> place_of(simulator.circuit().fluents());
  for (const auto& [place, fluent] : fluents_of(game, simulator)) place_of[fluent] = place;
  return make_net(
      simulator.circuit(), game.chance, hidden,
      [&](std::uint32_t feature, std::uint32_t column) {
        if (feature == 0 || column < hidden) return 0.0F;
        const std::uint32_t player = column - hidden;
        const std::uint32_t role = player + (player >= game.chance ? 1 : 0);
        const double value = std::clamp(exact.of(place_of[feature - 1])[role], 1e-6, 1 - 1e-6);
        return static_cast<float>(std::log(value / (1 - value)));
      },
      [] { return 0.0F; });
}

MacUcbOptions options_for(const GraphGame& game, Concept solution_concept, std::uint32_t seed) {
  MacUcbOptions options;
  options.concept_ = solution_concept;
  options.chance = game.chance;
  options.seed = seed;
  options.samples = 32;
  options.batch = 16;
  options.max_plies = 200;
  options.values = Values::net;
  return options;
}

Limits stage_budget(std::uint64_t stages) {
  Limits limits;
  limits.simulations = stages;
  return limits;
}

template <class Check>
void for_each_shape(Check check) {
  for (bool together : {false, true}) {
    for (bool chance : {false, true}) {
      for (std::uint32_t players : {1U, 2U, 3U}) {
        GraphShape shape;
        shape.roles = players + (chance ? 1 : 0);
        shape.chance = chance;
        shape.together = together;
        check(shape, players);
      }
    }
  }
}

}  // namespace

TEST(proofs_do_not_depend_on_the_net) {
  for_each_shape([](GraphShape shape, std::uint32_t players) {
    for (StageOrder order : orders) {
      for (Concept solution_concept : {Concept::maximin, Concept::difference, Concept::team}) {
        for (std::uint32_t seed = 0; seed < 3; ++seed) {
          const GraphGame game = random_graph(shape, seed);
          const auto simulator = std::make_shared<Simulator>(compile(rules(game)), "base", 1);
          const std::uint32_t me = seed % players;
          MacUcbOptions options = options_for(game, solution_concept, seed);
          options.order = order;
          options.role = me;
          options.values = seed == 2 ? Values::blend : Values::net;
          options.answer = seed == 1 ? Answer::followed : Answer::value;
          const Net net = random_net(simulator->circuit(), game.chance, seed);
          MacUcb search(simulator, std::make_shared<CompiledStages>(simulator), options, net);
          const Decision found =
              search.think(simulator->circuit().initial(), Limits{}, never, nullptr);
          CHECK(found.proved);
          const Exact exact(game, solution_concept, me);
          CHECK(std::abs(found.value - exact.of(0)[me]) < 1e-5);
          std::size_t place = 0;
          for (const MoveValue& one : found.moves) place += one.move < found.move ? 1 : 0;
          CHECK(std::abs(exact.moves(0)[place] - exact.of(0)[me]) < 1e-5);
        }
      }
    }
  });
}

TEST(with_an_exact_net_values_are_exact_from_the_first_stage_on) {
  std::uint32_t unproved = 0;
  for_each_shape([&](GraphShape shape, std::uint32_t players) {
    shape.places = 60;
    shape.values.clear();
    for (std::uint32_t value = 1; value < 100; ++value) shape.values.push_back(value);
    for (Concept solution_concept :
         {Concept::maximin, Concept::difference, Concept::team, Concept::maxn}) {
      // Where everybody for himself chooses at once, the least rounding makes another choice, which
      // is worth something quite different to the others.
      if (solution_concept == Concept::maxn && shape.together) continue;
      for (std::uint32_t seed = 0; seed < 4; ++seed) {
        const GraphGame game = random_graph(shape, seed);
        const auto simulator = std::make_shared<Simulator>(compile(rules(game)), "base", 1);
        const std::uint32_t me = seed % players;
        const Exact exact(game, solution_concept, me);
        MacUcbOptions options = options_for(game, solution_concept, seed);
        options.role = me;
        MacUcb search(simulator, std::make_shared<CompiledStages>(simulator), options,
                      exact_net(game, exact, *simulator));
        for (std::uint64_t stages : {1U, 1U, 2U, 5U, 20U}) {
          const Decision found =
              search.think(simulator->circuit().initial(), stage_budget(stages), never, nullptr);
          unproved += found.proved ? 0 : 1;
          // Weights of nets are multiples of 1/1024.
          CHECK(std::abs(found.values[me] - exact.of(0)[me]) < 1e-3);
          std::size_t place = 0;
          for (const MoveValue& one : found.moves) place += one.move < found.move ? 1 : 0;
          const std::vector<double> moves = exact.moves(0);
          CHECK(moves[place] > *std::max_element(moves.begin(), moves.end()) - 1e-3);
        }
      }
    }
  });
  CHECK(unproved > 100);
}

TEST(stages_are_worth_the_best_of_what_they_lead_to) {
  // News are told to those alone whom they concern: nobody may be left behind.
  std::size_t checked = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    GraphShape shape;
    shape.places = 400;
    shape.moves = 6;
    const GraphGame game = random_graph(shape, seed);
    const auto simulator = std::make_shared<Simulator>(compile(rules(game)), "base", 1);
    MacUcbOptions options = options_for(game, Concept::maximin, seed);
    options.order = seed % 4 == 0 ? StageOrder::depth : StageOrder::principal;
    MacUcb search(simulator, std::make_shared<CompiledStages>(simulator), options,
                  random_net(simulator->circuit(), game.chance, seed));
    for (std::uint64_t stages : {7U, 13U, 40U}) {
      search.think(simulator->circuit().initial(), stage_budget(stages), never, nullptr);
      const StageGraph& graph = search.graph();
      for (NodeId id = 0; id < graph.size(); ++id) {
        if (!graph.solved(id)) continue;
        const Stage& stage = graph.stage(id);
        const Worth& worth = *graph.worth(id);
        Worth best = *graph.worth(graph.child(stage, 0));
        for (std::uint32_t i = 1; i < stage.width; ++i) {
          const Worth& one = *graph.worth(graph.child(stage, i));
          const bool ours = stage.pivot == options.role;
          const auto better = [ours](float a, float b) {
            return ours ? std::max(a, b) : std::min(a, b);
          };
          best = {better(best.value, one.value), better(best.lower, one.lower),
                  better(best.upper, one.upper)};
        }
        CHECK(worth.lower == best.lower && worth.upper == best.upper);
        CHECK(worth.value == std::clamp(best.value, best.lower, best.upper));
        ++checked;
      }
    }
  }
  CHECK(checked > 1000);
}

TEST(searches_by_a_net_keep_to_a_small_memory) {
  const auto simulator = std::make_shared<Simulator>(compile(filling_game(12)), "base", 1);
  const Net net = random_net(simulator->circuit(), Utilities::nobody, 5);
  for (StageOrder order : orders) {
    MacUcbOptions options;
    options.order = order;
    options.values = Values::net;
    options.memory = 4 << 20;
    Limits limits;
    limits.nodes = 400'000;
    const auto think = [&] {
      MacUcb search(simulator, std::make_shared<CompiledStages>(simulator), options, net);
      return search.think(simulator->circuit().initial(), limits, never, nullptr);
    };
    const Decision first = think();
    CHECK(first.nodes >= 400'000 || first.proved);
    CHECK(first.moves.size() == 12);
    CHECK(first.bytes <= options.memory);
    const Decision second = think();
    CHECK(first.move == second.move && first.value == second.value && first.nodes == second.nodes &&
          first.line == second.line);
  }
}

TEST(a_blend_without_weight_is_what_playouts_say) {
  GraphShape shape;
  shape.places = 100;
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    shape.chance = seed % 2 == 1;
    shape.roles = shape.chance ? 3 : 2;
    const GraphGame game = random_graph(shape, seed);
    const auto simulator = std::make_shared<Simulator>(compile(rules(game)), "base", 1);
    const Net net = random_net(simulator->circuit(), game.chance, seed);
    TreeSearchOptions options;
    options.chance = game.chance;
    options.choice = seed % 3 == 0 ? Choice::grave : Choice::ucb;
    options.mast = 0.1;
    options.seed = seed;
    options.leaves = 8;
    options.max_plies = 200;
    const auto think = [&](Values values, double weight) {
      options.values = values;
      options.net_weight = weight;
      TreeSearch search(simulator, options, values == Values::playouts ? nullptr : net);
      return search.think(simulator->circuit().initial(), stage_budget(700), never, nullptr);
    };
    const Decision plain = think(Values::playouts, 0.5);
    const Decision same = think(Values::blend, 0);
    const Decision other = think(Values::blend, 1);
    CHECK(plain.move == same.move && plain.value == same.value && plain.values == same.values);
    if (!plain.proved) CHECK(plain.value != other.value);
    // Values of a blend are values.
    for (const MoveValue& move : other.moves) CHECK(move.value >= 0 && move.value <= 1);
  }
}

TEST(nets_that_do_not_fit_are_refused) {
  const GraphGame game = random_graph(GraphShape{}, 3);
  const auto simulator = std::make_shared<Simulator>(compile(rules(game)), "base", 1);
  GraphShape wider;
  wider.places = 30;
  GraphShape more;
  more.roles = 3;
  const auto net_of = [](const GraphShape& shape, std::uint32_t chance) {
    return random_net(*compile(rules(random_graph(shape, 3))), chance, 1);
  };
  const auto stages = std::make_shared<CompiledStages>(simulator);
  MacUcbOptions options = options_for(game, Concept::maximin, 1);
  TreeSearchOptions tree;
  tree.values = Values::blend;
  for (const Net& net : {Net{}, net_of(wider, Utilities::nobody), net_of(more, Utilities::nobody),
                         net_of(GraphShape{}, 1)}) {
    CHECK_THROWS(MacUcb(simulator, stages, options, net), std::invalid_argument);
    CHECK_THROWS(TreeSearch(simulator, tree, net), std::invalid_argument);
  }
  tree.values = Values::net;
  CHECK_THROWS(TreeSearch(simulator, tree, net_of(GraphShape{}, Utilities::nobody)),
               std::invalid_argument);
  options.net_weight = 1.5;
  CHECK_THROWS(MacUcb(simulator, stages, options, net_of(GraphShape{}, Utilities::nobody)),
               std::invalid_argument);
}
