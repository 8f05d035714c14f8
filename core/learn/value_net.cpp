#include "learn/value_net.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "learn/kernel.h"

namespace woodstock::learn {

namespace {

// Sums of a few hundred of them stay within 16 bits.
constexpr float greatest_weight = 16;

std::int16_t to_whole(float weight) {
  const float bounded = std::clamp(weight, -greatest_weight, greatest_weight);
  return static_cast<std::int16_t>(std::lround(bounded * ValueNet::scale));
}

}  // namespace

std::uint32_t NetShape::values() const {
  if (outputs == Outputs::opposed) return 1;
  return roles - (chance < roles ? 1 : 0);
}

void NetShape::check(std::uint32_t fluents) const {
  const std::uint32_t players = roles - (chance < roles ? 1 : 0);
  if (roles == 0 || roles > most_roles || players == 0) {
    throw std::invalid_argument("a net needs players, and not too many");
  }
  if (outputs == Outputs::opposed && players != 2) {
    throw std::invalid_argument("only two players can be opposed");
  }
  if (hidden == 0 || hidden > most_hidden) {
    throw std::invalid_argument("a net has 1 to 512 hidden units");
  }
  if (controls.size() > most_controls) throw std::invalid_argument("too many controls");
  for (std::uint32_t control : controls) {
    if (control >= fluents) throw std::invalid_argument("a control is no fluent");
  }
}

ValueNet::ValueNet(std::shared_ptr<const Features> features, NetShape shape,
                   std::span<const float> rows, std::span<const float> out)
    : features_(std::move(features)), shape_(std::move(shape)) {
  shape_.check(features_->fluents());
  const std::size_t count = std::size_t{features_->size()} + 1;
  const std::size_t columns = shape_.columns();
  const std::size_t outputs = columns - shape_.hidden;
  if (rows.size() != count * columns || out.size() != outputs * shape_.hidden) {
    throw std::invalid_argument("weights do not fit the shape of the net");
  }
  const auto finite = [](float x) { return std::isfinite(x); };
  if (!std::all_of(rows.begin(), rows.end(), finite) ||
      !std::all_of(out.begin(), out.end(), finite)) {
    throw std::invalid_argument("weights are not finite");
  }
  width_ = shape_.width();
  rows_.assign(count * width_, 0);
  for (std::size_t i = 0; i < count; ++i) {
    std::transform(rows.begin() + static_cast<std::ptrdiff_t>(i * columns),
                   rows.begin() + static_cast<std::ptrdiff_t>((i + 1) * columns),
                   rows_.begin() + static_cast<std::ptrdiff_t>(i * width_), to_whole);
  }
  out_.assign(outputs * width_, 0.0F);
  for (std::size_t i = 0; i < outputs; ++i) {
    std::copy_n(out.begin() + static_cast<std::ptrdiff_t>(i * shape_.hidden), shape_.hidden,
                out_.begin() + static_cast<std::ptrdiff_t>(i * width_));
  }
}

}  // namespace woodstock::learn
