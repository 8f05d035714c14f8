#include "circuit/visits.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "circuit/lanes.h"
#include "circuit/simulator.h"
#include "circuit/transpose.h"

namespace woodstock {

namespace {

std::uint64_t read_word(const Workspace& work, std::size_t words, Plane plane,
                        std::size_t w) noexcept {
  return work.values[slot_of(plane) * words + w] ^ (0 - std::uint64_t{plane & 1U});
}

std::size_t first_bit(std::uint64_t bits) noexcept {
  return static_cast<std::size_t>(std::countr_zero(bits));
}

}  // namespace

Visitor::Visitor(const Circuit& circuit) : circuit_(circuit) {
  const Code& code = circuit.code();
  for (std::uint32_t role = 0; role < circuit.roles(); ++role) {
    for (std::uint32_t move = 0; move < code.legal.size(); ++move) {
      if (circuit.role_table().move_role[move] != role || code.legal[move] == plane_false) continue;
      legal_.push_back({code.legal[move], move});
    }
    legal_last_.push_back(legal_.size());
  }
  for (Slot slot : code.does) {
    if (slot != zero_slot) does_.push_back(slot);
  }
  for (std::uint32_t f = 0; f < circuit.fluents(); ++f) keys_.push_back(zobrist_key(f));
  const std::vector<std::uint32_t>& seers = circuit.role_table().percept_role;
  for (std::uint32_t p = 0; p < seers.size(); ++p) {
    if (seers[p] != RoleTable::no_role && code.percepts[p] != plane_false) {
      percepts_.push_back({code.percepts[p], seers[p], percept_key(p)});
    }
  }
  rows_.resize((legal_.size() + 63) / 64 * 64);
  moves_.resize(rows_.size());
  last_.resize(circuit.roles());
}

void Visitor::clear_moves(const Workspace& work, std::size_t words) const {
  // Slots of moves may be those of their legality.
  for (Slot slot : does_) {
    std::uint64_t* plane = work.values + slot * words;
    for (std::size_t w = 0; w < words; w += narrow_words) {
      std::fill_n(plane + w, narrow_words, std::uint64_t{0});
    }
  }
}

void Visitor::list_legal(const Workspace& work, std::size_t words,
                         std::vector<std::uint32_t>& begin,
                         std::vector<std::uint32_t>& moves) const {
  begin.assign(1, 0);
  moves.clear();
  for (std::size_t role = 0, i = 0; role < legal_last_.size(); ++role) {
    for (; i < legal_last_[role]; ++i) {
      if ((read_word(work, words, legal_[i].plane, 0) & 1U) != 0) moves.push_back(legal_[i].move);
    }
    begin.push_back(static_cast<std::uint32_t>(moves.size()));
  }
}

void Visitor::make_moves(const Workspace& work, std::size_t words, const std::uint32_t* moves,
                         std::size_t lanes) const {
  clear_moves(work, words);
  const std::size_t roles = circuit_.roles();
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (std::size_t role = 0; role < roles; ++role) {
      const Slot slot = circuit_.code().does[*moves++];
      if (slot == zero_slot) continue;
      work.values[slot * words + lane / 64] |= std::uint64_t{1} << (lane % 64);
    }
  }
}

void Visitor::report_seen(const Workspace& work, std::size_t words, std::size_t lanes,
                          std::uint64_t* seen) const {
  const std::size_t roles = circuit_.roles();
  std::fill_n(seen, lanes * roles, std::uint64_t{0});
  for (const Percept& percept : percepts_) {
    for (std::size_t w = 0; w * 64 < lanes; ++w) {
      for (std::uint64_t bits = read_word(work, words, percept.plane, w) & work.active[w];
           bits != 0; bits &= bits - 1) {
        seen[(w * 64 + first_bit(bits)) * roles + percept.role] ^= percept.key;
      }
    }
  }
}

void Visitor::report(const Workspace& work, std::size_t words, std::size_t first, std::size_t lanes,
                     Visits& out) {
  const CircuitView& view = circuit_.view();
  const std::size_t size = circuit_.state_size();
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::uint64_t terminal = read_word(work, words, view.terminal, lane / 64);
    out.terminal[first + lane] = (terminal >> (lane % 64)) & 1U;
    if (out.keys.empty()) continue;
    const std::uint8_t* state = out.states.data() + (first + lane) * size;
    std::uint64_t key = 0;
    for (std::size_t byte = 0; byte < size; byte += 8) {
      key ^= key_of(read_bytes(state + byte, size - byte), byte * 8);
    }
    out.keys[first + lane] = key;
  }
  report_goals(work, words, lanes, out.goals.data() + first * view.roles);
}

