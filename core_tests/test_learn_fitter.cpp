#include <cstdint>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "check.h"
#include "learn/fitter.h"

using namespace woodstock;
using namespace woodstock::learn;

namespace {

// Four fluents and nothing else; one role.
std::shared_ptr<const Features> four() {
  return std::make_shared<const Features>(4, std::vector<Pattern>{});
}

NetShape shape() {
  NetShape out;
  out.roles = 1;
  out.hidden = 16;
  return out;
}

// What a net makes of states with one fluent each, after lessons in which only the first ever holds
// and is worth 1, and nothing is worth 0.
std::vector<float> learned(const Kinds& kinds, float shared_rate, unsigned threads) {
  Fitter fitter(four(), shape(), 1, threads, kinds);
  Batch batch;
  for (int i = 0; i < 64; ++i) {
    const auto state = static_cast<std::uint8_t>(i % 2);
    const auto target = static_cast<float>(i % 2);
    fitter.add(&state, &target, batch);
  }
  std::vector<std::uint32_t> order(batch.size());
  std::iota(order.begin(), order.end(), 0U);
  for (int epoch = 0; epoch < 5; ++epoch) fitter.learn(batch, order, 16, 0.002F, shared_rate);
  Evaluator evaluator(fitter.net());
  const std::vector<std::uint8_t> states{1, 2, 4, 8};
  std::vector<float> out(4);
  evaluator(states, out.data());
  return out;
}

}  // namespace

TEST(what_is_learned_of_a_feature_is_known_of_its_kind) {
  const Kinds kinds{{0, 1}};
  const auto alone = learned({}, 0.02F, 1);
  for (unsigned threads : {1U, 2U}) {
    const auto shared = learned(kinds, 0.02F, threads);
    CHECK(shared == learned(kinds, 0.02F, threads));
    CHECK(shared[0] > alone[0] + 0.05F);
    CHECK(shared[1] > alone[1] + 0.05F);
    // The others learn of nothing.
    CHECK(shared[2] < alone[2] + 0.05F);
    CHECK(shared[3] < alone[3] + 0.05F);
  }
  // At no rate nothing is shared.
  CHECK(learned(kinds, 0, 1) == alone);
}

TEST(a_kind_has_features_that_there_are) {
  CHECK_THROWS(Fitter(four(), shape(), 1, 1, {{0, 4}}), std::invalid_argument);
}
