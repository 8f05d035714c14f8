#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "convert.h"
#include "learn/trainer.h"
#include "module.h"
#include "search_calls.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace woodstock;
using namespace woodstock::learn;

namespace {

constexpr std::uint32_t nobody = 0xffffffffU;

std::optional<std::uint32_t> to_optional(std::uint32_t role) {
  if (role == nobody) return std::nullopt;
  return role;
}

void bind_net(nb::module_& m) {
  nb::class_<Features>(m, "Features", "What a state shows a value net.")
      .def(
          "__init__",
          [](Features* self, std::uint32_t fluents,
             const std::vector<std::pair<Ids, Ids>>& patterns) {
            std::vector<Pattern> list;
            for (const auto& [inside, blockers] : patterns) list.push_back({inside, blockers});
            new (self) Features(fluents, std::move(list));
          },
          "fluents"_a, "patterns"_a = std::vector<std::pair<Ids, Ids>>{},
          "Patterns are fluents that some rule asks for together, and those that block them.\n"
          "Raises ValueError for lists that are not ascending or do not fit.")
      .def_prop_ro("fluents", &Features::fluents)
      .def_prop_ro("size", &Features::size)
      .def_prop_ro("patterns",
                   [](const Features& self) {
                     std::vector<std::pair<Ids, Ids>> out;
                     for (const Pattern& one : self.patterns()) {
                       out.emplace_back(one.fluents, one.blockers);
                     }
                     return out;
                   })
      .def(
          "of",
          [](const Features& self, const nb::bytes& state) {
            if (state.size() < (self.fluents() + 7) / 8) throw std::invalid_argument("no state");
            return self.of(view(state).data());
          },
          "state"_a, "The features that a packed state has.");
  nb::class_<ValueNet>(m, "ValueNet", "Tells what states are worth. Immutable, shared by threads.")
      .def_static(
          "from_bytes",
          [](const nb::bytes& data) {
            return std::const_pointer_cast<ValueNet>(from_bytes(view(data)));
          },
          "data"_a, "Raises ValueError for whatever is no net of this version.")
      .def("to_bytes", [](const ValueNet& self) { return to_python(to_bytes(self)); })
      .def(
          "evaluate",
          [](const std::shared_ptr<ValueNet>& self, const nb::bytes& states) {
            const std::size_t size = std::max<std::size_t>(1, (self->features().fluents() + 7) / 8);
            if (states.size() % size != 0) throw std::invalid_argument("states of another size");
            std::vector<float> out(states.size() / size * self->shape().roles);
            Evaluator evaluator(self);
            evaluator(view(states), out.data());
            return out;
          },
          "states"_a, "Expected goals between 0 and 1, state by state, one for each role.")
      .def_prop_ro("fluents", [](const ValueNet& self) { return self.features().fluents(); })
      .def_prop_ro("features", [](const ValueNet& self) { return self.features().size(); })
      .def_prop_ro("patterns",
                   [](const ValueNet& self) { return self.features().patterns().size(); })
      .def_prop_ro("roles", [](const ValueNet& self) { return self.shape().roles; })
      .def_prop_ro("chance", [](const ValueNet& self) { return to_optional(self.shape().chance); })
      .def_prop_ro("hidden", [](const ValueNet& self) { return self.shape().hidden; })
      .def_prop_ro("controls", [](const ValueNet& self) { return self.shape().controls; })
      .def_prop_ro("outputs", [](const ValueNet& self) {
        return std::string(self.shape().outputs == Outputs::each ? "each" : "opposed");
      });
}

void bind_trainer(nb::module_& m) {
  nb::class_<TrainerOptions>(m, "TrainerOptions", "See learn/trainer.h and learn/self_play.h.")
      .def(nb::init<>())
      .def("check", &TrainerOptions::check, "Raises ValueError for values without sense.")
      .def_prop_rw(
          "chance", [](const TrainerOptions& self) { return to_optional(self.chance); },
          [](TrainerOptions& self, std::optional<std::uint32_t> chance) {
            self.chance = chance.value_or(nobody);
          },
          nb::for_setter(nb::arg("chance").none()))
      .def_rw("games", &TrainerOptions::games)
      .def_rw("difference", &TrainerOptions::difference)
      .def_rw("opening", &TrainerOptions::opening)
      .def_rw("random_moves", &TrainerOptions::random_moves)
      .def_rw("temperature", &TrainerOptions::temperature)
      .def_rw("first_trace", &TrainerOptions::first_lambda, "The lambda of TD(lambda) ...")
      .def_rw("trace", &TrainerOptions::lambda, "... and what it falls to.")
      .def_rw("cut", &TrainerOptions::cut)
      .def_rw("successors", &TrainerOptions::successors)
      .def_rw("together", &TrainerOptions::together)
      .def_rw("draws", &TrainerOptions::draws)
      .def_rw("max_plies", &TrainerOptions::max_plies)
      .def_rw("seed", &TrainerOptions::seed)
      .def_rw("threads", &TrainerOptions::threads)
      .def_rw("hidden", &TrainerOptions::hidden)
      .def_rw("first", &TrainerOptions::first)
      .def_rw("round", &TrainerOptions::round)
      .def_rw("replay", &TrainerOptions::replay)
      .def_rw("batch", &TrainerOptions::batch)
      .def_rw("sharing", &TrainerOptions::sharing)
      .def_rw("sharing_positions", &TrainerOptions::sharing_positions)
      .def_rw("averaging", &TrainerOptions::averaging)
      .def_rw("rate", &TrainerOptions::rate)
      .def_rw("last_rate", &TrainerOptions::last_rate);
  nb::class_<TrainingProgress>(m, "TrainingProgress", "How far a training has come.")
      .def_ro("games", &TrainingProgress::games)
      .def_ro("positions", &TrainingProgress::positions)
      .def_ro("successors", &TrainingProgress::successors)
      .def_ro("rounds", &TrainingProgress::rounds)
      .def_ro("cut", &TrainingProgress::cut, "Games that were too long.")
      .def_ro("loss", &TrainingProgress::loss, "Of the last round's targets.")
      .def_ro("outcome_loss", &TrainingProgress::outcome_loss,
              "Log-loss of how the last round's games ended, as the net saw it.")
      .def_ro("blind_loss", &TrainingProgress::blind_loss,
              "The same of who only knows how often who wins.")
      .def_ro("seconds", &TrainingProgress::seconds)
      .def_ro("cpu_seconds", &TrainingProgress::cpu_seconds, "Of the calling threads.");
  using Reflections = std::vector<std::pair<Ids, Ids>>;
  using Listening = std::optional<std::function<bool(const TrainingProgress&)>>;
  nb::class_<Trainer>(m, "Trainer", "Learns a value net from games against itself.")
      .def(
          "__init__",
          [](Trainer* self, std::shared_ptr<Circuit> circuit, std::shared_ptr<Features> features,
             const TrainerOptions& options, const Reflections& symmetries, const Kinds& kinds) {
            std::vector<Reflection> list;
            for (const auto& [fluents, roles] : symmetries) list.push_back({fluents, roles});
            new (self)
                Trainer(std::move(circuit), std::move(features), options, std::move(list), kinds);
          },
          "circuit"_a, "features"_a, "options"_a, "symmetries"_a = Reflections{},
          "kinds"_a = Kinds{},
          "Symmetries are permutations of fluents, and of roles, that change nothing; features of\n"
          "a kind share a part of their weights while they are learned.\n"
          "Raises ValueError for what does not fit the game.")
      .def(
          "go_on",
          [](Trainer& self, const Stop& stop, std::optional<double> seconds,
             std::optional<double> cpu_seconds, std::optional<std::uint64_t> positions,
             const Listening& progress) {
            TrainingLimits limits;
            if (seconds) limits.seconds = *seconds;
            if (cpu_seconds) limits.cpu_seconds = *cpu_seconds;
            if (positions) limits.positions = *positions;
            const nb::gil_scoped_release release;
            return self.go_on(limits, stop.set, [&](const TrainingProgress& now) {
              const nb::gil_scoped_acquire acquire;
              if (PyErr_CheckSignals() != 0) throw nb::python_error();
              return !progress || (*progress)(now);
            });
          },
          "stop"_a, "seconds"_a.none() = nb::none(), "cpu_seconds"_a.none() = nb::none(),
          "positions"_a.none() = nb::none(), "progress"_a.none() = nb::none(),
          "Plays and learns until a limit is reached, the stop is set or `progress` says False.")
      .def_prop_ro("progress", [](const Trainer& self) { return self.progress(); })
      .def_prop_ro(
          "net", [](const Trainer& self) { return std::const_pointer_cast<ValueNet>(self.net()); },
          "What has been learned so far; None before anything has.");
}

}  // namespace

void bind_learn(nb::module_& m) {
  bind_net(m);
  bind_trainer(m);
}
