#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "convert.h"
#include "module.h"
#include "symmetry/automorphisms.h"
#include "symmetry/group.h"
#include "symmetry/nauty.h"
#include "symmetry/quotient.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace woodstock::symmetry;

namespace {

// Whatever shares its memory (array.array, numpy's arrays, memoryview), or else a sequence.
using Array = nb::ndarray<const std::uint32_t, nb::c_contig, nb::device::cpu>;
using Numbers = std::variant<Array, Ids>;
using Pairs = std::vector<std::array<std::uint32_t, 2>>;
using Edges = std::variant<Array, Pairs, Ids>;

constexpr double forever = std::numeric_limits<double>::infinity();

std::span<const std::uint32_t> flat(const Array& array) { return {array.data(), array.size()}; }
std::span<const std::uint32_t> flat(const Ids& ids) { return ids; }
std::span<const std::uint32_t> flat(const Pairs& pairs) {
  return {reinterpret_cast<const std::uint32_t*>(pairs.data()), 2 * pairs.size()};
}

template <class... Kinds>
std::span<const std::uint32_t> view(const std::variant<Kinds...>& numbers) {
  return std::visit([](const auto& kind) { return flat(kind); }, numbers);
}

Ids copy(std::span<const std::uint32_t> ids) { return {ids.begin(), ids.end()}; }

Memory hand_over(Ids ids, std::vector<std::size_t> shape) {
  auto* owned = new Ids(std::move(ids));
  const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<Ids*>(p); });
  return Memory(owned->data(), shape.size(), shape.data(), owner);
}

Memory hand_over(Ids ids) {
  const std::size_t size = ids.size();
  return hand_over(std::move(ids), {size});
}

// Halves multiplied with each other, so that Python's fast multiplication has large numbers.
nb::object product(std::span<const std::uint32_t> factors) {
  if (factors.empty()) return nb::int_(1);
  if (factors.size() == 1) return nb::int_(factors[0]);
  const std::size_t half = factors.size() / 2;
  return product(factors.first(half)) * product(factors.subspan(half));
}

// Runs something long without Python's lock. Signals are looked for now and then, not too often:
// with other Python threads at work, getting the lock takes milliseconds.
template <class Work>
auto interruptible(double seconds, const Work& work) {
  bool interrupted = false;
  auto last = woodstock::Clock::now();
  SearchLimits limits;
  limits.deadline = woodstock::deadline_in(seconds);
  limits.go_on = [&] {
    const auto now = woodstock::Clock::now();
    if (now - last < std::chrono::milliseconds(50)) return true;
    last = now;
    const nb::gil_scoped_acquire acquire;
    interrupted = PyErr_CheckSignals() != 0;
    return !interrupted;
  };
  try {
    auto result = [&] {
      const nb::gil_scoped_release release;
      return work(limits);
    }();
    if (interrupted) throw nb::python_error();
    return result;
  } catch (const OutOfTime& problem) {
    if (interrupted) throw nb::python_error();
    PyErr_SetString(PyExc_TimeoutError, problem.what());
    throw nb::python_error();
  }
}

// Our own engine is as fast as nauty on graphs of boards and far faster where much is symmetric
// (benchmarks/automorphisms.py), and it keeps to its deadline within a refinement: 'auto' is ours.
Engine to_engine(const std::string& name) {
  if (name == "auto" || name == "own") return Engine::own;
  if (name == "nauty") return Engine::nauty;
  throw std::invalid_argument("no engine '" + name + "': choose one of auto, own, nauty");
}

Automorphisms automorphisms(const Numbers& colors, const Edges& edges, double seconds,
                            std::uint64_t nodes, const std::string& engine) {
  const Engine chosen = to_engine(engine);
  return interruptible(seconds, [&](SearchLimits& limits) {
    limits.nodes = nodes;
    return find_automorphisms(view(colors), view(edges), limits, chosen);
  });
}

void make_group(Group* self, std::size_t degree, const std::vector<Numbers>& generators,
                double seconds) {
  std::vector<Permutation> all;
  for (const Numbers& generator : generators) all.push_back(copy(view(generator)));
  Group group = interruptible(
      seconds, [&](SearchLimits& limits) { return Group(degree, std::move(all), limits); });
  new (self) Group(std::move(group));
}

Group stabiliser(const Group& group, const Numbers& points, double seconds) {
  return interruptible(
      seconds, [&](SearchLimits& limits) { return group.stabiliser(view(points), limits); });
}

Memory elements(const Group& group, std::uint64_t limit) {
  Ids all;
  {
    const nb::gil_scoped_release release;
    all = group.elements(limit);
  }
  const std::size_t rows = group.degree() == 0 ? 1 : all.size() / group.degree();
  return hand_over(std::move(all), {rows, group.degree()});
}

