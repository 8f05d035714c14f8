// Between the core's tables and Python's lists.

#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <span>
#include <vector>

using Ids = std::vector<std::uint32_t>;
using Memory = nanobind::ndarray<nanobind::memview, const std::uint32_t>;

// Without copying: `owner` keeps the numbers where they are.
inline Memory share(const Ids& ids, nanobind::handle owner) {
  return Memory(ids.data(), {ids.size()}, owner);
}

inline std::span<const std::uint8_t> view(const nanobind::bytes& bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.c_str()), bytes.size()};
}

inline nanobind::bytes to_python(const std::vector<std::uint8_t>& bytes) {
  return nanobind::bytes(bytes.data(), bytes.size());
}

// Rows of a compressed table as lists.
inline std::vector<Ids> rows(const std::vector<std::uint32_t>& begin, const Ids& items) {
  std::vector<Ids> out;
  for (std::size_t i = 0; i + 1 < begin.size(); ++i) {
    out.emplace_back(items.begin() + begin[i], items.begin() + begin[i + 1]);
  }
  return out;
}

// A flat table as rows of `width` entries.
template <typename T>
std::vector<std::vector<T>> table(const std::vector<T>& flat, std::size_t width) {
  std::vector<std::vector<T>> out;
  for (std::size_t i = 0; width != 0 && i + width <= flat.size(); i += width) {
    const auto from = flat.begin() + static_cast<std::ptrdiff_t>(i);
    out.emplace_back(from, from + static_cast<std::ptrdiff_t>(width));
  }
  return out;
}
