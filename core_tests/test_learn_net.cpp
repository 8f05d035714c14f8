#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <vector>

#include "check.h"
#include "learn/fitter.h"
#include "learn/kernel.h"
#include "learn/value_net.h"
#include "util/random.h"

using namespace woodstock;
using namespace woodstock::learn;

namespace {

constexpr std::uint32_t fluents = 83;
constexpr std::size_t state_size = 11;

std::vector<std::uint32_t> some(RandomStream& random, std::size_t count) {
  std::vector<std::uint32_t> out;
  while (out.size() < count) {
    const auto f = static_cast<std::uint32_t>(random.below(fluents));
    if (std::find(out.begin(), out.end(), f) == out.end()) out.push_back(f);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::shared_ptr<const Features> random_features(RandomStream& random, std::size_t patterns) {
  std::vector<Pattern> list(patterns);
  for (Pattern& one : list) {
    const std::vector<std::uint32_t> all = some(random, 7);
    for (std::size_t i = 0; i < all.size(); ++i) {
      (i % 2 == 0 ? one.fluents : one.blockers).push_back(all[i]);
    }
  }
  return std::make_shared<const Features>(fluents, list);
}

NetShape random_shape(std::uint32_t seed) {
  NetShape shape;
  shape.roles = 2 + seed % 3;
  shape.chance = seed % 2 == 0 ? 0xffffffffU : seed % shape.roles;
  const std::uint32_t players = shape.roles - (seed % 2 == 0 ? 0 : 1);
  shape.outputs = players == 2 && seed % 5 < 3 ? Outputs::opposed : Outputs::each;
  shape.hidden = 5 + 13 * (seed % 4);
  if (seed % 3 != 0) shape.controls = {3, 17};
  return shape;
}

std::vector<float> numbers(RandomStream& random, std::size_t count, double spread) {
  std::vector<float> out(count);
  for (float& one : out) one = static_cast<float>(spread * (2 * random.luck() - 1));
  return out;
}

std::shared_ptr<const ValueNet> random_net(std::uint32_t seed) {
  RandomStream random(seed);
  const NetShape shape = random_shape(seed);
  const auto features = random_features(random, seed % 7 * 5);
  const std::size_t columns = shape.columns();
  return std::make_shared<const ValueNet>(
      features, shape, numbers(random, (features->size() + 1) * columns, 0.4),
      numbers(random, (columns - shape.hidden) * shape.hidden, 0.7));
}

// States that differ now in few, now in many fluents.
std::vector<std::uint8_t> walk(RandomStream& random, std::size_t count) {
  std::vector<std::uint8_t> out;
  std::vector<std::uint8_t> state(state_size, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t changes = i % 9 == 0 ? 60 : random.below(5);
    for (std::size_t k = 0; k < changes; ++k) {
      const std::size_t f = random.below(fluents);
      state[f / 8] = static_cast<std::uint8_t>(state[f / 8] ^ 1U << (f % 8));
    }
    out.insert(out.end(), state.begin(), state.end());
  }
  return out;
}

bool within(float a, float b, float tolerance) { return std::abs(a - b) <= tolerance; }

}  // namespace

TEST(values_do_not_depend_on_what_was_asked_before) {
  for (std::uint32_t seed = 0; seed < 24; ++seed) {
    const auto net = random_net(seed);
    RandomStream random(seed + 100);
    const std::vector<std::uint8_t> states = walk(random, 60);
    const std::uint32_t roles = net->shape().roles;
    std::vector<float> together(60 * roles);
    Evaluator all(net);
    all(states, together.data());
    std::vector<float> alone(roles);
    bool same = true;
    bool differ = false;
    for (std::size_t i = 0; i < 60; ++i) {
      Evaluator fresh(net);
      fresh(std::span(states).subspan(i * state_size, state_size), alone.data());
      same = same && std::equal(alone.begin(), alone.end(), together.data() + i * roles);
      differ = differ || alone[roles - 1] != together[roles - 1];
      for (std::uint32_t r = 0; r < roles; ++r) {
        CHECK(alone[r] >= 0 && alone[r] <= 1);
        if (r == net->shape().chance) CHECK(alone[r] == 0.5F);
      }
    }
    CHECK(same);
    CHECK(differ || net->shape().chance == roles - 1);
  }
}

// The same by the book: a layer of rectified units, a direct part, a logistic function.
TEST(values_are_those_of_the_formula) {
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    RandomStream random(seed);
    const NetShape shape = random_shape(seed);
    const auto features = random_features(random, 12);
    const std::size_t columns = shape.columns();
    const auto rows = numbers(random, (features->size() + 1) * columns, 0.4);
    const auto out = numbers(random, (columns - shape.hidden) * shape.hidden, 0.7);
    const ValueNet net(features, shape, rows, out);
    Evaluator evaluator(std::make_shared<const ValueNet>(net));
    const std::vector<std::uint8_t> states = walk(random, 20);
    std::vector<float> values(20 * shape.roles);
    evaluator(states, values.data());
    for (std::size_t i = 0; i < 20; ++i) {
      const std::uint8_t* state = states.data() + i * state_size;
      std::vector<double> total(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(columns));
      for (std::uint32_t f : features->of(state)) {
        for (std::size_t k = 0; k < columns; ++k) {
          total[k] += static_cast<double>(rows[(f + 1) * columns + k]);
        }
      }
      std::size_t head = 0;
      while (head < shape.controls.size() &&
             (state[shape.controls[head] / 8] >> (shape.controls[head] % 8) & 1) == 0) {
        ++head;
      }
      std::size_t output = head * shape.values();
      for (std::uint32_t r = 0; r < shape.roles; ++r) {
        if (r == shape.chance) continue;
        const float found = values[i * shape.roles + r];
        if (output == head * shape.values() + shape.values()) {
          CHECK(found == 1 - values[i * shape.roles + (shape.chance == 0 ? 1 : 0)]);
          continue;
        }
        double sum = total[shape.hidden + output];
        for (std::size_t k = 0; k < shape.hidden; ++k) {
          sum += std::max(0.0, total[k]) * static_cast<double>(out[output * shape.hidden + k]);
        }
        CHECK(within(found, static_cast<float>(1 / (1 + std::exp(-sum))), 0.01F));
        ++output;
      }
    }
  }
}

TEST(logistic_is_the_logistic_function) {
  for (float x = -29; x < 29; x += 0.01F) {
    CHECK(within(logistic(x), static_cast<float>(1 / (1 + std::exp(-static_cast<double>(x)))),
                 1e-5F));
  }
  CHECK(logistic(1e30F) > 0.999F && logistic(-1e30F) < 0.001F);
  CHECK(logistic(std::nanf("")) < 0.001F);
}

TEST(a_net_comes_back_from_its_bytes) {
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    const auto net = random_net(seed);
    const std::vector<std::uint8_t> bytes = to_bytes(*net);
    const auto again = from_bytes(bytes);
    CHECK(again->shape() == net->shape());
    CHECK(to_bytes(*again) == bytes);
    RandomStream random(seed);
    const std::vector<std::uint8_t> states = walk(random, 30);
    std::vector<float> a(30 * net->shape().roles);
    std::vector<float> b(a.size());
    Evaluator first(net);
    Evaluator second(again);
    first(states, a.data());
    second(states, b.data());
    CHECK(a == b);
  }
}

