// The numbers of a net while they are learned: steps of Adam on the log-loss of positions.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "learn/kernel.h"
#include "learn/value_net.h"
#include "util/thread_pool.h"

namespace woodstock::learn {

// Positions as a net sees them.
struct Batch {
  std::vector<std::uint32_t> begin{0};  // position -> into features; one entry more
  std::vector<std::uint32_t> features;  // rows, without that of the bias
  std::vector<std::uint32_t> heads;
  std::vector<float> targets;  // position * values + value

  std::vector<std::uint16_t> counters;  // scratch

  std::size_t size() const { return heads.size(); }
  // Puts the positions of another behind these.
  void append(const Batch& other);
};

class Fitter {
 public:
  // Weights are random at first, and small.
  Fitter(std::shared_ptr<const Features> features, NetShape shape, std::uint64_t seed,
         unsigned threads);

  const NetShape& shape() const { return shape_; }

  // Adds a packed state; one target a role. Any thread may, each to a batch of its own.
  void add(const std::uint8_t* state, const float* targets, Batch& out) const;

  // One step for each `size` of the listed positions, at this rate; the mean loss. Threads share
  // the work of each step: for the same number of threads the result is the same.
  double learn(const Batch& batch, std::span<const std::uint32_t> order, std::size_t size,
               float rate);

  // Moves the mean of what has been learned so far towards what is known now, by this share.
  void average(float share);

  // What has been learned, and the mean of it, which is quieter.
  std::shared_ptr<const ValueNet> net() const { return make(numbers_); }
  std::shared_ptr<const ValueNet> mean_net() const { return make(averages_); }

 private:
  class Barrier;
  std::shared_ptr<const ValueNet> make(const std::vector<float>& numbers) const;
  double learn_part(const Batch& batch, std::span<const std::uint32_t> order, std::size_t size,
                    float rate, std::size_t part, Barrier& barrier);

  std::shared_ptr<const Features> features_;
  NetShape shape_;
  Weights weights_{};
  std::size_t rows_;  // with that of the bias
  // One array each: rows, then outputs.
  std::vector<float> numbers_;
  std::vector<float> averages_;
  std::vector<float> means_;
  std::vector<float> squares_;
  std::vector<float> gradients_;       // per thread
  std::vector<std::uint8_t> touched_;  // per thread and row
  std::vector<float> scratch_;         // per thread
  ThreadPool pool_;
};

}  // namespace woodstock::learn
