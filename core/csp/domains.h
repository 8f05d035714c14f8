// The values each variable still has, as reversible sparse sets.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace woodstock::csp {

// A domain is a permutation of its values with those that are left in front: taking values away
// swaps them behind the front, so that undoing needs the old size alone, and what was taken away
// since the domain had `old` values is a range. Nothing allocates after construction.
class Domains {
 public:
  struct Change {
    std::uint32_t variable;
    std::uint32_t old_size;
    std::uint32_t new_size;
    std::uint32_t cause;  // what blame() said last
  };

  explicit Domains(std::span<const std::uint32_t> sizes);

  std::uint32_t variables() const noexcept { return static_cast<std::uint32_t>(size_.size()); }
  std::uint32_t literals() const noexcept { return static_cast<std::uint32_t>(dense_.size()); }
  // All pairs of a variable and a value are numbered through, variable by variable.
  std::uint32_t literal(std::uint32_t variable, std::uint32_t value) const noexcept {
    return begin_[variable] + value;
  }

  std::uint32_t size(std::uint32_t variable) const noexcept { return size_[variable]; }
  std::uint32_t initial_size(std::uint32_t variable) const noexcept {
    return begin_[variable + 1] - begin_[variable];
  }
  bool contains(std::uint32_t variable, std::uint32_t value) const noexcept {
    return position_[begin_[variable] + value] < size_[variable];
  }
  bool is(std::uint32_t variable, std::uint32_t value) const noexcept {
    return size_[variable] == 1 && dense_[begin_[variable]] == value;
  }
  // The value of a variable that has one left.
  std::uint32_t value(std::uint32_t variable) const noexcept { return dense_[begin_[variable]]; }
  // In no particular order; changes move them.
  std::span<const std::uint32_t> values(std::uint32_t variable) const noexcept {
    return {dense_.data() + begin_[variable], size_[variable]};
  }
  std::span<const std::uint32_t> removed(std::uint32_t variable,
                                         std::uint32_t old_size) const noexcept {
    return {dense_.data() + begin_[variable] + size_[variable], old_size - size_[variable]};
  }
  // What a change that is not undone took away.
  std::span<const std::uint32_t> removed_by(const Change& change) const noexcept {
    return {dense_.data() + begin_[change.variable] + change.new_size,
            change.old_size - change.new_size};
  }
  // How many variables have more than one value left.
  std::uint32_t unbound() const noexcept { return unbound_; }

  // The changes to come are the work of this constraint, for whoever asks later.
  void blame(std::uint32_t cause) noexcept { cause_ = cause; }
  // Leaves one value of several.
  void bind(std::uint32_t variable, std::uint32_t value) noexcept {
    const std::uint32_t old = size_[variable];
    move(variable, value, 0);
    size_[variable] = 1;
    record(variable, old);
    --unbound_;
  }
  // Takes away a value that is there. A row of drop() for one variable ends with commit(), which
  // makes the change one that can be undone.
  void drop(std::uint32_t variable, std::uint32_t value) noexcept {
    move(variable, value, --size_[variable]);
  }
  // Keeps a value when `kept` others were kept before: a row of keep() ends with keep_only().
  void keep(std::uint32_t variable, std::uint32_t value, std::uint32_t kept) noexcept {
    move(variable, value, kept);
  }
  // Whether the value is one of the first `kept`.
  bool among(std::uint32_t variable, std::uint32_t value, std::uint32_t kept) const noexcept {
    return position_[begin_[variable] + value] < kept;
  }
  void keep_only(std::uint32_t variable, std::uint32_t kept) noexcept { size_[variable] = kept; }
  void commit(std::uint32_t variable, std::uint32_t old_size) noexcept {
    record(variable, old_size);
    if (size_[variable] <= 1 && old_size > 1) --unbound_;
  }

  // The changes that can be undone, the latest last.
  std::span<const Change> changes() const noexcept { return {changes_.data(), change_count_}; }
  // Undoes all but the first `kept` changes.
  void undo(std::size_t kept, std::uint32_t unbound) noexcept;

 private:
  void move(std::uint32_t variable, std::uint32_t value, std::uint32_t to) noexcept {
    const std::uint32_t begin = begin_[variable];
    const std::uint32_t from = position_[begin + value];
    const std::uint32_t other = dense_[begin + to];
    dense_[begin + from] = other;
    dense_[begin + to] = value;
    position_[begin + other] = from;
    position_[begin + value] = to;
  }
  void record(std::uint32_t variable, std::uint32_t old_size) noexcept {
    changes_[change_count_++] = {variable, old_size, size_[variable], cause_};
  }

  std::vector<std::uint32_t> size_;
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> dense_;
  std::vector<std::uint32_t> position_;
  std::vector<Change> changes_;  // room for as many as there are values: each takes one away
  std::size_t change_count_ = 0;
  std::uint32_t unbound_ = 0;
  std::uint32_t cause_ = 0;
};

}  // namespace woodstock::csp
