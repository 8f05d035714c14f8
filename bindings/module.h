// One function per file of bindings; module.cpp calls them all.

#pragma once

#include <nanobind/nanobind.h>

void bind_ground(nanobind::module_& m);
void bind_circuit(nanobind::module_& m);
void bind_simulator(nanobind::module_& m);
void bind_batch(nanobind::module_& m);
void bind_csp(nanobind::module_& m);
void bind_stage(nanobind::module_& m);
void bind_search_options(nanobind::module_& m);
void bind_search(nanobind::module_& m);
void bind_symmetry(nanobind::module_& m);
void bind_rule_graph(nanobind::module_& m);
void bind_belief(nanobind::module_& m);
void bind_plan(nanobind::module_& m);
void bind_learn(nanobind::module_& m);
void bind_learn_patterns(nanobind::module_& m);