std::uint64_t Visitor::key_of(std::uint64_t bits, std::size_t first_fluent) const noexcept {
  std::uint64_t key = 0;
  for (; bits != 0; bits &= bits - 1) key ^= keys_[first_fluent + first_bit(bits)];
  return key;
}

std::uint64_t Visitor::ends(const Workspace& work, std::size_t words, std::size_t word) const {
  const std::uint64_t active = work.active[word];
  std::uint64_t over = read_word(work, words, circuit_.view().terminal, word) & active;
  for (std::size_t role = 0, i = 0; role < legal_last_.size(); ++role) {
    // Most lanes find a move among the first few.
    std::uint64_t stuck = active;
    for (; i < legal_last_[role] && stuck != 0; ++i) {
      stuck &= ~read_word(work, words, legal_[i].plane, word);
    }
    over |= stuck;
    i = legal_last_[role];
  }
  return over;
}

void Visitor::count_legal(const Workspace& work, std::size_t words, std::size_t lanes,
                          std::uint8_t* counts) const {
  const std::size_t roles = legal_last_.size();
  for (std::size_t w = 0; w * 64 < lanes; ++w) {
    for (std::size_t role = 0, i = 0; role < roles; ++role) {
      // A counter of eight bits for each lane, bit by bit.
      std::uint64_t counter[8] = {};
      std::uint64_t full = 0;
      for (; i < legal_last_[role]; ++i) {
        std::uint64_t carry = read_word(work, words, legal_[i].plane, w) & work.active[w];
        for (std::size_t bit = 0; bit < 8 && carry != 0; ++bit) {
          const std::uint64_t next = counter[bit] & carry;
          counter[bit] ^= carry;
          carry = next;
        }
        full |= carry;
      }
      for (std::size_t bit = 0; bit < 8; ++bit) {
        for (std::uint64_t bits = counter[bit] | full; bits != 0; bits &= bits - 1) {
          counts[(w * 64 + first_bit(bits)) * roles + role] |= static_cast<std::uint8_t>(1U << bit);
        }
      }
    }
  }
}

void Visitor::report_goals(const Workspace& work, std::size_t words, std::size_t lanes,
                           std::uint32_t* goals) const {
  const CircuitView& view = circuit_.view();
  for (std::uint32_t role = 0; role < view.roles; ++role) {
    for (std::size_t w = 0; w * 64 < lanes; ++w) {
      // Goals come highest first: a lane is done with the first one that holds.
      std::uint64_t open = work.active[w];
      for (std::uint32_t g = view.goals_begin[role]; open != 0 && g < view.goals_begin[role + 1];
           ++g) {
        const std::uint64_t hit = open & read_word(work, words, view.goals[g].plane, w);
        open ^= hit;
        for (std::uint64_t bits = hit; bits != 0; bits &= bits - 1) {
          goals[(w * 64 + first_bit(bits)) * view.roles + role] = view.goals[g].value;
        }
      }
      for (; open != 0; open &= open - 1) {
        goals[(w * 64 + first_bit(open)) * view.roles + role] = 0;
      }
    }
  }
}

