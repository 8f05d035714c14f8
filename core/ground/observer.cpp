#include "ground/observer.h"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ground/builder.h"
#include "ground/clingo_api.h"

namespace woodstock {

struct Observer::Recorder {
  ClingoApi api;
  clingo_control_t* control = nullptr;
  std::uint64_t max_rules = 0;
  std::clock_t deadline = 0;
  ProgramBuilder builder;
  std::vector<AtomId> choices;
  std::unordered_map<clingo_symbol_t, TermId> term_of;
  std::vector<TermId> name_args;  // scratch of name_atom
  bool limit_reached = false;
  bool finished = false;
  std::vector<RelationSize> sizes;
  std::string problem;

  // Callbacks run below clingo's C frames, through which no exception may pass.
  bool fail(const char* what) noexcept {
    try {
      if (problem.empty()) problem = what;
    } catch (...) {
      limit_reached = true;
    }
    api.set_error(clingo_error_runtime, what);
    return false;
  }

  // Choice rules come from the translation alone, to make true and does open: they are inputs, and
  // read_atoms() checks that they are nothing else.
  bool rule(bool choice, std::span<const clingo_atom_t> head,
            std::span<const clingo_literal_t> body) noexcept {
    try {
      if (choice) {
        choices.insert(choices.end(), head.begin(), head.end());
        return true;
      }
      if (head.size() != 1) return fail("a rule without a single head");
      if (max_rules != 0 && builder.rule_count() >= max_rules) {
        limit_reached = true;
        return fail("rule limit reached");
      }
      // Asking for the time costs more than recording a rule: do it rarely.
      if (deadline != 0 && builder.rule_count() % 1024 == 0 && std::clock() > deadline) {
        limit_reached = true;
        return fail("time limit reached");
      }
      builder.add_rule(head[0], body);
      return true;
    } catch (const std::exception& error) {
      return fail(error.what());
    }
  }

  void check(bool ok) const {
    if (ok) return;
    const char* message = api.error_message();
    throw std::runtime_error(message == nullptr ? "clingo failed" : message);
  }

  // The number behind the prefix of a name such as p16 or f3.
  static std::uint32_t number_of(const char* name, char prefix) {
    const std::string_view text(name);
    std::uint32_t number = 0;
    const char* end = text.data() + text.size();
    if (text.size() < 2 || text[0] != prefix) throw std::runtime_error("unexpected name in clingo");
    const auto [stop, error] = std::from_chars(text.data() + 1, end, number);
    if (error != std::errc() || stop != end) throw std::runtime_error("unexpected name in clingo");
    return number;
  }

  std::span<const clingo_symbol_t> arguments(clingo_symbol_t symbol) const {
    const clingo_symbol_t* args = nullptr;
    std::size_t size = 0;
    check(api.symbol_arguments(symbol, &args, &size));
    return {args, size};
  }

  // Depth-first with a stack of its own: terms may be nested to any depth.
  TermId term(clingo_symbol_t root) {
    const auto known = term_of.find(root);
    if (known != term_of.end()) return known->second;
    std::vector<clingo_symbol_t> todo{root};
    std::vector<TermId> args;
    while (!todo.empty()) {
      const clingo_symbol_t symbol = todo.back();
      std::uint32_t id = 0;
      args.clear();
      const clingo_symbol_type_t type = api.symbol_type(symbol);
      if (type == clingo_symbol_type_number) {
        int value = 0;
        check(api.symbol_number(symbol, &value));
        if (value < 0) throw std::runtime_error("negative number in clingo");
        id = static_cast<std::uint32_t>(value);
      } else if (type == clingo_symbol_type_function) {
        const char* name = nullptr;
        check(api.symbol_name(symbol, &name));
        id = number_of(name, 'f');
        bool complete = true;
        // Arguments first: the term stays on the stack until all of them have numbers.
        for (clingo_symbol_t arg : arguments(symbol)) {
          const auto it = term_of.find(arg);
          if (it == term_of.end()) {
            todo.push_back(arg);
            complete = false;
          } else {
            args.push_back(it->second);
          }
        }
        if (!complete) continue;
      } else {
        throw std::runtime_error("unexpected symbol in clingo");
      }
      term_of.emplace(symbol, builder.add_term(id, args));
      todo.pop_back();
    }
    return term_of.at(root);
  }

