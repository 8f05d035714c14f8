// Nets as bytes: magic, version, shape, patterns, weights, checksum; numbers are little-endian.

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <type_traits>

#include "learn/kernel.h"
#include "learn/value_net.h"
#include "util/random.h"

namespace woodstock::learn {

namespace {

constexpr std::string_view magic = "WSVALUES";
constexpr std::uint32_t version = 1;
constexpr std::uint32_t most_fluents = 1U << 22;
constexpr std::size_t most_weights = std::size_t{1} << 28;

std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
  std::uint64_t sum = bytes.size();
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < 8 && i + k < bytes.size(); ++k) {
      word |= std::uint64_t{bytes[i + k]} << (8 * k);
    }
    sum = scatter(sum + golden_gamma) ^ word;
  }
  return scatter(sum);
}

class Writer {
 public:
  template <class T>
  void number(T value) {
    using U = std::make_unsigned_t<T>;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      bytes.push_back(static_cast<std::uint8_t>(static_cast<U>(value) >> (8 * i)));
    }
  }
  void real(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    number(bits);
  }
  void list(const std::vector<std::uint32_t>& values) {
    number(static_cast<std::uint32_t>(values.size()));
    for (std::uint32_t value : values) number(value);
  }

  std::vector<std::uint8_t> bytes;
};

class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::size_t left() const { return bytes_.size() - at_; }
  template <class T>
  T number() {
    if (left() < sizeof(T)) throw std::invalid_argument("the net is cut short");
    std::make_unsigned_t<T> value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      value = static_cast<std::make_unsigned_t<T>>(
          value | static_cast<std::make_unsigned_t<T>>(bytes_[at_ + i]) << (8 * i));
    }
    at_ += sizeof(T);
    return static_cast<T>(value);
  }
  float real() {
    const auto bits = number<std::uint32_t>();
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  // Lists are read as far as there are bytes: a size alone takes no memory.
  std::vector<std::uint32_t> list() {
    const auto size = number<std::uint32_t>();
    if (size > left() / 4) throw std::invalid_argument("the net is cut short");
    std::vector<std::uint32_t> out(size);
    for (std::uint32_t& value : out) value = number<std::uint32_t>();
    return out;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<std::uint8_t> to_bytes(const ValueNet& net) {
  const NetShape& shape = net.shape_;
  Writer out;
  out.bytes.assign(magic.begin(), magic.end());
  out.number(version);
  out.number(shape.roles);
  out.number(shape.chance);
  out.number(static_cast<std::uint8_t>(shape.outputs));
  out.number(shape.hidden);
  out.list(shape.controls);
  out.number(net.features_->fluents());
  out.number(static_cast<std::uint32_t>(net.features_->patterns().size()));
  for (const Pattern& pattern : net.features_->patterns()) {
    out.list(pattern.fluents);
    out.list(pattern.blockers);
  }
  const std::uint32_t columns = shape.columns();
  for (std::size_t i = 0; i < net.rows_.size(); i += net.width_) {
    for (std::size_t k = 0; k < columns; ++k) out.number(net.rows_[i + k]);
  }
  for (std::size_t i = 0; i < net.out_.size(); i += net.width_) {
    for (std::size_t k = 0; k < shape.hidden; ++k) out.real(net.out_[i + k]);
  }
  out.number(checksum(out.bytes));
  return out.bytes;
}

std::shared_ptr<const ValueNet> from_bytes(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < magic.size() + 12 || !std::equal(magic.begin(), magic.end(), bytes.begin())) {
    throw std::invalid_argument("these bytes are no net");
  }
  Reader sum(bytes.last(8));
  Reader in(bytes.subspan(magic.size(), bytes.size() - magic.size() - 8));
  const auto written = in.number<std::uint32_t>();
  if (written != version) {
    throw std::invalid_argument("the net is of version " + std::to_string(written) +
                                ", and this program reads version " + std::to_string(version));
  }
  if (sum.number<std::uint64_t>() != checksum(bytes.first(bytes.size() - 8))) {
    throw std::invalid_argument("the net was changed or cut short: its checksum is wrong");
  }
  NetShape shape;
  shape.roles = in.number<std::uint32_t>();
  shape.chance = in.number<std::uint32_t>();
  const auto outputs = in.number<std::uint8_t>();
  if (outputs > 1) throw std::invalid_argument("the net has outputs of no known kind");
  shape.outputs = static_cast<Outputs>(outputs);
  shape.hidden = in.number<std::uint32_t>();
  shape.controls = in.list();
  const auto fluents = in.number<std::uint32_t>();
  // Every fluent has a row, so a number without rows behind it takes no memory.
  if (fluents > most_fluents || fluents > in.left()) {
    throw std::invalid_argument("the net has too many fluents");
  }
  shape.check(fluents);
  const auto count = in.number<std::uint32_t>();
  if (count > in.left() / 16) throw std::invalid_argument("the net is cut short");
  std::vector<Pattern> patterns(count);
  for (Pattern& pattern : patterns) {
    pattern.fluents = in.list();
    pattern.blockers = in.list();
  }
  auto features = std::make_shared<const Features>(fluents, std::move(patterns));
  const std::size_t columns = shape.columns();
  const std::size_t rows = (std::size_t{features->size()} + 1) * columns;
  const std::size_t outs = (columns - shape.hidden) * shape.hidden;
  if (rows > most_weights || in.left() != rows * 2 + outs * 4) {
    throw std::invalid_argument("the weights of the net do not fit its shape");
  }
  // Whole numbers of 16 bits and their parts of a thousand are the same thing: nothing is lost.
  std::vector<float> first(rows);
  for (float& weight : first) {
    weight = static_cast<float>(in.number<std::int16_t>()) / ValueNet::scale;
  }
  std::vector<float> second(outs);
  for (float& weight : second) weight = in.real();
  return std::make_shared<const ValueNet>(std::move(features), std::move(shape), first, second);
}

}  // namespace woodstock::learn
