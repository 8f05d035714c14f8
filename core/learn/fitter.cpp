#include "learn/fitter.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <thread>
#include <utility>

#include "circuit/transpose.h"
#include "util/random.h"

namespace woodstock::learn {

namespace {

constexpr double first_spread = 0.1;  // of weights before anything is learned

// Steps take some tens of microseconds: too few to sleep in between.
constexpr int spins = 4096;

}  // namespace

class Fitter::Barrier {
 public:
  explicit Barrier(std::size_t parts) : parts_(parts) {}

  void wait() {
    if (parts_ == 1) return;
    const std::size_t round = round_.load();
    if (arrived_.fetch_add(1) + 1 == parts_) {
      arrived_.store(0);
      round_.store(round + 1);
      return;
    }
    for (int i = 0; round_.load() == round; ++i) {
      if (i > spins) std::this_thread::yield();
    }
  }

 private:
  std::size_t parts_;
  std::atomic<std::size_t> arrived_{0};
  std::atomic<std::size_t> round_{0};
};

Fitter::Fitter(std::shared_ptr<const Features> features, NetShape shape, std::uint64_t seed,
               unsigned threads)
    : features_(std::move(features)),
      shape_(std::move(shape)),
      rows_(std::size_t{features_->size()} + 1),
      pool_(threads) {
  shape_.check(features_->fluents());
  const std::size_t width = shape_.width();
  const std::size_t outputs = std::size_t{shape_.heads()} * shape_.values();
  const std::size_t count = (rows_ + outputs) * width;
  numbers_.assign(count, 0.0F);
  means_.assign(count, 0.0F);
  squares_.assign(count, 0.0F);
  gradients_.assign(count * pool_.size(), 0.0F);
  touched_.assign(rows_ * pool_.size(), 0);
  scratch_.assign(3 * width * pool_.size(), 0.0F);
  weights_ = {width,           shape_.hidden,   shape_.heads(),
              shape_.values(), numbers_.data(), numbers_.data() + rows_ * width};
  RandomStream random(seed);
  const auto small = [&](double spread) {
    return static_cast<float>(spread * 2 * (random.luck() + random.luck() - 1));
  };
  for (std::size_t i = 0; i < rows_ * width; ++i) {
    if (i % width < shape_.hidden) numbers_[i] = small(first_spread);
  }
  const double out_spread = 1 / std::sqrt(static_cast<double>(shape_.hidden));
  for (std::size_t i = 0; i < outputs * width; ++i) {
    if (i % width < shape_.hidden) weights_.out[i] = small(out_spread);
  }
}

void Batch::append(const Batch& other) {
  const auto shift = static_cast<std::uint32_t>(features.size());
  for (std::size_t i = 1; i < other.begin.size(); ++i) begin.push_back(shift + other.begin[i]);
  features.insert(features.end(), other.features.begin(), other.features.end());
  heads.insert(heads.end(), other.heads.begin(), other.heads.end());
  targets.insert(targets.end(), other.targets.begin(), other.targets.end());
}

void Fitter::add(const std::uint8_t* state, const float* targets, Batch& out) const {
  const std::size_t size = features_->state_size();
  std::vector<std::uint16_t>& counters = out.counters;
  counters.assign(features_->patterns().size(), 0);
  for (std::size_t byte = 0; byte < size; byte += 8) {
    for (std::uint64_t bits = read_bytes(state + byte, size - byte); bits != 0; bits &= bits - 1) {
      const auto fluent =
          static_cast<std::uint32_t>(byte * 8 + static_cast<std::size_t>(std::countr_zero(bits)));
      out.features.push_back(fluent + 1);
      for (auto* step = features_->steps_begin(fluent); step != features_->steps_end(fluent);
           ++step) {
        counters[step->pattern] = static_cast<std::uint16_t>(counters[step->pattern] + step->add);
      }
    }
  }
  for (std::uint32_t p = 0; p < counters.size(); ++p) {
    if (Features::open(counters[p])) {
      out.features.push_back(features_->feature(p, counters[p]) + 1);
    }
  }
  out.begin.push_back(static_cast<std::uint32_t>(out.features.size()));
  out.heads.push_back(shape_.head_of(state));
  std::uint32_t values = shape_.values();
  for (std::uint32_t r = 0; r < shape_.roles && values != 0; ++r) {
    if (r == shape_.chance) continue;
    out.targets.push_back(targets[r]);
    --values;
  }
}

double Fitter::learn_part(const Batch& batch, std::span<const std::uint32_t> order,
                          std::size_t size, float rate, std::size_t part, Barrier& barrier) {
  const Kernel& kernel = best_kernel();
  const std::size_t parts = pool_.size();
  const std::size_t width = weights_.width;
  const Lessons lessons{batch.begin.data(), batch.features.data(), batch.heads.data(),
                        batch.targets.data()};
  float* rows = gradients_.data() + part * numbers_.size();
  std::uint8_t* touched = touched_.data() + part * rows_;
  float* scratch = scratch_.data() + part * 3 * width;
  const std::size_t first_row = rows_ * part / parts;
  const std::size_t last_row = rows_ * (part + 1) / parts;
  double loss = 0;
  for (std::size_t at = 0; at < order.size(); at += size) {
    const std::size_t count = std::min(size, order.size() - at);
    const std::size_t begin = at + count * part / parts;
    const std::size_t end = at + count * (part + 1) / parts;
    loss += kernel.gradient(weights_, lessons, order.data() + begin, end - begin, rows,
                            rows + rows_ * width, touched, scratch);
    barrier.wait();
    const float scale = 1 / static_cast<float>(count);
    const auto step = [&](std::size_t first, std::size_t numbers) {
      kernel.step(numbers_.data() + first, means_.data() + first, squares_.data() + first,
                  gradients_.data() + first, parts, numbers_.size(), numbers, rate, scale);
    };
    for (std::size_t row = first_row; row < last_row; ++row) {
      bool any = false;
      for (std::size_t p = 0; p < parts; ++p) {
        any = any || touched_[p * rows_ + row] != 0;
        touched_[p * rows_ + row] = 0;
      }
      if (any) step(row * width, width);
    }
    if (part == 0) step(rows_ * width, numbers_.size() - rows_ * width);
    barrier.wait();
  }
  return loss;
}

double Fitter::learn(const Batch& batch, std::span<const std::uint32_t> order, std::size_t size,
                     float rate) {
  if (order.empty()) return 0;
  Barrier barrier(pool_.size());
  std::vector<double> losses(pool_.size());
  pool_.run(pool_.size(), [&](std::size_t part, unsigned) {
    losses[part] = learn_part(batch, order, size, rate, part, barrier);
  });
  double sum = 0;
  for (double loss : losses) sum += loss;
  return sum / static_cast<double>(order.size() * shape_.values());
}

void Fitter::average(float share) {
  if (averages_.empty()) averages_ = numbers_;
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    averages_[i] += share * (numbers_[i] - averages_[i]);
  }
}

std::shared_ptr<const ValueNet> Fitter::make(const std::vector<float>& numbers) const {
  const std::size_t columns = shape_.columns();
  const std::size_t width = weights_.width;
  const auto bounded = [](float x) { return std::isfinite(x) ? x : 0.0F; };
  std::vector<float> rows;
  rows.reserve(rows_ * columns);
  for (std::size_t i = 0; i < rows_; ++i) {
    for (std::size_t k = 0; k < columns; ++k) rows.push_back(bounded(numbers[i * width + k]));
  }
  std::vector<float> out;
  for (std::size_t i = 0; i < columns - shape_.hidden; ++i) {
    for (std::size_t k = 0; k < shape_.hidden; ++k) {
      out.push_back(bounded(numbers[(rows_ + i) * width + k]));
    }
  }
  return std::make_shared<const ValueNet>(features_, shape_, rows, out);
}

}  // namespace woodstock::learn
