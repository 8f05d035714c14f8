#include <algorithm>
#include <utility>

#include "csp/compact_table.h"

namespace woodstock::csp {

// Lays out the tables of a problem.
class CompactTable::Compiler {
 public:
  Compiler(const Prepared& problem, CompactTable& out) : problem_(problem), out_(out) {}

  void run() {
    const auto tables = static_cast<std::uint32_t>(problem_.tables.size());
    out_.trail_.resize(tables);
    out_.visited_.resize(tables);
    choose_complete();
    for (std::uint32_t t = 0; t < tables; ++t) {
      const auto rows = problem_.tables[t].row_count();
      Columns columns{size(out_.boolean_columns_), 0, size(out_.columns_), 0, none};
      if (rows <= 64) {
        out_.trail_.words()[t].bits = all_rows(rows);
      } else {
        columns.large = size(out_.large_);
        add_large(t, rows);
      }
      for (std::size_t i = 0; i < problem_.tables[t].scope.size(); ++i) {
        read_column(problem_.tables[t], i);
        rows <= 64 ? small_column(t, rows) : large_column(t, rows);
      }
      columns.boolean_end = size(out_.boolean_columns_);
      columns.end = size(out_.columns_);
      out_.columns_of_.push_back(columns);
    }
    assigned_.sort(out_.domains_.literals(), out_.assigned_);
    removed_.sort(out_.domains_.literals(), out_.removed_);
    others_.sort(out_.domains_.variables(), out_.others_);
  }

 private:
  struct Events {
    std::vector<std::pair<std::uint32_t, Kill>> small;
    std::vector<std::pair<std::uint32_t, LargeKill>> large;

    void sort(std::uint32_t count, Effects& out) const {
      // Counting sort. Counts go two places up, so that once everything is in its place, the begin
      // of every event is too.
      out.start.resize(count + 2);
      for (const auto& [event, kill] : small) ++out.start[event + 2].small;
      for (const auto& [event, kill] : large) ++out.start[event + 2].large;
      for (std::size_t i = 2; i < out.start.size(); ++i) {
        out.start[i].small += out.start[i - 1].small;
        out.start[i].large += out.start[i - 1].large;
      }
      out.small.resize(small.size());
      out.large.resize(large.size());
      for (const auto& [event, kill] : small) out.small[out.start[event + 1].small++] = kill;
      for (const auto& [event, kill] : large) out.large[out.start[event + 1].large++] = kill;
      out.start.pop_back();
    }
  };
  struct Named {
    Entry entry;  // a value, or all but a value
    std::uint32_t row;
  };

  template <class T>
  static std::uint32_t size(const std::vector<T>& v) {
    return static_cast<std::uint32_t>(v.size());
  }
  static std::uint64_t all_rows(std::size_t rows) {
    return rows == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rows) - 1;
  }

  // Small domains, and those whose values most columns name, get effects for every value and
  // column: one list to go through when the variable is assigned.
  void choose_complete() {
    std::vector<std::size_t> columns(problem_.sizes.size());
    std::vector<std::size_t> names(problem_.sizes.size());
    for (const Table& table : problem_.tables) {
      for (std::size_t i = 0; i < table.scope.size(); ++i) {
        read_column(table, i);
        ++columns[table.scope[i]];
        names[table.scope[i]] += names_.size();
      }
    }
    for (std::size_t x = 0; x < columns.size(); ++x) {
      const std::size_t values = problem_.sizes[x];
      out_.complete_.push_back(values <= 2 || values * columns[x] <= 2 * names[x] + 16);
      out_.average_.push_back(static_cast<std::uint32_t>(names[x] / values + 1));
    }
  }

