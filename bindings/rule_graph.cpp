#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>

#include "convert.h"
#include "module.h"
#include "symmetry/rule_graph.h"

namespace nb = nanobind;
using namespace nb::literals;
using woodstock::GroundProgram;
using namespace woodstock::symmetry;

namespace {

using Memory = nb::ndarray<nb::memview, const std::uint32_t>;

template <auto Member>
void numbers(nb::class_<RuleGraph>& type, const char* name, const char* doc) {
  const auto get = [](nb::handle self) {
    const Ids& ids = nb::cast<RuleGraph&>(self).*Member;
    return Memory(ids.data(), {ids.size()}, self);
  };
  type.def_prop_ro(name, get, doc);
}

RuleGraph make(const GroundProgram& program, const std::optional<nb::bytes>& marked,
               bool exchange_roles, std::optional<std::uint32_t> chance) {
  RuleGraphOptions options;
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
  return rule_graph(program, options);
}

}  // namespace

void bind_rule_graph(nb::module_& m) {
  nb::class_<RuleGraph> type(m, "RuleGraph", "The graph of a ground program, for automorphisms().");
  numbers<&RuleGraph::colors>(type, "colors", "Of each vertex.");
  numbers<&RuleGraph::edges>(type, "edges", "Two vertices each, one edge after the other.");
  numbers<&RuleGraph::points>(
      type, "points",
      "The vertices of the program's fluents, moves and percepts; NO_VERTEX where there is none.");
  type.attr("NO_VERTEX") = RuleGraph::no_vertex;
  m.def("rule_graph", &make, "program"_a, "marked"_a = nb::none(), "exchange_roles"_a = false,
        "chance"_a = nb::none(),
        "The ground rule graph. `marked` is a state: its fluents stay among themselves. Players\n"
        "may be exchanged where that is wanted, but for the role whose term is `chance`.");
}