TEST(bytes_that_are_no_net_are_refused) {
  const std::vector<std::uint8_t> bytes = to_bytes(*random_net(10));
  RandomStream random(1);
  for (std::size_t i = 0; i < 400; ++i) {
    std::vector<std::uint8_t> broken = bytes;
    const std::size_t at = i < 100 ? i : random.below(bytes.size());
    broken[at] = static_cast<std::uint8_t>(broken[at] ^ (1U << random.below(8)));
    CHECK_THROWS(from_bytes(broken), std::invalid_argument);
    broken.assign(bytes.begin(),
                  bytes.begin() + static_cast<std::ptrdiff_t>(random.below(bytes.size())));
    CHECK_THROWS(from_bytes(broken), std::invalid_argument);
    for (std::uint8_t& byte : broken) byte = static_cast<std::uint8_t>(random.draw());
    CHECK_THROWS(from_bytes(broken), std::invalid_argument);
  }
  CHECK_THROWS(from_bytes({}), std::invalid_argument);
}

TEST(all_instruction_sets_learn_alike) {
  RandomStream random(5);
  const auto features = random_features(random, 10);
  NetShape shape = random_shape(4);
  shape.hidden = 29;
  Fitter fitter(features, shape, 3, 1);
  Batch batch;
  const std::vector<std::uint8_t> states = walk(random, 50);
  for (std::size_t i = 0; i < 50; ++i) {
    const std::vector<float> targets = numbers(random, shape.roles, 0.5);
    std::vector<float> shifted;
    for (float target : targets) shifted.push_back(target + 0.5F);
    fitter.add(states.data() + i * state_size, shifted.data(), batch);
  }
  const std::size_t width = shape.width();
  const std::size_t rows = features->size() + 1;
  const std::size_t outputs = shape.heads() * shape.values();
  std::vector<std::uint32_t> order(50);
  for (std::uint32_t i = 0; i < 50; ++i) order[i] = 49 - i;
  const Lessons lessons{batch.begin.data(), batch.features.data(), batch.heads.data(),
                        batch.targets.data()};
  std::vector<float> first;
  for (const char* name : {"base", "avx2", "avx512"}) {
    const learn::Kernel* kernel = kernel_named(name);
    if (kernel == nullptr) continue;
    RandomStream same(9);
    std::vector<float> weights = numbers(same, (rows + outputs) * width, 0.2);
    std::vector<float> gradients(weights.size(), 0.0F);
    std::vector<float> mean(weights.size(), 0.0F);
    std::vector<float> square(weights.size(), 0.0F);
    std::vector<std::uint8_t> touched(rows, 0);
    std::vector<float> scratch(3 * width);
    const Weights view{width,          shape.hidden,   shape.heads(),
                       shape.values(), weights.data(), weights.data() + rows * width};
    for (int step = 0; step < 3; ++step) {
      kernel->gradient(view, lessons, order.data(), order.size(), gradients.data(),
                       gradients.data() + rows * width, touched.data(), scratch.data());
      kernel->step(weights.data(), mean.data(), square.data(), gradients.data(), 1, 0,
                   weights.size(), 0.01F, 0.02F);
    }
    if (first.empty()) first = weights;
    CHECK(weights == first);
  }
}

