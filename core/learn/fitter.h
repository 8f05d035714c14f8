// The numbers of a net while they are learned: steps of Adam on the log-loss of positions.
//
// Features of a kind may share a part of their weights (feature factorisation, as trainers of NNUE
// nets have it): what is learned of a pawn on one square is then known of pawns on all squares, as
// far as it is the same. A feature's row is its own part and the parts that it shares; the net gets
// the sum, so that sharing costs nothing when a state is valued.

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

// Features of the same kind; one may be of several.
using Kinds = std::vector<std::vector<std::uint32_t>>;

class Fitter {
 public:
  // Weights are random at first, and small. Each of `kinds` lists features that share a part.
  Fitter(std::shared_ptr<const Features> features, NetShape shape, std::uint64_t seed,
         unsigned threads, const Kinds& kinds = {});

  const NetShape& shape() const { return shape_; }

  // Adds a packed state; one target a role. Any thread may, each to a batch of its own.
  void add(const std::uint8_t* state, const float* targets, Batch& out) const;

  // One step for each `size` of the listed positions, at this rate, and at another for the parts
  // that features share; once that is 0, it stays so. The mean loss. Threads share the work of each
  // step: for the same number of threads the result is the same.
  double learn(const Batch& batch, std::span<const std::uint32_t> order, std::size_t size,
               float rate, float shared_rate = 0);

  // Moves the mean of what has been learned so far towards what is known now, by this share.
  void average(float share);

  // What has been learned, and the mean of it, which is quieter.
  std::shared_ptr<const ValueNet> net() const { return make(numbers_); }
  std::shared_ptr<const ValueNet> mean_net() const { return make(averages_); }

 private:
  class Barrier;
  void share(const Kinds& kinds);
  void step_together(std::size_t part, float rate, float shared_rate, float scale,
                     Barrier& barrier);
  std::shared_ptr<const ValueNet> make(const std::vector<float>& numbers) const;
  double learn_part(const Batch& batch, std::span<const std::uint32_t> order, std::size_t size,
                    float rate, float shared_rate, std::size_t part, Barrier& barrier);

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
  // Where features share parts: these, and their own. `numbers_` has the sums.
  struct Shared {
    std::size_t kinds = 0;
    std::vector<std::uint32_t> rows_begin;  // kind -> into rows
    std::vector<std::uint32_t> rows;
    std::vector<std::uint32_t> kinds_begin;  // row -> into kinds_of
    std::vector<std::uint32_t> kinds_of;
    std::vector<float> own;    // row by row
    std::vector<float> parts;  // kind by kind, as are those that follow
    std::vector<float> means;
    std::vector<float> squares;
    std::vector<float> gradients;
    std::vector<std::uint8_t> changed;  // per row: in this step
    std::vector<std::uint8_t> moved;    // per kind
  };
  Shared shared_;
  ThreadPool pool_;
};

}  // namespace woodstock::learn
