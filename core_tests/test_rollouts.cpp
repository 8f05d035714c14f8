#include <cmath>
#include <set>
#include <stdexcept>

#include "circuit/lanes.h"
#include "playout_model.h"

using namespace sample;
using namespace woodstock;

namespace {

bool same(const Rollouts& a, const Rollouts& b) {
  bool equal = a.goals == b.goals && a.squares == b.squares && a.plies == b.plies &&
               a.cut == b.cut && a.stuck == b.stuck && a.played_begin == b.played_begin &&
               a.played_goals == b.played_goals && a.played.size() == b.played.size();
  for (std::size_t i = 0; equal && i < a.played.size(); ++i) {
    equal = a.played[i].move == b.played[i].move && a.played[i].games == b.played[i].games;
  }
  return equal;
}

RolloutOptions seeded(std::uint64_t seed, std::uint32_t max_plies, bool trace) {
  RolloutOptions options;
  options.seed = seed;
  options.max_plies = max_plies;
  options.trace = trace;
  return options;
}

// Two players choose among so many moves until the first one takes his first; what they chose last
// is the state. Games end one by one, some late.
GroundProgram fading_game(std::uint32_t moves) {
  Writer w;
  for (std::uint32_t r : {1U, 2U}) {
    w.rule(w.atom(role, {r}));
    for (std::uint32_t m = 0; m < moves; ++m) {
      w.rule(w.atom(legal, {r, 200 + m}));
      w.rule(w.atom(next, {100 + 20 * r + m}), {w.atom(does, {r, 200 + m})});
      w.rule(w.atom(goal, {r, 10 * m}), {w.atom(holds, {140 - 20 * (r - 1) + m})});
    }
  }
  w.rule(w.atom(terminal), {w.atom(holds, {120})});
  return w.builder.finish();
}

// States met in random games of the evaluator, and some that cannot be met.
std::vector<StateBytes> some_states(const PlayoutModel& model, std::size_t fluents,
                                    std::size_t count, std::mt19937& rng) {
  std::vector<StateBytes> states;
  for (std::size_t i = 0; i < count; ++i) {
    StateBytes state = model.initial();
    for (std::size_t f = 0; f < fluents; ++f) {
      if (rng() % 3 == 0) state[f / 8] = static_cast<std::uint8_t>(state[f / 8] ^ (1U << f % 8));
    }
    states.push_back(std::move(state));
  }
  return states;
}

// Plays a chunk as the kernel does: games begin when they wake up no guard that sleeps, and those
// that are left move together when half of the lanes are enough for them.
class ChunkModel {
 public:
  ChunkModel(PlayoutModel& model, const Circuit& circuit) : model_(model), circuit_(circuit) {}

  std::vector<PlayoutModel::Game> play(std::span<const StateBytes> states, std::uint32_t each,
                                       std::uint64_t key, std::uint32_t max_plies) {
    words_ = words_for(states.size() * each, circuit_.width());
    games_.assign(states.size() * each, {});
    begun_.assign(games_.size(), false);
    lane_.resize(games_.size());
    for (std::size_t i = 0; i < games_.size(); ++i) {
      games_[i].state = states[i / each];
      lane_[i] = i;
    }
    for (std::uint32_t pass = 0;; ++pass) {
      begin(pass);
      bool fewer = false;
      bool playing = false;
      for (std::size_t i = 0; i < games_.size(); ++i) {
        if (begun_[i] && !games_[i].over) {
          model_.step(games_[i], key, pass, lane_[i], max_plies);
          fewer = fewer || games_[i].over;
        }
        playing = playing || !games_[i].over;
      }
      if (!playing) return games_;
      if (fewer && pass >= rollout_compact_pass) fold();
    }
  }

  std::size_t folds() const { return folds_; }

 private:
  bool holds(Plane guard, const StateBytes& state) const {
    const std::size_t f = slot_of(guard) - 1;
    return (((state[f / 8] >> (f % 8)) & 1U) != 0) != is_negative(guard);
  }