TEST(gradients_are_those_of_the_loss) {
  RandomStream random(7);
  const auto features = random_features(random, 4);
  NetShape shape;
  shape.roles = 2;
  shape.hidden = 6;
  shape.controls = {2};
  Fitter fitter(features, shape, 1, 1);
  Batch batch;
  const std::vector<std::uint8_t> states = walk(random, 8);
  const std::vector<float> targets{0.2F, 0.9F};
  for (std::size_t i = 0; i < 8; ++i) {
    fitter.add(states.data() + i * state_size, targets.data(), batch);
  }
  const std::size_t width = shape.width();
  const std::size_t rows = features->size() + 1;
  const std::size_t count = (rows + shape.heads() * shape.values()) * width;
  std::vector<float> weights(count, 0.0F);
  for (std::size_t i = 0; i < count; ++i) {
    const bool hidden = i % width < shape.hidden;
    const bool direct = i < rows * width && i % width < shape.columns();
    if (hidden || direct) weights[i] = static_cast<float>(0.3 * (2 * random.luck() - 1));
  }
  const Weights view{width,          shape.hidden,   shape.heads(),
                     shape.values(), weights.data(), weights.data() + rows * width};
  const Lessons lessons{batch.begin.data(), batch.features.data(), batch.heads.data(),
                        batch.targets.data()};
  const std::vector<std::uint32_t> order{0, 1, 2, 3, 4, 5, 6, 7};
  std::vector<std::uint8_t> touched(rows, 0);
  std::vector<float> scratch(3 * width);
  const auto loss = [&](std::vector<float>& gradients) {
    gradients.assign(count, 0.0F);
    return best_kernel().gradient(view, lessons, order.data(), order.size(), gradients.data(),
                                  gradients.data() + rows * width, touched.data(), scratch.data());
  };
  std::vector<float> gradients;
  std::vector<float> unused;
  loss(gradients);
  int compared = 0;
  for (std::size_t i = 0; i < count; i += 7) {
    const float kept = weights[i];
    if (kept == 0) continue;
    constexpr float small = 2e-3F;
    weights[i] = kept + small;
    const double above = loss(unused);
    weights[i] = kept - small;
    const double below = loss(unused);
    weights[i] = kept;
    const double slope = (above - below) / (2 * static_cast<double>(small));
    CHECK(std::abs(slope - static_cast<double>(gradients[i])) < 0.02 + 0.02 * std::abs(slope));
    ++compared;
  }
  CHECK(compared > 50);
}

TEST(threads_share_the_steps) {
  for (unsigned threads : {1U, 3U}) {
    RandomStream random(3);
    const auto features = random_features(random, 6);
    NetShape shape;
    shape.roles = 2;
    shape.outputs = Outputs::opposed;
    shape.hidden = 20;
    std::vector<std::vector<std::uint8_t>> nets;
    for (int again = 0; again < 2; ++again) {
      Fitter fitter(features, shape, 1, threads);
      Batch batch;
      RandomStream same(4);
      const std::vector<std::uint8_t> states = walk(same, 300);
      std::vector<std::uint32_t> order;
      for (std::uint32_t i = 0; i < 300; ++i) {
        // Something to learn: whether one of two fluents holds, but not both.
        const std::uint8_t* state = states.data() + i * state_size;
        const float target = (state[0] & 1) != (state[1] & 1) ? 1.0F : 0.0F;
        fitter.add(state, &target, batch);
        order.push_back(i);
      }
      const double before = fitter.learn(batch, order, 32, 0.01F);
      double after = before;
      for (int epoch = 0; epoch < 60; ++epoch) after = fitter.learn(batch, order, 32, 0.01F);
      CHECK(after < 0.2 * before);
      nets.push_back(to_bytes(*fitter.net()));
    }
    CHECK(nets[0] == nets[1]);
  }
}
