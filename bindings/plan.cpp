#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "convert.h"
#include "module.h"
#include "plan/nested.h"
#include "plan/relaxation.h"
#include "plan/space.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace woodstock;
using namespace woodstock::plan;

namespace {

std::vector<std::uint8_t> to_vector(const nb::bytes& bytes) {
  const std::span<const std::uint8_t> seen = view(bytes);
  return {seen.begin(), seen.end()};
}

std::vector<Ids> turns(const std::vector<std::uint32_t>& moves, std::uint32_t roles) {
  return table(moves, roles);
}

}  // namespace

void bind_plan(nb::module_& m) {
  m.def(
      "clock_fluents",
      [](const GroundProgram& program) { return to_python(clock_fluents(program)); }, "program"_a,
      "The fluents that go their way whatever anybody does, as a packed state.");

  nb::class_<Relaxation>(m, "Relaxation",
                         "How far states are from an end with one of these goals, by a relaxation\n"
                         "of the rules: an estimate. One thread at a time.")
      .def(
          "__init__",
          [](Relaxation* self, std::shared_ptr<const GroundProgram> program, const Ids& ends) {
            new (self) Relaxation(std::move(program), ends);
          },
          "program"_a, "ends"_a, "The ends are goal atoms.")
      .def_ro_static("unreachable", &Relaxation::unreachable)
      .def(
          "distances",
          [](Relaxation& self, const nb::bytes& states) {
            std::vector<std::uint16_t> out;
            self(view(states), out);
            return out;
          },
          "states"_a, "The turns to such an end for each of many packed states.")
      .def(
          "faults",
          [](Relaxation& self, const nb::bytes& states) {
            std::vector<std::uint16_t> out;
            self.faults(view(states), out);
            return out;
          },
          "states"_a, "The fluents that would have to be otherwise for such a goal to hold.");

  nb::enum_<SpaceStatus>(m, "SpaceStatus")
      .value("running", SpaceStatus::running)
      .value("found", SpaceStatus::found)
      .value("exhausted", SpaceStatus::exhausted)
      .value("full", SpaceStatus::full);

  nb::class_<SpaceSearch>(m, "SpaceSearch",
                          "A search for plans among the states themselves; see core/plan/space.h.")
      .def(
          "__init__",
          [](SpaceSearch* self, std::shared_ptr<Simulator> simulator, const nb::bytes& start,
             std::uint32_t role, std::shared_ptr<Relaxation> relaxation, std::uint32_t depth_weight,
             std::uint32_t distance_weight, bool novelty, std::uint32_t horizon,
             std::size_t memory_mb, const nb::bytes& ignored,
             std::shared_ptr<const symmetry::Quotient> quotient) {
            SpaceOptions options;
            options.role = role;
            options.depth_weight = depth_weight;
            options.distance_weight = distance_weight;
            options.novelty = novelty;
            options.horizon = horizon;
            options.memory = memory_mb << 20;
            options.ignored = to_vector(ignored);
            options.quotient = std::move(quotient);
            new (self)
                SpaceSearch(std::move(simulator), std::move(relaxation), options, view(start));
          },
          "simulator"_a, "start"_a, "role"_a, "relaxation"_a.none() = nb::none(),
          "depth_weight"_a = 1, "distance_weight"_a = 0, "novelty"_a = false,
          "horizon"_a = SpaceOptions{}.horizon, "memory_mb"_a = 512, "ignored"_a = nb::bytes("", 0),
          "quotient"_a.none() = nb::none())
      .def("go_on", &SpaceSearch::go_on, "above"_a, "seconds"_a,
           nb::call_guard<nb::gil_scoped_release>(),
           "For so many seconds, or until the game can be ended with more than `above`.")
      .def(
          "moves",
          [](const SpaceSearch& self, std::uint32_t roles) { return turns(self.moves(), roles); },
          "roles"_a, "After `found`: the moves of all roles, turn by turn.")
      .def_prop_ro("goal", &SpaceSearch::goal)
      .def_prop_ro("complete", &SpaceSearch::complete,
                   "Whether `exhausted` is a proof: all that was left out was met before.")
      .def_prop_ro("states", &SpaceSearch::states)
      .def_prop_ro("expanded", &SpaceSearch::expanded)
      .def_prop_ro("depth", &SpaceSearch::depth)
      .def_prop_ro("nearest", &SpaceSearch::nearest, "The least distance of all states so far.");

  nb::class_<NestedRollouts>(m, "NestedRollouts",
                             "Nested rollout policy adaptation; see core/plan/nested.h.")
      .def(
          "__init__",
          [](NestedRollouts* self, std::shared_ptr<Simulator> simulator, const nb::bytes& start,
             std::uint32_t role, std::shared_ptr<Relaxation> relaxation, std::uint32_t horizon,
             std::uint32_t lanes, std::uint32_t iterations, double rate, bool by_turn,
             std::uint64_t seed) {
            NestedOptions options;
            options.role = role;
            options.horizon = horizon;
            options.lanes = lanes;
            options.iterations = iterations;
            options.rate = rate;
            options.by_turn = by_turn;
            options.seed = seed;
            new (self)
                NestedRollouts(std::move(simulator), std::move(relaxation), options, view(start));
          },
          "simulator"_a, "start"_a, "role"_a, "relaxation"_a.none() = nb::none(),
          "horizon"_a = NestedOptions{}.horizon, "lanes"_a = NestedOptions{}.lanes,
          "iterations"_a = NestedOptions{}.iterations, "rate"_a = NestedOptions{}.rate,
          "by_turn"_a = false, "seed"_a = 0)
      .def("go_on", &NestedRollouts::go_on, "above"_a, "seconds"_a,
           nb::call_guard<nb::gil_scoped_release>(),
           "For so many seconds, or until an end with more than `above` is found: True.")
      .def(
          "moves",
          [](const NestedRollouts& self, std::uint32_t roles) {
            return turns(self.moves(), roles);
          },
          "roles"_a, "After True: the moves of all roles, turn by turn.")
      .def_prop_ro("goal", &NestedRollouts::goal)
      .def_prop_ro("playouts", &NestedRollouts::playouts);
}
