// Mutex groups: sets of fluents of which no reachable state holds two.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ground/completion.h"
#include "ground/program.h"

namespace woodstock {

// Tells for each proposed group of fluents (indices into GroundProgram::fluents()) what can be
// proved of every state that play can reach, by induction over `next`:
//
//   base   the initial state holds at most one member (exactly one);
//   step   if a state is not terminal and satisfies what is claimed of all groups together, and
//          every role makes one legal move, then the following state holds at most one (exactly
//          one) member again.
//
// Random play first throws out what is plainly wrong, so that only plausible groups cost a proof.
// Without play_first only the initial state is looked at: tests use it to face the proofs with
// wrong groups.
// The step is a search for a contradiction by unit propagation and bounded case distinction, so the
// answer is sound and incomplete: `unproved` says nothing. Groups that fail are withdrawn, and the
// proofs that leaned on them are done again, until the rest supports itself.
//
// budget_steps bounds the effort (a step is a look at one literal, some nanoseconds); when it runs
// out, what is not proved by then is reported as unproved. Same input, same answer. A program
// that is not stratified proves nothing. An index out of range throws std::invalid_argument.
std::vector<MutexKind> prove_mutexes(std::shared_ptr<const GroundProgram> program,
                                     std::span<const std::vector<std::uint32_t>> groups,
                                     std::uint64_t budget_steps, bool play_first = true);

}  // namespace woodstock
