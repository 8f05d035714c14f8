#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "convert.h"
#include "learn/control.h"
#include "learn/patterns.h"
#include "learn/sample.h"
#include "module.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace woodstock;
using namespace woodstock::learn;

namespace {

using PythonPattern = std::pair<Ids, Ids>;

Sample take_sample(Simulator& simulator, std::uint64_t seed) {
  SampleOptions options;
  options.seed = seed;
  return learn::sample_states(simulator, options);
}

std::vector<PythonPattern> patterns(const GroundProgram& program, Simulator& simulator,
                                    const PatternLimits& limits,
                                    std::optional<std::uint32_t> chance, std::uint64_t seed) {
  if (program.fluents().size() != simulator.circuit().fluents()) {
    throw std::invalid_argument("a simulator of another game");
  }
  std::vector<PythonPattern> out;
  const nb::gil_scoped_release release;
  const Sample sample = take_sample(simulator, seed);
  const auto controls =
      control_fluents(simulator.circuit(), sample, chance.value_or(RoleTable::no_role));
  for (Pattern& pattern : rule_patterns(program, sample, controls, limits)) {
    out.emplace_back(std::move(pattern.fluents), std::move(pattern.blockers));
  }
  return out;
}

}  // namespace

void bind_learn_patterns(nb::module_& m) {
  const PatternLimits usual;
  m.def(
      "rule_patterns",
      [](const GroundProgram& program, Simulator& simulator, std::uint32_t shortest,
         std::uint32_t longest, bool moves, std::uint64_t work, std::uint32_t features,
         double steps, std::optional<std::uint32_t> chance, std::uint64_t seed) {
        const PatternLimits limits{shortest, longest, moves, work, features, steps};
        return patterns(program, simulator, limits, chance, seed);
      },
      "program"_a, "simulator"_a, nb::kw_only(), "shortest"_a = usual.shortest,
      "longest"_a = usual.longest, "moves"_a = usual.moves, "work"_a = usual.work,
      "features"_a = usual.features, "steps"_a = usual.steps, "chance"_a = nb::none(), "seed"_a = 1,
      "Conjunctions of fluents that the rules for goals and the end ask for (with `moves`, those\n"
      "for moves and their effects too), each with the fluents that block it. A sample of random\n"
      "games tells what blocks and which patterns are on their way; at most `features` of them,\n"
      "and such as change `steps` counters a move, are kept.");
  m.def(
      "control_fluents",
      [](Simulator& simulator, std::optional<std::uint32_t> chance, std::uint64_t seed) {
        const nb::gil_scoped_release release;
        return control_fluents(simulator.circuit(), take_sample(simulator, seed),
                               chance.value_or(RoleTable::no_role));
      },
      "simulator"_a, nb::kw_only(), "chance"_a = nb::none(), "seed"_a = 1,
      "Fluents that tell whose turn it is, found in a sample of random games; `chance` is the\n"
      "number of the role whose moves are drawn.");
}
