#include "circuit/expander.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "circuit/isa.h"
#include "circuit/lanes.h"
#include "circuit/transpose.h"

namespace woodstock {

namespace {

// One unit is enough for most stages; those that are wider take several turns.
constexpr std::uint32_t width = 1;

}  // namespace

Expander::Expander(std::shared_ptr<const Circuit> circuit, std::string_view isa)
    : circuit_(std::move(circuit)),
      kernel_(find_kernel(isa)),
      memory_(*circuit_, width),
      visitor_(*circuit_),
      state_(circuit_->state_size()),
      words_((circuit_->fluents() + 63) / 64),
      rows_(words_.size() * 64) {}

void Expander::load(std::size_t words) {
  std::uint64_t* plane = memory_.workspace().values + words;
  for (std::size_t f = 0; f < circuit_->fluents(); ++f, plane += words) {
    const std::uint64_t all = 0 - ((words_[f / 64] >> (f % 64)) & 1U);
    for (std::size_t w = 0; w < words; w += narrow_words) std::fill_n(plane + w, narrow_words, all);
  }
}

void Expander::open(std::span<const std::uint8_t> state, std::vector<std::uint32_t>& begin,
                    std::vector<std::uint32_t>& moves) {
  const std::size_t size = state_.size();
  const std::size_t spare = circuit_->fluents() % 8;
  if (state.size() != size) throw std::invalid_argument("state of the wrong size");
  if ((spare != 0 || circuit_->fluents() == 0) && (state[size - 1] >> spare) != 0) {
    throw std::invalid_argument("state with bits beyond the last fluent");
  }
  std::copy(state.begin(), state.end(), state_.begin());
  key_ = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    words_[i] = read_bytes(state_.data() + i * 8, size - i * 8);
    key_ ^= visitor_.key_of(words_[i], i * 64);
  }
  const Workspace& work = memory_.workspace();
  load(narrow_words);
  // All lanes are alike: one tells everything.
  activate(work, narrow_words, 1);
  kernel_.run(circuit_->view(), Part::state, work, narrow_words);
  visitor_.list_legal(work, narrow_words, begin, moves);
}

void Expander::make_moves(const Choices& choices, std::size_t words, std::uint64_t first,
                          std::size_t lanes) {
  const Workspace& work = memory_.workspace();
  visitor_.clear_moves(work, words);
  const std::vector<Slot>& does = circuit_->code().does;
  std::uint64_t same = 1;  // joint moves in a row with the same move of the role
  for (std::size_t role = circuit_->roles(); role-- > 0;) {
    const std::uint32_t* const moves = choices.moves.data() + choices.begin[role];
    const std::uint64_t count = choices.count(role);
    if (count == 1) {
      const Slot slot = does[moves[0]];
      if (slot != zero_slot) std::copy_n(work.active, words, work.values + slot * words);
      continue;
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const Slot slot = does[moves[(first + lane) / same % count]];
      if (slot == zero_slot) continue;
      work.values[slot * words + lane / 64] |= std::uint64_t{1} << (lane % 64);
    }
    same *= count;
  }
}

void Expander::report(std::size_t words, std::uint64_t first, std::size_t lanes, Offspring& out) {
  const Workspace& work = memory_.workspace();
  const std::size_t size = state_.size();
  const std::size_t fluents = circuit_->fluents();
  const std::uint64_t* const planes = work.values + words;
  for (std::size_t w = 0; w * 64 < lanes; ++w) {
    const std::size_t here = std::min<std::size_t>(64, lanes - w * 64);
    const std::size_t at = first + w * 64;
    std::fill_n(out.keys.data() + at, here, key_);
    for (std::size_t i = 0; i < words_.size(); ++i) {
      std::uint64_t* const rows = rows_.data() + i * 64;
      for (std::size_t f = 0; f < 64; ++f) {
        rows[f] = i * 64 + f < fluents ? planes[(i * 64 + f) * words + w] : 0;
      }
      mirror(rows);
      const std::size_t bytes = std::min<std::size_t>(8, size - i * 8);
      std::uint8_t* to = out.states.data() + at * size + i * 8;
      for (std::size_t lane = 0; lane < here; ++lane, to += size) {
        write_bytes(rows[lane], to, bytes);
        // Little changes from state to successor.
        out.keys[at + lane] ^= visitor_.key_of(rows[lane] ^ words_[i], i * 64);
      }
    }
  }
}

void Expander::expand(const Choices& choices, std::uint64_t count, Offspring& out) {
  const std::size_t roles = circuit_->roles();
  const std::size_t size = state_.size();
  out.resize(count, size, roles);
  const CircuitView& view = circuit_->view();
  const Workspace& work = memory_.workspace();
  const std::uint32_t words = words_for(count, width);
  const std::size_t lanes = words * std::size_t{64};
  for (std::uint64_t first = 0; first < count; first += lanes) {
    const std::size_t used = std::min<std::uint64_t>(lanes, count - first);
    if (first != 0 || words != narrow_words) {
      load(words);
      activate(work, words, used);
      kernel_.run(view, Part::state, work, words);
    } else {
      activate(work, words, used);
    }
    make_moves(choices, words, first, used);
    kernel_.run(view, Part::move, work, words);
    report(words, first, used, out);
    kernel_.run(view, Part::state, work, words);
    std::uint64_t ends = 0;
    for (std::size_t w = 0; w * 64 < used; ++w) {
      const std::uint64_t over = visitor_.ends(work, words, w);
      ends |= over;
      const std::size_t here = std::min<std::size_t>(64, used - w * 64);
      for (std::size_t lane = 0; lane < here; ++lane) {
        out.over[first + w * 64 + lane] = (over >> lane) & 1U;
      }
    }
    if (out.asked_choices) {
      visitor_.count_legal(work, words, used, out.choices.data() + first * roles);
    }
    if (ends == 0) continue;
    // Nobody asks for goals while the game goes on.
    kernel_.run(view, Part::goals, work, words);
    visitor_.report_goals(work, words, used, out.goals.data() + first * roles);
    for (std::size_t i = first; i < first + used; ++i) {
      if (out.over[i] == 0) {
        std::fill_n(out.goals.data() + i * roles, roles, 0U);
      } else if (out.asked_choices) {
        std::fill_n(out.choices.data() + i * roles, roles, std::uint8_t{0});
      }
    }
  }
}

}  // namespace woodstock
