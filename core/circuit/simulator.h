// Playouts and tree services: what a search asks of a circuit.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "circuit/circuit.h"
#include "circuit/kernel.h"
#include "circuit/rollouts.h"
#include "circuit/visits.h"
#include "util/thread_pool.h"

namespace woodstock {

// What came of the playouts from one state.
struct Tally {
  LengthTally lengths;
  std::vector<GoalTally> goals;  // per role
};

struct PlayoutOptions {
  std::uint64_t seed = 0;
  // A playout that is still going on after so many moves ends there and is scored as it stands.
  std::uint32_t max_plies = 100'000;
  // Asked by the calling thread now and then; false ends the call with an exception.
  std::function<bool()> go_on;
};

// Thrown when go_on said no.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

// The positions of a batch of states; lists are in compressed sparse rows, indices as in the
// ground program.
struct Positions {
  std::vector<std::uint8_t> terminal;
  std::vector<std::uint32_t> legal_begin;
  std::vector<std::uint32_t> legal;
  std::vector<std::uint32_t> goals_begin;
  std::vector<std::uint32_t> goals;
};

// The lists of percepts are left empty when they are not asked for.
struct Successors {
  std::vector<std::uint8_t> states;  // packed, one after the other
  std::vector<std::uint32_t> percepts_begin;
  std::vector<std::uint32_t> percepts;
};

// Every combination of legal moves in a state, and where it leads.
struct Expansion {
  std::vector<std::uint32_t> moves;  // one for each role, combination by combination
  Successors after;
};

// What a search asks about many positions at once. Vectors keep their capacity from call to call.
struct Visits {
  std::vector<std::uint8_t> states;        // packed
  std::vector<std::uint64_t> keys;         // zobrist_hash of each
  std::vector<std::uint8_t> terminal;      // 1: the game is over
  std::vector<std::uint32_t> legal_begin;  // state * roles + role -> into legal; one entry more
  std::vector<std::uint32_t> legal;        // moves, ascending within a role
  std::vector<std::uint32_t> goals;        // state * roles + role, as playouts score
  // state * roles + role: percept_key of what each perceives of the moves; only when asked for.
  std::vector<std::uint64_t> seen;
};

// What of it is wanted: lists of legal moves may be long, and keys and percepts have to be worked
// out.
struct Asked {
  bool legal = true;  // otherwise the lists stay empty
  bool keys = true;   // otherwise they stay empty
  bool percepts = false;
};

// Where moves lead and what is perceived of them, as in Visits.
struct Advances {
  std::vector<std::uint8_t> states;
  std::vector<std::uint64_t> seen;
};

struct RolloutOptions {
  std::uint64_t seed = 0;
  std::uint32_t max_plies = 100'000;  // as in PlayoutOptions
  bool trace = false;                 // whether the moves made are told
  // Games that are played in one batch, at most; more make several, which threads share. 0: as many
  // as the circuit does best with.
  std::uint32_t batch = 0;
  // How much each move is preferred, 0 to 3; empty: all alike. Before every move, players toss two
  // coins: one leaves out moves of level 0, both leave out all but those of the highest level that
  // is legal, always provided that there are others.
  std::span<const std::uint8_t> preferences;
  std::function<bool()> go_on;  // as in PlayoutOptions
};

// A move and in how many games it was made, once or more often.
struct Played {
  std::uint32_t move = 0;
  std::uint32_t games = 0;
};

// What came of a few random games from each of many states. Vectors keep their capacity from call
// to call.
struct Rollouts {
  std::vector<std::uint32_t> goals;    // state * roles + role: sum over its games
  std::vector<std::uint64_t> squares;  // the same of the squares
  std::uint64_t plies = 0;             // over all games
  std::uint64_t cut = 0;
  std::uint64_t stuck = 0;
  // Only with a trace. Moves that change nothing, whoever makes them, are left out.
  std::vector<std::uint32_t> played_begin;  // state -> into played; one entry more
  std::vector<Played> played;               // ascending within a state
  std::vector<std::uint32_t> played_goals;  // played * roles + role: sum of goals over those games
};

// Works on a circuit with memory and threads of its own. Any thread may call; calls wait for each
// other. Packed states are circuit.state_size() bytes each; a state with bits beyond the last
// fluent throws std::invalid_argument, and so do lists that do not fit each other.
class Simulator {
 public:
  // Throws std::invalid_argument when the instruction set cannot be had here.
  Simulator(std::shared_ptr<const Circuit> circuit, std::string_view isa, unsigned threads);

