#include "ground/clingo_api.h"

#include <stdexcept>
#include <string>

#if defined(__unix__) || defined(__APPLE__)
#define WOODSTOCK_HAS_DLFCN 1
#include <dlfcn.h>
#endif
#if defined(__linux__)
#include <link.h>
#endif

namespace woodstock {

namespace {

#if defined(WOODSTOCK_HAS_DLFCN)

#if defined(__linux__)
// Python loads extension modules privately, so the global scope does not see them: ask the loader
// for the file and open it once more by that name.
void* open_loaded_clingo() {
  std::string path;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        const std::string name = info->dlpi_name == nullptr ? "" : info->dlpi_name;
        const std::string file = name.substr(name.find_last_of('/') + 1);
        if (file.rfind("_clingo", 0) != 0 && file.rfind("libclingo", 0) != 0) return 0;
        *static_cast<std::string*>(data) = name;
        return 1;
      },
      &path);
  return path.empty() ? nullptr : dlopen(path.c_str(), RTLD_NOLOAD | RTLD_NOW);
}
#else
void* open_loaded_clingo() { return nullptr; }
#endif

class Lookup {
 public:
  Lookup() : library_(open_loaded_clingo()) {}
  // The module stays loaded for the life of the interpreter; only our count on it goes.
  ~Lookup() {
    if (library_ != nullptr) dlclose(library_);
  }
  Lookup(const Lookup&) = delete;
  Lookup& operator=(const Lookup&) = delete;

  template <class Function>
  void operator()(Function& function, const char* name) const {
    void* address = dlsym(library_ == nullptr ? RTLD_DEFAULT : library_, name);
    if (address == nullptr) {
      throw std::runtime_error(std::string("clingo's C API is not loaded: no ") + name);
    }
    function = reinterpret_cast<Function>(address);
  }

 private:
  void* library_;
};

#else

struct Lookup {
  template <class Function>
  void operator()(Function&, const char*) const {
    throw std::runtime_error("no way to find clingo's C API on this system");
  }
};

#endif

}  // namespace

ClingoApi find_clingo_api() {
  ClingoApi api;
  const Lookup find;
  find(api.version, "clingo_version");
  int major = 0;
  int minor = 0;
  int revision = 0;
  api.version(&major, &minor, &revision);
  if (major != CLINGO_VERSION_MAJOR) {
    throw std::runtime_error("clingo " + std::to_string(major) + " is loaded, built for clingo " +
                             std::to_string(CLINGO_VERSION_MAJOR));
  }
  find(api.error_message, "clingo_error_message");
  find(api.set_error, "clingo_set_error");
  find(api.register_observer, "clingo_control_register_observer");
  find(api.symbolic_atoms, "clingo_control_symbolic_atoms");
  find(api.atoms_begin, "clingo_symbolic_atoms_begin");
  find(api.atoms_end, "clingo_symbolic_atoms_end");
  find(api.atoms_equal, "clingo_symbolic_atoms_iterator_is_equal_to");
  find(api.atoms_next, "clingo_symbolic_atoms_next");
  find(api.atoms_symbol, "clingo_symbolic_atoms_symbol");
  find(api.atoms_literal, "clingo_symbolic_atoms_literal");
  find(api.atoms_is_fact, "clingo_symbolic_atoms_is_fact");
  find(api.symbol_type, "clingo_symbol_type");
  find(api.symbol_number, "clingo_symbol_number");
  find(api.symbol_name, "clingo_symbol_name");
  find(api.symbol_arguments, "clingo_symbol_arguments");
  return api;
}

}  // namespace woodstock
