#include "learn/control.h"

#include <algorithm>

namespace woodstock::learn {

namespace {

constexpr std::uint32_t nobody = 0xffffffffU;
constexpr std::uint32_t several = 0xfffffffeU;

// The only role that has more than one move.
std::uint32_t chooser(const std::uint32_t* choices, std::uint32_t roles) {
  std::uint32_t found = nobody;
  for (std::uint32_t role = 0; role < roles; ++role) {
    if (choices[role] < 2) continue;
    if (found != nobody) return several;
    found = role;
  }
  return found;
}

}  // namespace

std::vector<std::uint32_t> control_fluents(const Circuit& circuit, const Sample& sample) {
  const std::uint32_t roles = circuit.roles();
  const std::size_t fluents = circuit.fluents();
  const std::size_t size = circuit.state_size();
  // How often each of the roles (and then several of them) had the choice, and with which fluents.
  std::vector<std::size_t> times(roles + 1, 0);
  std::vector<std::size_t> held((roles + 1) * fluents, 0);
  for (std::size_t i = 0; i < sample.size; ++i) {
    const std::uint32_t who = chooser(sample.choices.data() + i * roles, roles);
    if (who == nobody) continue;  // whoever's turn it is, it makes no difference
    const std::size_t row = std::min(who, roles);
    ++times[row];
    for (std::size_t f = 0; f < fluents; ++f) {
      held[row * fluents + f] += sample.states[i * size + f / 8] >> (f % 8) & 1U;
    }
  }
  std::size_t states = 0;
  for (std::size_t count : times) states += count;
  std::vector<std::size_t> in_all(fluents, 0);
  for (std::size_t row = 0; row <= roles; ++row) {
    for (std::size_t f = 0; f < fluents; ++f) in_all[f] += held[row * fluents + f];
  }

  const std::size_t excused = states / 200;
  std::vector<std::uint32_t> found;
  std::size_t told = 0;
  for (std::uint32_t role = 0; role < roles; ++role) {
    // Someone who hardly ever or nearly always has the choice would be told by anything.
    if (times[role] <= 2 * excused || times[role] + 2 * excused >= states) continue;
    std::size_t fewest = excused + 1;
    std::uint32_t best = 0;
    for (std::size_t f = 0; f < fluents; ++f) {
      const std::size_t both = held[role * fluents + f];
      const std::size_t wrong = (times[role] - both) + (in_all[f] - both);
      if (wrong >= fewest) continue;
      fewest = wrong;
      best = static_cast<std::uint32_t>(f);
    }
    if (fewest > excused) continue;
    found.push_back(best);
    told += times[role];
  }
  if (found.size() > 1 && told + 2 * excused >= states) found.pop_back();
  return found;
}

}  // namespace woodstock::learn
