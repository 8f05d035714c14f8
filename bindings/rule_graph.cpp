#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <limits>
#include <optional>

#include "convert.h"
#include "ground/reachability.h"
#include "module.h"
#include "symmetry/meter.h"
#include "symmetry/rule_graph.h"

namespace nb = nanobind;
using namespace nb::literals;
using woodstock::GroundProgram;
using namespace woodstock::symmetry;

namespace {

template <auto Member>
void numbers(nb::class_<RuleGraph>& type, const char* name, const char* doc) {
  type.def_prop_ro(
      name, [](nb::handle self) { return share(nb::cast<RuleGraph&>(self).*Member, self); }, doc);
}

RuleGraph make(const GroundProgram& program, const std::optional<nb::bytes>& marked,
               const std::optional<nb::bytes>& since, bool exchange_roles,
               std::optional<std::uint32_t> chance, double seconds) {
  RuleGraphOptions options;
  const auto deadline = woodstock::deadline_in(seconds);
  options.exchange_roles = exchange_roles;
  if (chance) options.chance = *chance;
  if (marked) {
    const std::span<const std::uint8_t> bits = view(*marked);
    options.marked.resize(program.fluents().size());
    if (8 * bits.size() < options.marked.size()) {
      throw std::invalid_argument("that is no state of this program");
    }
    for (std::size_t i = 0; i < options.marked.size(); ++i) {
      options.marked[i] = bits[i / 8] >> (i % 8) & 1;
    }
  }
  const auto from = since ? view(*since) : std::span<const std::uint8_t>();
  const auto in_time = [deadline] { return woodstock::Clock::now() < deadline; };
  const bool partly = since.has_value();
  {
    const nb::gil_scoped_release release;
    std::optional<std::vector<woodstock::Fate>> fates;
    if (partly) fates = woodstock::three_valued_reachability(program, from, in_time);
    if (fates) options.fates = std::move(*fates);
    if (!partly || !options.fates.empty()) return rule_graph(program, options);
  }
  PyErr_SetString(PyExc_TimeoutError, "what is left of the game was not found out in time");
  throw nb::python_error();
}

}  // namespace

void bind_rule_graph(nb::module_& m) {
  nb::class_<RuleGraph> type(m, "RuleGraph", "The graph of a ground program, for automorphisms().");
  numbers<&RuleGraph::colors>(type, "colors", "Of each vertex.");
  numbers<&RuleGraph::edges>(type, "edges", "Two vertices each, one edge after the other.");
  numbers<&RuleGraph::points>(
      type, "points",
      "The vertices of the program's fluents, moves and percepts; NO_VERTEX where there is none.");
  numbers<&RuleGraph::idle>(type, "idle", "Fluents that may change, but nothing depends on them.");
  type.attr("NO_VERTEX") = RuleGraph::no_vertex;
  m.def(
      "rule_graph", &make, "program"_a, "marked"_a = nb::none(), "since"_a = nb::none(),
      "exchange_roles"_a = false, "chance"_a = nb::none(),
      "seconds"_a = std::numeric_limits<double>::infinity(),
      "The ground rule graph. `marked` is a state: its fluents stay among themselves. `since` is\n"
      "a state as well: the graph is that of the rules that are left from there on. Players may\n"
      "be exchanged where that is wanted, but for the role whose term is `chance`. Raises\n"
      "TimeoutError when what is left is not found out in time.");
}
