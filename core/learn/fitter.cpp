#include "learn/fitter.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <thread>
#include <utility>

#include "circuit/transpose.h"
#include "util/random.h"

namespace woodstock::learn {

namespace {

constexpr double first_spread = 0.1;  // of weights before anything is learned

// Steps take some tens of microseconds: too few to sleep in between.
constexpr int spins = 4096;

void add_row(float* __restrict to, const float* __restrict from, std::size_t width) {
  for (std::size_t k = 0; k < width; ++k) to[k] += from[k];
}

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
               unsigned threads, const Kinds& kinds)
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
  if (!kinds.empty()) share(kinds);
}

void Fitter::share(const Kinds& kinds) {
  const std::size_t width = shape_.width();
  std::vector<std::vector<std::uint32_t>> of_row(rows_);
  shared_.kinds = kinds.size();
  shared_.rows_begin.assign(1, 0);
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    for (const std::uint32_t feature : kinds[kind]) {
      if (feature + std::size_t{1} >= rows_)
        throw std::invalid_argument("there is no such feature");
      shared_.rows.push_back(feature + 1);  // behind the bias
      of_row[feature + 1].push_back(static_cast<std::uint32_t>(kind));
    }
    shared_.rows_begin.push_back(static_cast<std::uint32_t>(shared_.rows.size()));
  }
  shared_.kinds_begin.assign(1, 0);
  for (const auto& own : of_row) {
    shared_.kinds_of.insert(shared_.kinds_of.end(), own.begin(), own.end());
    shared_.kinds_begin.push_back(static_cast<std::uint32_t>(shared_.kinds_of.size()));
  }
  shared_.own.assign(numbers_.begin(),
                     numbers_.begin() + static_cast<std::ptrdiff_t>(rows_ * width));
  for (auto* one : {&shared_.parts, &shared_.means, &shared_.squares, &shared_.gradients}) {
    one->assign(kinds.size() * width, 0.0F);
  }
  shared_.changed.assign(rows_, 0);
  shared_.moved.assign(kinds.size(), 0);
}

// A step of all rows, and of the parts that they share. Threads take rows and kinds in turn, and
// wait for each other in between.
void Fitter::step_together(std::size_t part, float rate, float shared_rate, float scale,
                           Barrier& barrier) {
  const Kernel& kernel = best_kernel();
  const std::size_t parts = pool_.size();
  const std::size_t width = weights_.width;
  const std::size_t first_row = rows_ * part / parts;
  const std::size_t last_row = rows_ * (part + 1) / parts;
  for (std::size_t row = first_row; row < last_row; ++row) {
    float* sum = gradients_.data() + row * width;
    shared_.changed[row] = touched_[row];
    touched_[row] = 0;
    for (std::size_t p = 1; p < parts; ++p) {
      if (touched_[p * rows_ + row] == 0) continue;
      touched_[p * rows_ + row] = 0;
      shared_.changed[row] = 1;
      add_row(sum, sum + p * numbers_.size(), width);
      std::fill_n(sum + p * numbers_.size(), width, 0.0F);
    }
  }
  barrier.wait();
  for (std::size_t kind = shared_.kinds * part / parts; kind < shared_.kinds * (part + 1) / parts;
       ++kind) {
    const std::size_t at = kind * width;
    shared_.moved[kind] = 0;
    for (std::uint32_t i = shared_.rows_begin[kind]; i < shared_.rows_begin[kind + 1]; ++i) {
      const std::uint32_t row = shared_.rows[i];
      if (shared_.changed[row] == 0) continue;
      shared_.moved[kind] = 1;
      add_row(shared_.gradients.data() + at, gradients_.data() + row * width, width);
    }
    if (shared_.moved[kind] == 0) continue;
    // Units go their own ways: moved all together, many of them would never be heard of again.
    std::fill_n(shared_.gradients.data() + at, shape_.hidden, 0.0F);
    kernel.step(shared_.parts.data() + at, shared_.means.data() + at, shared_.squares.data() + at,
                shared_.gradients.data() + at, 1, 0, width, shared_rate, scale);
  }
  barrier.wait();
  for (std::size_t row = first_row; row < last_row; ++row) {
    const std::size_t at = row * width;
    bool moved = shared_.changed[row] != 0;
    if (moved) {
      kernel.step(shared_.own.data() + at, means_.data() + at, squares_.data() + at,
                  gradients_.data() + at, 1, 0, width, rate, scale);
    }
    const std::uint32_t* kinds = shared_.kinds_of.data() + shared_.kinds_begin[row];
    const std::uint32_t count = shared_.kinds_begin[row + 1] - shared_.kinds_begin[row];
    for (std::uint32_t i = 0; i < count; ++i) moved = moved || shared_.moved[kinds[i]] != 0;
    if (!moved) continue;
    std::copy_n(shared_.own.data() + at, width, numbers_.data() + at);
    for (std::uint32_t i = 0; i < count; ++i) {
      add_row(numbers_.data() + at, shared_.parts.data() + kinds[i] * width, width);
    }
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
                          std::size_t size, float rate, float shared_rate, std::size_t part,
                          Barrier& barrier) {
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
    if (shared_rate > 0) {
      step_together(part, rate, shared_rate, scale, barrier);
    } else {
      for (std::size_t row = first_row; row < last_row; ++row) {
        bool any = false;
        for (std::size_t p = 0; p < parts; ++p) {
          any = any || touched_[p * rows_ + row] != 0;
          touched_[p * rows_ + row] = 0;
        }
        if (any) step(row * width, width);
      }
    }
    if (part == 0) step(rows_ * width, numbers_.size() - rows_ * width);
    barrier.wait();
  }
  return loss;
}

double Fitter::learn(const Batch& batch, std::span<const std::uint32_t> order, std::size_t size,
                     float rate, float shared_rate) {
  if (order.empty()) return 0;
  if (shared_.kinds == 0) shared_rate = 0;
  Barrier barrier(pool_.size());
  std::vector<double> losses(pool_.size());
  pool_.run(pool_.size(), [&](std::size_t part, unsigned) {
    losses[part] = learn_part(batch, order, size, rate, shared_rate, part, barrier);
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
