// The few functions of clingo's C API that the observer calls, found in the running process.

#pragma once

#include <clingo.h>

namespace woodstock {

struct ClingoApi {
  decltype(&clingo_version) version = nullptr;
  decltype(&clingo_error_message) error_message = nullptr;
  decltype(&clingo_set_error) set_error = nullptr;
  decltype(&clingo_control_register_observer) register_observer = nullptr;
  decltype(&clingo_control_symbolic_atoms) symbolic_atoms = nullptr;
  decltype(&clingo_symbolic_atoms_begin) atoms_begin = nullptr;
  decltype(&clingo_symbolic_atoms_end) atoms_end = nullptr;
  decltype(&clingo_symbolic_atoms_iterator_is_equal_to) atoms_equal = nullptr;
  decltype(&clingo_symbolic_atoms_next) atoms_next = nullptr;
  decltype(&clingo_symbolic_atoms_symbol) atoms_symbol = nullptr;
  decltype(&clingo_symbolic_atoms_literal) atoms_literal = nullptr;
  decltype(&clingo_symbolic_atoms_is_fact) atoms_is_fact = nullptr;
  decltype(&clingo_symbol_type) symbol_type = nullptr;
  decltype(&clingo_symbol_number) symbol_number = nullptr;
  decltype(&clingo_symbol_name) symbol_name = nullptr;
  decltype(&clingo_symbol_arguments) symbol_arguments = nullptr;
};

// Looks the functions up among the libraries this process has loaded; loads none. Throws
// std::runtime_error when they are not there or their version differs from the header's.
ClingoApi find_clingo_api();

}  // namespace woodstock