  const Circuit& circuit() const noexcept { return *circuit_; }
  std::shared_ptr<const Circuit> shared_circuit() const noexcept { return circuit_; }
  const char* isa() const noexcept { return kernel_.name; }
  unsigned threads() const noexcept { return pool_.size(); }

  // Plays budgets[i] games from states[i], every role making uniformly random legal moves. Every
  // playout that is begun is played to its end and counted, and how many are begun does not depend
  // on how they go: short games have no advantage. The same states, budgets and seed give the same
  // result for any number of threads and any instruction set; the tally of one state alone is not
  // the same in other company.
  //
  // A playout also ends where a role has no legal move (counted as `stuck`) or at max_plies
  // (`cut`). A role gets the highest of its goals that hold at the end, 0 when there is none;
  // `unclear` counts how often there was not exactly one.
  std::vector<Tally> playouts(std::span<const std::uint8_t> states,
                              std::span<const std::uint64_t> budgets,
                              const PlayoutOptions& options);

  // Plays `each` games, a power of two up to 64, from every state. Ends are those of playouts, and
  // a state where the game is over is scored as it stands. Cheaper than playouts where there are
  // few games a state. The same states and options give the same result for any number of threads
  // and any instruction set.
  void rollouts(std::span<const std::uint8_t> states, std::uint32_t each,
                const RolloutOptions& options, Rollouts& out);

  // The states after the moves (one for each role, state by state) or, where `moves` is empty, the
  // states themselves, and what can be said about each. Whether moves are legal is not checked.
  void visit(std::span<const std::uint8_t> states, std::span<const std::uint32_t> moves,
             Visits& out, Asked asked = {});

  // The same for who only wants to know where moves lead and what everybody perceives of them.
  void advance(std::span<const std::uint8_t> states, std::span<const std::uint32_t> moves,
               Advances& out);

  Positions analyse(std::span<const std::uint8_t> states);

  // For each move the weights of the states in which it is legal, added up.
  std::vector<double> legal_weights(std::span<const std::uint8_t> states,
                                    std::span<const double> weights);

  // The states after the given moves, one legal move for each role, state by state. Whether they
  // are legal is not checked: what illegal moves lead to is some state without meaning.
  Successors next(std::span<const std::uint8_t> states, std::span<const std::uint32_t> moves,
                  bool percepts);

  // All successors of a state; none when it is terminal or some role has no legal move. Throws
  // std::length_error when there are more than `limit`.
  Expansion expand(std::span<const std::uint8_t> state, std::uint64_t limit, bool percepts);

 private:
  std::size_t count_states(std::span<const std::uint8_t> states) const;
  void check_moves(std::size_t states, std::span<const std::uint32_t> moves) const;
  void load(const Workspace& work, std::size_t words, std::span<const std::uint8_t> states) const;
  void lay_out_preferences(std::span<const std::uint8_t> preferences);
  void store(const Workspace& work, std::size_t words, std::span<std::uint8_t> states) const;

  std::shared_ptr<const Circuit> circuit_;
  const Kernel& kernel_;
  std::mutex mutex_;
  ThreadPool pool_;
  std::vector<CircuitMemory> memory_;          // per worker
  std::vector<RolloutMemory> rollout_memory_;  // per worker
  Visitor visitor_;
  std::vector<std::uint8_t> preferences_;  // of the call, as in Workspace
  std::vector<Rollouts> parts_;            // per chunk, where threads share the work
};

// What stands for a set of percepts: the exclusive or of the numbers of all of them.
std::uint64_t percept_key(std::uint32_t percept) noexcept;

// A 64-bit hash: the exclusive or of a fixed random number for each fluent that holds.
std::uint64_t zobrist_key(std::uint32_t fluent) noexcept;
std::uint64_t zobrist_hash(std::span<const std::uint8_t> state) noexcept;

}  // namespace woodstock
