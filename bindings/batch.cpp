#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "batch/state_batch.h"
#include "convert.h"
#include "module.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace woodstock;

namespace {

template <typename T>
using Array = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

template <typename T>
std::span<T> flat(const Array<T>& array) {
  return {array.data(), array.size()};
}

using ReadBits = void (StateBatch::*)(std::span<std::uint8_t>, StateBatch::Bits);

template <ReadBits read>
void read_bits(StateBatch& batch, const Array<std::uint8_t>& out, bool packed) {
  const std::span<std::uint8_t> to = flat(out);
  const nb::gil_scoped_release release;
  (batch.*read)(to, packed ? StateBatch::Bits::packed : StateBatch::Bits::unpacked);
}

}  // namespace

void bind_batch(nb::module_& m) {
  nb::class_<StateBatch>(m, "StateBatch",
                         "Many states of a game side by side. Arrays are filled, never made: they "
                         "are C-contiguous\nand have the shape that is named.")
      .def(
          "__init__",
          [](StateBatch* self, std::shared_ptr<const Circuit> circuit, const Ids& fluents,
             const Ids& actions, const Ids& percepts, const std::string& isa, unsigned threads,
             std::size_t count, std::uint64_t seed) {
            const nb::gil_scoped_release release;
            new (self) StateBatch(std::move(circuit), {fluents, actions, percepts}, isa, threads,
                                  count, seed);
          },
          "circuit"_a, "fluents"_a, "actions"_a, "percepts"_a, "isa"_a, "threads"_a, "count"_a,
          "seed"_a,
          "Columns are indices of the ground program, 2**32 - 1 for none; actions and percepts "
          "have\n"
          "as many for each role, role by role.")
      .def_prop_ro("count", &StateBatch::count)
      .def_prop_ro("roles", &StateBatch::roles)
      .def_prop_ro("fluents", &StateBatch::fluents)
      .def_prop_ro("actions", &StateBatch::actions)
      .def_prop_ro("percepts", &StateBatch::percepts)
      .def_prop_ro("isa", &StateBatch::isa)
      .def_prop_ro("steps", &StateBatch::steps, "Steps since the seed was set.")
      .def("seed", &StateBatch::seed, "seed"_a)
      .def(
          "reset",
          [](StateBatch& b, const nb::bytes& where) {
            const auto span = view(where);
            const nb::gil_scoped_release release;
            b.reset(span);
          },
          "where"_a = nb::bytes(""), "First states where a byte is not 0; everywhere without any.")
      .def(
          "put",
          [](StateBatch& b, const nb::bytes& states) {
            const auto span = view(states);
            const nb::gil_scoped_release release;
            b.put(span);
          },
          "states"_a, "All states, packed as circuits have them.")
      .def(
          "get",
          [](const StateBatch& b) {
            std::vector<std::uint8_t> states(b.count() * b.circuit().state_size());
            {
              const nb::gil_scoped_release release;
              b.get(states);
            }
            return to_python(states);
          },
          "All states, packed as circuits have them.")
      .def(
          "step",
          [](StateBatch& b, const Array<const std::int32_t>& actions, std::uint64_t drawn,
             bool restart, bool percepts) {
            const std::span<const std::int32_t> span = flat(actions);
            const nb::gil_scoped_release release;
            b.step(span, {drawn, restart, percepts});
          },
          "actions"_a, "drawn"_a = 0, "restart"_a = false, "percepts"_a = false,
          "One action for each role, state by state; bit r of `drawn` lets role r move at random.\n"
          "ValueError for one that is not legal, before anything has changed.")
      .def("read_legal", &read_bits<&StateBatch::read_legal>, "out"_a, "packed"_a = false,
           "(count, roles, actions), or bits, the first lowest.")
      .def("read_fluents", &read_bits<&StateBatch::read_fluents>, "out"_a, "packed"_a = false,
           "(count, fluents), or bits.")
      .def("read_percepts", &read_bits<&StateBatch::read_percepts>, "out"_a, "packed"_a = false,
           "(count, roles, percepts) of the last step, or bits.")
      .def(
          "read_over",
          [](const StateBatch& b, const Array<std::uint8_t>& out) { b.read_over(flat(out)); },
          "out"_a)
      .def(
          "read_stuck",
          [](const StateBatch& b, const Array<std::uint8_t>& out) { b.read_stuck(flat(out)); },
          "out"_a)
      .def(
          "read_ended",
          [](const StateBatch& b, const Array<std::uint8_t>& out) { b.read_ended(flat(out)); },
          "out"_a)
      .def(
          "read_goals",
          [](StateBatch& b, const Array<std::int32_t>& out) {
            const std::span<std::int32_t> to = flat(out);
            const nb::gil_scoped_release release;
            b.read_goals(to);
          },
          "out"_a, "(count, roles): the highest goals that hold now.")
      .def(
          "read_final_goals",
          [](const StateBatch& b, const Array<std::int32_t>& out) {
            b.read_final_goals(flat(out));
          },
          "out"_a, "(count, roles): those with which the game of each state ended last.");
}
