#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "convert.h"
#include "module.h"
#include "search/information_search.h"
#include "search/mac_ucb.h"
#include "search/mac_ucb_ii.h"
#include "search/tree_search.h"
#include "search_calls.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace woodstock;

namespace {

using AlikeListener = std::function<std::vector<std::uint32_t>(
    nb::bytes, std::vector<std::uint32_t>, std::vector<bool>, double)>;

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

void bind_belief_searcher(nb::module_& m) {
  nb::class_<BeliefSearcher>(m, "BeliefSearcher",
                             "Looks for the move of a role that does not know the state.")
      .def(
          "think",
          [](BeliefSearcher& self, const Hypotheses& belief, const Ids& ours, const Stop& stop,
             std::optional<double> seconds, std::optional<double> cpu_seconds,
             std::optional<std::uint64_t> nodes, std::optional<std::uint64_t> simulations,
             const Listener& progress) {
            const Limits limits = to_limits(seconds, cpu_seconds, nodes, simulations);
            const Progress tell = to_progress(progress);
            const nb::gil_scoped_release release;
            return self.think(belief, ours, limits, stop.set, tell);
          },
          "belief"_a, "ours"_a, "stop"_a, "seconds"_a.none() = nb::none(),
          "cpu_seconds"_a.none() = nb::none(), "nodes"_a.none() = nb::none(),
          "simulations"_a.none() = nb::none(), "progress"_a.none() = nb::none(),
          "Thinks until a limit is reached or the stop is set.");
}

// Each search takes a simulator and its options.
void bind_searches(nb::module_& m) {
  nb::class_<TreeSearch, Searcher>(m, "TreeSearch", "Monte-Carlo tree search in bulk.")
      .def(nb::init<std::shared_ptr<Simulator>, const TreeSearchOptions&,
                    std::shared_ptr<const learn::ValueNet>>(),
           "simulator"_a, "options"_a, "net"_a.none() = nb::none(),
           "Raises ValueError for options without sense, or a net that does not fit.");
  nb::class_<MacUcb, Searcher>(m, "MacUcb", "Stages solved one by one and sampled by UCB1.")
      .def(
          "__init__",
          [](MacUcb* self, std::shared_ptr<Simulator> simulator, const MacUcbOptions& options,
             std::shared_ptr<StageSolver> stages, std::shared_ptr<const learn::ValueNet> net) {
            if (!stages) stages = std::make_shared<CompiledStages>(simulator);
            new (self) MacUcb(std::move(simulator), std::move(stages), options, std::move(net));
          },
          "simulator"_a, "options"_a, "stages"_a.none() = nb::none(), "net"_a.none() = nb::none(),
          "Without stages, those of the circuit. Raises ValueError for options without sense, or\n"
          "a net that does not fit.")
      .def(
          "use_alike",
          [](MacUcb& self, const AlikeListener& alike) {
            self.use_alike([alike](std::span<const std::uint8_t> state,
                                   std::span<const std::uint32_t> moves,
                                   const std::vector<std::uint8_t>& nogoods, double seconds) {
              const nb::gil_scoped_acquire acquire;
              return alike(nb::bytes(state.data(), state.size()),
                           std::vector<std::uint32_t>(moves.begin(), moves.end()),
                           std::vector<bool>(nogoods.begin(), nogoods.end()), seconds);
            });
          },
          "alike"_a,
          "Solve solutions of a stage once that are alike. Asked with the state, the joint moves\n"
          "one after the other, for each whether it is below the threshold, and seconds that it\n"
          "may take; answers with the number of the one that stands for each, or nothing.")
      .def_prop_ro("nogoods", &MacUcb::nogoods, "Solutions below the threshold, so far.")
      .def_prop_ro("spared", &MacUcb::spared, "Solutions that another stands for, so far.");
  nb::class_<InformationSearch, BeliefSearcher>(
      m, "InformationSearch", "Multiple-observer information-set Monte-Carlo tree search (ISMCTS).")
      .def(nb::init<std::shared_ptr<Simulator>, const InformationSearchOptions&>(), "simulator"_a,
           "options"_a, "Raises ValueError for options without sense.");
  nb::class_<MacUcbII, BeliefSearcher>(m, "MacUcbII", "MAC-UCB on beliefs that all share.")
      .def(nb::init<std::shared_ptr<Simulator>, const MacUcbIIOptions&,
                    std::shared_ptr<StageSolver>>(),
           "simulator"_a, "options"_a, "stages"_a.none() = nb::none(),
           "Without stages, those of the circuit. Raises ValueError for options without sense.")
      .def("use", &MacUcbII::use, "quotient"_a.none(),
           "Search beliefs that are equal up to these symmetries once; None: every belief by\n"
           "itself. Raises ValueError when they are of another game.")
      .def_prop_ro("twins", &MacUcbII::twins,
                   "Beliefs of the last call that are equal, up to symmetry, to another.");
}

}  // namespace

void bind_search(nb::module_& m) {
  bind_decision(m);
  bind_searcher(m);
  bind_belief_searcher(m);
  bind_searches(m);
}
