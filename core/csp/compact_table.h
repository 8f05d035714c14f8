// Compact-Table: arc consistency on tables by words of rows.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "csp/prepare.h"
#include "csp/propagator.h"

namespace woodstock::csp {

// Each table has a bit for every row, set while the row matches the domains. A value that leaves a
// domain, or stays there alone, takes the rows that need it otherwise away at once, in all tables
// of the variable; a table that lost rows waits until it is looked through for values without a
// row.
//
// Rows are sets, and domains can be large where a table names a few values of them: a column stores
// masks for the values it names and one mask for all others together. Tables of up to 64 rows are
// one word; larger ones keep a reversible list of their words that are not zero.
//
// With `forward` it is forward checking: rows are taken away when a variable has one value left,
// and a table is looked through when one variable at most has several. It may have lost its rows
// before that: so it waits whenever one of its variables gets its value.
class CompactTable final : public Propagator {
 public:
  CompactTable(const Prepared& problem, Domains& domains, Trail& trail, bool forward);

  bool changed(std::uint32_t variable, std::uint32_t old_size) override;
  bool propagate() override;

 private:
  struct Kill {  // of the rows of a table of one word, those in the mask stay
    std::uint64_t mask;
    std::uint32_t table;
  };
  struct LargeKill {
    std::uint32_t table;
    std::uint32_t mask;
  };
  // What an event does to tables; events are numbered.
  struct Effects {
    struct Start {
      std::uint32_t small = 0;
      std::uint32_t large = 0;
    };
    std::vector<Start> start;
    std::vector<Kill> small;
    std::vector<LargeKill> large;
  };
  struct Mask {  // of a large table; zero outside the words first .. last-1
    std::uint32_t first;
    std::uint32_t last;
    std::size_t bits;
  };
  struct BooleanColumn {
    std::uint32_t variable;
    std::uint64_t mask[2];
  };
  // Masks are numbered from `first`: one for each name, and one for all other values. A full column
  // names all values, in order.
  struct Column {
    std::uint32_t variable;
    std::uint32_t names;
    std::size_t first;
    std::uint64_t any;  // the rows of a table of one word that accept all values
    bool full;
  };
  struct Columns {
    std::uint32_t boolean_begin;
    std::uint32_t boolean_end;
    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t large;  // number among the large tables, or none
  };
  struct Large {
    std::uint32_t word;  // the first of its words in the trail
    // Its list of words that are not zero; the trail's word for the table tells how many.
    std::size_t index;
  };
  class Compiler;
  static constexpr std::uint32_t none = 0xffffffffU;

  bool run_small(const Effects& effects, std::uint32_t event);
  bool run_assigned(std::uint32_t event);
  bool run_removed(std::uint32_t literal);
  bool run_others(std::uint32_t variable, std::uint32_t literal);
  void reduce(const LargeKill& kill);
  void remove(const LargeKill& kill);
  bool filter_small(std::uint32_t table, const Columns& columns);
  bool filter_large(std::uint32_t table, const Columns& columns);
  template <class Supported>
  bool filter_column(std::uint32_t table, const Column& column, const Supported& supported);
  bool supported(const Large& large, std::uint32_t limit, std::size_t name);
  bool several_unbound(const Columns& columns) const;
  void wake(std::uint32_t variable);

  bool forward_;
  const Lists& constraints_;         // per variable; tables and others
  std::vector<Columns> columns_of_;  // per table
  std::vector<BooleanColumn> boolean_columns_;
  std::vector<Column> columns_;
  std::vector<std::uint32_t> name_values_;  // in columns that are not full
  std::vector<std::uint64_t> name_bits_;    // the mask, in tables of one word
  std::vector<std::uint32_t> name_masks_;   // its number, in large tables
  std::vector<std::uint32_t> residues_;     // the word where a support was found last
  std::vector<Large> large_;
  std::vector<std::uint32_t> index_;
  std::vector<Mask> masks_;
  std::vector<std::uint64_t> mask_bits_;

  Effects assigned_;                    // per literal: the variable has this value
  Effects removed_;                     // per literal: the variable has not, and has several others
  Effects others_;                      // per variable: it has a value the column does not name
  std::vector<std::uint8_t> complete_;  // per variable: assigned_ tells of all its tables
  std::vector<std::uint32_t> average_;  // per variable: effects of taking a value away
  std::vector<std::uint64_t> visited_;  // per table
  std::uint64_t visit_ = 0;
};

}  // namespace woodstock::csp