  void begin(std::uint32_t pass) {
    std::vector<const StateBytes*> leaders;
    const StateBytes* first = nullptr;
    for (std::size_t i = 0; i < games_.size(); ++i) {
      if (begun_[i] && !games_[i].over) leaders.push_back(&games_[i].state);
      if (!begun_[i] && first == nullptr) first = &games_[i].state;
    }
    if (leaders.empty() && first != nullptr) leaders.push_back(first);
    std::vector<Plane> asleep;
    for (std::uint32_t g = 0; g < circuit_.view().guard_count; ++g) {
      const Plane guard = circuit_.view().guards[g];
      bool awake = false;
      for (const StateBytes* state : leaders) awake = awake || holds(guard, *state);
      if (!awake) asleep.push_back(guard);
    }
    for (std::size_t i = 0; i < games_.size(); ++i) {
      bool in_step = true;
      for (Plane guard : asleep) in_step = in_step && !holds(guard, games_[i].state);
      if (in_step || pass >= rollout_patience) begun_[i] = true;
    }
  }

  void fold() {
    const std::size_t half = words_ / 2;
    std::vector<std::set<std::size_t>> idle(words_);
    std::vector<std::map<std::size_t, std::size_t>> playing(words_);  // lane -> game
    for (std::size_t lane = 0; lane < words_ * 64; ++lane) idle[lane / 64].insert(lane);
    std::size_t left = 0;
    for (std::size_t i = 0; i < games_.size(); ++i) {
      if (!begun_[i]) return;
      if (games_[i].over) continue;
      ++left;
      idle[lane_[i] / 64].erase(lane_[i]);
      playing[lane_[i] / 64].emplace(lane_[i], i);
    }
    if (words_ == narrow_words || left > words_ * 32) return;
    for (std::size_t w = 0; w < half; ++w) {
      if (playing[half + w].size() > idle[w].size()) return;
    }
    for (std::size_t w = 0; w < half; ++w) {
      auto room = idle[w].begin();
      for (const auto& [lane, i] : playing[half + w]) lane_[i] = *room++;
    }
    words_ = half;
    ++folds_;
  }

  PlayoutModel& model_;
  const Circuit& circuit_;
  std::size_t words_ = 0;
  std::vector<PlayoutModel::Game> games_;
  std::vector<bool> begun_;
  std::vector<std::size_t> lane_;
  std::size_t folds_ = 0;
};

void add_state(const Circuit& circuit, std::span<const PlayoutModel::Game> games, Rollouts& to) {
  const std::size_t roles = circuit.roles();
  std::map<std::uint32_t, std::vector<std::uint32_t>> played;  // number of games, sums of goals
  std::vector<std::uint32_t> goals(roles, 0);
  std::vector<std::uint64_t> squares(roles, 0);
  for (const PlayoutModel::Game& game : games) {
    to.plies += game.plies;
    to.stuck += game.stuck ? 1 : 0;
    to.cut += game.cut ? 1 : 0;
    const std::set<std::uint32_t> made(game.made.begin(), game.made.end());
    for (std::uint32_t move : made) {
      if (circuit.code().does[move] == zero_slot) continue;
      auto& sums = played[move];
      sums.resize(roles + 1, 0);
      ++sums[roles];
      for (std::size_t role = 0; role < roles; ++role) {
        sums[role] += static_cast<std::uint32_t>(game.goals[role]);
      }
    }
    for (std::size_t role = 0; role < roles; ++role) {
      goals[role] += static_cast<std::uint32_t>(game.goals[role]);
      squares[role] += game.goals[role] * game.goals[role];
    }
  }
  to.goals.insert(to.goals.end(), goals.begin(), goals.end());
  to.squares.insert(to.squares.end(), squares.begin(), squares.end());
  for (const auto& [move, sums] : played) {
    to.played.push_back({move, sums[roles]});
    to.played_goals.insert(to.played_goals.end(), sums.begin(), sums.end() - 1);
  }
  to.played_begin.push_back(static_cast<std::uint32_t>(to.played.size()));
}

}  // namespace

