#include <random>
#include <vector>

#include "check.h"
#include "circuit/factor.h"
#include "circuit/logic.h"

using namespace woodstock;

namespace {

Ref conjunction(Logic& logic, std::vector<Ref> refs) { return logic.conjunction(refs); }
Ref disjunction(Logic& logic, std::vector<Ref> refs) { return logic.disjunction(refs); }

// The value of a reference where bit i of `inputs` is the value of source number i.
bool value(const Logic& logic, Ref ref, std::uint32_t inputs) {
  const NodeId n = node_of(ref);
  bool holds = false;
  if (logic.kind(n) == NodeKind::conjunction) {
    holds = true;
    for (Ref input : logic.inputs(n)) holds = holds && value(logic, input, inputs);
  } else if (logic.kind(n) != NodeKind::constant) {
    holds = ((inputs >> logic.index(n)) & 1U) != 0;
  }
  return holds != is_negated(ref);
}

}  // namespace

TEST(equal_conjunctions_are_one_node) {
  Logic logic;
  const Ref a = logic.add_source(NodeKind::fluent, 0);
  const Ref b = logic.add_source(NodeKind::fluent, 1);
  const Ref c = logic.add_source(NodeKind::fluent, 2);
  const Ref abc = conjunction(logic, {a, b, c});
  CHECK(conjunction(logic, {c, a, b, a}) == abc);
  CHECK(conjunction(logic, {c, ref_true, b, a}) == abc);
  CHECK(conjunction(logic, {a, b, negate(c)}) != abc);
  CHECK(logic.size() == 6);
}

TEST(constants_and_contradictions_need_no_node) {
  Logic logic;
  const Ref a = logic.add_source(NodeKind::fluent, 0);
  const Ref b = logic.add_source(NodeKind::fluent, 1);
  CHECK(conjunction(logic, {}) == ref_true);
  CHECK(disjunction(logic, {}) == ref_false);
  CHECK(conjunction(logic, {a}) == a);
  CHECK(conjunction(logic, {a, b, negate(a)}) == ref_false);
  CHECK(disjunction(logic, {a, b, negate(a)}) == ref_true);
  CHECK(conjunction(logic, {a, ref_false}) == ref_false);
  CHECK(disjunction(logic, {a, ref_true}) == ref_true);
  CHECK(logic.size() == 3);
}

TEST(factored_sums_mean_what_they_say) {
  std::mt19937 rng(7);
  for (int round = 0; round < 500; ++round) {
    Logic logic;
    OneHot one_hot;
    std::vector<Ref> sources;
    for (std::uint32_t i = 0; i < 6; ++i) {
      sources.push_back(logic.add_source(NodeKind::fluent, i));
    }
    Sum sum;
    for (std::size_t p = 0, n = rng() % 9; p < n; ++p) {
      std::vector<Ref> product;
      for (Ref source : sources) {
        if (rng() % 3 == 0) product.push_back(rng() % 2 == 0 ? source : negate(source));
      }
      sum.refs.insert(sum.refs.end(), product.begin(), product.end());
      sum.close();
    }
    const Ref built = build_sum(logic, one_hot, sum);
    for (std::uint32_t inputs = 0; inputs < 64; ++inputs) {
      bool wanted = false;
      for (std::size_t p = 0; p < sum.size(); ++p) {
        bool holds = true;
        for (Ref ref : sum.product(p)) holds = holds && value(logic, ref, inputs);
        wanted = wanted || holds;
      }
      CHECK(value(logic, built, inputs) == wanted);
    }
  }
}

TEST(a_condition_shared_by_rules_is_asked_once) {
  Logic logic;
  OneHot one_hot;
  const Ref a = logic.add_source(NodeKind::fluent, 0);
  Sum sum;
  for (std::uint32_t i = 1; i <= 8; ++i) {
    sum.refs.push_back(a);
    sum.refs.push_back(logic.add_source(NodeKind::fluent, i));
    sum.close();
  }
  build_sum(logic, one_hot, sum);
  CHECK(logic.input_count() == 8 + 2);
}

TEST(most_members_of_a_group_become_the_few_others) {
  Logic logic;
  OneHot one_hot;
  std::vector<Ref> group;
  for (std::uint32_t i = 0; i < 6; ++i) group.push_back(logic.add_source(NodeKind::does, i));
  one_hot.add_group(group);
  std::vector<Ref> most(group.begin(), group.end() - 1);
  CHECK(one_hot.disjunction(logic, most) == negate(group.back()));
  std::vector<Ref> all = group;
  CHECK(one_hot.disjunction(logic, all) == ref_true);
  std::vector<Ref> few{group[0], group[1]};
  const Ref two = one_hot.disjunction(logic, few);
  for (std::uint32_t i = 0; i < 6; ++i) CHECK(value(logic, two, 1U << i) == (i < 2));
}
