#include "learn/sample.h"

#include <algorithm>
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
  // Apart from the stream that plays: what is kept does not change the games.
  RandomStream random(scatter(options.seed));
  std::size_t met = 0;
  play_randomly(simulator, options, [&](const Visits& visits, std::span<const std::uint32_t>) {
    for (std::size_t i = 0; i < visits.terminal.size(); ++i) {
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
      std::copy_n(visits.states.data() + i * size, size, sample.states.data() + place * size);
      for (std::size_t role = 0; role < roles; ++role) {
        const std::uint32_t* begin = visits.legal_begin.data() + i * roles + role;
        sample.choices[place * roles + role] = begin[1] - begin[0];
      }
    }
  });
  return sample;
}

}  // namespace woodstock::learn
