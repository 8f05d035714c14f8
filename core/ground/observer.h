// Records a ground program natively, while clingo grounds it.
//
// The clingo wheel's extension module exports clingo's C API once it has been imported; we look the
// functions up at run time, so that nothing has to be linked and a process without clingo can
// still load this library.
//
// Conventions of the translation: predicates are called p<N>, N being the predicate number (see
// Category); a constant is an integer >= 0 and a function term f<N>(...), both numbers being
// indices into the symbol table of whoever wrote the translation; a choice rule offers nothing but
// `true` and `does` atoms. Anything else is reported as a problem.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ground/builder.h"
#include "ground/program.h"

namespace woodstock {

class Observer {
 public:
  // Registers with the clingo_control_t at the given address, which must not have been grounded
  // yet, and takes the ground program away from its solver. With max_rules > 0, grounding fails
  // (clingo raises) at the first rule beyond that number; with max_seconds > 0, once this process
  // has spent so much CPU time from now on. Throws std::runtime_error when the C API cannot be
  // found or is of another major version.
  //
  // The observer has to outlive the grounding; the control has to outlive finish().
  explicit Observer(std::uintptr_t control, std::uint64_t max_rules = 0, double max_seconds = 0);
  ~Observer();
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  // Rules recorded so far, facts included and choices not.
  std::uint64_t rule_count() const noexcept;
  std::uint64_t bytes() const noexcept;
  // Whether grounding was stopped by max_rules or max_seconds.
  bool limit_reached() const noexcept;
  // What went wrong during grounding, empty when nothing did.
  const std::string& problem() const noexcept;

  // ProgramBuilder::relation_sizes of what was grounded; empty before finish().
  const std::vector<RelationSize>& relation_sizes() const noexcept;

  // Reads the atoms from the control, then ProgramBuilder::finish. Call it once, after grounding.
  // Throws std::runtime_error on a problem, also one met earlier.
  GroundProgram finish(bool keep_all = false);

 private:
  struct Recorder;
  std::unique_ptr<Recorder> recorder_;
};

}  // namespace woodstock
