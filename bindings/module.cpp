#include "module.h"

NB_MODULE(_core, m) {
  m.doc() =
      "Native core of WoodStock: ground programs, the engines that run on them, and constraints.";
  bind_ground(m);
  bind_circuit(m);
  bind_simulator(m);
  bind_csp(m);
  bind_stage(m);
  bind_search(m);
}
