// Batches too narrow for the widest vectors: half their length, with the same instructions.
#if defined(WOODSTOCK_AVX512)
#define WOODSTOCK_VECTOR_BYTES 32
#include "circuit/kernel_rollout.h"

namespace woodstock {

void run_part_narrow(const CircuitView& circuit, Part part, const Workspace& work) {
  Batch<narrow_words>(circuit, work).run_alone(part);
}

void rollout_narrow(const CircuitView& circuit, RolloutTask& task, const Workspace& work) {
  Rolling<narrow_words>(circuit, work).roll(task);
}

void rollout_rest_narrow(const CircuitView& circuit, RolloutTask& task, const Workspace& work,
                         RolloutLanes& lanes) {
  Rolling<narrow_words>(circuit, work).play(task, lanes);
}

}  // namespace woodstock
#endif
