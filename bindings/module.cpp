#include "module.h"

NB_MODULE(_core, m) {
  m.doc() = "Native core of WoodStock: ground programs and the engines that run on them.";
  bind_ground(m);
  bind_circuit(m);
}