TEST(rollouts_are_what_the_evaluator_makes_of_the_same_random_numbers) {
  constexpr std::uint32_t max_plies = 25;
  std::mt19937 rng(1);
  std::uint64_t guarded = 0;
  std::uint64_t folds = 0;
  for (std::uint32_t seed = 0; seed < 120; ++seed) {
    const auto program =
        std::make_shared<GroundProgram>(seed % 12 == 11 ? filling_game(1 + seed % 9)
                                        : seed % 6 == 1 ? fading_game(5 + seed % 7)
                                                        : random_game(seed));
    const auto circuit = compile(*program);
    guarded += circuit->view().guard_count != 0 ? 1 : 0;
    PlayoutModel model(program, *circuit);
    if (seed % 2 == 0) {
      // Levels of which some may be missing.
      for (std::size_t m = 0; m < circuit->moves(); ++m) {
        model.preferences.push_back(static_cast<std::uint8_t>(rng() % (1 + seed / 2 % 4)));
      }
    }
    ChunkModel chunk_model(model, *circuit);
    const std::uint32_t each = 1U << (seed % 7);
    // Now and then more than the widest batch holds.
    const std::size_t lanes = seed % 60 == 1   ? 2500
                              : seed % 10 == 1 ? 1300
                              : seed % 4 == 3  ? 400
                                               : 100;
    const std::size_t count = lanes / each + 1;
    const std::vector<StateBytes> states = some_states(model, circuit->fluents(), count, rng);
    Rollouts wanted;
    wanted.played_begin.push_back(0);
    const std::uint32_t batch = seed % 5 < 2 ? 0 : 200 + 10 * seed;
    const std::size_t most = batch == 0 ? count * each : std::min<std::size_t>(batch, count * each);
    const std::size_t at_once = words_for(most, circuit->width()) * std::size_t{64} / each;
    for (std::size_t first = 0, number = 0; first < count; first += at_once, ++number) {
      const std::size_t used = std::min(at_once, count - first);
      const auto games = chunk_model.play(
          std::span(states).subspan(first, used), each,
          scatter(scatter(seed + golden_gamma) + number * golden_gamma), max_plies);
      for (std::size_t i = 0; i < used; ++i) {
        add_state(*circuit, std::span(games).subspan(i * each, each), wanted);
      }
    }
    folds += chunk_model.folds();
    std::vector<std::uint8_t> packed;
    for (StateBytes state : states) {
      state.resize(circuit->state_size());
      packed.insert(packed.end(), state.begin(), state.end());
    }
    for (const Kernel* kernel : available_kernels()) {
      Simulator simulator(circuit, kernel->name, 1 + seed % 3);
      Rollouts found;
      RolloutOptions options = seeded(seed, max_plies, true);
      options.preferences = model.preferences;
      options.batch = batch;
      simulator.rollouts(packed, each, options, found);
      CHECK(same(found, wanted));
      options.trace = false;
      simulator.rollouts(packed, each, options, found);
      CHECK(found.played.empty() && found.played_begin.empty() && found.played_goals.empty());
      CHECK(found.goals == wanted.goals && found.squares == wanted.squares);
      CHECK(found.plies == wanted.plies);
    }
  }
  CHECK(guarded > 10);
  CHECK(folds > 20);
}

TEST(rollouts_do_not_depend_on_threads_and_instruction_sets) {
  for (std::uint32_t seed : {3U, 17U, 42U, 99U}) {
    const auto circuit = compile(random_game(seed));
    std::vector<std::uint8_t> states;
    for (std::size_t i = 0; i < 1500; ++i) {
      states.insert(states.end(), circuit->initial().begin(), circuit->initial().end());
    }
    Rollouts wanted;
    Simulator(circuit, "base", 1).rollouts(states, 8, seeded(seed, 30, true), wanted);
    Rollouts other;
    Simulator(circuit, "base", 1).rollouts(states, 8, seeded(seed + 1, 30, true), other);
    for (const Kernel* kernel : available_kernels()) {
      for (unsigned threads : {1U, 2U, 3U}) {
        Simulator simulator(circuit, kernel->name, threads);
        Rollouts found = other;  // nothing of a former call may be left
        simulator.rollouts(states, 8, seeded(seed, 30, true), found);
        CHECK(same(found, wanted));
      }
    }
  }
}

