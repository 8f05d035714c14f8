// One function per folder of the core; module.cpp calls them all.

#pragma once

#include <nanobind/nanobind.h>

void bind_ground(nanobind::module_& m);
void bind_circuit(nanobind::module_& m);
void bind_csp(nanobind::module_& m);
