// The inner loops of nets, compiled once for each instruction set. All of them give the same
// results: sums are made in the same order everywhere, and nothing is fused.

#pragma once

#include <cstddef>
#include <cstdint>

namespace woodstock::learn {

// Widths of rows are multiples of this.
constexpr std::size_t row_unit = 32;

// Positions to learn from, in compressed sparse rows.
struct Lessons {
  const std::uint32_t* begin;     // position -> into features; one entry more
  const std::uint32_t* features;  // 0 is the bias, which every position has
  const std::uint32_t* head;
  const float* targets;  // position * values + value
};

// The numbers that are learned, and a layer's shape.
struct Weights {
  std::size_t width;
  std::size_t hidden;
  std::size_t heads;
  std::size_t values;
  float* rows;  // feature * width + column
  float* out;   // (head * values + value) * width + unit
};

struct Kernel {
  const char* name;

  // total = base + the rows of `more` - those of `less`; whole numbers that wrap around.
  void (*sum)(const std::int16_t* rows, std::size_t width, const std::uint16_t* base,
              const std::uint32_t* more, std::size_t more_count, const std::uint32_t* less,
              std::size_t less_count, std::uint16_t* total);
  // The sum of out[i] * max(0, total[i]).
  float (*dot)(const std::uint16_t* total, const float* out, std::size_t width);

  // Adds the gradients of the log-loss of lessons `order[0] ... order[count - 1]` to those in
  // `rows` and `out`, which are laid out as the weights; rows that change are marked in `touched`.
  // The loss.
  double (*gradient)(const Weights& weights, const Lessons& lessons, const std::uint32_t* order,
                     std::size_t count, float* rows, float* out, std::uint8_t* touched,
                     float* scratch);
  // One step of Adam for `count` numbers: `parts` gradients, `stride` apart, are added up, used and
  // set to 0.
  void (*step)(float* weights, float* mean, float* square, float* gradients, std::size_t parts,
               std::size_t stride, std::size_t count, float rate, float scale);
};

const Kernel* kernel_base() noexcept;
// nullptr where the compiler does not have the instruction set.
const Kernel* kernel_avx2() noexcept;
const Kernel* kernel_avx512() noexcept;

// The widest that this machine can run.
const Kernel& best_kernel();
// By name, for tests; nullptr where it cannot be had.
const Kernel* kernel_named(const char* name);

// 1 / (1 + e^-x), from additions and multiplications alone.
float logistic(float x) noexcept;

}  // namespace woodstock::learn
