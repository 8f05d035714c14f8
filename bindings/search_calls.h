// How searches are asked from Python.

#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>

#include "search/searcher.h"

struct Stop {
  std::atomic<bool> set{false};
};

inline woodstock::Limits to_limits(std::optional<double> seconds, std::optional<double> cpu_seconds,
                                   std::optional<std::uint64_t> nodes,
                                   std::optional<std::uint64_t> simulations) {
  woodstock::Limits limits;
  if (seconds) limits.deadline = woodstock::deadline_in(*seconds);
  if (cpu_seconds) limits.cpu_seconds = *cpu_seconds;
  if (nodes) limits.nodes = *nodes;
  if (simulations) limits.simulations = *simulations;
  return limits;
}

using Listener = std::optional<std::function<void(const woodstock::Decision&)>>;

// For threads that do not hold Python's lock. `listener` must outlive it.
inline woodstock::Progress to_progress(const Listener& listener) {
  return [&listener](const woodstock::Decision& decision) {
    const nanobind::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    if (listener) (*listener)(decision);
  };
}
