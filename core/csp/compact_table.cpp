#include "csp/compact_table.h"

#include <algorithm>

namespace woodstock::csp {

inline bool CompactTable::run_small(const Effects& effects, std::uint32_t event) {
  Trail::Word* const words = trail_.words();
  const Kill* kill = effects.small.data() + effects.start[event].small;
  const Kill* const end = effects.small.data() + effects.start[event + 1].small;
  for (; kill != end; ++kill) {
    Trail::Word& word = words[kill->table];
    const std::uint64_t rows = word.bits & kill->mask;
    // Nothing lost: the table need not be looked through.
    if (rows == word.bits) continue;
    if (rows == 0) {
      culprit_ = kill->table;
      return false;
    }
    trail_.set(word, kill->table, rows);
    queue_.insert(kill->table);
  }
  return true;
}

bool CompactTable::run_assigned(std::uint32_t event) {
  if (!run_small(assigned_, event)) return false;
  for (std::uint32_t i = assigned_.start[event].large; i < assigned_.start[event + 1].large; ++i) {
    reduce(assigned_.large[i]);
  }
  return true;
}

bool CompactTable::run_removed(std::uint32_t literal) {
  if (!run_small(removed_, literal)) return false;
  for (std::uint32_t i = removed_.start[literal].large; i < removed_.start[literal + 1].large;
       ++i) {
    remove(removed_.large[i]);
  }
  return true;
}

// The variable has the value of the literal: what the columns say that do not name it.
bool CompactTable::run_others(std::uint32_t variable, std::uint32_t literal) {
  ++visit_;
  const auto& [small, large] = assigned_.start[literal];
  const auto& [small_end, large_end] = assigned_.start[literal + 1];
  // Tables that name the value have effects of their own; what others say about values they do not
  // name is not for them.
  for (std::uint32_t i = small; i < small_end; ++i) visited_[assigned_.small[i].table] = visit_;
  for (std::uint32_t i = large; i < large_end; ++i) visited_[assigned_.large[i].table] = visit_;
  for (std::uint32_t i = others_.start[variable].small; i < others_.start[variable + 1].small;
       ++i) {
    const Kill& kill = others_.small[i];
    const std::uint64_t old = trail_[kill.table];
    if (visited_[kill.table] == visit_ || (old & kill.mask) == old) continue;
    if ((old & kill.mask) == 0) {
      culprit_ = kill.table;
      return false;
    }
    trail_.set(kill.table, old & kill.mask);
    queue_.insert(kill.table);
  }
  for (std::uint32_t i = others_.start[variable].large; i < others_.start[variable + 1].large;
       ++i) {
    if (visited_[others_.large[i].table] != visit_) reduce(others_.large[i]);
  }
  return true;
}

// Only the rows of the mask stay. That none is left is found when the table has its turn.
void CompactTable::reduce(const LargeKill& kill) {
  const Large& large = large_[columns_of_[kill.table].large];
  const Mask& mask = masks_[kill.mask];
  const std::uint64_t* const bits = mask_bits_.data() + mask.bits;
  const std::uint64_t limit = trail_[kill.table];
  bool lost = false;
  for (std::uint64_t i = 0; i < limit; ++i) {
    const std::uint32_t at = index_[large.index + i];
    const std::uint64_t old = trail_[large.word + at];
    const std::uint64_t rows = at >= mask.first && at < mask.last ? old & bits[at - mask.first] : 0;
    if (rows == old) continue;
    trail_.set(large.word + at, rows);
    lost = true;
  }
  if (lost) queue_.insert(kill.table);
}

// The rows of the mask go.
void CompactTable::remove(const LargeKill& kill) {
  const Large& large = large_[columns_of_[kill.table].large];
  const Mask& mask = masks_[kill.mask];
  const std::uint64_t* const bits = mask_bits_.data() + mask.bits;
  bool lost = false;
  const auto clear = [&](std::uint32_t at) {
    const std::uint64_t old = trail_[large.word + at];
    const std::uint64_t rows = old & ~bits[at - mask.first];
    if (rows == old) return;
    trail_.set(large.word + at, rows);
    lost = true;
  };
  const std::uint64_t limit = trail_[kill.table];
  // The words of the mask, or those of the table that are not zero, whichever are fewer.
  if (mask.last - mask.first <= limit) {
    for (std::uint32_t at = mask.first; at < mask.last; ++at) clear(at);
  } else {
    for (std::uint64_t i = 0; i < limit; ++i) {
      const std::uint32_t at = index_[large.index + i];
      if (at >= mask.first && at < mask.last) clear(at);
    }
  }
  if (lost) queue_.insert(kill.table);
}

bool CompactTable::changed(std::uint32_t variable, std::uint32_t old_size) {
  const std::uint32_t size = domains_.size(variable);
  if (size == 1) {
    if (forward_) wake(variable);
    const std::uint32_t value = domains_.literal(variable, domains_.value(variable));
    // Assigning tells all: the lists say for every table what the value leaves of it.
    if (complete_[variable] != 0) return run_assigned(value);
    // Two ways to the same: column by column, or by what was taken away and what is left.
    const std::uint64_t others =
        others_.start[variable + 1].small - others_.start[variable].small +
        std::uint64_t{4} * (others_.start[variable + 1].large - others_.start[variable].large);
    if (forward_ || others < std::uint64_t{old_size} * average_[variable]) {
      return run_others(variable, value) && run_assigned(value);
    }
  } else if (forward_) {
    return true;
  }
  for (const std::uint32_t gone : domains_.removed(variable, old_size)) {
    if (!run_removed(domains_.literal(variable, gone))) return false;
  }
  return size != 1 || run_assigned(domains_.literal(variable, domains_.value(variable)));
}

void CompactTable::wake(std::uint32_t variable) {
  for (const std::uint32_t constraint : constraints_[variable]) {
    if (constraint < columns_of_.size()) queue_.insert(constraint);
  }
}

bool CompactTable::several_unbound(const Columns& columns) const {
  int count = 0;
  for (std::uint32_t i = columns.boolean_begin; i < columns.boolean_end && count < 2; ++i) {
    count += domains_.size(boolean_columns_[i].variable) > 1;
  }
  for (std::uint32_t i = columns.begin; i < columns.end && count < 2; ++i) {
    count += domains_.size(columns_[i].variable) > 1;
  }
  return count > 1;
}

bool CompactTable::propagate() {
  for (std::uint32_t table; queue_.pop(table);) {
    ++revisions_;
    domains_.blame(table);
    const Columns& columns = columns_of_[table];
    if (forward_ && columns.large == none && several_unbound(columns)) continue;
    if (!(columns.large == none ? filter_small(table, columns) : filter_large(table, columns))) {
      return false;
    }
  }
  return true;
}

bool CompactTable::filter_small(std::uint32_t table, const Columns& columns) {
  const std::uint64_t rows = trail_[table];
  std::uint64_t open = rows;  // rows that match whatever becomes of the variables
  for (std::uint32_t i = columns.boolean_begin; i < columns.boolean_end; ++i) {
    const BooleanColumn& column = boolean_columns_[i];
    if (domains_.size(column.variable) != 2) continue;
    const bool zero = (rows & column.mask[0]) != 0;
    const bool one = (rows & column.mask[1]) != 0;
    if (zero && one) {
      open &= column.mask[0] & column.mask[1];
      continue;
    }
    // One of the values has a row, or the table would have none: that was seen when the last row
    // went.
    domains_.bind(column.variable, one ? 1 : 0);
    if (forward_) wake(column.variable);
    if (!run_assigned(domains_.literal(column.variable, one ? 1 : 0))) return false;
  }
  for (std::uint32_t i = columns.begin; i < columns.end; ++i) {
    const Column& column = columns_[i];
    if (domains_.size(column.variable) == 1) continue;
    const std::uint64_t* const bits = name_bits_.data() + column.first;
    if (!filter_column(table, column, [=](std::size_t name) { return (rows & bits[name]) != 0; })) {
      return false;
    }
    // A row with a value in this column could still be lost.
    if (domains_.size(column.variable) > 1) open &= column.any;
  }
  // Such a row is support enough for ever; with it alone the table stays quiet.
  if (open != 0 && open != rows) trail_.set(table, open);
  return true;
}

bool CompactTable::filter_large(std::uint32_t table, const Columns& columns) {
  const Large& large = large_[columns.large];
  auto limit = static_cast<std::uint32_t>(trail_[table]);
  // Zero words go behind the limit. Undoing writes the limit back, and the order of words before it
  // does not matter; so the list itself needs no trail.
  for (std::uint32_t i = limit; i-- > 0;) {
    if (trail_[large.word + index_[large.index + i]] == 0) {
      std::swap(index_[large.index + i], index_[large.index + --limit]);
    }
  }
  if (limit == 0) {
    culprit_ = table;
    return false;
  }
  trail_.set(table, limit);
  if (forward_ && several_unbound(columns)) return true;
  for (std::uint32_t i = columns.begin; i < columns.end; ++i) {
    const Column& column = columns_[i];
    if (domains_.size(column.variable) == 1) continue;
    const auto check = [&](std::size_t name) {
      return supported(large, limit, column.first + name);
    };
    if (!filter_column(table, column, check)) return false;
  }
  return true;
}

bool CompactTable::supported(const Large& large, std::uint32_t limit, std::size_t name) {
  const Mask& mask = masks_[name_masks_[name]];
  const std::uint64_t* const bits = mask_bits_.data() + mask.bits;
  // Where a support was found last there mostly is one still. Residues are hints, so they are not
  // undone.
  const std::uint32_t residue = residues_[name];
  if (residue >= mask.first && residue < mask.last &&
      (trail_[large.word + residue] & bits[residue - mask.first]) != 0) {
    return true;
  }
  const auto meets = [&](std::uint32_t at) {
    if ((trail_[large.word + at] & bits[at - mask.first]) == 0) return false;
    residues_[name] = at;
    return true;
  };
  if (mask.last - mask.first <= limit) {
    for (std::uint32_t at = mask.first; at < mask.last; ++at) {
      if (meets(at)) return true;
    }
  } else {
    for (std::uint32_t i = 0; i < limit; ++i) {
      const std::uint32_t at = index_[large.index + i];
      if (at >= mask.first && at < mask.last && meets(at)) return true;
    }
  }
  return false;
}

template <class Supported>
bool CompactTable::filter_column(std::uint32_t table, const Column& column,
                                 const Supported& supported) {
  const std::uint32_t variable = column.variable;
  const std::uint32_t old = domains_.size(variable);
  if (column.full) {
    const std::uint32_t* const values = domains_.values(variable).data();
    for (std::uint32_t i = old; i-- > 0;) {
      if (const std::uint32_t value = values[i]; !supported(value)) domains_.drop(variable, value);
    }
  } else {
    const std::uint32_t* const values = name_values_.data() + column.first;
    // Some row accepts all values that the column does not name, so only the named ones can go;
    // else only those can stay.
    if (supported(column.names)) {
      for (std::uint32_t i = 0; i < column.names; ++i) {
        if (domains_.contains(variable, values[i]) && !supported(i)) {
          domains_.drop(variable, values[i]);
        }
      }
    } else {
      std::uint32_t kept = 0;
      for (std::uint32_t i = 0; i < column.names; ++i) {
        if (domains_.contains(variable, values[i]) && supported(i)) {
          domains_.keep(variable, values[i], kept++);
        }
      }
      domains_.keep_only(variable, kept);
    }
  }
  if (domains_.size(variable) == old) return true;
  domains_.commit(variable, old);
  if (domains_.size(variable) == 0) {
    culprit_ = table;
    return false;
  }
  return changed(variable, old);
}

}  // namespace woodstock::csp
