#include "learn/sample.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "util/random.h"

namespace woodstock::learn {

namespace {

bool goes_on(const Visits& visits, std::size_t state, std::size_t roles) {
  if (visits.terminal[state] != 0) return false;
  const std::uint32_t* begin = visits.legal_begin.data() + state * roles;
  for (std::size_t role = 0; role < roles; ++role) {
    if (begin[role] == begin[role + 1]) return false;
  }
  return roles > 0;
}

void count_changes(const std::uint8_t* state, const std::uint8_t* before, std::size_t size,
                   Sample& sample) {
  ++sample.plies;
  for (std::size_t byte = 0; byte < size; ++byte) {
    for (unsigned rest = state[byte] ^ before[byte]; rest != 0; rest &= rest - 1) {
      ++sample.changes[byte * 8 + static_cast<std::size_t>(std::countr_zero(rest))];
    }
  }
}

}  // namespace

void play_randomly(
    Simulator& simulator, const SampleOptions& options,
    const std::function<void(const Visits& visits, std::span<const std::uint32_t> games)>& visit) {
  const Circuit& circuit = simulator.circuit();
  const std::size_t size = circuit.state_size();
  const std::size_t roles = circuit.roles();
  RandomStream random(options.seed);
  std::vector<std::uint32_t> games(options.games);
  std::iota(games.begin(), games.end(), 0U);
  std::vector<std::uint8_t> states;
  for (std::size_t i = 0; i < games.size(); ++i) {
    states.insert(states.end(), circuit.initial().begin(), circuit.initial().end());
  }
  std::vector<std::uint32_t> moves;
  Visits visits;
  for (std::uint32_t ply = 0; !games.empty(); ++ply) {
    simulator.visit(states, moves, visits);
    visit(visits, games);
    if (ply == options.max_plies) return;
    states.clear();
    moves.clear();
    std::size_t left = 0;
    for (std::size_t i = 0; i < games.size(); ++i) {
      if (!goes_on(visits, i, roles)) continue;
      games[left++] = games[i];
      const std::uint8_t* state = visits.states.data() + i * size;
      states.insert(states.end(), state, state + size);
      for (std::size_t role = 0; role < roles; ++role) {
        const std::uint32_t first = visits.legal_begin[i * roles + role];
        const std::uint32_t last = visits.legal_begin[i * roles + role + 1];
        moves.push_back(visits.legal[first + random.below(last - first)]);
      }
    }
    games.resize(left);
  }
}

Sample sample_states(Simulator& simulator, const SampleOptions& options) {
  const std::size_t size = simulator.circuit().state_size();
  const std::size_t roles = simulator.circuit().roles();
  Sample sample;
  sample.changes.assign(size * 8, 0);
  std::vector<std::uint8_t> before(options.games * size);  // of each game
  // Apart from the stream that plays: what is kept does not change the games.
  RandomStream random(scatter(options.seed));
  std::size_t met = 0;
  bool first = true;
  play_randomly(simulator, options,
                [&](const Visits& visits, std::span<const std::uint32_t> games) {
                  for (std::size_t i = 0; i < games.size(); ++i) {
                    const std::uint8_t* state = visits.states.data() + i * size;
                    std::uint8_t* last = before.data() + games[i] * size;
                    if (!first) count_changes(state, last, size, sample);
                    std::copy_n(state, size, last);
                    if (!goes_on(visits, i, roles)) continue;
                    ++met;
                    std::size_t place = sample.size;
                    if (place < options.states) {
                      ++sample.size;
                      sample.states.resize(sample.size * size);
                      sample.choices.resize(sample.size * roles);
                    } else {
                      place = random.below(met);
                      if (place >= options.states) continue;
                    }
                    std::copy_n(state, size, sample.states.data() + place * size);
                    for (std::size_t role = 0; role < roles; ++role) {
                      const std::uint32_t* begin = visits.legal_begin.data() + i * roles + role;
                      sample.choices[place * roles + role] = begin[1] - begin[0];
                    }
                  }
                  first = false;
                });
  sample.changes.resize(simulator.circuit().fluents());
  return sample;
}

}  // namespace woodstock::learn
