// What a learned net says of states, as the utilities of a search.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "learn/value_net.h"
#include "search/concept.h"

namespace woodstock {

class NetValues {
 public:
  // Throws std::invalid_argument where there is no net, or it is that of another game.
  NetValues(const Circuit& circuit, const Utilities& utilities,
            std::shared_ptr<const learn::ValueNet> net);

  // States that come next are much like this one.
  void compare_with(const std::uint8_t* state) { evaluator_.compare_with(state); }

  // The utilities of packed states, one after the other: state * roles + role. The same until the
  // next call.
  std::span<const double> operator()(std::span<const std::uint8_t> states);

 private:
  std::size_t size_;  // of a state
  Utilities utilities_;
  learn::Evaluator evaluator_;
  std::vector<float> goals_;
  std::vector<double> values_;
};

}  // namespace woodstock
