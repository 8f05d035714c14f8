#include "check.h"
#include "ground/components.h"
#include "sample.h"

using namespace sample;

TEST(bodies_come_before_heads) {
  Writer w;
  const Literal a = w.atom(helper, {1});
  const Literal b = w.atom(helper, {2});
  const Literal c = w.atom(helper, {3});
  w.rule(w.atom(next, {1}), {c});
  w.rule(c, {b, -w.atom(does, {1, 1})});
  w.rule(b, {a});
  w.rule(a, {w.fluent({1}), -w.fluent({2})});
  const GroundProgram p = w.builder.finish();
  CHECK(find(p, holds, {1}) < find(p, helper, {1}));
  CHECK(find(p, helper, {1}) < find(p, helper, {2}));
  CHECK(find(p, helper, {2}) < find(p, helper, {3}));
  CHECK(find(p, helper, {3}) < find(p, next, {1}));
  CHECK(p.stratified());
  CHECK(p.statistics().depth == 5);
  CHECK(p.statistics().recursive_components == 0);
}

TEST(positive_recursion_is_one_component) {
  Writer w;
  const Literal a = w.atom(helper, {1});
  const Literal b = w.atom(helper, {2});
  w.rule(a, {b, w.fluent({1})});
  w.rule(b, {a, w.fluent({2})});
  w.rule(a, {w.fluent({3})});
  w.rule(w.atom(terminal), {b});
  const GroundProgram p = w.builder.finish();
  CHECK(p.component_of(find(p, helper, {1})) == p.component_of(find(p, helper, {2})));
  CHECK(p.components()[p.component_of(find(p, helper, {1}))].recursive);
  CHECK(p.stratified());
  CHECK(p.statistics().recursive_components == 1);
  CHECK(p.statistics().largest_recursive_component == 2);
}

TEST(a_negation_inside_a_component_is_found) {
  Writer w;
  const Literal a = w.atom(helper, {1});
  const Literal b = w.atom(helper, {2});
  w.rule(a, {-b, w.fluent({1})});
  w.rule(b, {-a, w.fluent({1})});
  w.rule(w.atom(terminal), {a});
  const GroundProgram p = w.builder.finish();
  CHECK(!p.stratified());
  CHECK(p.unstratified_witness().size() == 2);
}

TEST(a_long_chain_needs_no_deep_stack) {
  constexpr std::uint32_t length = 1'000'000;
  woodstock::ProgramBuilder builder;
  const std::vector<TermId> term{builder.add_term(1, {})};
  builder.add_atom(1, holds, term);
  builder.add_atom(length + 1, init, term);
  builder.add_rule(length + 1, {});
  for (std::uint32_t a = 2; a <= length; ++a) {
    builder.add_rule(a, std::vector<Literal>{static_cast<Literal>(a) - 1});
  }
  builder.add_atom(length, terminal, {});
  const GroundProgram p = builder.finish();
  CHECK(p.atom_count() == length + 1);
  CHECK(p.statistics().depth == length);
}
