#include "learn/control.h"

#include <algorithm>
#include <bit>

namespace woodstock::learn {

namespace {

constexpr std::uint32_t nobody = 0xffffffffU;
constexpr std::uint32_t several = 0xfffffffeU;

// The only role that has more than one move, but for one that does not count.
std::uint32_t chooser(const std::uint32_t* choices, std::uint32_t roles, std::uint32_t ignored) {
  std::uint32_t found = nobody;
  for (std::uint32_t role = 0; role < roles; ++role) {
    if (choices[role] < 2 || role == ignored) continue;
    if (found != nobody) return several;
    found = role;
  }
  return found;
}

// The states of a sample in which anybody has a choice, seen fluent by fluent.
struct Turns {
  std::size_t words = 0;
  std::size_t states = 0;
  std::vector<std::uint64_t> held;   // fluent * words: a bit for each state
  std::vector<std::uint64_t> whose;  // role * words
  std::vector<std::size_t> times;    // per role, and then for several at once

  std::size_t both(const std::uint64_t* a, const std::uint64_t* b) const {
    std::size_t count = 0;
    for (std::size_t w = 0; w < words; ++w) {
      count += static_cast<std::size_t>(std::popcount(a[w] & b[w]));
    }
    return count;
  }
};

Turns turns_of(const Circuit& circuit, const Sample& sample, std::uint32_t ignored) {
  const std::uint32_t roles = circuit.roles();
  const std::size_t size = circuit.state_size();
  Turns turns;
  turns.words = (sample.size + 63) / 64;
  turns.held.assign(circuit.fluents() * turns.words, 0);
  turns.whose.assign(roles * turns.words, 0);
  turns.times.assign(roles + 1, 0);
  for (std::size_t i = 0; i < sample.size; ++i) {
    const std::uint32_t who = chooser(sample.choices.data() + i * roles, roles, ignored);
    if (who == nobody) continue;  // whoever's turn it is, it makes no difference
    ++turns.times[std::min(who, roles)];
    const std::size_t word = turns.states / 64;
    const std::uint64_t bit = std::uint64_t{1} << (turns.states % 64);
    ++turns.states;
    if (who != several) turns.whose[who * turns.words + word] |= bit;
    for (std::size_t f = 0; f < circuit.fluents(); ++f) {
      if ((sample.states[i * size + f / 8] >> (f % 8) & 1U) != 0) {
        turns.held[f * turns.words + word] |= bit;
      }
    }
  }
  return turns;
}

// The fluents of one role; none where not all of its turns are told.
std::vector<std::uint32_t> phases(const Turns& turns, std::uint32_t role, std::size_t excused) {
  const std::size_t fluents = turns.words == 0 ? 0 : turns.held.size() / turns.words;
  const std::uint64_t* whose = turns.whose.data() + role * turns.words;
  const auto held = [&](std::size_t f) { return turns.held.data() + f * turns.words; };
  std::vector<std::uint64_t> left(whose, whose + turns.words);
  std::size_t told = 0;
  std::vector<std::uint32_t> found;
  while (told + excused < turns.times[role] && found.size() < most_controls) {
    std::size_t best = 0;
    std::uint32_t fluent = 0;
    for (std::size_t f = 0; f < fluents; ++f) {
      const std::size_t all = turns.both(held(f), held(f));
      const std::size_t gained = turns.both(held(f), left.data());
      // Neither anybody else's turn nor one that is told by another.
      if (all > gained + excused || gained <= best) continue;
      best = gained;
      fluent = static_cast<std::uint32_t>(f);
    }
    // What tells little of the turns is no phase, but something that happened to come up.
    if (best * 10 < turns.times[role]) return {};
    for (std::size_t w = 0; w < turns.words; ++w) left[w] &= ~held(fluent)[w];
    told += best;
    found.push_back(fluent);
  }
  return told + excused < turns.times[role] ? std::vector<std::uint32_t>{} : found;
}

}  // namespace

std::vector<std::uint32_t> control_fluents(const Circuit& circuit, const Sample& sample,
                                           std::uint32_t chance) {
  std::vector<std::uint32_t> found;
  const auto add = [&](const Turns& turns, std::uint32_t role) {
    const std::size_t excused = turns.states / 200;
    // Someone who hardly ever or nearly always has the choice would be told by anything.
    const std::size_t times = turns.times[role];
    if (20 * times < turns.states || 20 * times > 19 * turns.states) return std::size_t{0};
    const auto fluents = phases(turns, role, excused);
    if (fluents.empty() || found.size() + fluents.size() > most_controls + 1) return std::size_t{0};
    found.insert(found.end(), fluents.begin(), fluents.end());
    return times;
  };
  if (chance < circuit.roles()) add(turns_of(circuit, sample, RoleTable::no_role), chance);
  const std::size_t of_chance = found.size();
  const Turns turns = turns_of(circuit, sample, chance);
  std::size_t told = 0;
  for (std::uint32_t role = 0; role < circuit.roles(); ++role) {
    if (role != chance) told += add(turns, role);
  }
  const bool all = told + turns.states / 200 >= turns.states;
  if (found.size() > of_chance + 1 && all) found.pop_back();
  if (found.size() > most_controls) found.pop_back();
  return found;
}

std::vector<std::uint32_t> alternating_fluent(const Circuit& circuit, const Sample& sample) {
  const std::size_t size = circuit.state_size();
  // Where one game ends and the next begins, it need not change.
  const std::size_t enough = sample.size - sample.size / 8;
  for (std::uint32_t f = 0; f < circuit.fluents(); ++f) {
    std::size_t changes = 0;
    unsigned before = 0;
    for (std::size_t i = 0; i < sample.size; ++i) {
      const unsigned now = sample.states[i * size + f / 8] >> (f % 8) & 1U;
      changes += i != 0 && now != before ? 1 : 0;
      before = now;
    }
    if (sample.size > 1 && changes >= enough) return {f};
  }
  return {};
}

}  // namespace woodstock::learn
