#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "ground/builder.h"
#include "ground/evaluator.h"
#include "ground/mutex.h"
#include "ground/observer.h"
#include "ground/program.h"
#include "module.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace woodstock;

namespace {

using Ids = std::vector<std::uint32_t>;
using IdPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

std::span<const std::uint8_t> view(const nb::bytes& bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.c_str()), bytes.size()};
}

nb::bytes to_python(const StateBytes& state) { return nb::bytes(state.data(), state.size()); }

template <class T>
std::vector<std::remove_const_t<T>> to_vector(std::span<T> items) {
  return {items.begin(), items.end()};
}

// One value of every item of a table.
template <class Items, class Project>
auto project(const Items& items, Project get) {
  std::vector<decltype(get(items[0]))> out;
  out.reserve(items.size());
  for (const auto& item : items) out.push_back(get(item));
  return out;
}

std::pair<std::uint32_t, std::uint32_t> role_and_term(const auto& item) {
  return {item.role, item.term};
}

Ids initial_fluents(const GroundProgram& program) {
  Ids out;
  for (std::uint32_t i = 0; i < program.fluents().size(); ++i) {
    if (program.fluents()[i].initial) out.push_back(i);
  }
  return out;
}

void bind_statistics(nb::module_& m) {
  nb::class_<Statistics>(m, "Statistics", "The size of a ground program.")
      .def_ro("atoms", &Statistics::atoms)
      .def_ro("rules", &Statistics::rules)
      .def_ro("literals", &Statistics::literals)
      .def_ro("fluents", &Statistics::fluents)
      .def_ro("moves", &Statistics::moves)
      .def_ro("components", &Statistics::components)
      .def_ro("recursive_components", &Statistics::recursive_components)
      .def_ro("largest_recursive_component", &Statistics::largest_recursive_component)
      .def_ro("depth", &Statistics::depth)
      .def_ro("bytes", &Statistics::bytes);
}