void bind_automorphisms(nb::module_& m) {
  nb::class_<Automorphisms>(m, "Automorphisms", "A group of automorphisms of a coloured graph.")
      .def_prop_ro(
          "generators",
          [](nb::handle self) {
            std::vector<std::pair<Memory, Memory>> out;
            for (const SparsePermutation& p : nb::cast<Automorphisms&>(self).generators) {
              out.emplace_back(share(p.points, self), share(p.images, self));
            }
            return out;
          },
          "For each generator the vertices it moves, ascending, and where to. Each was checked.")
      .def_prop_ro(
          "order", [](const Automorphisms& a) { return nb::int_(product(a.order_factors)); },
          "Exact for the group of the generators.")
      .def_ro("complete", &Automorphisms::complete, "Whether there are no other automorphisms.")
      .def_prop_ro(
          "orbits",
          [](nb::handle self) { return share(nb::cast<Automorphisms&>(self).orbits, self); },
          "For each vertex the smallest of its orbit.")
      .def_ro("nodes", &Automorphisms::nodes, "Refinements of partitions after the first.")
      .def_ro("seconds", &Automorphisms::seconds, "CPU time.");

  constexpr auto most_nodes = std::uint64_t{1} << 62;
  m.def("automorphisms", &automorphisms, "colors"_a, "edges"_a, "seconds"_a = forever,
        "nodes"_a = most_nodes, "engine"_a = "auto",
        nb::sig("def automorphisms(colors: collections.abc.Sequence[int], edges: "
                "collections.abc.Sequence[int] | collections.abc.Sequence["
                "collections.abc.Sequence[int]], seconds: float = float('inf'), nodes: int = "
                "4611686018427387904, engine: str = 'auto') -> Automorphisms"),
        "Automorphisms of an undirected graph that keep the colours of its vertices. Edges are\n"
        "pairs of vertices, in two columns or one after the other; one told twice is one edge.\n"
        "Arrays of 32-bit numbers are read fastest. At a limit of time or nodes the answer is\n"
        "what was found so far. Engines: own, nauty (where the build found it); auto is own.\n"
        "Raises ValueError for a vertex that is not there, a loop, or an engine that is not\n"
        "there.");
  m.def(
      "automorphism_engines",
      [] {
        std::vector<std::string> names{"own"};
        if (has_nauty()) names.emplace_back("nauty");
        return names;
      },
      "The engines that automorphisms() has here.");
}

void bind_group(nb::module_& m) {
  nb::class_<Group>(m, "PermutationGroup",
                    "The group that permutations of 0 .. degree-1 generate, each given as the\n"
                    "images of all points. It does not change.")
      .def("__init__", &make_group, "degree"_a, "generators"_a, "seconds"_a = forever,
           nb::sig("def __init__(self, degree: int, generators: collections.abc.Sequence["
                   "collections.abc.Sequence[int]], seconds: float = float('inf')) -> None"),
           "Raises ValueError for what is no permutation, TimeoutError when the group is not\n"
           "found out in time.")
      .def_prop_ro("degree", &Group::degree)
      .def_prop_ro("order", [](const Group& g) { return nb::int_(product(g.order_factors())); })
      .def_prop_ro(
          "generators",
          [](nb::handle self) {
            std::vector<Memory> out;
            for (const Permutation& p : nb::cast<Group&>(self).generators()) {
              out.push_back(share(p, self));
            }
            return out;
          },
          "Those that were given; for a stabiliser, strong ones.")
      .def_prop_ro(
          "orbits", [](const Group& g) { return hand_over(g.orbits()); }, nb::rv_policy::automatic,
          "For each point the smallest of its orbit.")
      .def_prop_ro("proven", &Group::proven,
                   "False for groups that are too large for a proof that none of their elements\n"
                   "is missing; the chance that one is is less than one in 2^40.")
      .def(
          "contains", [](const Group& g, const Numbers& p) { return g.contains(view(p)); }, "p"_a,
          nb::sig("def contains(self, p: collections.abc.Sequence[int]) -> bool"),
          "Raises ValueError for what is no permutation.")
      .def("stabiliser", &stabiliser, "points"_a, "seconds"_a = forever,
           nb::sig("def stabiliser(self, points: collections.abc.Sequence[int], seconds: float = "
                   "float('inf')) -> PermutationGroup"),
           "The subgroup that keeps each of the points. Raises ValueError for a point that is not\n"
           "there, TimeoutError when it is not found in time.")
      .def("elements", &elements, "limit"_a,
           "All elements, the identity first, as rows of images. Raises ValueError when there are\n"
           "more than `limit`.");
}

void bind_quotient(nb::module_& m) {
  nb::class_<Quotient>(m, "Quotient", "States up to the symmetries of a group.")
      .def(
          "__init__",
          [](Quotient* self, std::size_t fluents, std::size_t moves, const Group& group,
             std::size_t limit, const Ids& idle) {
            const nb::gil_scoped_release release;
            new (self) Quotient(fluents, moves, group, limit, idle);
          },
          "fluents"_a, "moves"_a, "group"_a, "limit"_a, "idle"_a = Ids{},
          "The group acts on the fluents, then the moves. Of one with more elements than `limit`\n"
          "(at most 256) a subgroup is used. Raises ValueError for numbers that do not fit each "
          "other.")
      .def_prop_ro("size", &Quotient::size, "Elements in use, the identity included.")
      .def(
          "representative",
          [](const Quotient& self, const nb::bytes& state) {
            const auto packed = ::view(state);
            if (packed.size() != (self.fluents() + 7) / 8) {
              throw std::invalid_argument("a state of another size");
            }
            std::vector<std::uint8_t> out(packed.begin(), packed.end());
            Quotient::Image image;
            self.fold(out, image);
            return to_python(out);
          },
          "state"_a,
          "The state that stands for a packed one: the same just for those that elements take to\n"
          "each other.");
}

}  // namespace

void bind_symmetry(nb::module_& m) {
  bind_automorphisms(m);
  bind_group(m);
  bind_quotient(m);
}