  // The values a column names, and the rows that name them.
  void read_column(const Table& table, std::size_t column) {
    variable_ = table.scope[column];
    names_.clear();
    rows_.clear();
    anything_.clear();
    const std::size_t arity = table.scope.size();
    const std::size_t rows = table.row_count();
    for (std::size_t r = 0; r < rows; ++r) {
      const Entry entry = table.rows[r * arity + column];
      if (entry == any) {
        anything_.push_back(static_cast<std::uint32_t>(r));
      } else {
        rows_.push_back({entry, static_cast<std::uint32_t>(r)});
        names_.push_back(value_of(entry));
      }
    }
    std::sort(names_.begin(), names_.end());
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
    const std::size_t values = problem_.sizes[variable_];
    // A column that names half of the values costs less as an array than as a list that is
    // searched.
    full_ = values <= 2 * names_.size();
    if (full_) {
      names_.resize(values);
      for (std::uint32_t v = 0; v < values; ++v) names_[v] = v;
    }
  }
  static std::uint32_t value_of(Entry entry) {
    return static_cast<std::uint32_t>(entry < any ? -2 - entry : entry);
  }
  std::size_t name_of(Entry entry) const {
    if (full_) return value_of(entry);
    const auto at = std::lower_bound(names_.begin(), names_.end(), value_of(entry));
    return static_cast<std::size_t>(at - names_.begin());
  }