void bind_program(nb::module_& m) {
  nb::enum_<Category>(m, "Category", "What GDL uses an atom for.")
      .value("ROLE", Category::role)
      .value("INIT", Category::init)
      .value("TRUE", Category::true_)
      .value("DOES", Category::does)
      .value("LEGAL", Category::legal)
      .value("NEXT", Category::next)
      .value("TERMINAL", Category::terminal)
      .value("GOAL", Category::goal)
      .value("SEES", Category::sees)
      .value("OTHER", Category::other);
  nb::enum_<Phase>(m, "Phase", "What must be known before an atom has a value.")
      .value("CONSTANT", Phase::constant)
      .value("STATE", Phase::state)
      .value("MOVE", Phase::move);

  nb::class_<GroundProgram>(
      m, "GroundProgram",
      "Ground rules, immutable. Atoms are numbered from 1 in an order of evaluation; a body "
      "literal\n"
      "is an atom number, negative for a negated atom. Terms are numbered from 0.")
      .def_prop_ro("term_count", &GroundProgram::term_count)
      .def_prop_ro("atom_count", &GroundProgram::atom_count)
      .def_prop_ro("rule_count", &GroundProgram::rule_count)
      .def(
          "term",
          [](const GroundProgram& p, TermId term) {
            return std::make_pair(p.term_symbol(term), to_vector(p.term_args(term)));
          },
          "term"_a, "Symbol number and argument terms; arguments have smaller numbers.")
      .def(
          "atom",
          [](const GroundProgram& p, AtomId atom) {
            return std::make_pair(p.predicate(atom), to_vector(p.atom_args(atom)));
          },
          "atom"_a, "Predicate number and argument terms.")
      .def("category", &GroundProgram::category, "atom"_a)
      .def("is_fact", &GroundProgram::is_fact, "atom"_a, "Whether the atom always holds.")
      .def("is_input", &GroundProgram::is_input, "atom"_a, "Whether it is a true or does atom.")
      .def("phase", &GroundProgram::phase, "atom"_a)
      .def("component_of", &GroundProgram::component_of, "atom"_a)
      .def(
          "rules_of",
          [](const GroundProgram& p, AtomId atom) {
            std::vector<std::vector<Literal>> bodies;
            const auto [first, last] = p.rules_of(atom);
            for (std::uint32_t r = first; r < last; ++r) bodies.push_back(to_vector(p.body(r)));
            return bodies;
          },
          "atom"_a, "The bodies of the rules that conclude the atom.")
      .def(
          "components",
          [](const GroundProgram& p) {
            return project(p.components(), [](const Component& c) {
              return std::make_tuple(c.first, c.last, c.recursive);
            });
          },
          "Strongly connected components, dependencies first: (first atom, last atom + 1,\n"
          "recursive).")
      .def_prop_ro("stratified", &GroundProgram::stratified)
      .def(
          "unstratified_witness",
          [](const GroundProgram& p) { return to_vector(p.unstratified_witness()); },
          "Atoms of one component with a negation inside; empty when stratified.")
      .def(
          "fluents",
          [](const GroundProgram& p) {
            return project(p.fluents(), [](const Fluent& f) { return f.term; });
          },
          "The term of each fluent; the place in the list is the fluent's index.")
      .def("initial", &initial_fluents, "Indices of the fluents that hold at first.")
      .def(
          "moves",
          [](const GroundProgram& p) {
            return project(p.moves(), [](const Move& x) { return role_and_term(x); });
          },
          "(role term, move term) of each move.")
      .def(
          "goals",
          [](const GroundProgram& p) {
            return project(p.goals(), [](const RoleTerm& x) { return role_and_term(x); });
          },
          "(role term, value term) of each goal.")
      .def(
          "percepts",
          [](const GroundProgram& p) {
            return project(p.percepts(), [](const RoleTerm& x) { return role_and_term(x); });
          },
          "(role term, percept term) of each percept.")
      .def(
          "roles", [](const GroundProgram& p) { return to_vector(p.roles()); },
          "The terms of the roles, not in the order of the rulesheet.")
      .def(
          "fluent_atoms",
          [](const GroundProgram& p) {
            return project(p.fluents(), [](const Fluent& f) {
              return std::make_pair(f.true_atom, f.next_atom);
            });
          },
          "(true atom, next atom) of each fluent; 0 where there is none.")
      .def(
          "move_atoms",
          [](const GroundProgram& p) {
            return project(p.moves(),
                           [](const Move& x) { return std::make_pair(x.legal_atom, x.does_atom); });
          },
          "(legal atom, does atom) of each move; 0 where there is none.")
      .def(
          "goal_atoms",
          [](const GroundProgram& p) {
            return project(p.goals(), [](const RoleTerm& x) { return x.atom; });
          },
          "The goal atom of each goal.")
      .def(
          "percept_atoms",
          [](const GroundProgram& p) {
            return project(p.percepts(), [](const RoleTerm& x) { return x.atom; });
          },
          "The sees atom of each percept.")
      .def_prop_ro("terminal_atom", &GroundProgram::terminal_atom, "0 when never terminal.")
      .def("statistics", &GroundProgram::statistics)
      .def(
          "to_bytes",
          [](const GroundProgram& p) {
            const std::string bytes = p.to_bytes();
            return nb::bytes(bytes.data(), bytes.size());
          },
          "A compact image, to be read on a machine of the same byte order.")
      .def_static(
          "from_bytes",
          [](const nb::bytes& data) {
            const std::string_view bytes(data.c_str(), data.size());
            const nb::gil_scoped_release release;
            return GroundProgram::from_bytes(bytes);
          },
          "data"_a, "Reads an image; raises RuntimeError when it is none.");
}

