#include "ground/reachability.h"

#include <memory>
#include <random>
#include <stdexcept>

#include "check.h"
#include "ground/evaluator.h"
#include "sample.h"

using namespace sample;
using woodstock::Evaluator;
using woodstock::Fate;
using woodstock::no_atom;
using woodstock::StateBytes;
using woodstock::three_valued_reachability;

namespace {

bool holds_in(const StateBytes& state, std::size_t fluent) {
  return (state[fluent / 8] >> (fluent % 8) & 1) != 0;
}

// One move of each role, drawn.
std::vector<std::uint32_t> draw(Evaluator& evaluator, const StateBytes& state, std::mt19937& rng) {
  std::map<TermId, std::vector<std::uint32_t>> by_role;
  for (const std::uint32_t move : evaluator.analyse(state).legal) {
    by_role[evaluator.program().moves()[move].role].push_back(move);
  }
  std::vector<std::uint32_t> out;
  for (const TermId one : evaluator.program().roles()) {
    out.push_back(by_role[one][rng() % by_role[one].size()]);
  }
  return out;
}

}  // namespace

TEST(what_keeps_its_value_keeps_it) {
  std::mt19937 rng(5);
  const auto program = std::make_shared<GroundProgram>(filling_game(5));
  Evaluator evaluator(program);
  for (int game = 0; game < 20; ++game) {
    StateBytes state = evaluator.initial();
    std::vector<Fate> known(program->atom_count() + 1, Fate::open);
    std::size_t settled = 0;
    while (!evaluator.analyse(state).terminal) {
      const auto now = three_valued_reachability(*program, state);
      CHECK(now.has_value());
      std::size_t count = 0;
      for (std::size_t i = 0; i < program->fluents().size(); ++i) {
        const AtomId atom = program->fluents()[i].true_atom;
        if (atom == no_atom) continue;
        const Fate fate = (*now)[atom];
        CHECK(fate == Fate::open || (fate == Fate::always) == holds_in(state, i));
        CHECK(known[atom] == Fate::open || known[atom] == fate);
        known[atom] = fate;
        count += fate != Fate::open ? 1 : 0;
      }
      CHECK(count >= settled);
      settled = count;
      state = evaluator.next(state, draw(evaluator, state, rng)).state;
    }
    CHECK(settled > 0);
  }
}

TEST(reachability_can_be_given_up) {
  const GroundProgram program = filling_game(3);
  Evaluator evaluator(std::make_shared<GroundProgram>(filling_game(3)));
  CHECK(!three_valued_reachability(program, evaluator.initial(), [] { return false; }).has_value());
  CHECK_THROWS(three_valued_reachability(program, StateBytes(99, 0)), std::invalid_argument);
}
