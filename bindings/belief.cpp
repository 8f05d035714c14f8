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
#include "search/information_search.h"
#include "search/mac_ucb_ii.h"
#include "search_options.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace woodstock;

namespace {

Others to_others(const std::string& name) {
  if (name == "memories") return Others::memories;
  if (name == "next") return Others::next;
  if (name == "everything") return Others::everything;
  throw std::invalid_argument("others know 'memories', 'next' or 'everything', not '" + name + "'");
}

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

void bind_information_search(nb::module_& m) {
  nb::class_<InformationSearch, BeliefSearcher>(m, "InformationSearch",
                                                "Tree search over what each role can tell apart.")
      .def(
          "__init__",
          [](InformationSearch* self, std::shared_ptr<Simulator> simulator, std::uint32_t role,
             std::optional<std::uint32_t> chance, const std::string& concept_,
             const std::string& choice, double exploration, std::uint32_t leaves,
             std::uint32_t playouts, std::uint32_t max_depth, bool halving, bool mixed,
             const std::string& others, const nb::bytes& known_fluents, double policy_exploration,
             double policy_prior, double risk_exponent, double reference, double bias,
             double mixing, std::uint32_t max_plies, std::uint64_t seed, std::size_t memory) {
            const SamplingOptions common =
                to_sampling(role, chance, concept_, choice, exploration, leaves, playouts, halving,
                            max_depth, reference, bias, mixing, max_plies, seed, memory);
            const auto bytes = view(known_fluents);
            const InformationSearchOptions options{common,
                                                   mixed,
                                                   {bytes.begin(), bytes.end()},
                                                   policy_exploration,
                                                   policy_prior,
                                                   risk_exponent,
                                                   to_others(others)};
            new (self) InformationSearch(std::move(simulator), options);
          },
          "simulator"_a, nb::kw_only(), "role"_a, "chance"_a.none(), "concept"_a, "choice"_a,
          "exploration"_a, "leaves"_a, "playouts"_a, "max_depth"_a, "halving"_a, "mixed"_a,
          "others"_a, "known_fluents"_a, "policy_exploration"_a, "policy_prior"_a,
          "risk_exponent"_a, "reference"_a, "bias"_a, "mixing"_a, "max_plies"_a, "seed"_a,
          "memory"_a,
          "See search/information_search.h for the options. Raises ValueError for those without "
          "sense.");
}

void bind_mac_ucb_ii(nb::module_& m) {
  nb::class_<MacUcbII, BeliefSearcher>(m, "MacUcbII", "MAC-UCB on beliefs that all share.")
      .def(
          "__init__",
          [](MacUcbII* self, std::shared_ptr<Simulator> simulator, std::uint32_t role,
             std::optional<std::uint32_t> chance, const std::string& concept_,
             std::uint32_t hypotheses, std::uint32_t successors, std::uint32_t samples,
             double confidence, double bonus, std::uint32_t max_plies, std::uint64_t seed,
             std::size_t memory) {
            MacUcbIIOptions options;
            options.role = role;
            if (chance) options.chance = *chance;
            options.concept_ = parse_concept(concept_);
            options.hypotheses = hypotheses;
            options.successors = successors;
            options.samples = samples;
            options.confidence = confidence;
            options.bonus = bonus;
            options.max_plies = max_plies;
            options.seed = seed;
            options.memory = memory;
            new (self) MacUcbII(std::move(simulator), options);
          },
          "simulator"_a, nb::kw_only(), "role"_a, "chance"_a.none(), "concept"_a, "hypotheses"_a,
          "successors"_a, "samples"_a, "confidence"_a, "bonus"_a, "max_plies"_a, "seed"_a,
          "memory"_a,
          "See search/mac_ucb_ii.h for the options. Raises ValueError for those without sense.");
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

}  // namespace

void bind_belief(nb::module_& m) {
  bind_hypotheses(m);
  bind_particle_filter(m);
  bind_belief_searcher(m);
  bind_information_search(m);
  bind_mac_ucb_ii(m);
}