  void small_column(std::uint32_t table, std::size_t rows) {
    // A row is for a value if it names it, or accepts all, or all but another one.
    std::vector<std::uint64_t> only(names_.size());
    std::vector<std::uint64_t> all_but(names_.size());
    std::uint64_t others = 0;
    for (const std::uint32_t r : anything_) others |= std::uint64_t{1} << r;
    const std::uint64_t accept_all = others;
    for (const Named& named : rows_) {
      const std::uint64_t bit = std::uint64_t{1} << named.row;
      (named.entry < any ? all_but : only)[name_of(named.entry)] |= bit;
      if (named.entry < any) others |= bit;
    }
    std::vector<std::uint64_t> masks;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      masks.push_back((others & ~all_but[i]) | only[i]);
      // With two values, to lose one is to be assigned the other, which has effects of its own.
      if (only[i] != 0 && problem_.sizes[variable_] > 2) {
        removed_.small.push_back({literal(names_[i]), {~only[i], table}});
      }
    }
    masks.push_back(others);
    if (problem_.sizes[variable_] == 2) {
      out_.boolean_columns_.push_back({variable_, {masks[0], masks[1]}});
    } else {
      add_column();
      out_.columns_.back().any = accept_all;
      for (std::size_t i = 0; i < masks.size(); ++i) {
        out_.name_bits_[out_.columns_.back().first + i] = masks[i];
      }
    }
    emit([&](Events& events, std::uint32_t event, std::size_t name) {
      // It takes nothing away. Incomplete lists keep it, since being there says that the value is
      // named.
      if (masks[name] == all_rows(rows) && out_.complete_[variable_] != 0) return;
      events.small.push_back({event, {masks[name], table}});
    });
  }

  void add_large(std::uint32_t table, std::size_t rows) {
    const std::size_t words = (rows + 63) / 64;
    const Large large{static_cast<std::uint32_t>(out_.trail_.size()), out_.index_.size()};
    out_.trail_.resize(out_.trail_.size() + words);
    for (std::uint32_t i = 0; i < words; ++i) {
      const std::size_t rest = rows - std::size_t{64} * i;
      out_.trail_.words()[large.word + i].bits = all_rows(std::min<std::size_t>(rest, 64));
      out_.index_.push_back(i);
    }
    out_.trail_.words()[table].bits = words;
    out_.large_.push_back(large);
  }

  void large_column(std::uint32_t table, std::size_t rows) {
    std::stable_sort(rows_.begin(), rows_.end(), [&](const Named& a, const Named& b) {
      return value_of(a.entry) < value_of(b.entry);
    });
    others_words_.assign((rows + 63) / 64, 0);
    for (const std::uint32_t r : anything_) put(others_words_, r);
    for (const Named& named : rows_) {
      if (named.entry < any) put(others_words_, named.row);
    }
    const bool open = std::any_of(others_words_.begin(), others_words_.end(),
                                  [](std::uint64_t word) { return word != 0; });
    add_column();
    std::uint32_t* const masks = out_.name_masks_.data() + out_.columns_.back().first;
    std::size_t at = 0;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      words_.assign(others_words_.size(), 0);
      const std::size_t begin = at;
      bool only = false;
      for (; at < rows_.size() && value_of(rows_[at].entry) == names_[i]; ++at) {
        if (rows_[at].entry < any) continue;
        put(words_, rows_[at].row);
        only = true;
      }
      // Two masks: the rows that go with the value, and those that stay with it.
      const std::uint32_t exact = add_mask();
      masks[i] = exact;
      if (open) {
        for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= others_words_[w];
        for (std::size_t k = begin; k < at; ++k) {
          if (rows_[k].entry < any) {
            words_[rows_[k].row / 64] &= ~(std::uint64_t{1} << rows_[k].row % 64);
          }
        }
        masks[i] = add_mask();
      }
      if (only && problem_.sizes[variable_] > 2) {
        removed_.large.push_back({literal(names_[i]), {table, exact}});
      }
    }
    words_ = others_words_;
    masks[names_.size()] = add_mask();
    emit([&](Events& events, std::uint32_t event, std::size_t name) {
      events.large.push_back({event, {table, masks[name]}});
    });
  }

  // The effects of giving the variable a value.
  template <class Add>
  void emit(const Add& add) {
    if (out_.complete_[variable_] == 0) {
      for (std::size_t i = 0; i < names_.size(); ++i) add(assigned_, literal(names_[i]), i);
      if (!full_) add(others_, variable_, names_.size());
      return;
    }
    std::size_t name = 0;
    for (std::uint32_t v = 0; v < problem_.sizes[variable_]; ++v) {
      const bool named = name < names_.size() && names_[name] == v;
      add(assigned_, literal(v), named ? name++ : names_.size());
    }
  }

  std::uint32_t literal(std::uint32_t value) const {
    return out_.domains_.literal(variable_, value);
  }
  static void put(std::vector<std::uint64_t>& words, std::uint32_t row) {
    words[row / 64] |= std::uint64_t{1} << row % 64;
  }

  void add_column() {
    const std::size_t first = out_.name_values_.size();
    out_.columns_.push_back({variable_, size(names_), first, 0, full_});
    out_.name_values_.insert(out_.name_values_.end(), names_.begin(), names_.end());
    out_.name_values_.push_back(0);
    out_.name_bits_.resize(out_.name_values_.size());
    out_.name_masks_.resize(out_.name_values_.size());
    out_.residues_.resize(out_.name_values_.size());
  }

  std::uint32_t add_mask() {
    std::size_t first = 0;
    std::size_t last = words_.size();
    while (first < last && words_[first] == 0) ++first;
    while (last > first && words_[last - 1] == 0) --last;
    out_.masks_.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last),
                           out_.mask_bits_.size()});
    out_.mask_bits_.insert(out_.mask_bits_.end(),
                           words_.begin() + static_cast<std::ptrdiff_t>(first),
                           words_.begin() + static_cast<std::ptrdiff_t>(last));
    return size(out_.masks_) - 1;
  }

  const Prepared& problem_;
  CompactTable& out_;
  Events assigned_;
  Events removed_;
  Events others_;
  // The column at hand.
  std::uint32_t variable_ = 0;
  bool full_ = false;
  std::vector<std::uint32_t> names_;
  std::vector<Named> rows_;
  std::vector<std::uint32_t> anything_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> others_words_;
};

CompactTable::CompactTable(const Prepared& problem, Domains& domains, Trail& trail, bool forward)
    : Propagator(domains, trail, problem.tables.size()),
      forward_(forward),
      constraints_(problem.constraints) {
  Compiler(problem, *this).run();
}

}  // namespace woodstock::csp
