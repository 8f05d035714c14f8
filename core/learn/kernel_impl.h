// Included once for each instruction set; see kernel.h. Plain loops of fixed order that compilers
// turn into vectors.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>

#include "learn/kernel.h"

namespace woodstock::learn {
namespace {

constexpr std::size_t lanes = 16;

void sum_rows(const std::int16_t* rows, std::size_t width, const std::uint16_t* base,
              const std::uint32_t* more, std::size_t more_count, const std::uint32_t* less,
              std::size_t less_count, std::uint16_t* total) {
  for (std::size_t at = 0; at < width; at += row_unit) {
    std::uint16_t acc[row_unit];
    std::memcpy(acc, base + at, sizeof acc);
    for (std::size_t i = 0; i < more_count; ++i) {
      const std::int16_t* row = rows + more[i] * width + at;
      for (std::size_t k = 0; k < row_unit; ++k) {
        acc[k] = static_cast<std::uint16_t>(acc[k] + static_cast<std::uint16_t>(row[k]));
      }
    }
    for (std::size_t i = 0; i < less_count; ++i) {
      const std::int16_t* row = rows + less[i] * width + at;
      for (std::size_t k = 0; k < row_unit; ++k) {
        acc[k] = static_cast<std::uint16_t>(acc[k] - static_cast<std::uint16_t>(row[k]));
      }
    }
    std::memcpy(total + at, acc, sizeof acc);
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

double add_gradient(const Weights& net, const Lessons& lessons, const std::uint32_t* order,
                    std::size_t count, float* rows, float* outs, std::uint8_t* touched,
                    float* scratch) {
  const std::size_t width = net.width;
  float* total = scratch;
  float* active = scratch + width;
  float* back = scratch + 2 * width;
  double loss = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t lesson = order[i];
    const std::uint32_t* first = lessons.features + lessons.begin[lesson];
    const std::uint32_t* last = lessons.features + lessons.begin[lesson + 1];
    std::memcpy(total, net.rows, width * sizeof(float));
    for (const std::uint32_t* f = first; f != last; ++f) {
      const float* row = net.rows + *f * width;
      for (std::size_t k = 0; k < width; ++k) total[k] += row[k];
    }
    for (std::size_t k = 0; k < width; ++k) active[k] = total[k] > 0.0F ? total[k] : 0.0F;
    // The columns behind the hidden units are the direct part, which nothing comes after.
    for (std::size_t k = net.hidden; k < width; ++k) active[k] = 0;
    std::memset(back, 0, width * sizeof(float));
    const std::size_t output = lessons.head[lesson] * net.values;
    for (std::size_t v = output; v < output + net.values; ++v) {
      const float* out = net.out + v * width;
      float part[lanes] = {};
      for (std::size_t from = 0; from < width; from += lanes) {
        for (std::size_t k = 0; k < lanes; ++k) part[k] += active[from + k] * out[from + k];
      }
      const float value = logistic(add_up(part) + total[net.hidden + v]);
      const float target = lessons.targets[lesson * net.values + v - output];
      const float off = value - target;
      // Bounded: a value that has come to 0 or 1 by rounding is not infinitely wrong.
      const float safe = std::clamp(value, 1e-6F, 1 - 1e-6F);
      loss -= static_cast<double>(target * std::log(safe) + (1 - target) * std::log(1 - safe));
      float* gradient = outs + v * width;
      for (std::size_t k = 0; k < width; ++k) {
        gradient[k] += off * active[k];
        back[k] += off * out[k];
      }
      total[net.hidden + v] = off;
    }
    for (std::size_t k = 0; k < net.hidden; ++k) back[k] = active[k] > 0.0F ? back[k] : 0.0F;
    for (std::size_t v = output; v < output + net.values; ++v) {
      back[net.hidden + v] = total[net.hidden + v];
    }
    for (std::size_t k = 0; k < width; ++k) rows[k] += back[k];
    for (const std::uint32_t* f = first; f != last; ++f) {
      touched[*f] = 1;
      float* row = rows + *f * width;
      for (std::size_t k = 0; k < width; ++k) row[k] += back[k];
    }
  }
  touched[0] = 1;
  return loss;
}

void step_adam(float* weights, float* mean, float* square, float* gradients, std::size_t parts,
               std::size_t stride, std::size_t count, float rate, float scale) {
  constexpr float old_mean = 0.9F;
  constexpr float old_square = 0.99F;
  constexpr float least = 1e-6F;
  for (std::size_t at = 0; at < count; at += lanes) {
    for (std::size_t k = at; k < at + lanes; ++k) {
      float gradient = gradients[k];
      gradients[k] = 0;
      for (std::size_t p = 1; p < parts; ++p) {
        gradient += gradients[p * stride + k];
        gradients[p * stride + k] = 0;
      }
      gradient *= scale;
      mean[k] = old_mean * mean[k] + (1 - old_mean) * gradient;
      square[k] = old_square * square[k] + (1 - old_square) * gradient * gradient;
      weights[k] -= rate * mean[k] / (std::sqrt(square[k]) + least);
    }
  }
}

}  // namespace
}  // namespace woodstock::learn
