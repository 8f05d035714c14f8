#include "search/mast.h"

#include "circuit_sample.h"

using namespace sample;
using namespace woodstock;

namespace {

// Two roles, each with four moves that are always legal.
GroundProgram plain_game() {
  Writer w;
  for (std::uint32_t r : {1U, 2U}) {
    w.rule(w.atom(role, {r}));
    w.rule(w.atom(goal, {r, 100}), {w.atom(holds, {100 + r})});
    for (std::uint32_t m = 0; m < 4; ++m) {
      w.rule(w.atom(legal, {r, 200 + m}));
      w.rule(w.atom(next, {100 + r}), {w.atom(does, {r, 200 + m})});
    }
  }
  return w.builder.finish();
}

std::vector<std::uint32_t> moves_of(const Circuit& circuit, std::uint32_t role) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t move = 0; move < circuit.moves(); ++move) {
    if (circuit.role_table().move_role[move] == role) out.push_back(move);
  }
  return out;
}

}  // namespace

TEST(moves_are_preferred_by_how_much_better_than_usual_they_did) {
  const auto circuit = compile(plain_game());
  const std::vector<std::uint32_t> first = moves_of(*circuit, 0), second = moves_of(*circuit, 1);
  const Utilities utilities(*circuit, Concept::maximin, 0, Utilities::nobody);
  Mast mast(*circuit, Utilities::nobody, 0.1);
  CHECK(mast.on() && mast.listens() && mast.levels().empty());
  // Goals of the first role; the second one's utility is what is missing.
  Rollouts heard;
  const auto add = [&heard](std::uint32_t move, std::uint32_t goals) {
    heard.played.push_back({move, 1000});
    heard.played_goals.insert(heard.played_goals.end(), {goals, 0});
  };
  add(first[0], 35'000);
  add(first[1], 45'000);
  add(first[2], 52'000);
  add(first[3], 68'000);  // usual is 0.5
  add(second[0], 20'000);
  add(second[1], 80'000);
  mast.hear(heard, utilities);
  const auto levels = mast.levels();
  CHECK(levels[first[0]] == 0 && levels[first[1]] == 0);
  CHECK(levels[first[2]] == 1 && levels[first[3]] == 2);
  CHECK(levels[second[0]] == 3 && levels[second[1]] == 0);
  CHECK(levels[second[2]] == 0);  // never made: nothing is known

  // Three batches go by unheard, then it counts again.
  const std::vector<std::uint8_t> before(levels.begin(), levels.end());
  heard.played = {{first[0], 1'000'000}};
  heard.played_goals = {100'000'000, 0};
  for (int batch = 0; batch < 3; ++batch) {
    CHECK(!mast.listens());
    mast.hear(heard, utilities);
    CHECK(std::equal(before.begin(), before.end(), mast.levels().begin()));
  }
  CHECK(mast.listens());
  mast.hear(heard, utilities);
  CHECK(mast.levels()[first[0]] == 1 && mast.levels()[first[3]] == 0);
}

TEST(chance_is_not_preferred_and_a_step_of_zero_prefers_nothing) {
  const auto circuit = compile(plain_game());
  const std::vector<std::uint32_t> chance = moves_of(*circuit, 1);
  const Utilities utilities(*circuit, Concept::maximin, 0, 1);
  Mast mast(*circuit, 1, 0.1);
  Rollouts heard;
  heard.played = {{chance[0], 1000}, {chance[1], 1000}};
  heard.played_goals = {100'000, 0, 0, 0};
  mast.hear(heard, utilities);
  for (std::uint8_t level : mast.levels()) CHECK(level == 0);
  const Mast none(*circuit, 1, 0);
  CHECK(!none.on() && !none.listens() && none.levels().empty());
}
