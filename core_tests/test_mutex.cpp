#include <algorithm>
#include <memory>
#include <stdexcept>

#include "check.h"
#include "ground/mutex.h"
#include "sample.h"

using namespace sample;
using woodstock::MutexKind;
using woodstock::prove_mutexes;

namespace {

using Groups = std::vector<std::vector<std::uint32_t>>;
constexpr std::uint64_t plenty = 10'000'000;

// Fluent indices by the symbols of constant fluents.
std::vector<std::uint32_t> group(const GroundProgram& p, std::vector<std::uint32_t> symbols) {
  std::vector<std::uint32_t> indices;
  for (std::uint32_t f = 0; f < p.fluents().size(); ++f) {
    const std::uint32_t symbol = p.term_symbol(p.fluents()[f].term);
    if (std::count(symbols.begin(), symbols.end(), symbol) != 0) indices.push_back(f);
  }
  return indices;
}

std::vector<MutexKind> prove(const GroundProgram& p, Groups groups, std::uint64_t budget = plenty) {
  return prove_mutexes(std::make_shared<GroundProgram>(p), groups, budget);
}

}  // namespace

TEST(cells_and_control_hold_exactly_one_value) {
  const GroundProgram p = filling_game(3);
  const auto kinds =
      prove(p, {group(p, {101, 102, 103}), group(p, {111, 112, 113}), group(p, {51, 52})});
  CHECK(kinds == std::vector(3, MutexKind::exactly_one));
}

TEST(a_cell_that_forgets_holds_at_most_one) {
  const GroundProgram p = filling_game(3, false);
  const auto kinds = prove(p, {group(p, {101, 102, 103}), group(p, {51, 52})});
  CHECK(kinds[0] == MutexKind::at_most_one);
  CHECK(kinds[1] == MutexKind::exactly_one);
}

TEST(without_the_group_it_leans_on_a_proof_fails) {
  // That the two roles never mark together follows from control alone.
  const GroundProgram p = filling_game(3);
  CHECK(prove(p, {group(p, {101, 102, 103})})[0] == MutexKind::unproved);
}

TEST(wrong_groups_are_not_proved) {
  const GroundProgram p = filling_game(3);
  const auto kinds =
      prove(p, {group(p, {101, 111}), group(p, {103, 113}), group(p, {101, 103, 113}),
                group(p, {51, 52}), group(p, {101, 102, 103})});
  CHECK(kinds[0] == MutexKind::unproved);
  CHECK(kinds[1] == MutexKind::unproved);
  CHECK(kinds[2] == MutexKind::unproved);
  CHECK(kinds[3] == MutexKind::exactly_one);
  CHECK(kinds[4] == MutexKind::exactly_one);
}

TEST(a_counter_that_ends_with_the_game_holds_exactly_one) {
  Writer w;
  constexpr std::uint32_t last = 50;
  w.rule(w.atom(init, {0}));
  for (std::uint32_t i = 0; i < last; ++i) w.rule(w.atom(next, {i + 1}), {w.atom(holds, {i})});
  w.rule(w.atom(terminal), {w.atom(holds, {last})});
  const GroundProgram p = w.builder.finish();
  std::vector<std::uint32_t> all(p.fluents().size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  CHECK(prove(p, {all})[0] == MutexKind::exactly_one);
}

TEST(proofs_go_through_helpers_and_negation) {
  // on/off with a switch: next(on) :- flipped, off. next(on) :- not flipped, on; and so on.
  Writer w;
  const Literal on = w.atom(holds, {1});
  const Literal off = w.atom(holds, {2});
  const Literal flipped = w.atom(helper, {1});
  w.rule(w.atom(init, {2}));
  for (std::uint32_t m : {11U, 12U, 13U}) w.rule(w.atom(legal, {9, m}), {});
  w.rule(flipped, {w.atom(does, {9, 11})});
  w.rule(flipped, {w.atom(does, {9, 12})});
  w.atom(does, {9, 13});
  w.rule(w.atom(next, {1}), {flipped, off});
  w.rule(w.atom(next, {1}), {-flipped, on});
  w.rule(w.atom(next, {2}), {flipped, on});
  w.rule(w.atom(next, {2}), {-flipped, off});
  const GroundProgram p = w.builder.finish();
  CHECK(prove(p, {group(p, {1, 2})})[0] == MutexKind::exactly_one);
}

TEST(bad_groups_are_refused) {
  const GroundProgram p = filling_game(1);
  CHECK_THROWS(prove(p, {{1000}}), std::invalid_argument);
  CHECK(prove(p, {{}})[0] == MutexKind::at_most_one);
  CHECK(prove(p, {}).empty());
}

TEST(any_budget_gives_an_answer_that_is_no_stronger) {
  const GroundProgram p = filling_game(4);
  Groups groups{group(p, {51, 52})};
  for (std::uint32_t k = 0; k < 4; ++k) {
    groups.push_back(group(p, {101 + 10 * k, 102 + 10 * k, 103 + 10 * k}));
  }
  CHECK(prove(p, groups, 0) == std::vector(5, MutexKind::unproved));
  for (std::uint64_t budget = 1; budget < plenty; budget *= 3) {
    for (MutexKind kind : prove(p, groups, budget)) CHECK(kind <= MutexKind::exactly_one);
  }
  CHECK(prove(p, groups) == std::vector(5, MutexKind::exactly_one));
}

TEST(groups_that_lean_on_each_other_are_proved_together) {
  // Two tokens that swap their places: next(a, i) looks at b and the reverse.
  Writer w;
  for (std::uint32_t i : {0U, 1U, 2U}) {
    if (i == 0) w.rule(w.atom(init, {10 + i}));
    if (i == 0) w.rule(w.atom(init, {20 + i}));
    w.rule(w.atom(next, {10 + i}), {w.atom(holds, {20 + i})});
    w.rule(w.atom(next, {20 + (i + 1) % 3}), {w.atom(holds, {10 + i})});
  }
  const GroundProgram p = w.builder.finish();
  const auto a = group(p, {10, 11, 12});
  const auto b = group(p, {20, 21, 22});
  CHECK(prove(p, {a, b}) == std::vector(2, MutexKind::exactly_one));
  CHECK(prove(p, {a})[0] == MutexKind::unproved);
}
