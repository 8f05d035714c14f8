#include <stdexcept>

#include "check.h"
#include "sample.h"

using namespace sample;
using woodstock::Category;
using woodstock::Phase;
using woodstock::ProgramBuilder;

namespace {

std::vector<Literal> only_body(const GroundProgram& program, AtomId atom) {
  const auto body = program.body(program.rules_of(atom).first);
  return {body.begin(), body.end()};
}

}  // namespace

TEST(equal_terms_have_equal_numbers) {
  ProgramBuilder builder;
  const TermId a = builder.add_term(7, {});
  const std::vector<TermId> args{a, a};
  const TermId f = builder.add_term(9, args);
  CHECK(builder.add_term(7, {}) == a);
  CHECK(builder.add_term(9, args) == f);
  CHECK(builder.add_term(9, {}) != f);
  CHECK_THROWS(builder.add_term(9, std::vector<TermId>{99}), std::invalid_argument);
}

TEST(facts_and_absent_atoms_are_folded_away) {
  Writer w;
  const Literal fact = w.atom(helper, {1});
  const Literal absent = w.atom(helper, {2});
  const Literal fluent = w.fluent({5});
  w.rule(fact);
  w.rule(w.atom(next, {5}), {fact, fluent, -absent});
  w.rule(w.atom(next, {6}), {fluent, absent});
  w.rule(w.atom(next, {7}), {fluent, -fact});
  w.rule(w.atom(next, {8}), {fact, -absent});
  const GroundProgram p = w.builder.finish();
  CHECK(only_body(p, find(p, next, {5})) ==
        std::vector<Literal>{static_cast<Literal>(find(p, holds, {5}))});
  CHECK(find(p, next, {6}) == 0);
  CHECK(find(p, next, {7}) == 0);
  CHECK(p.is_fact(find(p, next, {8})));
  CHECK(p.phase(find(p, next, {8})) == Phase::constant);
  CHECK(find(p, helper, {1}) == 0);
}

TEST(unsupported_loops_are_false) {
  Writer w;
  const Literal a = w.atom(helper, {1});
  const Literal b = w.atom(helper, {2});
  w.rule(a, {b});
  w.rule(b, {a});
  w.rule(w.atom(next, {5}), {w.fluent({5}), -a});
  w.rule(w.atom(next, {6}), {w.fluent({5}), b});
  const GroundProgram p = w.builder.finish();
  CHECK(only_body(p, find(p, next, {5})).size() == 1);
  CHECK(find(p, next, {6}) == 0);
}

TEST(repetitions_contradictions_and_tautologies_go) {
  Writer w;
  const Literal x = w.fluent({1});
  const Literal y = w.fluent({2});
  const Literal n = w.atom(next, {1});
  w.rule(n, {x, y, x});
  w.rule(n, {y, x});
  w.rule(n, {x, -x});
  w.rule(n, {n, y});
  const GroundProgram p = w.builder.finish();
  CHECK(rule_count(p, find(p, next, {1})) == 1);
  CHECK(only_body(p, find(p, next, {1})).size() == 2);
}

// p <- q, q <- p and r, where nothing brings r about: neither can ever hold.
TEST(fluents_that_nothing_brings_about_are_false) {
  for (const bool keep_all : {false, true}) {
    Writer w;
    w.rule(w.atom(next, {1}), {w.atom(holds, {2})});
    w.rule(w.atom(next, {2}), {w.atom(holds, {1}), w.atom(holds, {3})});
    w.rule(w.atom(terminal), {-w.atom(holds, {2})});
    const GroundProgram p = w.builder.finish(keep_all);
    CHECK(p.fluents().size() == (keep_all ? 3U : 0U));
    CHECK(p.is_fact(find(p, terminal)) != keep_all);
  }
}

TEST(what_no_root_needs_is_dropped_unless_asked_for) {
  for (const bool keep_all : {false, true}) {
    Writer w;
    w.rule(w.atom(helper, {1}), {w.fluent({1})});
    w.rule(w.atom(helper, {2}));
    w.rule(w.atom(next, {1}), {w.fluent({1})});
    const GroundProgram p = w.builder.finish(keep_all);
    CHECK((find(p, helper, {1}) != 0) == keep_all);
    CHECK((find(p, helper, {2}) != 0) == keep_all);
    CHECK(find(p, next, {1}) != 0);
  }
}

TEST(phases_and_categories) {
  const GroundProgram p = filling_game(2);
  CHECK(p.category(find(p, holds, {51})) == Category::true_);
  CHECK(p.category(p.terminal_atom()) == Category::terminal);
  CHECK(p.phase(p.terminal_atom()) == Phase::state);
  CHECK(p.phase(find(p, sees, {1, 200})) == Phase::move);
  CHECK(p.phase(find(p, role, {1})) == Phase::constant);
  CHECK(p.is_input(find(p, does, {1, 4})));
  CHECK(p.fluents().size() == 8);
  CHECK(p.moves().size() == 6);
  CHECK(p.goals().size() == 2);
  CHECK(p.percepts().size() == 4);
  CHECK(p.roles().size() == 2);
}

TEST(misuse_is_refused) {
  Writer w;
  const Literal fluent = w.atom(holds, {1});
  w.rule(fluent, {w.atom(helper, {1})});
  CHECK_THROWS(w.builder.finish(), std::invalid_argument);
  ProgramBuilder builder;
  builder.add_atom(1, helper, {});
  builder.add_atom(1, helper, {});
  CHECK_THROWS(builder.finish(), std::invalid_argument);
  CHECK_THROWS(builder.add_rule(0, {}), std::invalid_argument);
  CHECK_THROWS(builder.add_rule(1, std::vector<Literal>{INT32_MIN}), std::invalid_argument);
}

TEST(an_empty_builder_makes_an_empty_program) {
  ProgramBuilder builder;
  const GroundProgram p = builder.finish();
  CHECK(p.atom_count() == 0);
  CHECK(p.components().empty());
  CHECK(p.statistics().depth == 0);
}
