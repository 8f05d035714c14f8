#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "module.h"
#include "search/stage.h"
#include "search/stage_csp.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace woodstock;

namespace {

using Numbers = std::vector<std::uint32_t>;
// What is said of a state: over or not, legal moves and goal of each role, key.
using Seen = std::tuple<bool, std::vector<Numbers>, Numbers, std::uint64_t>;
using Solution = std::tuple<Numbers, nb::bytes, Seen>;
using GivenSlot = std::tuple<std::uint32_t, std::uint32_t, std::vector<std::int64_t>>;
using GivenRole =
    std::tuple<std::uint32_t, std::vector<std::int64_t>, std::uint32_t, std::vector<std::int64_t>>;

std::span<const std::uint8_t> view(const nb::bytes& bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.c_str()), bytes.size()};
}

Seen seen(const Visits& visits, std::size_t i) {
  const std::size_t roles = visits.goals.size() / visits.terminal.size();
  std::vector<Numbers> legal;
  Numbers goals;
  for (std::size_t at = i * roles; at < (i + 1) * roles; ++at) {
    legal.emplace_back(visits.legal.begin() + visits.legal_begin[at],
                       visits.legal.begin() + visits.legal_begin[at + 1]);
    goals.push_back(visits.goals[at]);
  }
  return {visits.terminal[i] != 0, std::move(legal), std::move(goals), visits.keys[i]};
}

Numbers to_numbers(const std::vector<std::int64_t>& given) {
  Numbers out;
  for (const std::int64_t one : given) {
    out.push_back(one < 0 ? StageMap::none : static_cast<std::uint32_t>(one));
  }
  return out;
}

StageMap to_map(std::uint32_t terminal, const std::vector<GivenSlot>& slots,
                const std::vector<GivenRole>& roles, Numbers always) {
  StageMap map;
  map.terminal = terminal;
  map.always = std::move(always);
  for (const auto& [now, after, fluents] : slots) {
    map.slots.push_back({now, after, to_numbers(fluents)});
  }
  for (const auto& [action, moves, score, goals] : roles) {
    map.roles.push_back({action, to_numbers(moves), score, to_numbers(goals)});
  }
  return map;
}

template <class Value>
Value choose(const char* what, const std::string& name,
             std::initializer_list<std::pair<const char*, Value>> all) {
  std::string names;
  for (const auto& [known, value] : all) {
    if (name == known) return value;
    names += (names.empty() ? "" : ", ") + std::string(known);
  }
  throw std::invalid_argument("no " + std::string(what) + " '" + name + "': choose one of " +
                              names);
}

CspStageOptions to_options(const std::string& propagation, const std::string& heuristic, bool sac,
                           bool split) {
  CspStageOptions out;
  out.propagation = choose<csp::Propagation>("propagation", propagation,
                                             {{"ct", csp::Propagation::compact_table},
                                              {"str2", csp::Propagation::str2},
                                              {"str", csp::Propagation::str},
                                              {"fc", csp::Propagation::forward}});
  out.heuristic = choose<csp::Heuristic>("heuristic", heuristic,
                                         {{"lex", csp::Heuristic::lex},
                                          {"dom", csp::Heuristic::dom},
                                          {"dom/ddeg", csp::Heuristic::dom_ddeg},
                                          {"dom/wdeg", csp::Heuristic::dom_wdeg}});
  out.sac = sac;
  out.split = split;
  return out;
}

std::optional<std::vector<Solution>> solve(StageSolver& stages, const nb::bytes& state,
                                           std::uint64_t limit) {
  Visits here;
  Offspring after;
  std::vector<Visits> looked;
  std::size_t roles = 0;
  {
    const auto packed = view(state);
    const nb::gil_scoped_release release;
    stages.look(packed, here);
    roles = here.goals.size();
    // Nobody has a move where the game is over.
    const Choices choices{here.legal_begin, here.legal};
    if (count_joint(choices, limit) != 0) {
      Numbers begin;
      Numbers moves;
      stages.open(packed, begin, moves);
      if (!stages.solve(choices, limit, after)) return std::nullopt;
    }
    for (std::size_t i = 0; i < after.keys.size(); ++i) {
      looked.emplace_back();
      stages.look(std::span(after.states).subspan(i * packed.size(), packed.size()), looked[i]);
    }
  }
  std::vector<Solution> out;
  for (std::size_t i = 0; i < looked.size(); ++i) {
    // Joint numbers count through the moves of the last role first.
    Numbers moves(roles);
    std::size_t rest = i;
    for (std::size_t role = roles; role-- > 0;) {
      const std::size_t count = here.legal_begin[role + 1] - here.legal_begin[role];
      moves[role] = here.legal[here.legal_begin[role] + rest % count];
      rest /= count;
    }
    out.emplace_back(std::move(moves),
                     nb::bytes(after.states.data() + i * state.size(), state.size()),
                     seen(looked[i], 0));
  }
  return out;
}

}  // namespace

void bind_stage(nb::module_& m) {
  nb::class_<StageSolver>(
      m, "StageSolver",
      "Solves the stage of a state. All solvers of a game give the same answers.\n"
      "States are bytes, moves are numbers. One thread at a time.")
      .def(
          "look",
          [](StageSolver& self, const nb::bytes& state) {
            Visits here;
            {
              const auto packed = view(state);
              const nb::gil_scoped_release release;
              self.look(packed, here);
            }
            return seen(here, 0);
          },
          "state"_a,
          "(terminal, legal moves of each role, goal of each role, key) of a state; nobody has a\n"
          "move where the game is over.")
      .def("solve", &solve, "state"_a, "limit"_a = 1'000'000,
           "For each joint move (moves, state after them, what look() says of that one), or None\n"
           "when there are more than `limit`.")
      .def_prop_ro("nodes", &StageSolver::nodes, "Search nodes of a table solver so far.");

  nb::class_<CompiledStages, StageSolver>(m, "CompiledStages", "Stages on the circuit.")
      .def(nb::init<std::shared_ptr<Simulator>>(), "simulator"_a);

  nb::class_<CspStages, StageSolver>(m, "CspStages", "Stages as constraint networks.")
      .def(
          "__init__",
          [](CspStages* self, std::shared_ptr<Simulator> simulator, const csp::Problem& problem,
             const std::string& propagation, const std::string& heuristic, bool sac, bool split,
             std::uint32_t terminal, const std::vector<GivenSlot>& slots,
             const std::vector<GivenRole>& roles, Numbers always,
             std::optional<std::uint32_t> chance) {
            const CspStageOptions chosen = to_options(propagation, heuristic, sac, split);
            StageMap map = to_map(terminal, slots, roles, std::move(always));
            map.chance = chance.value_or(StageMap::none);
            const nb::gil_scoped_release release;
            new (self) CspStages(std::move(simulator), problem, chosen, map);
          },
          "simulator"_a, "problem"_a, nb::kw_only(), "propagation"_a, "heuristic"_a = "lex",
          "sac"_a = false, "split"_a = false, "terminal"_a, "slots"_a, "roles"_a, "always"_a,
          "chance"_a.none() = nb::none(),
          "Slots are (variable now, variable after, fluent of each value), roles (action, move of\n"
          "each value, score, goal of each value); -1 for none, chance the role whose moves are\n"
          "drawn. sac: singleton arc consistency first; split: hard and chance part apart.\n"
          "Raises ValueError when they do not fit the problem and the circuit.");
}
