#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "check.h"
#include "search/options.h"

using namespace woodstock;

namespace {

template <class Options>
void check_each(const std::vector<void (*)(Options&)>& spoils) {
  Options().check();  // what they are unless told otherwise makes sense
  for (const auto& spoil : spoils) {
    Options options;
    spoil(options);
    CHECK_THROWS(options.check(), std::invalid_argument);
  }
}

template <class Option>
void check_names(const std::vector<Option>& all) {
  for (Option one : all) CHECK(parse<Option>(name_of(one)) == one);
  CHECK_THROWS(parse<Option>("nonsense"), std::invalid_argument);
  CHECK_THROWS(parse<Option>(""), std::invalid_argument);
}

}  // namespace

TEST(every_value_without_sense_is_refused_whatever_the_game) {
  check_each<TreeSearchOptions>({
      [](auto& o) { o.max_plies = 0; },
      [](auto& o) { o.memory = 1; },
      [](auto& o) { o.exploration = -1; },
      [](auto& o) { o.exploration = std::nan(""); },
      [](auto& o) { o.exploration = std::numeric_limits<double>::infinity(); },
      [](auto& o) { o.leaves = 0; },
      [](auto& o) { o.leaves = 5000; },
      [](auto& o) { o.playouts = 3; },
      [](auto& o) { o.playouts = 128; },
      [](auto& o) { o.reference = -1; },
      [](auto& o) { o.bias = -1; },
      [](auto& o) { o.mixing = 2; },
      [](auto& o) { o.mixing = std::nan(""); },
      [](auto& o) { o.mast = -5; },
      [](auto& o) { o.proof_numbers = -1; },
      [](auto& o) { o.proof_numbers = std::nan(""); },
      [](auto& o) { o.proof_numbers = 1, o.choice = Choice::regret; },
      [](auto& o) { o.proof_numbers = 1, o.concept_ = Concept::team; },
      [](auto& o) { o.proof_numbers = 1, o.concept_ = Concept::maxn; },
      [](auto& o) { o.proof_numbers = 1, o.chance = 1; },
      [](auto& o) { o.proof_steps = 1, o.chance = 1; },
      [](auto& o) { o.proof_steps = -1; },
      [](auto& o) { o.proof_steps = 1, o.choice = Choice::regret; },
  });
  check_each<InformationSearchOptions>({
      [](auto& o) { o.leaves = 0; },
      [](auto& o) { o.policy_exploration = -1; },
      [](auto& o) { o.policy_prior = std::nan(""); },
      [](auto& o) { o.risk_exponent = 0; },
      [](auto& o) { o.risk_exponent = -2; },
  });
  check_each<MacUcbOptions>({
      [](auto& o) { o.memory = 1; },
      [](auto& o) { o.samples = 0; },
      [](auto& o) { o.confidence = -1; },
      [](auto& o) { o.bonus = std::nan(""); },
      [](auto& o) { o.batch = 0; },
      [](auto& o) { o.solving_share = 1.5; },
      [](auto& o) { o.proof_steps = -1; },
      [](auto& o) { o.proof_steps = 1, o.concept_ = Concept::maxn; },
  });
  check_each<MacUcbIIOptions>({
      [](auto& o) { o.samples = 0; },
      [](auto& o) { o.hypotheses = 0; },
      [](auto& o) { o.successors = 0; },
  });
}

TEST(a_player_is_a_role_that_is_not_drawn) {
  SearchOptions options;
  options.role = 1;
  options.check_player(2);
  CHECK_THROWS(options.check_player(1), std::invalid_argument);
  options.chance = 1;
  CHECK_THROWS(options.check_player(2), std::invalid_argument);
}

TEST(options_that_are_words_are_found_by_their_names) {
  check_names<Concept>({Concept::maximin, Concept::maxn, Concept::team});
  check_names<Choice>({Choice::ucb, Choice::grave, Choice::regret});
  check_names<Others>({Others::memories, Others::next, Others::everything});
  check_names<StageOrder>({StageOrder::utility, StageOrder::principal, StageOrder::depth});
}
