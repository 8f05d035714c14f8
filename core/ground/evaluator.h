// The ground reference engine: one state at a time, straight from the rules.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ground/program.h"

namespace woodstock {

// A state: bit i%8 of byte i/8 tells whether fluent i holds; unused bits of the last byte are 0.
using StateBytes = std::vector<std::uint8_t>;

struct Position {
  bool terminal = false;
  std::vector<std::uint32_t> legal;  // indices into GroundProgram::moves()
  std::vector<std::uint32_t> goals;  // indices into GroundProgram::goals()
};

struct Successor {
  StateBytes state;
  std::vector<std::uint32_t> percepts;  // indices into GroundProgram::percepts()
};

// Evaluates every atom in the program's own order. Slow beside the circuit and kept as what the
// circuit is compared with. Has scratch memory of its own: one evaluator per thread. The program is
// shared. Each call costs at most one visit of every literal; the values of the last state are
// kept, so analyse followed by next on the same state looks at the state's atoms once.
class Evaluator {
 public:
  // Throws std::invalid_argument when the program is not stratified.
  explicit Evaluator(std::shared_ptr<const GroundProgram> program);

  const GroundProgram& program() const noexcept { return *program_; }
  std::size_t state_size() const noexcept { return state_size_; }

  StateBytes initial() const;

  // Whether the state is terminal, which moves are legal and which goals hold in it. A state of
  // the wrong size, or with bits beyond the last fluent, throws std::invalid_argument.
  Position analyse(std::span<const std::uint8_t> state);

  // The state after the given moves (indices into moves(), one for each role; legality is not
  // checked), and what the roles see. A bad index throws std::invalid_argument.
  Successor next(std::span<const std::uint8_t> state, std::span<const std::uint32_t> moves);

 private:
  // A recursive component, prepared for counting: rule i of the component waits for in-component
  // atoms; waiting[waiting_begin[a - first] ..] are the rules that wait for atom a.
  struct Recursion {
    std::uint32_t first_rule = 0;
    std::vector<AtomId> head;
    std::vector<std::uint32_t> waiting_begin;
    std::vector<std::uint32_t> waiting;
  };

  void load(std::span<const std::uint8_t> state);
  void run(std::uint32_t first_component, std::uint32_t last_component);
  void run_recursive(const Component& component, const Recursion& recursion);
  bool holds(AtomId atom) const noexcept { return atom != no_atom && value_[atom] != 0; }

  std::shared_ptr<const GroundProgram> program_;
  std::size_t state_size_;
  std::vector<Recursion> recursions_;
  std::vector<std::uint32_t> recursion_of_;  // per component
  std::vector<std::uint8_t> value_;          // per atom
  std::vector<std::uint32_t> missing_;       // scratch of run_recursive
  std::vector<AtomId> derived_;              // scratch of run_recursive
  StateBytes loaded_;
  bool has_loaded_ = false;
};

}  // namespace woodstock
