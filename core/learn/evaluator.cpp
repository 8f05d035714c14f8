#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "circuit/transpose.h"
#include "learn/kernel.h"
#include "learn/value_net.h"

namespace woodstock::learn {

// Of the state that others are compared with: what holds, the counters of patterns and the sums of
// the first layer.
struct Evaluator::Scratch {
  std::vector<std::uint64_t> words;
  std::vector<std::uint16_t> counters;
  std::vector<std::uint16_t> base;
  std::uint32_t far = 0;  // with so many differences it is another state that is to compare with
  bool set = false;

  std::vector<std::uint64_t> now;          // words of the state at hand
  std::vector<std::uint32_t> differences;  // fluents
  std::vector<std::uint16_t> changed;      // counters of the patterns in `moved`
  std::vector<std::uint32_t> moved;        // patterns whose counters change
  std::vector<std::uint8_t> is_moved;      // per pattern
  std::vector<std::uint32_t> more;         // rows
  std::vector<std::uint32_t> less;
  std::vector<std::uint16_t> total;
  std::vector<std::uint16_t> zeros;
};

Evaluator::Evaluator(std::shared_ptr<const ValueNet> net)
    : net_(std::move(net)), scratch_(std::make_unique<Scratch>()) {
  const Features& features = net_->features();
  const std::size_t words = (std::size_t{features.fluents()} + 63) / 64;
  scratch_->words.assign(words, 0);
  scratch_->now.assign(words, 0);
  scratch_->counters.assign(features.patterns().size(), 0);
  scratch_->changed.assign(features.patterns().size(), 0);
  scratch_->is_moved.assign(features.patterns().size(), 0);
  scratch_->base.assign(net_->width_, 0);
  scratch_->total.assign(net_->width_, 0);
  scratch_->zeros.assign(net_->width_, 0);
}

Evaluator::~Evaluator() = default;

// Takes a state in hand, and lists where it differs from the base; far from it, not everything.
void Evaluator::read(const std::uint8_t* state) {
  Scratch& at = *scratch_;
  const std::size_t size = net_->features().state_size();
  at.differences.clear();
  for (std::size_t w = 0; w < at.now.size(); ++w) {
    at.now[w] = read_bytes(state + w * 8, size - w * 8);
    std::uint64_t bits = at.now[w] ^ at.words[w];
    for (; bits != 0 && at.differences.size() <= at.far; bits &= bits - 1) {
      at.differences.push_back(
          static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(bits))));
    }
  }
}

void Evaluator::compare_with(const std::uint8_t* state) {
  read(state);
  if (!scratch_->set || !scratch_->differences.empty()) rebase();
}

// Makes the state at hand the one that others are compared with.
void Evaluator::rebase() {
  Scratch& at = *scratch_;
  const Features& features = net_->features();
  at.words = at.now;
  std::fill(at.counters.begin(), at.counters.end(), std::uint16_t{0});
  at.more.assign(1, 0);
  for (std::size_t w = 0; w < at.words.size(); ++w) {
    for (std::uint64_t bits = at.words[w]; bits != 0; bits &= bits - 1) {
      const auto fluent =
          static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
      at.more.push_back(fluent + 1);
      for (auto* step = features.steps_begin(fluent); step != features.steps_end(fluent); ++step) {
        at.counters[step->pattern] =
            static_cast<std::uint16_t>(at.counters[step->pattern] + step->add);
      }
    }
  }
  // Far from the base, adding up everything costs less than the difference.
  at.far = static_cast<std::uint32_t>(at.more.size()) / 2 + 2;
  for (std::uint32_t p = 0; p < at.counters.size(); ++p) {
    if (Features::open(at.counters[p])) at.more.push_back(features.feature(p, at.counters[p]) + 1);
  }
  best_kernel().sum(net_->rows_.data(), net_->width_, at.zeros.data(), at.more.data(),
                    at.more.size(), nullptr, 0, at.base.data());
  at.set = true;
}

// Lists the rows in which the state at hand differs from the base.
void Evaluator::compare() {
  Scratch& at = *scratch_;
  const Features& features = net_->features();
  at.more.clear();
  at.less.clear();
  at.moved.clear();
  for (const std::uint32_t fluent : at.differences) {
    const bool there = (at.now[fluent / 64] >> (fluent % 64) & 1) != 0;
    (there ? at.more : at.less).push_back(fluent + 1);
    for (auto* step = features.steps_begin(fluent); step != features.steps_end(fluent); ++step) {
      std::uint16_t& counter = at.changed[step->pattern];
      if (at.is_moved[step->pattern] == 0) {
        at.is_moved[step->pattern] = 1;
        at.moved.push_back(step->pattern);
        counter = at.counters[step->pattern];
      }
      counter = static_cast<std::uint16_t>(there ? counter + step->add : counter - step->add);
    }
  }
  for (std::uint32_t p : at.moved) {
    at.is_moved[p] = 0;
    if (at.changed[p] == at.counters[p]) continue;
    if (Features::open(at.counters[p])) at.less.push_back(features.feature(p, at.counters[p]) + 1);
    if (Features::open(at.changed[p])) at.more.push_back(features.feature(p, at.changed[p]) + 1);
  }
}

void Evaluator::operator()(std::span<const std::uint8_t> states, float* out) {
  Scratch& at = *scratch_;
  const ValueNet& net = *net_;
  const NetShape& shape = net.shape_;
  const Kernel& kernel = best_kernel();
  const std::size_t size = net.features_->state_size();
  const std::uint32_t values = shape.values();
  for (std::size_t first = 0; first + size <= states.size(); first += size, out += shape.roles) {
    const std::uint8_t* state = states.data() + first;
    read(state);
    const std::uint16_t* total = at.base.data();
    if (!at.set || at.differences.size() > at.far) {
      rebase();
    } else if (!at.differences.empty()) {
      compare();
      kernel.sum(net.rows_.data(), net.width_, at.base.data(), at.more.data(), at.more.size(),
                 at.less.data(), at.less.size(), at.total.data());
      total = at.total.data();
    }
    const std::uint32_t head = shape.head_of(state);
    std::uint32_t output = head * values;
    for (std::uint32_t role = 0; role < shape.roles; ++role) {
      if (role == shape.chance) {
        out[role] = 0.5F;
      } else if (output == head * values + values) {
        // Opposed: the second player gets what the first does not.
        out[role] = 1 - out[shape.chance == 0 ? 1 : 0];
      } else {
        const float direct =
            static_cast<float>(static_cast<std::int16_t>(total[shape.hidden + output]));
        const float sum =
            kernel.dot(total, net.out_.data() + std::size_t{output} * net.width_, net.width_);
        out[role] = logistic((sum + direct) / ValueNet::scale);
        ++output;
      }
    }
  }
}

}  // namespace woodstock::learn
