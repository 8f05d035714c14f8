#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <optional>
#include <string>

#include "convert.h"
#include "module.h"
#include "search/options.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace woodstock;

namespace {

constexpr const char* check_doc = "Raises ValueError for values without sense in any game.";

// An enumeration, which Python knows by its names.
template <class Bound, class Options, class Option>
void bind_name(Bound& options, const char* name, Option Options::* field) {
  options.def_prop_rw(
      name, [field](const Options& self) { return std::string(name_of(self.*field)); },
      [field](Options& self, const std::string& value) { self.*field = parse<Option>(value); });
}

void bind_common(nb::module_& m) {
  nb::class_<SearchOptions> common(
      m, "SearchOptions",
      "What every search is told; see search/options.h for the meaning of all options.\n"
      "Memory is in bytes. Names that are none raise ValueError at once, other values in check().");
  bind_name(common, "concept", &SearchOptions::concept_);
  common.def(nb::init<>())
      .def("check", &SearchOptions::check, check_doc)
      .def_rw("role", &SearchOptions::role)
      .def_prop_rw(
          "chance",
          [](const SearchOptions& self) -> std::optional<std::uint32_t> {
            if (self.chance == Utilities::nobody) return std::nullopt;
            return self.chance;
          },
          [](SearchOptions& self, std::optional<std::uint32_t> chance) {
            self.chance = chance.value_or(Utilities::nobody);
          },
          nb::for_setter(nb::arg("chance").none()))
      .def_rw("max_plies", &SearchOptions::max_plies)
      .def_rw("seed", &SearchOptions::seed)
      .def_rw("memory", &SearchOptions::memory);
}

template <class Options, class Base>
nb::class_<Options, Base> checked(nb::module_& m, const char* name, const char* doc) {
  nb::class_<Options, Base> out(m, name, doc);
  out.def(nb::init<>()).def("check", &Options::check, check_doc);
  return out;
}

void bind_trees(nb::module_& m) {
  nb::class_<SamplingOptions, SearchOptions> sampling(m, "SamplingOptions",
                                                      "What searches by sampling have in common.");
  bind_name(sampling, "choice", &SamplingOptions::choice);
  sampling.def_rw("exploration", &SamplingOptions::exploration)
      .def_rw("leaves", &SamplingOptions::leaves)
      .def_rw("playouts", &SamplingOptions::playouts)
      .def_rw("halving", &SamplingOptions::halving)
      .def_rw("max_depth", &SamplingOptions::max_depth)
      .def_rw("reference", &SamplingOptions::reference)
      .def_rw("bias", &SamplingOptions::bias)
      .def_rw("mixing", &SamplingOptions::mixing);
  auto tree = checked<TreeSearchOptions, SamplingOptions>(m, "TreeSearchOptions", "Of TreeSearch.");
  bind_name(tree, "values", &TreeSearchOptions::values);
  tree.def_rw("mast", &TreeSearchOptions::mast)
      .def_rw("proof_numbers", &TreeSearchOptions::proof_numbers)
      .def_rw("proof_steps", &TreeSearchOptions::proof_steps)
      .def_rw("net_weight", &TreeSearchOptions::net_weight);
  auto information = checked<InformationSearchOptions, SamplingOptions>(
      m, "InformationSearchOptions", "Of InformationSearch.");
  bind_name(information, "others", &InformationSearchOptions::others);
  information.def_rw("mixed", &InformationSearchOptions::mixed)
      .def_prop_rw(
          "known_fluents",
          [](const InformationSearchOptions& self) { return to_python(self.known_fluents); },
          [](InformationSearchOptions& self, const nb::bytes& known) {
            const auto bytes = view(known);
            self.known_fluents.assign(bytes.begin(), bytes.end());
          })
      .def_rw("policy_exploration", &InformationSearchOptions::policy_exploration)
      .def_rw("policy_prior", &InformationSearchOptions::policy_prior)
      .def_rw("risk_exponent", &InformationSearchOptions::risk_exponent);
}

void bind_stages(nb::module_& m) {
  nb::class_<StageSearchOptions, SearchOptions> stages(m, "StageSearchOptions",
                                                       "What searches by stages have in common.");
  bind_name(stages, "order", &StageSearchOptions::order);
  bind_name(stages, "sampling", &StageSearchOptions::sampling);
  stages.def_rw("horizon", &StageSearchOptions::horizon)
      .def_rw("solving_share", &StageSearchOptions::solving_share)
      .def_rw("shrinking", &StageSearchOptions::shrinking)
      .def_rw("samples", &StageSearchOptions::samples)
      .def_rw("confidence", &StageSearchOptions::confidence)
      .def_rw("bonus", &StageSearchOptions::bonus);
  auto mac_ucb = checked<MacUcbOptions, StageSearchOptions>(m, "MacUcbOptions", "Of MacUcb.");
  bind_name(mac_ucb, "values", &MacUcbOptions::values);
  bind_name(mac_ucb, "answer", &MacUcbOptions::answer);
  mac_ucb.def_rw("batch", &MacUcbOptions::batch)
      .def_rw("alike_share", &MacUcbOptions::alike_share)
      .def_rw("cache", &MacUcbOptions::cache)
      .def_rw("proof_steps", &MacUcbOptions::proof_steps)
      .def_rw("net_weight", &MacUcbOptions::net_weight);
  auto beliefs = checked<MacUcbIIOptions, StageSearchOptions>(m, "MacUcbIIOptions", "Of MacUcbII.");
  bind_name(beliefs, "belief", &MacUcbIIOptions::belief);
  beliefs.def_rw("hypotheses", &MacUcbIIOptions::hypotheses)
      .def_rw("successors", &MacUcbIIOptions::successors);
}

}  // namespace

void bind_search_options(nb::module_& m) {
  bind_common(m);
  bind_trees(m);
  bind_stages(m);
}
