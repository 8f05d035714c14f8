// What the vector kernels offer. Each instruction set compiles kernel_impl.h once more; the tables
// it gets are plain pointers, so that no code is shared between what runs everywhere and what runs
// only where the wide instructions exist.

#pragma once

#include <cstddef>
#include <cstdint>

#include "circuit/code.h"

namespace woodstock {

// In a batch every slot has the same number of words, lane i being bit i % 64 of word i / 64.
// Playouts work on batches of `width` units; the other services can do with half a unit, too.
constexpr std::size_t unit_lanes = 512;
constexpr std::size_t unit_words = unit_lanes / 64;
constexpr std::size_t max_width = 4;
constexpr std::size_t narrow_words = unit_words / 2;
constexpr std::size_t max_roles = 64;
constexpr std::size_t preference_levels = 4;

// The moves of a role that can ever be legal, in groups of eight.
struct RoleChoice {
  std::uint32_t first_group = 0;
  std::uint32_t last_group = 0;
};

constexpr std::size_t group_size = 8;
struct ChoiceGroup {
  Plane legal[group_size] = {};  // plane_false where there are fewer
  Slot does[group_size] = {};    // zero_slot where nobody asks
  std::uint32_t guard = 0;       // 1 + guard without which none of them is legal; 0: none
};

// A goal value of a role; the goals of a role are neighbours, highest value first.
struct GoalPlane {
  Plane plane = plane_false;
  std::uint32_t value = 0;
};

// A circuit as the kernels see it.
struct CircuitView {
  std::uint32_t slots;
  std::uint32_t fluents;
  const Segment* segments;
  std::uint32_t part_begin[5];  // into segments, by Part
  const Run* runs;
  const std::uint32_t* operands;
  const Plane* fills;
  const Plane* guards;
  std::uint32_t guard_count;
  const Copy* save;
  std::uint32_t save_count;
  const Copy* latch;
  std::uint32_t latch_count;
  Plane terminal;
  const RoleChoice* choices;  // per role
  const ChoiceGroup* groups;
  const GoalPlane* goals;
  const std::uint32_t* goals_begin;  // per role, one entry more than roles
  std::uint32_t roles;
  std::uint32_t choice_words;  // scratch words (of one unit each) that choosing needs
};

// Playouts to be made from one state. The state has one byte a fluent, 0 or 1.
struct BlockJob {
  const std::uint8_t* state;
  std::uint64_t playouts;
};

// Sums over finished playouts. Goals are in a table beside it, see BlockTask.
struct LengthTally {
  std::uint64_t playouts = 0;
  std::uint64_t stuck = 0;    // ended because some role had no legal move
  std::uint64_t cut = 0;      // ended because they reached the limit
  std::uint64_t unclear = 0;  // roles without exactly one goal at the end, over all playouts
  std::uint64_t length = 0;
  std::uint64_t length_squares = 0;
  std::uint32_t shortest = 0xffffffffU;
  std::uint32_t longest = 0;
};

struct GoalTally {
  std::uint64_t sum = 0;
  std::uint64_t squares = 0;
};

// Watches the fluents during the first passes of a block, which then ends.
struct Probe {
  std::uint32_t max_passes;
  std::uint32_t passes;
  std::uint32_t* never;   // per fluent: passes in which it held in no lane
  std::uint32_t* always;  // ... in every lane
  std::uint32_t* turns;   // how often it went from one to the other between two passes
  std::uint8_t* last;     // scratch, zero at first
};

// A block of playouts: what one thread does in one go. The result depends on nothing but this.
struct BlockTask {
  std::uint32_t width;  // of the batch
  std::uint64_t key;    // of the random numbers
  const BlockJob* jobs;
  std::uint32_t job_count;
  std::uint32_t max_plies;
  LengthTally* lengths;  // per job
  GoalTally* goals;      // per job and role
  Probe* probe;          // or nullptr
  // Asked now and then, unless it is nullptr; the block ends at once, half done, when it says no.
  bool (*go_on)(void* context);
  void* context;
};

// Random games that begin together, `each` neighbouring lanes with games from the same state. Lanes
// whose game is over are not used again. The result depends on nothing but this.
struct RolloutTask {
  std::uint32_t words;  // of the batch
  std::uint64_t key;    // of the random numbers
  // A plane for each fluent, of state_words words, with a bit for each state; behind the last one,
  // `words` words that may be read.
  const std::uint64_t* states;
  std::uint32_t state_words;
  std::uint32_t state_count;
  std::uint32_t each;  // a power of two, up to 64
  std::uint32_t max_plies;
  // For each goal of the circuit, a plane with the lanes whose role got it; behind them, memory of
  // the same size. Set by the kernel, as are the numbers below.
  std::uint64_t* goals;
  std::uint64_t plies;
  std::uint64_t stuck;
  std::uint64_t cut;
  bool (*go_on)(void* context);  // as in BlockTask
  void* context;
};

// Moves to be made in the active lanes, once the state has been run.
struct DrawTask {
  std::uint64_t key;    // of the random numbers
  std::uint64_t step;   // how many draws came before with the same key
  std::uint64_t roles;  // bit r: role r makes a random legal move; slots of the others are cleared
};

// A lane of a rollout may begin so many passes late, to be in step with others.
constexpr std::uint32_t rollout_patience = 3;
// From this pass on, games move together where half of the lanes have room for them. What is over
// sooner does not repay the effort.
constexpr std::uint32_t rollout_compact_pass = 12;
constexpr std::size_t rollout_compactions = 3;  // from the widest batch to the narrowest
static_assert(unit_words * max_width == narrow_words << rollout_compactions);

// How far the games of a rollout are, in sets of lanes.
struct alignas(64) RolloutLanes {
  static constexpr std::size_t most_words = unit_words * max_width;
  std::uint64_t active[most_words];
  std::uint64_t waiting[most_words];                      // not begun yet
  std::uint64_t begun[rollout_patience + 1][most_words];  // by pass
  std::uint32_t pass;
};

// Lengths up to here are counted one by one and summed up at the end of a block.
constexpr std::uint32_t counted_lengths = 1024;

// Working memory of one thread, enough for the widest batch asked for; all pointers are aligned to
// 64 bytes.
struct Workspace {
  std::uint64_t* values;      // slots * width units
  std::uint64_t* choice;      // choice_words * width units
  std::uint32_t* lane_start;  // per lane
  std::uint32_t* lane_job;    // per lane
  std::uint8_t* awake;        // per guard
  std::uint64_t* active;      // width units: the lanes that `run` is about
  std::uint64_t* histogram;   // counted_lengths numbers, zero between blocks
  // For games that are traced, or nullptr. The lanes in which each move was made, group by group,
  // with memory of the same size behind them; planes of a group have no meaning until it has been
  // met, for which there are rollout_compactions times as many bytes behind. All bytes are zero at
  // first.
  std::uint64_t* made;
  std::uint8_t* met;  // per group
  // How much each move is preferred, 0 .. preference_levels - 1, group by group; nullptr: all
  // alike.
  const std::uint8_t* preferences;
};

struct Kernel {
  const char* name;
  // All the playouts of a block.
  void (*play)(const CircuitView&, const BlockTask&, const Workspace&);
  // One part of a step for the active lanes; values are in the workspace. `state` also finds out
  // which guards sleep, which the other parts rely on.
  void (*run)(const CircuitView&, Part, const Workspace&, std::uint32_t words);
  void (*rollout)(const CircuitView&, RolloutTask&, const Workspace&);
  // Writes moves into the slots that the circuit reads them from. Lanes in which some role has no
  // legal move are not active any more afterwards. At least a unit of words.
  void (*draw)(const CircuitView&, const DrawTask&, const Workspace&, std::uint32_t words);
};

// The kernels of this binary; whether the machine can run them is told by isa.h.
const Kernel* kernel_avx512() noexcept;  // nullptr where there is none
const Kernel* kernel_avx2() noexcept;
const Kernel* kernel_base() noexcept;  // always there

// How kernel_avx512 does narrow batches.
void run_part_narrow(const CircuitView& circuit, Part part, const Workspace& work);
void rollout_narrow(const CircuitView& circuit, RolloutTask& task, const Workspace& work);
void rollout_rest_narrow(const CircuitView& circuit, RolloutTask& task, const Workspace& work,
                         RolloutLanes& lanes);

}  // namespace woodstock
