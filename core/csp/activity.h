// Variables by how often failures were about them of late.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace woodstock::csp {

// A heap of variables. What a failure was about counts more the later it was (VSIDS, Moskewicz et
// al. 2001). Ties go to the lower number.
class Activity {
 public:
  static constexpr std::uint32_t none = 0xffffffffU;

  explicit Activity(std::size_t variables);

  void bump(std::uint32_t variable);
  void decay() noexcept { step_ /= 0.95; }
  // Offers the variable again.
  void insert(std::uint32_t variable);
  // Takes the most active one out; none where there is none left.
  std::uint32_t pop();

 private:
  bool before(std::uint32_t a, std::uint32_t b) const noexcept {
    return score_[a] != score_[b] ? score_[a] > score_[b] : a < b;
  }
  void up(std::size_t at);
  void down(std::size_t at);
  void put(std::size_t at, std::uint32_t variable) noexcept {
    heap_[at] = variable;
    place_[variable] = static_cast<std::uint32_t>(at);
  }

  double step_ = 1;
  std::vector<double> score_;
  std::vector<std::uint32_t> heap_;
  std::vector<std::uint32_t> place_;
};

}  // namespace woodstock::csp
