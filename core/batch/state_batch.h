// Many states of a game side by side, advanced together: what arrays in Python are made of.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "circuit/circuit.h"
#include "circuit/kernel.h"
#include "circuit/visits.h"
#include "util/thread_pool.h"

namespace woodstock {

// How fluents, actions and percepts are numbered outside: columns, each with the index in the
// ground program, or `none`. Actions and percepts have a table of columns for each role, all tables
// equally long, one after the other.
struct BatchLayout {
  static constexpr std::uint32_t none = 0xffffffffU;
  std::vector<std::uint32_t> fluents;
  std::vector<std::uint32_t> actions;
  std::vector<std::uint32_t> percepts;
};

struct StepOptions {
  std::uint64_t drawn = 0;  // bit r: role r makes a random legal move, whatever its action says
  // Whether states whose game was over before the step become the first state, instead of staying
  // as they are: nobody moves there in this step.
  bool restart = false;
  bool percepts = false;  // whether percepts are kept
};

// States stay in the lanes of circuits, evaluated, from call to call: reading what is legal costs
// no more than turning bits around. That takes a circuit's slots for every lane. One call at a
// time.
//
// A game is over where the rules say so, or where a role has no legal move (`stuck`). The same seed
// and calls give the same states for any number of threads and any instruction set.
class StateBatch {
 public:
  // `count` first states. Throws std::invalid_argument when the layout does not fit the circuit, or
  // as find_kernel does.
  StateBatch(std::shared_ptr<const Circuit> circuit, BatchLayout layout, std::string_view isa,
             unsigned threads, std::size_t count, std::uint64_t seed);

  std::size_t count() const noexcept { return count_; }
  std::size_t roles() const noexcept { return circuit_->roles(); }
  std::size_t fluents() const noexcept { return layout_.fluents.size(); }
  std::size_t actions() const noexcept { return actions_; }
  std::size_t percepts() const noexcept { return percepts_; }
  const Circuit& circuit() const noexcept { return *circuit_; }
  const char* isa() const noexcept { return kernel_.name; }
  std::uint64_t steps() const noexcept { return step_; }

  // Starts the random numbers anew.
  void seed(std::uint64_t seed) noexcept;

  // States become the first state where `where` is not 0; all when it is empty.
  void reset(std::span<const std::uint8_t> where);

  // States packed as circuits have them, all of them. Throws std::invalid_argument for bits beyond
  // the last fluent.
  void put(std::span<const std::uint8_t> states);
  void get(std::span<std::uint8_t> states) const;

  // Everybody moves: an action for each role, state by state; those of states where the game is
  // over do not matter. Throws std::invalid_argument for an action that is not legal, before
  // anything has changed.
  void step(std::span<const std::int32_t> actions, const StepOptions& options);

  // Bytes of 0 and 1, or bits, the first lowest, each row filled up to whole bytes.
  enum class Bits : std::uint8_t { unpacked, packed };
  void read_legal(std::span<std::uint8_t> out, Bits bits);     // state, role, action
  void read_fluents(std::span<std::uint8_t> out, Bits bits);   // state, fluent
  void read_percepts(std::span<std::uint8_t> out, Bits bits);  // state, role, percept

  void read_over(std::span<std::uint8_t> out) const;
  void read_stuck(std::span<std::uint8_t> out) const;
  // Which games came to their end in the last step.
  void read_ended(std::span<std::uint8_t> out) const;
  // The goals of all roles: now, or when the game of each state ended last.
  void read_goals(std::span<std::int32_t> out);
  void read_final_goals(std::span<std::int32_t> out) const;

 private:
  using Words = std::vector<std::uint64_t>;
  struct Chunk {
    explicit Chunk(const Circuit& circuit, std::uint32_t width) : memory(circuit, width) {}
    CircuitMemory memory;
    std::size_t first = 0;  // state
    std::size_t states = 0;
    Words used, over, stuck, ended;  // planes
    Words percepts;                  // planes of the last step's percepts, by the ground program
    Words before;                    // scratch: the states before a move
  };

  template <typename Work>
  void each(const Work& work);
  void evaluate(Chunk& chunk);
  void find_over(Chunk& chunk);
  void check_actions(const Chunk& chunk, const std::int32_t* actions, std::uint64_t drawn) const;
  void make_moves(const Chunk& chunk, const std::int32_t* actions, std::uint64_t drawn) const;
  void step_chunk(Chunk& chunk, std::size_t number, const std::int32_t* actions,
                  const StepOptions& options);
  void keep_idle(Chunk& chunk, const Words& restarted) const;
  void score(Chunk& chunk);
  void write_rows(const Chunk& chunk, const std::uint64_t* values, std::span<const Plane> planes,
                  std::size_t row, std::size_t rows, std::span<std::uint8_t> out, Bits bits) const;
  void read_plane(Words Chunk::* plane, std::span<std::uint8_t> out) const;

  std::shared_ptr<const Circuit> circuit_;
  BatchLayout layout_;
  const Kernel& kernel_;
  Visitor visitor_;
  ThreadPool pool_;
  std::size_t count_;
  std::size_t actions_ = 0;   // per role
  std::size_t percepts_ = 0;  // per role
  std::uint32_t words_;       // of a chunk
  std::uint64_t key_ = 0;
  std::uint64_t step_ = 0;
  std::vector<Plane> fluent_planes_;   // by column
  std::vector<Plane> legal_planes_;    // by role and column
  std::vector<Plane> percept_planes_;  // by role and column, among the kept ones
  std::vector<Chunk> chunks_;
  std::vector<std::uint32_t> final_goals_;  // state * roles + role
};

}  // namespace woodstock
