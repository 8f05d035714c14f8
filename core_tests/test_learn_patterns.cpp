#include <algorithm>
#include <set>

#include "circuit_sample.h"
#include "learn/patterns.h"

using namespace sample;
using namespace woodstock;
using namespace woodstock::learn;

namespace {

std::uint32_t cell(std::uint32_t k, std::uint32_t c) { return 100 + 10 * k + c; }

// Two roles fill eight cells in turn, as in filling_game, but that fluents are cell(k, c) with
// symbols 30 + k and 60 + c. Who has three cells in a row wins: by a rule for each row, through a
// helper for its first two cells; or, `by_negation`, where no cell of a row is missing.
GroundProgram rows_game(bool by_negation) {
  Writer w;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Literal> at;
  // The writer knows constants only; terms with arguments are made by hand.
  AtomId number = 1000;
  const auto term = [&](std::uint32_t k, std::uint32_t c) {
    const std::vector<TermId> args{w.builder.add_term(30 + k, {}), w.builder.add_term(60 + c, {})};
    return w.builder.add_term(90, args);
  };
  const auto atom = [&](std::uint32_t predicate, std::uint32_t k, std::uint32_t c) {
    const auto [it, fresh] = at.emplace(std::pair(predicate * 100 + k, c), 0);
    if (fresh) {
      it->second = static_cast<Literal>(++number);
      const std::vector<TermId> args{term(k, c)};
      w.builder.add_atom(number, predicate, args);
    }
    return it->second;
  };
  const Literal open = w.atom(helper, {0});
  for (std::uint32_t r : {1U, 2U}) {
    w.rule(w.atom(role, {r}));
    w.rule(w.atom(next, {50 + 3 - r}), {w.atom(holds, {50 + r})});
    w.rule(w.atom(legal, {r, 4}), {w.atom(holds, {50 + 3 - r})});
    const Literal won = w.atom(helper, {r});
    for (std::uint32_t k = 0; k + 2 < 8; ++k) {
      if (by_negation) {
        const Literal fails = w.atom(helper, {10 + 10 * r + k});
        for (std::uint32_t j = k; j < k + 3; ++j) w.rule(fails, {-atom(holds, j, r)});
        w.rule(won, {-fails});
      } else {
        const Literal two = w.atom(helper, {10 + 10 * r + k});
        w.rule(two, {atom(holds, k, r), atom(holds, k + 1, r)});
        w.rule(won, {two, atom(holds, k + 2, r)});
      }
    }
    w.rule(w.atom(goal, {r, 90}), {won, w.atom(holds, {53 - r})});
    w.rule(w.atom(goal, {3 - r, 10}), {won});
    w.rule(w.atom(terminal), {won});
  }
  w.rule(w.atom(init, {51}));
  for (std::uint32_t k = 0; k < 8; ++k) {
    w.rule(atom(init, k, 3));
    w.rule(open, {atom(holds, k, 3)});
    for (std::uint32_t r : {1U, 2U}) {
      const Literal mark = w.atom(does, {r, 200 + k});
      w.rule(w.atom(legal, {r, 200 + k}), {atom(holds, k, 3), w.atom(holds, {50 + r})});
      w.rule(atom(next, k, r), {mark});
      w.rule(atom(next, k, r), {atom(holds, k, r)});
    }
    w.rule(atom(next, k, 3),
           {atom(holds, k, 3), -w.atom(does, {1, 200 + k}), -w.atom(does, {2, 200 + k})});
  }
  w.rule(w.atom(terminal), {-open});
  return w.builder.finish();
}

Sample sample_of(const GroundProgram& program) {
  Simulator simulator(compile(program), "base", 1);
  return learn::sample_states(simulator, {});
}

// cell(k, c) as 100 + 10 * k + c.
std::set<std::uint32_t> names(const GroundProgram& program, const std::vector<std::uint32_t>& all) {
  std::set<std::uint32_t> out;
  for (std::uint32_t f : all) {
    const auto args = program.term_args(program.fluents()[f].term);
    out.insert(args.size() == 2
                   ? cell(program.term_symbol(args[0]) - 30, program.term_symbol(args[1]) - 60)
                   : 0);
  }
  return out;
}

}  // namespace

TEST(patterns_are_the_rows_of_a_board) {
  for (const bool by_negation : {false, true}) {
    const GroundProgram program = rows_game(by_negation);
    const auto found = rule_patterns(program, sample_of(program), {});
    std::set<std::set<std::uint32_t>> rows;
    for (const Pattern& pattern : found) {
      const auto row = names(program, pattern.fluents);
      rows.insert(row);
      // The other's stones block; a cell that is still free does not.
      std::set<std::uint32_t> others;
      for (std::uint32_t name : row) others.insert(name % 10 == 1 ? name + 1 : name - 1);
      CHECK(names(program, pattern.blockers) == others);
    }
    std::set<std::set<std::uint32_t>> wanted;
    for (std::uint32_t r : {1U, 2U}) {
      for (std::uint32_t k = 0; k < 6; ++k) {
        wanted.insert({cell(k, r), cell(k + 1, r), cell(k + 2, r)});
      }
    }
    CHECK(rows == wanted);
    CHECK(found.size() == wanted.size());
  }
}

TEST(limits_of_patterns_are_kept) {
  const GroundProgram program = rows_game(false);
  const Sample sample = sample_of(program);
  PatternLimits limits;
  limits.features = 10;
  CHECK(rule_patterns(program, sample, {}, limits).size() == 3);
  limits = {};
  limits.steps = 2;
  const auto cheap = rule_patterns(program, sample, {}, limits);
  CHECK(!cheap.empty() && cheap.size() < 12);
  limits = {};
  limits.work = 3;
  CHECK(rule_patterns(program, sample, {}, limits).size() < 12);
  limits = {};
  limits.shortest = 5;  // a row, and whose turn it is
  CHECK(rule_patterns(program, sample, {}, limits).empty());
  limits = {};
  limits.longest = 2;
  CHECK(rule_patterns(program, sample, {}, limits).empty());
}

TEST(patterns_of_any_program_are_patterns) {
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    const GroundProgram program = random_game(seed);
    PatternLimits limits;
    limits.shortest = 2;
    limits.moves = true;
    const Sample sample = sample_of(program);
    const auto found = rule_patterns(program, sample, {}, limits);
    const auto fluents = static_cast<std::uint32_t>(program.fluents().size());
    const Features features(fluents, found);  // throws for what is none
    CHECK(features.size() <= fluents + limits.features);
    std::set<std::vector<std::uint32_t>> once;
    for (const Pattern& pattern : found) CHECK(once.insert(pattern.fluents).second);
    if (fluents == 0) continue;
    // Nothing that was left out is in a pattern.
    for (const Pattern& pattern : rule_patterns(program, sample, {0}, limits)) {
      CHECK(pattern.fluents.front() != 0);
    }
  }
}