  void read_atoms() {
    const clingo_symbolic_atoms_t* atoms = nullptr;
    check(api.symbolic_atoms(control, &atoms));
    clingo_symbolic_atom_iterator_t at = 0;
    clingo_symbolic_atom_iterator_t end = 0;
    check(api.atoms_begin(atoms, nullptr, &at));
    check(api.atoms_end(atoms, &end));
    std::vector<clingo_symbol_t> unnumbered;
    std::unordered_set<AtomId> inputs;
    for (bool done = false;;) {
      check(api.atoms_equal(atoms, at, end, &done));
      if (done) break;
      clingo_symbol_t symbol = 0;
      clingo_literal_t literal = 0;
      bool fact = false;
      check(api.atoms_symbol(atoms, at, &symbol));
      check(api.atoms_literal(atoms, at, &literal));
      check(api.atoms_is_fact(atoms, at, &fact));
      check(api.atoms_next(atoms, at, &at));
      if (literal < 0) throw std::runtime_error("an atom with a negative number in clingo");
      // Atoms are named after grounding only, when all of them are known; rules came before under
      // their numbers.
      if (literal > 0) {
        const auto atom = static_cast<AtomId>(literal);
        const Category category = name_atom(atom, symbol, fact);
        if (category == Category::true_ || category == Category::does) inputs.insert(atom);
      } else if (fact) {
        unnumbered.push_back(symbol);
      }
    }
    // clingo gives a number only to what it has written out; a fact without one is a fact still.
    for (clingo_symbol_t symbol : unnumbered) name_atom(builder.largest_atom() + 1, symbol, true);
    for (AtomId atom : choices) {
      if (!inputs.contains(atom))
        throw std::runtime_error("a choice about more than true and does");
    }
  }

  Category name_atom(AtomId atom, clingo_symbol_t symbol, bool fact) {
    const char* name = nullptr;
    check(api.symbol_name(symbol, &name));
    const std::uint32_t predicate = number_of(name, 'p');
    name_args.clear();
    for (clingo_symbol_t arg : arguments(symbol)) name_args.push_back(term(arg));
    builder.add_atom(atom, predicate, name_args);
    if (fact) builder.add_rule(atom, {});
    return category_of_predicate(predicate);
  }
};

Observer::Observer(std::uintptr_t control, std::uint64_t max_rules, double max_seconds)
    : recorder_(std::make_unique<Recorder>()) {
  if (control == 0) throw std::invalid_argument("no clingo control");
  recorder_->api = find_clingo_api();
  recorder_->control = reinterpret_cast<clingo_control_t*>(control);
  recorder_->max_rules = max_rules;
  if (max_seconds > 0) {
    recorder_->deadline = std::clock() + static_cast<std::clock_t>(max_seconds * CLOCKS_PER_SEC);
  }

  // Whatever the translation does not produce is refused, rather than left out in silence.
  clingo_ground_program_observer_t callbacks{};
  callbacks.rule = [](bool choice, const clingo_atom_t* head, std::size_t head_size,
                      const clingo_literal_t* body, std::size_t body_size, void* data) {
    return static_cast<Recorder*>(data)->rule(choice, {head, head_size}, {body, body_size});
  };
  callbacks.weight_rule = [](bool, const clingo_atom_t*, std::size_t, clingo_weight_t,
                             const clingo_weighted_literal_t*, std::size_t, void* data) {
    return static_cast<Recorder*>(data)->fail("a weight rule");
  };
  callbacks.minimize = [](clingo_weight_t, const clingo_weighted_literal_t*, std::size_t,
                          void* data) {
    return static_cast<Recorder*>(data)->fail("a minimize statement");
  };
  callbacks.external = [](clingo_atom_t, clingo_external_type_t, void* data) {
    return static_cast<Recorder*>(data)->fail("an external statement");
  };
  callbacks.theory_atom = [](clingo_id_t, clingo_id_t, const clingo_id_t*, std::size_t,
                             void* data) {
    return static_cast<Recorder*>(data)->fail("a theory atom");
  };
  recorder_->check(
      recorder_->api.register_observer(recorder_->control, &callbacks, true, recorder_.get()));
}

Observer::~Observer() = default;

std::uint64_t Observer::rule_count() const noexcept { return recorder_->builder.rule_count(); }

std::uint64_t Observer::bytes() const noexcept { return recorder_->builder.bytes(); }

bool Observer::limit_reached() const noexcept { return recorder_->limit_reached; }

const std::string& Observer::problem() const noexcept { return recorder_->problem; }

const std::vector<RelationSize>& Observer::relation_sizes() const noexcept {
  return recorder_->sizes;
}

GroundProgram Observer::finish(bool keep_all) {
  if (!recorder_->problem.empty()) throw std::runtime_error(recorder_->problem);
  if (recorder_->finished) throw std::runtime_error("the observer has finished already");
  recorder_->finished = true;
  recorder_->read_atoms();
  recorder_->term_of = {};
  recorder_->sizes = recorder_->builder.relation_sizes();
  return recorder_->builder.finish(keep_all);
}

}  // namespace woodstock