TEST(rollouts_and_playouts_have_the_same_mean) {
  std::size_t compared = 0;
  for (std::uint32_t seed = 200; seed < 300; ++seed) {
    const auto circuit = compile(random_game(seed));
    constexpr std::size_t count = 2000;
    std::vector<std::uint8_t> states;
    for (std::size_t i = 0; i < count; ++i) {
      states.insert(states.end(), circuit->initial().begin(), circuit->initial().end());
    }
    Simulator simulator(circuit, "auto", 2);
    PlayoutOptions options;
    options.seed = seed;
    options.max_plies = 20;
    constexpr double games = count * 8;
    const std::vector<std::uint64_t> budget{count * 8};
    const Tally tally = simulator.playouts(circuit->initial(), budget, options).front();
    Rollouts found;
    simulator.rollouts(states, 8, seeded(seed, 20, false), found);
    for (std::size_t role = 0; role < circuit->roles(); ++role) {
      double sum = 0;
      for (std::size_t i = 0; i < count; ++i) sum += found.goals[i * circuit->roles() + role];
      const double mean = static_cast<double>(tally.goals[role].sum) / games;
      const double variance = static_cast<double>(tally.goals[role].squares) / games - mean * mean;
      CHECK(std::abs(sum / games - mean) <= 5.0 * std::sqrt(2.0 * variance / games) + 1e-9);
      compared += variance > 0 ? 1 : 0;
    }
  }
  CHECK(compared >= 10);
}

TEST(rollouts_end_where_the_game_is_over_or_stuck_or_cut) {
  const auto filling = compile(filling_game(5));
  Simulator simulator(filling, "auto", 1);
  Visits visits;
  std::vector<std::uint8_t> state = filling->initial();
  std::vector<std::uint8_t> states = state;
  for (int ply = 0; ply < 5; ++ply) {
    simulator.visit(state, {}, visits);
    const std::vector<std::uint32_t> first{visits.legal[visits.legal_begin[0]],
                                           visits.legal[visits.legal_begin[1]]};
    state = simulator.next(state, first, false).states;
    states.insert(states.end(), state.begin(), state.end());
  }
  Rollouts found;
  simulator.rollouts(states, 16, seeded(7, 1000, true), found);
  CHECK(found.plies == 16 * (5 + 4 + 3 + 2 + 1));
  CHECK(found.stuck == 0 && found.cut == 0);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(found.goals[i * 2] == 90 * 16);
    CHECK(found.squares[i * 2 + 1] == 100 * 16);
  }
  CHECK(found.played_begin[5] == found.played_begin[6]);  // nothing is made in a game that is over
  simulator.rollouts(states, 16, seeded(7, 2, false), found);
  CHECK(found.plies == 16 * (2 + 2 + 2 + 2 + 1));
  CHECK(found.cut == 16 * 3);

  Writer w;  // nobody can ever move
  w.rule(w.atom(role, {1}));
  w.rule(w.atom(goal, {1, 40}));
  w.fluent({100});
  const auto stuck = compile(w.builder.finish());
  Simulator(stuck, "auto", 1).rollouts(stuck->initial(), 4, seeded(1, 10, true), found);
  CHECK(found.stuck == 4 && found.plies == 0 && found.goals[0] == 160);
  CHECK(found.played.empty() && found.played_begin.size() == 2);
  simulator.rollouts({}, 4, seeded(1, 10, true), found);
  CHECK(found.goals.empty() && found.played_begin.size() == 1);
}

TEST(rollouts_refuse_what_does_not_fit) {
  const auto circuit = compile(filling_game(3));
  Simulator simulator(circuit, "auto", 2);
  Rollouts found;
  for (std::uint32_t each : {0U, 3U, 128U}) {
    CHECK_THROWS(simulator.rollouts(circuit->initial(), each, seeded(1, 10, false), found),
                 std::invalid_argument);
  }
  CHECK_THROWS(simulator.rollouts(circuit->initial(), 8, seeded(1, 0, false), found),
               std::invalid_argument);
  std::vector<std::uint8_t> preferences(circuit->moves() + 1, 1);
  RolloutOptions preferred = seeded(1, 10, false);
  preferred.preferences = preferences;
  CHECK_THROWS(simulator.rollouts(circuit->initial(), 8, preferred, found), std::invalid_argument);
  preferences.pop_back();
  preferences.back() = preference_levels;
  preferred.preferences = preferences;
  CHECK_THROWS(simulator.rollouts(circuit->initial(), 8, preferred, found), std::invalid_argument);
  RolloutOptions options = seeded(1, 10, false);
  options.go_on = [] { return false; };
  CHECK_THROWS(simulator.rollouts(circuit->initial(), 8, options, found), Interrupted);
}