void bind_sources(nb::module_& m) {
  nb::class_<ProgramBuilder>(
      m, "ProgramBuilder",
      "Collects terms, atoms and rules under the grounder's own atom numbers (from 1).")
      .def(nb::init<>())
      .def(
          "add_term",
          [](ProgramBuilder& b, std::uint32_t symbol, const Ids& args) {
            return b.add_term(symbol, args);
          },
          "symbol"_a, "args"_a = Ids{}, "The number of the term; equal terms, equal numbers.")
      .def(
          "add_atom",
          [](ProgramBuilder& b, AtomId atom, std::uint32_t predicate, const Ids& args) {
            b.add_atom(atom, predicate, args);
          },
          "atom"_a, "predicate"_a, "args"_a = Ids{}, "Names an atom, before or after its use.")
      .def(
          "add_rule",
          [](ProgramBuilder& b, AtomId head, const std::vector<Literal>& body) {
            b.add_rule(head, body);
          },
          "head"_a, "body"_a = std::vector<Literal>{}, "A rule; without a body, a fact.")
      .def_prop_ro("rule_count", &ProgramBuilder::rule_count)
      .def("finish", &ProgramBuilder::finish, "keep_all"_a = false,
           "The simplified and ordered program. Empties the builder.");

  nb::class_<Observer>(
      m, "Observer",
      "Records what clingo grounds, through its C API. Pass the address of the control:\n"
      "int(ffi.cast('uintptr_t', control._rep)). Keep the observer until grounding has ended and\n"
      "the control until finish() has returned.")
      .def(nb::init<std::uintptr_t, std::uint64_t, double>(), "control"_a, "max_rules"_a = 0,
           "max_seconds"_a = 0.0,
           "Raises RuntimeError where clingo's C API cannot be found. 0 means no limit; seconds "
           "are\n"
           "CPU time of this process from now on.")
      .def_prop_ro("rule_count", &Observer::rule_count)
      .def_prop_ro("bytes", &Observer::bytes, "Memory held by what was recorded.")
      .def_prop_ro("limit_reached", &Observer::limit_reached)
      .def_prop_ro(
          "relation_sizes",
          [](const Observer& o) {
            std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>> sizes;
            for (const RelationSize& s : o.relation_sizes()) {
              sizes.emplace_back(s.predicate, s.symbol, s.atoms);
            }
            return sizes;
          },
          "After finish(): (predicate, functor of the last argument or 2**32 - 1, atoms).")
      .def_prop_ro("problem", &Observer::problem, "What stopped grounding; empty when nothing.")
      .def("finish", &Observer::finish, "keep_all"_a = false,
           "The program, once, after grounding.");
}

void bind_evaluator(nb::module_& m) {
  nb::class_<Evaluator>(
      m, "Evaluator",
      "The ground reference engine. A state is bytes: bit i % 8 of byte i // 8 is fluent i.")
      .def(
          "__init__",
          [](Evaluator* self, std::shared_ptr<GroundProgram> program) {
            new (self) Evaluator(std::move(program));
          },
          "program"_a, "Raises ValueError when the program is not stratified.")
      .def_prop_ro("state_size", &Evaluator::state_size, "Length of a state in bytes.")
      .def(
          "initial", [](const Evaluator& e) { return to_python(e.initial()); }, "The first state.")
      .def(
          "analyse",
          [](Evaluator& e, const nb::bytes& state) {
            Position p = e.analyse(view(state));
            return std::make_tuple(p.terminal, std::move(p.legal), std::move(p.goals));
          },
          "state"_a, "(terminal, indices of legal moves, indices of goals that hold).")
      .def(
          "next",
          [](Evaluator& e, const nb::bytes& state, const Ids& moves) {
            Successor s = e.next(view(state), moves);
            return std::make_pair(to_python(s.state), std::move(s.percepts));
          },
          "state"_a, "moves"_a,
          "(state after the moves, indices of percepts). Legality is not checked.");
}

void bind_mutex(nb::module_& m) {
  m.def(
      "prove_mutexes",
      [](std::shared_ptr<GroundProgram> program, const std::vector<Ids>& groups,
         std::uint64_t budget_steps, bool play_first) {
        const nb::gil_scoped_release release;
        return project(prove_mutexes(program, groups, budget_steps, play_first),
                       [](MutexKind kind) { return static_cast<int>(kind); });
      },
      "program"_a, "groups"_a, "budget_steps"_a = 500'000'000, "play_first"_a = true,
      "What every reachable state holds of each group of fluent indices: 2 exactly one, 1 at most\n"
      "one, 0 not proved. A step of the budget is a look at one literal. Random play\n"
      "throws out wrong groups first unless play_first is false.");
}

}  // namespace

void bind_ground(nb::module_& m) {
  bind_statistics(m);
  bind_program(m);
  bind_sources(m);
  bind_evaluator(m);
  bind_mutex(m);
}
