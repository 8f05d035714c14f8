#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "module.h"
#include "search/mac_ucb.h"
#include "search/tree_search.h"
#include "search_options.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace woodstock;

namespace {

StageOrder to_order(const std::string& name) {
  if (name == "utility") return StageOrder::utility;
  if (name == "principal") return StageOrder::principal;
  if (name == "depth") return StageOrder::depth;
  throw std::invalid_argument("no order called '" + name + "': utility, principal, depth");
}

void bind_decision(nb::module_& m) {
  nb::class_<MoveValue>(m, "MoveValue", "What a search thinks of a move, given by its number.")
      .def_ro("move", &MoveValue::move)
      .def_ro("value", &MoveValue::value)
      .def_ro("share", &MoveValue::share)
      .def_ro("visits", &MoveValue::visits)
      .def_ro("lower", &MoveValue::lower)
      .def_ro("upper", &MoveValue::upper);
  nb::class_<Decision>(m, "Decision", "What a search found out; moves are numbers.")
      .def_ro("move", &Decision::move)
      .def_ro("value", &Decision::value)
      .def_ro("proved", &Decision::proved)
      .def_ro("values", &Decision::values)
      .def_ro("moves", &Decision::moves)
      .def_ro("line", &Decision::line, "One move for each role, turn by turn.")
      .def_ro("nodes", &Decision::nodes)
      .def_ro("simulations", &Decision::simulations)
      .def_ro("tree_nodes", &Decision::tree_nodes)
      .def_ro("bytes", &Decision::bytes)
      .def_ro("depth", &Decision::depth)
      .def_ro("seconds", &Decision::seconds)
      .def_ro("cpu_seconds", &Decision::cpu_seconds);
}

void bind_searcher(nb::module_& m) {
  nb::class_<Stop>(m, "Stop", "Ends a search from another thread.")
      .def(nb::init<>())
      .def("set", [](Stop& stop) { stop.set = true; })
      .def_prop_ro("is_set", [](const Stop& stop) { return stop.set.load(); });
  nb::class_<Searcher>(m, "Searcher", "Looks for the move of one role; remembers what it found.")
      .def(
          "think",
          [](Searcher& self, const nb::bytes& state, const Stop& stop,
             std::optional<double> seconds, std::optional<double> cpu_seconds,
             std::optional<std::uint64_t> nodes, std::optional<std::uint64_t> simulations,
             const Listener& progress) {
            const Limits limits = to_limits(seconds, cpu_seconds, nodes, simulations);
            const Progress tell = to_progress(progress);
            const std::span<const std::uint8_t> packed{
                reinterpret_cast<const std::uint8_t*>(state.c_str()), state.size()};
            const nb::gil_scoped_release release;
            return self.think(packed, limits, stop.set, tell);
          },
          "state"_a, "stop"_a, "seconds"_a.none() = nb::none(), "cpu_seconds"_a.none() = nb::none(),
          "nodes"_a.none() = nb::none(), "simulations"_a.none() = nb::none(),
          "progress"_a.none() = nb::none(),
          "Thinks until a limit is reached, the stop is set or the value is proved.")
      .def("use", &Searcher::use, "quotient"_a.none(),
           "Search states and moves that are equal up to these symmetries once. Forgets what was\n"
           "found out before. Raises ValueError when they are of another game.");
}

void bind_tree_search(nb::module_& m) {
  nb::class_<TreeSearch, Searcher>(m, "TreeSearch", "Monte-Carlo tree search in bulk.")
      .def(
          "__init__",
          [](TreeSearch* self, std::shared_ptr<Simulator> simulator, std::uint32_t role,
             std::optional<std::uint32_t> chance, const std::string& concept_,
             const std::string& choice, double exploration, std::uint32_t leaves,
             std::uint32_t playouts, double mast, bool halving, std::uint32_t max_depth,
             double reference, double bias, double mixing, std::uint32_t max_plies,
             std::uint64_t seed, std::size_t memory) {
            const SamplingOptions common =
                to_sampling(role, chance, concept_, choice, exploration, leaves, playouts, halving,
                            max_depth, reference, bias, mixing, max_plies, seed, memory);
            const TreeSearchOptions options{common, mast};
            new (self) TreeSearch(std::move(simulator), options);
          },
          "simulator"_a, nb::kw_only(), "role"_a, "chance"_a.none(), "concept"_a, "choice"_a,
          "exploration"_a, "leaves"_a, "playouts"_a, "mast"_a, "halving"_a, "max_depth"_a,
          "reference"_a, "bias"_a, "mixing"_a, "max_plies"_a, "seed"_a, "memory"_a,
          "See search/tree_search.h for the options. Raises ValueError for those without sense.");
}

void bind_mac_ucb(nb::module_& m) {
  nb::class_<MacUcb, Searcher>(m, "MacUcb", "Stages solved one by one and sampled by UCB1.")
      .def(
          "__init__",
          [](MacUcb* self, std::shared_ptr<Simulator> simulator,
             std::shared_ptr<StageSolver> stages, std::uint32_t role,
             std::optional<std::uint32_t> chance, const std::string& concept_,
             const std::string& order, std::uint32_t samples, std::uint32_t batch,
             double confidence, double bonus, double solving_share, bool pruning, bool shrinking,
             bool cache, std::uint32_t max_plies, std::uint64_t seed, std::size_t memory) {
            MacUcbOptions options;
            options.role = role;
            if (chance) options.chance = *chance;
            options.concept_ = parse_concept(concept_);
            options.order = to_order(order);
            options.samples = samples;
            options.batch = batch;
            options.confidence = confidence;
            options.bonus = bonus;
            options.solving_share = solving_share;
            options.pruning = pruning;
            options.shrinking = shrinking;
            options.cache = cache;
            options.max_plies = max_plies;
            options.seed = seed;
            options.memory = memory;
            if (!stages) stages = std::make_shared<CompiledStages>(simulator);
            new (self) MacUcb(std::move(simulator), std::move(stages), options);
          },
          "simulator"_a, "stages"_a.none(), nb::kw_only(), "role"_a, "chance"_a.none(), "concept"_a,
          "order"_a, "samples"_a, "batch"_a, "confidence"_a, "bonus"_a, "solving_share"_a,
          "pruning"_a, "shrinking"_a, "cache"_a, "max_plies"_a, "seed"_a, "memory"_a,
          "See search/mac_ucb.h for the options; without stages, those of the circuit. Raises "
          "ValueError for those without sense.");
}

}  // namespace

void bind_search(nb::module_& m) {
  bind_decision(m);
  bind_searcher(m);
  bind_tree_search(m);
  bind_mac_ucb(m);
}
