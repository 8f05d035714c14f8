#include "module.h"

NB_MODULE(_core, m) {
  // Threads that are still thinking when the process ends have their objects with them.
  nanobind::set_leak_warnings(false);
  m.doc() =
      "Native core of WoodStock: ground programs, the engines that run on them, and constraints.";
  bind_ground(m);
  bind_circuit(m);
  bind_simulator(m);
  bind_batch(m);
  bind_csp(m);
  bind_stage(m);
  bind_belief(m);
  bind_search_options(m);
  bind_search(m);
  bind_symmetry(m);
  bind_rule_graph(m);
  bind_plan(m);
  bind_learn(m);
  bind_learn_patterns(m);
}
