// How searches are asked from Python.

#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

#include "search/sampling.h"
#include "search/searcher.h"

struct Stop {
  std::atomic<bool> set{false};
};

inline woodstock::Choice to_choice(const std::string& name) {
  if (name == "ucb") return woodstock::Choice::ucb;
  if (name == "grave") return woodstock::Choice::grave;
  if (name == "regret") return woodstock::Choice::regret;
  throw std::invalid_argument("no way of choosing called '" + name + "': ucb, grave, regret");
}

inline woodstock::SamplingOptions to_sampling(
    std::uint32_t role, std::optional<std::uint32_t> chance, const std::string& concept_,
    const std::string& choice, double exploration, std::uint32_t leaves, std::uint32_t playouts,
    bool halving, std::uint32_t max_depth, double reference, double bias, double mixing,
    std::uint32_t max_plies, std::uint64_t seed, std::size_t memory) {
  return {.choice = to_choice(choice),
          .concept_ = woodstock::parse_concept(concept_),
          .role = role,
          .chance = chance.value_or(woodstock::Utilities::nobody),
          .exploration = exploration,
          .leaves = leaves,
          .playouts = playouts,
          .halving = halving,
          .max_depth = max_depth,
          .reference = reference,
          .bias = bias,
          .mixing = mixing,
          .max_plies = max_plies,
          .seed = seed,
          .memory = memory};
}

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
