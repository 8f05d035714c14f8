// A stage solved in two parts, as the papers have it (Koriche, Lagrue, Piette and Tabary 2017,
// Algorithms 1 to 3): what chance has no part in, and what it has.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "csp/problem.h"
#include "csp/solver.h"

namespace woodstock {

// The hard part P' has the tables without the variable of chance, the chance part P'' those with
// it. Forward checking finds the solutions of P''; decisions whose policy holds whatever chance
// does (the threshold is 1) make up the feasibility constraint c_f, a table over the decision
// variables of P''. MAC solves P' with c_f, and the moves of chance that go with each solution
// complete it.
//
// Variables that the state has decided are left out of both parts: what is split is the network
// that preprocessing has left.
class StageSplit {
 public:
  // `chance` is the stochastic variable, `columns` are those that solutions are told of, chance
  // among them; the first `moves` of them are decided first. The options are those of MAC.
  StageSplit(const csp::Problem& problem, std::uint32_t chance,
             std::span<const std::uint32_t> columns, std::size_t moves,
             const csp::Options& options);

  // All solutions within the domains of `whole`, a solver of the same problem, as its own solve()
  // gives them, in another order. False, and nothing is told, where there is nothing to split,
  // since chance has one move, or where c_f would be too large a table.
  bool solve(csp::Solver& whole, const csp::SolverLimits& limits, csp::Solutions& out);

  // Of the last solve() that was true: the decision variables of P'', and the rows of c_f.
  std::span<const std::uint32_t> scope() const noexcept { return scope_; }
  std::span<const std::uint32_t> rows() const noexcept { return rows_; }
  // Tables of either part that were not decided then.
  std::size_t hard_tables() const noexcept { return hard_tables_; }
  std::size_t chance_tables() const noexcept { return chance_tables_; }

  std::uint64_t nodes() const noexcept { return nodes_; }

 private:
  // A part of the network over the variables that are not decided, in their order.
  struct Part {
    csp::Problem problem;
    std::vector<std::uint32_t> variables;  // of the whole
    std::vector<std::uint32_t> numbers;    // of the whole -> of the part
    std::size_t tables = 0;
  };

  void read_domains(csp::Solver& whole);
  void add_variable(Part& part, std::uint32_t variable) const;
  void add_table(Part& part, const csp::Table& table) const;
  Part make_part(bool with_chance) const;
  // False where c_f has too many rows.
  bool solve_chance(const csp::SolverLimits& limits, csp::Solutions& out);
  void keep_feasible(const csp::Solutions& found, std::size_t chance_column);

  csp::Problem problem_;
  std::uint32_t chance_;
  std::vector<std::uint32_t> columns_;
  std::size_t moves_;
  csp::Options options_;
  std::uint64_t nodes_ = 0;

  std::vector<std::vector<std::uint32_t>> domains_;  // what is left of each
  std::vector<std::uint32_t> scope_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::vector<std::uint32_t>> draws_;  // per row: the moves of chance it goes with
  std::size_t hard_tables_ = 0;
  std::size_t chance_tables_ = 0;
};

}  // namespace woodstock
