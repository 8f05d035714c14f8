// Included once for each instruction set; see kernel.h. Sums are made in the same order whatever
// the width of a vector.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>

#include "learn/kernel.h"
#include "learn/value_net.h"

namespace woodstock::learn {
namespace {

#if defined(WOODSTOCK_AVX512)
constexpr std::size_t vector_bytes = 64;
#elif defined(WOODSTOCK_AVX2)
constexpr std::size_t vector_bytes = 32;
#else
constexpr std::size_t vector_bytes = 16;
#endif

// As many numbers as a register holds, wherever they lie. Left to themselves, compilers turn some
// of these loops inside out and add numbers one by one.
using Floats [[gnu::vector_size(vector_bytes), gnu::aligned(4), gnu::may_alias]] = float;
using Words [[gnu::vector_size(vector_bytes), gnu::aligned(2), gnu::may_alias]] = std::uint16_t;
constexpr std::size_t step = vector_bytes / sizeof(float);

inline const Floats* floats(const float* numbers) {
  return reinterpret_cast<const Floats*>(numbers);
}
inline Floats* floats(float* numbers) { return reinterpret_cast<Floats*>(numbers); }
inline const Words* words(const std::uint16_t* numbers) {
  return reinterpret_cast<const Words*>(numbers);
}
inline Words* words(std::uint16_t* numbers) { return reinterpret_cast<Words*>(numbers); }
inline const Words* words(const std::int16_t* numbers) {
  return reinterpret_cast<const Words*>(numbers);
}

constexpr std::size_t lanes = 16;  // sums that are made side by side, on every machine

void sum_rows(const std::int16_t* rows, std::size_t width, const std::uint16_t* base,
              const std::uint32_t* more, std::size_t more_count, const std::uint32_t* less,
              std::size_t less_count, std::uint16_t* total) {
  constexpr std::size_t vectors = row_unit * sizeof(std::int16_t) / vector_bytes;
  for (std::size_t at = 0; at < width; at += row_unit) {
    Words sum[vectors];
    for (std::size_t k = 0; k < vectors; ++k) sum[k] = words(base + at)[k];
    for (std::size_t i = 0; i < more_count; ++i) {
      const Words* row = words(rows + more[i] * width + at);
      for (std::size_t k = 0; k < vectors; ++k) sum[k] += row[k];
    }
    for (std::size_t i = 0; i < less_count; ++i) {
      const Words* row = words(rows + less[i] * width + at);
      for (std::size_t k = 0; k < vectors; ++k) sum[k] -= row[k];
    }
    for (std::size_t k = 0; k < vectors; ++k) words(total + at)[k] = sum[k];
  }
}

// The same tree of additions everywhere.
inline float add_up(const float* part) {
  float half[lanes / 2];
  for (std::size_t k = 0; k < lanes / 2; ++k) half[k] = part[k] + part[k + lanes / 2];
  for (std::size_t n = lanes / 4; n != 0; n /= 2) {
    for (std::size_t k = 0; k < n; ++k) half[k] += half[k + n];
  }
  return half[0];
}

float dot_rectified(const std::uint16_t* total, const float* out, std::size_t width) {
  float part[lanes] = {};
  for (std::size_t at = 0; at < width; at += lanes) {
    for (std::size_t k = 0; k < lanes; ++k) {
      const auto value = static_cast<std::int16_t>(total[at + k]);
      part[k] += static_cast<float>(value > 0 ? value : std::int16_t{0}) * out[at + k];
    }
  }
  return add_up(part);
}

// With a width that is known beforehand, or with any: 0. Known ones stay in registers.
template <std::size_t known>
double add_gradient_of(const Weights& net, const Lessons& lessons, const std::uint32_t* order,
                       std::size_t count, float* rows, float* outs, std::uint8_t* touched,
                       float* scratch) {
  const std::size_t width = known != 0 ? known : net.width;
  const std::size_t parts = width / step;
  Floats local[known != 0 ? 2 * known / step : 1];
  Floats* const total = known != 0 ? local : floats(scratch);
  Floats* const back = total + parts;
  const Floats none{};
  double loss = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t lesson = order[i];
    const std::uint32_t* first = lessons.features + lessons.begin[lesson];
    const std::uint32_t* last = lessons.features + lessons.begin[lesson + 1];
    for (std::size_t k = 0; k < parts; ++k) total[k] = floats(net.rows)[k];
    for (const std::uint32_t* f = first; f != last; ++f) {
      const Floats* row = floats(net.rows + *f * width);
      for (std::size_t k = 0; k < parts; ++k) total[k] += row[k];
    }
    // The columns behind the hidden units are the direct part, which nothing comes after.
    const std::size_t output = lessons.head[lesson] * net.values;
    float off[NetShape::most_roles];
    for (std::size_t v = 0; v < net.values; ++v) {
      off[v] = reinterpret_cast<const float*>(total)[net.hidden + output + v];
    }
    for (std::size_t k = net.hidden; k < width; ++k) reinterpret_cast<float*>(total)[k] = 0;
    for (std::size_t k = 0; k < parts; ++k) {
      total[k] = total[k] > 0.0F ? total[k] : none;
      back[k] = none;
    }
    for (std::size_t v = 0; v < net.values; ++v) {
      const Floats* out = floats(net.out + (output + v) * width);
      constexpr std::size_t side_by_side = lanes / step;
      Floats sum[side_by_side] = {};
      for (std::size_t k = 0; k < parts; ++k) sum[k % side_by_side] += total[k] * out[k];
      const float value = logistic(add_up(reinterpret_cast<const float*>(sum)) + off[v]);
      const float target = lessons.targets[lesson * net.values + v];
      off[v] = value - target;
      // Bounded: a value that has come to 0 or 1 by rounding is not infinitely wrong.
      const float safe = std::clamp(value, 1e-6F, 1 - 1e-6F);
      loss -= static_cast<double>(target * std::log(safe) + (1 - target) * std::log(1 - safe));
      Floats* gradient = floats(outs + (output + v) * width);
      for (std::size_t k = 0; k < parts; ++k) {
        gradient[k] += off[v] * total[k];
        back[k] += off[v] * out[k];
      }
    }
    for (std::size_t k = 0; k < parts; ++k) back[k] = total[k] > 0.0F ? back[k] : none;
    for (std::size_t v = 0; v < net.values; ++v) {
      reinterpret_cast<float*>(back)[net.hidden + output + v] = off[v];
    }
    for (std::size_t k = 0; k < parts; ++k) floats(rows)[k] += back[k];
    for (const std::uint32_t* f = first; f != last; ++f) {
      touched[*f] = 1;
      Floats* row = floats(rows + *f * width);
      for (std::size_t k = 0; k < parts; ++k) row[k] += back[k];
    }
  }
  touched[0] = 1;
  return loss;
}

double add_gradient(const Weights& net, const Lessons& lessons, const std::uint32_t* order,
                    std::size_t count, float* rows, float* outs, std::uint8_t* touched,
                    float* scratch) {
  const auto& add = net.width == 32   ? add_gradient_of<32>
                    : net.width == 64 ? add_gradient_of<64>
                                      : add_gradient_of<0>;
  return add(net, lessons, order, count, rows, outs, touched, scratch);
}

void step_adam(float* weights, float* mean, float* square, float* gradients, std::size_t parts,
               std::size_t stride, std::size_t count, float rate, float scale) {
  constexpr float old_mean = 0.9F;
  constexpr float old_square = 0.99F;
  constexpr float least = 1e-6F;
  for (std::size_t at = 0; at < count; at += step) {
    Floats gradient = *floats(gradients + at);
    *floats(gradients + at) = Floats{};
    for (std::size_t p = 1; p < parts; ++p) {
      gradient += *floats(gradients + p * stride + at);
      *floats(gradients + p * stride + at) = Floats{};
    }
    gradient *= scale;
    Floats& first = *floats(mean + at);
    Floats& second = *floats(square + at);
    first = old_mean * first + (1 - old_mean) * gradient;
    second = old_square * second + (1 - old_square) * gradient * gradient;
    Floats root;
    for (std::size_t k = 0; k < step; ++k) root[k] = std::sqrt(second[k]);
    *floats(weights + at) -= rate * first / (root + least);
  }
}

}  // namespace
}  // namespace woodstock::learn
