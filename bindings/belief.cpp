#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "belief/particle_filter.h"
#include "convert.h"
#include "module.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace woodstock;

namespace {

ObservedTurn to_observed(std::optional<std::uint32_t> move, std::optional<std::uint64_t> seen,
                         const nb::bytes& excluded) {
  ObservedTurn observed;
  if (move) observed.move = *move;
  observed.blind = !seen;
  if (seen) observed.seen = *seen;
  observed.excluded = view(excluded);
  return observed;
}

using Told = std::tuple<std::optional<std::uint32_t>, std::optional<std::uint64_t>, nb::bytes>;

void bind_hypotheses(nb::module_& m) {
  nb::class_<Hypotheses>(m, "Hypotheses", "States, how likely each is, and what roles remember.")
      .def(
          "__init__",
          [](Hypotheses* self, const nb::bytes& states, std::vector<double> weights,
             std::vector<std::uint64_t> memories,
             const std::vector<std::vector<std::uint32_t>>& moves) {
            const auto bytes = view(states);
            for (const auto& joints : moves) {
              if (joints.size() != memories.size()) {
                throw std::invalid_argument("lists that do not fit each other");
              }
            }
            auto lineage = lineage_of(moves, weights.size());
            new (self) Hypotheses{{bytes.begin(), bytes.end()},
                                  std::move(weights),
                                  std::move(memories),
                                  std::move(lineage)};
          },
          "states"_a, "weights"_a, "memories"_a, "moves"_a = nb::list(),
          "The states, one after the other; for each its weight, and a number for each role. "
          "`moves` "
          "has for each turn the joint moves that led to them, one after the other.")
      .def("__len__", &Hypotheses::size)
      .def_prop_ro("states", [](const Hypotheses& h) { return to_python(h.states); })
      .def_ro("weights", &Hypotheses::weights)
      .def_ro("memories", &Hypotheses::memories)
      .def("ancestors", &Hypotheses::ancestors, "turns"_a,
           "From how many hypotheses they come, so many turns ago.");
}

void bind_particle_filter(nb::module_& m) {
  nb::class_<ParticleFilter>(m, "ParticleFilter",
                             "Follows a match by what one role does and perceives.")
      .def(nb::init<std::shared_ptr<Simulator>, std::uint32_t>(), "simulator"_a, "role"_a)
      .def(
          "all",
          [](ParticleFilter& self, const Hypotheses& before, std::optional<std::uint32_t> move,
             std::optional<std::uint64_t> seen, const nb::bytes& excluded, std::uint64_t most_moves,
             std::size_t most, double seconds) -> std::optional<Hypotheses> {
            Hypotheses after;
            const ObservedTurn observed = to_observed(move, seen, excluded);
            const auto until = deadline_in(seconds);
            const nb::gil_scoped_release release;
            if (!self.all(before, observed, most_moves, most, until, after)) return std::nullopt;
            return after;
          },
          "before"_a, "move"_a.none(), "seen"_a.none(), "excluded"_a, nb::kw_only(), "most_moves"_a,
          "most"_a, "seconds"_a, "Everything that may follow; None where that is too much.")
      .def(
          "some",
          [](ParticleFilter& self, const Hypotheses& before, std::optional<std::uint32_t> move,
             std::optional<std::uint64_t> seen, const nb::bytes& excluded, std::size_t count,
             std::uint64_t tries, std::uint64_t seed, double seconds, double hopeless) {
            Hypotheses after;
            const ObservedTurn observed = to_observed(move, seen, excluded);
            const auto until = deadline_in(seconds);
            const auto end = deadline_in(hopeless);
            const nb::gil_scoped_release release;
            self.some(before, observed, count, tries, seed, until, end, after);
            return after;
          },
          "before"_a, "move"_a.none(), "seen"_a.none(), "excluded"_a, nb::kw_only(), "count"_a,
          "tries"_a, "seed"_a, "seconds"_a, "hopeless"_a, "A sample of what may follow.")
      .def(
          "forget",
          [](ParticleFilter& self, Hypotheses hypotheses, std::uint64_t seed) {
            self.forget(hypotheses, seed);
            return hypotheses;
          },
          "hypotheses"_a, "seed"_a, "The same with equal states made one.")
      .def(
          "rejuvenate",
          [](ParticleFilter& self, const Hypotheses& before, const std::vector<Told>& told,
             std::size_t count, std::uint64_t steps, std::uint64_t seed, double seconds) {
            Hypotheses after;
            std::vector<ObservedTurn> turns;
            for (const auto& [move, seen, excluded] : told) {
              turns.push_back(to_observed(move, seen, excluded));
            }
            const auto until = deadline_in(seconds);
            const nb::gil_scoped_release release;
            self.rejuvenate(before, turns, count, steps, seed, until, after);
            return after;
          },
          "before"_a, "told"_a, nb::kw_only(), "count"_a, "steps"_a, "seed"_a, "seconds"_a,
          "Other matches that agree with all that was told, found by changing moves of these.");
  m.def(
      "percept_key",
      [](const std::vector<std::uint32_t>& percepts) {
        std::uint64_t key = 0;
        for (std::uint32_t percept : percepts) key ^= percept_key(percept);
        return key;
      },
      "percepts"_a, "What stands for a set of percepts, given by their numbers.");
  m.def("remember", &remember, "memory"_a, "move"_a, "seen"_a,
        "A role's memory after it made a move and perceived a set of percepts.");
}

}  // namespace

void bind_belief(nb::module_& m) {
  bind_hypotheses(m);
  bind_particle_filter(m);
}
