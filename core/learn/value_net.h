// A small net that tells what a state is worth to everybody.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "learn/features.h"

namespace woodstock::learn {

// Who gets a value of its own: role by role, or, of two players whose goals always add up to the
// same, the first; the other gets what is left.
enum class Outputs : std::uint8_t { each, opposed };

struct NetShape {
  std::uint32_t roles = 0;
  std::uint32_t chance = 0xffffffffU;  // the role whose moves are drawn; it gets no value
  Outputs outputs = Outputs::each;
  std::uint32_t hidden = 0;             // rectified units
  std::vector<std::uint32_t> controls;  // fluents that tell whose turn it is; each has its head

  static constexpr std::uint32_t most_roles = 64;
  static constexpr std::uint32_t most_hidden = 512;
  static constexpr std::uint32_t most_controls = 64;

  std::uint32_t values() const;  // outputs of a head
  std::uint32_t heads() const { return static_cast<std::uint32_t>(controls.size()) + 1; }
  // That of a packed state.
  std::uint32_t head_of(const std::uint8_t* state) const noexcept {
    std::uint32_t head = 0;
    while (head < controls.size() && (state[controls[head] / 8] >> (controls[head] % 8) & 1) == 0) {
      ++head;
    }
    return head;
  }
  // Of a row of the first layer: the units, and the direct part of each head and output.
  std::uint32_t columns() const { return hidden + heads() * values(); }
  // The same with what fills it up for vectors.
  std::uint32_t width() const { return (columns() + 31) / 32 * 32; }

  // Throws std::invalid_argument for shapes without sense.
  void check(std::uint32_t fluents) const;
  bool operator==(const NetShape&) const = default;
};

// Features (there or not) -> rectified units, and a direct linear part -> logistic outputs, one set
// of them for each side to move. The head of a state is that of the first control that holds, or
// the last one.
//
// Weights of the first layer are whole numbers of 16 bits, so that a sum is the same whatever the
// order of its parts: a state that differs little from another is valued by the difference, and the
// value is the same to the bit, on all machines. Immutable; threads share it.
class ValueNet {
 public:
  static constexpr float scale = 1024;  // of the first layer's weights

  // `rows`: for the bias and then each feature, a number for each unit, then for each head and
  // output. `out`: for each head and output, a number for each unit. Throws std::invalid_argument
  // where sizes do not fit or a number is not finite.
  ValueNet(std::shared_ptr<const Features> features, NetShape shape, std::span<const float> rows,
           std::span<const float> out);

  const Features& features() const noexcept { return *features_; }
  const NetShape& shape() const noexcept { return shape_; }

 private:
  friend class Evaluator;
  friend std::vector<std::uint8_t> to_bytes(const ValueNet& net);
  friend std::shared_ptr<const ValueNet> from_bytes(std::span<const std::uint8_t> bytes);

  std::shared_ptr<const Features> features_;
  NetShape shape_;
  std::uint32_t width_ = 0;         // of a row: a multiple of 32
  std::vector<std::int16_t> rows_;  // bias first
  std::vector<float> out_;          // (head * outputs + output) * width + unit
};

// Values states by a net; one thread at a time, with scratch of its own.
class Evaluator {
 public:
  explicit Evaluator(std::shared_ptr<const ValueNet> net);
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  const ValueNet& net() const noexcept { return *net_; }

  // Compares what comes next with this packed state. Successors are more like the state that they
  // come from than like each other.
  void compare_with(const std::uint8_t* state);

  // The expected goals of packed states, one after the other: `out` gets a number between 0 and 1
  // for each state and role (state * roles + role), goals being divided as in Utilities; 0.5 for
  // chance. Cheap where neighbours are alike, as the successors of one state are.
  void operator()(std::span<const std::uint8_t> states, float* out);

 private:
  struct Scratch;
  void read(const std::uint8_t* state);
  void rebase();
  void compare();
  std::shared_ptr<const ValueNet> net_;
  std::unique_ptr<Scratch> scratch_;
};

// A versioned file with a checksum. `from_bytes` throws std::invalid_argument for anything else, be
// it cut, changed or of a later version; whatever bytes it takes make a net that can be asked.
std::vector<std::uint8_t> to_bytes(const ValueNet& net);
std::shared_ptr<const ValueNet> from_bytes(std::span<const std::uint8_t> bytes);

}  // namespace woodstock::learn
