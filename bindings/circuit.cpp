#include "circuit/circuit.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <utility>
#include <vector>

#include "convert.h"
#include "module.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace woodstock;

namespace {

Ids to_roles(const std::vector<std::int64_t>& roles) {
  Ids out;
  for (std::int64_t role : roles) {
    out.push_back(role < 0 ? RoleTable::no_role : static_cast<std::uint32_t>(role));
  }
  return out;
}

}  // namespace

void bind_circuit(nb::module_& m) {
  nb::class_<CircuitStatistics>(m, "CircuitStatistics", "The size of a circuit.")
      .def_ro("gates", &CircuitStatistics::gates)
      .def_ro("literals", &CircuitStatistics::literals)
      .def_ro("depth", &CircuitStatistics::depth)
      .def_ro("recursions", &CircuitStatistics::recursions)
      .def_ro("instructions", &CircuitStatistics::instructions)
      .def_ro("operands", &CircuitStatistics::operands)
      .def_ro("runs", &CircuitStatistics::runs)
      .def_ro("slots", &CircuitStatistics::slots)
      .def_ro("guards", &CircuitStatistics::guards)
      .def_ro("guarded", &CircuitStatistics::guarded)
      .def_ro("lanes", &CircuitStatistics::lanes)
      .def_ro("bytes", &CircuitStatistics::bytes);

  nb::class_<Circuit>(
      m, "Circuit",
      "A ground program compiled for many lines of play at once. Immutable, shared by threads.")
      .def(
          "__init__",
          [](Circuit* self, const GroundProgram& program, std::uint32_t roles,
             const std::vector<std::int64_t>& move_roles,
             const std::vector<std::int64_t>& goal_roles, const Ids& goal_values,
             const std::vector<std::int64_t>& percept_roles) {
            RoleTable table{roles, to_roles(move_roles), to_roles(goal_roles), goal_values,
                            to_roles(percept_roles)};
            const nb::gil_scoped_release release;
            new (self) Circuit(program, std::move(table));
          },
          "program"_a, "roles"_a, "move_roles"_a, "goal_roles"_a, "goal_values"_a,
          "percept_roles"_a = std::vector<std::int64_t>{},
          "The role of each move, goal and percept (-1: nobody's), and what each goal is worth.\n"
          "Raises ValueError when the program is not stratified or the lists do not fit it.")
      .def_prop_ro("state_size", &Circuit::state_size, "Length of a state in bytes.")
      .def_prop_ro(
          "lanes", [](const Circuit& c) { return c.width() * unit_lanes; },
          "Playouts that are worked on at once when there are enough.")
      .def(
          "initial", [](const Circuit& c) { return to_python(c.initial()); }, "The first state.")
      .def("statistics", &Circuit::statistics);
}
