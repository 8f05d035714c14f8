#include "search/net_values.h"

#include <stdexcept>
#include <utility>

namespace woodstock {

namespace {

std::shared_ptr<const learn::ValueNet> fitting(const Circuit& circuit, std::uint32_t chance,
                                               std::shared_ptr<const learn::ValueNet> net) {
  if (!net) throw std::invalid_argument("these values need a net, and none is given");
  const learn::NetShape& shape = net->shape();
  const std::uint32_t drawn = shape.chance < shape.roles ? shape.chance : Utilities::nobody;
  if (net->features().fluents() != circuit.fluents() || shape.roles != circuit.roles() ||
      drawn != chance) {
    throw std::invalid_argument("the net is that of another game");
  }
  return net;
}

}  // namespace

NetValues::NetValues(const Circuit& circuit, const Utilities& utilities,
                     std::shared_ptr<const learn::ValueNet> net)
    : size_(circuit.state_size()),
      utilities_(utilities),
      evaluator_(fitting(circuit, utilities.chance(), std::move(net))) {}

std::span<const double> NetValues::operator()(std::span<const std::uint8_t> states) {
  const std::size_t count = states.size() / size_;
  const std::size_t roles = utilities_.roles();
  goals_.resize(count * roles);
  values_.resize(count * roles);
  evaluator_(states, goals_.data());
  for (std::size_t i = 0; i < count; ++i) {
    utilities_.of_expected(goals_.data() + i * roles, values_.data() + i * roles);
  }
  return values_;
}

}  // namespace woodstock