void Visitor::report_legal(const Workspace& work, std::size_t words, std::size_t first,
                           std::size_t lanes, Visits& out) {
  const std::size_t roles = circuit_.roles();
  std::uint32_t* begin = out.legal_begin.data() + first * roles;
  for (std::size_t w = 0; w * 64 < lanes; ++w) {
    std::size_t rows = 0;
    for (std::size_t role = 0, i = 0; role < roles; ++role) {
      for (; i < legal_last_[role]; ++i) {
        const std::uint64_t row = read_word(work, words, legal_[i].plane, w) & work.active[w];
        // Written in any case and kept only if it is legal somewhere: no branch that is hard to
        // foretell.
        rows_[rows] = row;
        moves_[rows] = legal_[i].move;
        rows += row != 0 ? 1 : 0;
      }
      last_[role] = rows;
    }
    // Blocks of 64 rows are turned as a whole: the last is filled up.
    std::fill_n(rows_.data() + rows, (64 - rows % 64) % 64, std::uint64_t{0});
    // Turned around: for each lane, which of the moves are legal there.
    for (std::size_t block = 0; block < rows; block += 64) mirror(rows_.data() + block);
    const std::size_t here = std::min<std::size_t>(64, lanes - w * 64);
    if (list_.size() < here * rows) list_.resize(here * rows);
    const auto behind = static_cast<std::uint32_t>(out.legal.size());
    std::uint32_t at = 0;
    for (std::size_t lane = 0; lane < here; ++lane) {
      std::size_t role = 0;
      for (std::size_t block = 0; block < rows; block += 64) {
        for (std::uint64_t bits = rows_[block + lane]; bits != 0; bits &= bits - 1) {
          const std::size_t row = block + first_bit(bits);
          // Rows stand role by role; roles without a legal move in this lane get an empty list.
          for (; row >= last_[role]; ++role) *++begin = behind + at;
          list_[at++] = moves_[row];
        }
      }
      for (; role < roles; ++role) *++begin = behind + at;
    }
    out.legal.insert(out.legal.end(), list_.data(), list_.data() + at);
  }
}

void Simulator::visit(std::span<const std::uint8_t> states, std::span<const std::uint32_t> moves,
                      Visits& out, Asked asked) {
  const std::size_t count = count_states(states);
  const std::size_t roles = circuit_->roles();
  const std::size_t size = circuit_->state_size();
  if (!moves.empty()) check_moves(count, moves);
  out.states.resize(states.size());
  out.keys.resize(asked.keys ? count : 0);
  out.terminal.resize(count);
  out.legal_begin.assign(asked.legal ? count * roles + 1 : 0, 0);
  out.legal.clear();
  out.goals.resize(count * roles);
  if (asked.percepts) out.seen.assign(count * roles, 0);
  const std::uint32_t words = words_for(count, circuit_->width());
  const std::size_t lanes = words * std::size_t{64};
  const CircuitView& view = circuit_->view();
  const std::lock_guard lock(mutex_);
  const Workspace& work = memory_[0].workspace();
  for (std::size_t first = 0; first < count; first += lanes) {
    const std::size_t used = std::min(lanes, count - first);
    const std::span<const std::uint8_t> from = states.subspan(first * size, used * size);
    const std::span<std::uint8_t> to(out.states.data() + first * size, used * size);
    load(work, words, from);
    activate(work, words, used);
    kernel_.run(view, Part::state, work, words);
    if (moves.empty()) {
      std::copy(from.begin(), from.end(), to.begin());
    } else {
      visitor_.make_moves(work, words, moves.data() + first * roles, used);
      if (asked.percepts) {
        kernel_.run(view, Part::percepts, work, words);
        visitor_.report_seen(work, words, used, out.seen.data() + first * roles);
      }
      kernel_.run(view, Part::move, work, words);
      store(work, words, to);
      kernel_.run(view, Part::state, work, words);
    }
    kernel_.run(view, Part::goals, work, words);
    visitor_.report(work, words, first, used, out);
    if (asked.legal) visitor_.report_legal(work, words, first, used, out);
  }
}

void Simulator::advance(std::span<const std::uint8_t> states, std::span<const std::uint32_t> moves,
                        Advances& out) {
  const std::size_t count = count_states(states);
  const std::size_t roles = circuit_->roles();
  const std::size_t size = circuit_->state_size();
  check_moves(count, moves);
  out.states.resize(states.size());
  out.seen.resize(count * roles);
  const std::uint32_t words = words_for(count, circuit_->width());
  const std::size_t lanes = words * std::size_t{64};
  const CircuitView& view = circuit_->view();
  const std::lock_guard lock(mutex_);
  const Workspace& work = memory_[0].workspace();
  for (std::size_t first = 0; first < count; first += lanes) {
    const std::size_t used = std::min(lanes, count - first);
    load(work, words, states.subspan(first * size, used * size));
    activate(work, words, used);
    kernel_.run(view, Part::state, work, words);
    visitor_.make_moves(work, words, moves.data() + first * roles, used);
    kernel_.run(view, Part::percepts, work, words);
    visitor_.report_seen(work, words, used, out.seen.data() + first * roles);
    kernel_.run(view, Part::move, work, words);
    store(work, words, {out.states.data() + first * size, used * size});
  }
}

}  // namespace woodstock
