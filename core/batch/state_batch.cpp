#include "batch/state_batch.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "circuit/isa.h"
#include "circuit/lanes.h"
#include "circuit/transpose.h"
#include "util/random.h"

namespace woodstock {

namespace {

std::uint64_t plane_word(const std::uint64_t* values, std::size_t words, Plane plane,
                         std::size_t w) noexcept {
  return values[slot_of(plane) * words + w] ^ (0 - std::uint64_t{plane & 1U});
}

// Eight bits as eight bytes, the first lowest.
struct Unpacked {
  std::uint8_t bytes[256][8];
};

constexpr Unpacked make_unpacked() noexcept {
  Unpacked table{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      table.bytes[byte][bit] = static_cast<std::uint8_t>(byte >> bit & 1U);
    }
  }
  return table;
}

constexpr Unpacked unpacked = make_unpacked();

void unpack(std::uint64_t bits, std::uint8_t* out, std::size_t count) noexcept {
  for (; count >= 8; count -= 8, bits >>= 8, out += 8) {
    std::memcpy(out, unpacked.bytes[bits & 255U], 8);
  }
  if (count != 0) std::memcpy(out, unpacked.bytes[bits & 255U], count);
}

void check_size(std::size_t found, std::size_t wanted) {
  if (found != wanted) {
    throw std::invalid_argument("an array has " + std::to_string(found) + " entries instead of " +
                                std::to_string(wanted));
  }
}

// Columns of a table with as many for each role.
std::size_t columns(const std::vector<std::uint32_t>& table, std::size_t roles, std::size_t most) {
  if (roles == 0 || table.size() % roles != 0) {
    throw std::invalid_argument("a table has not as many columns for every role");
  }
  for (const std::uint32_t entry : table) {
    if (entry != BatchLayout::none && entry >= most) {
      throw std::invalid_argument("a column names nothing of the circuit");
    }
  }
  return table.size() / roles;
}

std::uint32_t batch_words(std::size_t count, std::uint32_t width) noexcept {
  return std::max<std::uint32_t>(words_for(count, width), unit_words);
}

}  // namespace

StateBatch::StateBatch(std::shared_ptr<const Circuit> circuit, BatchLayout layout,
                       std::string_view isa, unsigned threads, std::size_t count,
                       std::uint64_t seed)
    : circuit_(std::move(circuit)),
      layout_(std::move(layout)),
      kernel_(find_kernel(isa)),
      visitor_(*circuit_),
      pool_(threads),
      count_(count),
      words_(batch_words(count, circuit_->width())) {
  const Code& code = circuit_->code();
  actions_ = columns(layout_.actions, roles(), code.legal.size());
  percepts_ = columns(layout_.percepts, roles(), code.percepts.size());
  for (const std::uint32_t fluent : layout_.fluents) {
    if (fluent >= circuit_->fluents()) {
      throw std::invalid_argument("a column names nothing of the circuit");
    }
    fluent_planes_.push_back(2 * (fluent + 1));
  }
  for (std::size_t i = 0; i < layout_.actions.size(); ++i) {
    const std::uint32_t move = layout_.actions[i];
    const bool none = move == BatchLayout::none;
    if (!none && circuit_->role_table().move_role[move] != i / actions_) {
      throw std::invalid_argument("a column has a move of another role");
    }
    legal_planes_.push_back(none ? plane_false : code.legal[move]);
  }
  for (const std::uint32_t percept : layout_.percepts) {
    // Kept percepts lie one after the other, behind a plane that is false.
    percept_planes_.push_back(percept == BatchLayout::none ? plane_false : 2 * (percept + 1));
  }
  const std::size_t lanes = words_ * std::size_t{64};
  for (std::size_t first = 0; first < count; first += lanes) {
    Chunk& chunk = chunks_.emplace_back(*circuit_, words_ / static_cast<std::uint32_t>(unit_words));
    chunk.first = first;
    chunk.states = std::min(lanes, count - first);
    const Workspace& work = chunk.memory.workspace();
    activate(work, words_, chunk.states);
    chunk.used.assign(work.active, work.active + words_);
    chunk.over.assign(words_, 0);
    chunk.stuck = chunk.ended = chunk.over;
    std::fill_n(work.values, (circuit_->fluents() + 1) * words_, std::uint64_t{0});
    chunk.percepts.assign((code.percepts.size() + 1) * words_, 0);
  }
  final_goals_.resize(count * roles());
  this->seed(seed);
  reset({});
}

void StateBatch::seed(std::uint64_t seed) noexcept {
  key_ = scatter(seed + golden_gamma);
  step_ = 0;
}

template <typename Work>
void StateBatch::each(const Work& work) {
  pool_.run(chunks_.size(), [&](std::size_t i, unsigned) { work(chunks_[i], i); });
}

void StateBatch::evaluate(Chunk& chunk) {
  const Workspace& work = chunk.memory.workspace();
  std::copy(chunk.used.begin(), chunk.used.end(), work.active);
  kernel_.run(circuit_->view(), Part::state, work, words_);
}

void StateBatch::find_over(Chunk& chunk) {
  const std::uint64_t* values = chunk.memory.workspace().values;
  for (std::size_t w = 0; w < words_; ++w) {
    const std::uint64_t terminal = plane_word(values, words_, circuit_->view().terminal, w);
    chunk.over[w] = (terminal | chunk.stuck[w]) & chunk.used[w];
  }
}

void StateBatch::reset(std::span<const std::uint8_t> where) {
  if (!where.empty()) check_size(where.size(), count_);
  each([&](Chunk& chunk, std::size_t) {
    const Workspace& work = chunk.memory.workspace();
    Words lanes = chunk.used;
    for (std::size_t i = 0; !where.empty() && i < chunk.states; ++i) {
      if (where[chunk.first + i] == 0) lanes[i / 64] &= ~(std::uint64_t{1} << (i % 64));
    }
    const std::vector<std::uint8_t>& first = circuit_->initial();
    for (std::size_t f = 0; f < circuit_->fluents(); ++f) {
      const bool holds = (first[f / 8] >> (f % 8) & 1U) != 0;
      std::uint64_t* plane = work.values + (f + 1) * words_;
      for (std::size_t w = 0; w < words_; ++w) {
        plane[w] = holds ? plane[w] | lanes[w] : plane[w] & ~lanes[w];
      }
    }
    for (std::size_t w = 0; w < words_; ++w) {
      chunk.stuck[w] &= ~lanes[w];
      chunk.ended[w] = 0;
    }
    evaluate(chunk);
    find_over(chunk);
  });
}

void StateBatch::put(std::span<const std::uint8_t> states) {
  const std::size_t size = circuit_->state_size();
  check_size(states.size(), count_ * size);
  const std::size_t spare = size * 8 - circuit_->fluents();
  for (std::size_t i = 0; i < count_; ++i) {
    // Whole bytes may be spare where a game has no fluent at all.
    for (std::size_t bit = size * 8 - spare; bit < size * 8; ++bit) {
      if ((states[i * size + bit / 8] >> (bit % 8) & 1U) != 0) {
        throw std::invalid_argument("a state has bits beyond its last fluent");
      }
    }
  }
  each([&](Chunk& chunk, std::size_t) {
    const Workspace& work = chunk.memory.workspace();
    bytes_to_planes(states.subspan(chunk.first * size, chunk.states * size), size,
                    circuit_->fluents(), work.values + words_, words_);
    chunk.stuck.assign(words_, 0);
    chunk.ended.assign(words_, 0);
    evaluate(chunk);
    find_over(chunk);
  });
}

void StateBatch::get(std::span<std::uint8_t> states) const {
  const std::size_t size = circuit_->state_size();
  check_size(states.size(), count_ * size);
  for (const Chunk& chunk : chunks_) {
    planes_to_bytes(chunk.memory.workspace().values + words_, words_, circuit_->fluents(),
                    states.subspan(chunk.first * size, chunk.states * size), size);
  }
}

void StateBatch::step(std::span<const std::int32_t> actions, const StepOptions& options) {
  const std::uint64_t all = roles() >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << roles()) - 1;
  const bool given = (options.drawn & all) != all;
  if (given) {
    check_size(actions.size(), count_ * roles());
    each([&](Chunk& chunk, std::size_t) { check_actions(chunk, actions.data(), options.drawn); });
  }
  each([&](Chunk& chunk, std::size_t number) {
    step_chunk(chunk, number, given ? actions.data() : nullptr, options);
  });
  ++step_;
}

void StateBatch::check_actions(const Chunk& chunk, const std::int32_t* actions,
                               std::uint64_t drawn) const {
  const std::uint64_t* values = chunk.memory.workspace().values;
  for (std::size_t i = 0; i < chunk.states; ++i) {
    const std::uint64_t bit = std::uint64_t{1} << (i % 64);
    if ((chunk.over[i / 64] & bit) != 0) continue;
    for (std::size_t role = 0; role < roles(); ++role) {
      if ((drawn >> role & 1U) != 0) continue;
      const std::int32_t action = actions[(chunk.first + i) * roles() + role];
      const bool known = action >= 0 && static_cast<std::size_t>(action) < actions_;
      const Plane plane =
          known ? legal_planes_[role * actions_ + static_cast<std::size_t>(action)] : plane_false;
      if ((plane_word(values, words_, plane, i / 64) & bit) == 0) {
        throw std::invalid_argument("state " + std::to_string(chunk.first + i) + ": action " +
                                    std::to_string(action) + " is not legal for role " +
                                    std::to_string(role));
      }
    }
  }
}

void StateBatch::make_moves(const Chunk& chunk, const std::int32_t* actions,
                            std::uint64_t drawn) const {
  const Workspace& work = chunk.memory.workspace();
  const std::vector<Slot>& does = circuit_->code().does;
  for (std::size_t i = 0; i < chunk.states; ++i) {
    const std::uint64_t bit = work.active[i / 64] & (std::uint64_t{1} << (i % 64));
    if (bit == 0) continue;
    for (std::size_t role = 0; role < roles(); ++role) {
      if ((drawn >> role & 1U) != 0) continue;
      const auto action = static_cast<std::size_t>(actions[(chunk.first + i) * roles() + role]);
      const Slot slot = does[layout_.actions[role * actions_ + action]];
      if (slot != zero_slot) work.values[slot * words_ + i / 64] |= bit;
    }
  }
}

void StateBatch::step_chunk(Chunk& chunk, std::size_t number, const std::int32_t* actions,
                            const StepOptions& options) {
  const Workspace& work = chunk.memory.workspace();
  const CircuitView& view = circuit_->view();
  Words restarted(words_, 0);
  for (std::size_t w = 0; w < words_; ++w) {
    work.active[w] = chunk.used[w] & ~chunk.over[w];
    if (options.restart) restarted[w] = chunk.over[w];
  }
  Words open(work.active, work.active + words_);
  chunk.before.assign(work.values + words_, work.values + (circuit_->fluents() + 1) * words_);
  kernel_.draw(view, {scatter(key_ + number * golden_gamma), step_, options.drawn}, work, words_);
  if (actions != nullptr) make_moves(chunk, actions, options.drawn);
  if (options.percepts) {
    kernel_.run(view, Part::percepts, work, words_);
    const std::vector<Plane>& planes = circuit_->code().percepts;
    for (std::size_t p = 0; p < planes.size(); ++p) {
      for (std::size_t w = 0; w < words_; ++w) {
        chunk.percepts[(p + 1) * words_ + w] =
            plane_word(work.values, words_, planes[p], w) & work.active[w];
      }
    }
  }
  const Words active(work.active, work.active + words_);
  kernel_.run(view, Part::move, work, words_);
  bool idle = false;
  for (std::size_t w = 0; w < words_; ++w) {
    // Whoever was to move and is not active had a role without a legal move.
    chunk.stuck[w] = (chunk.stuck[w] & ~restarted[w]) | (open[w] & ~active[w]);
    idle = idle || active[w] != chunk.used[w];
  }
  if (idle) keep_idle(chunk, restarted);
  evaluate(chunk);
  find_over(chunk);
  for (std::size_t w = 0; w < words_; ++w) chunk.ended[w] = chunk.over[w] & open[w];
  score(chunk);
}

// Where nobody has moved, states are those from before, or first ones.
void StateBatch::keep_idle(Chunk& chunk, const Words& restarted) const {
  const Workspace& work = chunk.memory.workspace();
  const std::vector<std::uint8_t>& first = circuit_->initial();
  for (std::size_t f = 0; f < circuit_->fluents(); ++f) {
    const std::uint64_t fresh = (first[f / 8] >> (f % 8) & 1U) != 0 ? ~std::uint64_t{0} : 0;
    std::uint64_t* plane = work.values + (f + 1) * words_;
    const std::uint64_t* before = chunk.before.data() + f * words_;
    for (std::size_t w = 0; w < words_; ++w) {
      const std::uint64_t kept = (before[w] & ~restarted[w]) | (fresh & restarted[w]);
      plane[w] = (plane[w] & work.active[w]) | (kept & ~work.active[w] & chunk.used[w]);
    }
  }
}

void StateBatch::score(Chunk& chunk) {
  std::uint64_t some = 0;
  for (const std::uint64_t word : chunk.ended) some |= word;
  if (some == 0) return;
  const Workspace& work = chunk.memory.workspace();
  kernel_.run(circuit_->view(), Part::goals, work, words_);
  std::copy(chunk.ended.begin(), chunk.ended.end(), work.active);
  visitor_.report_goals(work, words_, chunk.states, final_goals_.data() + chunk.first * roles());
  std::copy(chunk.used.begin(), chunk.used.end(), work.active);
}

// Columns of all states of a chunk: row `row` of the `rows` rows that each state has.
void StateBatch::write_rows(const Chunk& chunk, const std::uint64_t* values,
                            std::span<const Plane> planes, std::size_t row, std::size_t rows,
                            std::span<std::uint8_t> out, Bits bits) const {
  const std::size_t count = planes.size();
  const std::size_t length = bits == Bits::packed ? (count + 7) / 8 : count;
  std::uint64_t square[64];
  for (std::size_t w = 0; w * 64 < chunk.states; ++w) {
    const std::size_t lanes = std::min<std::size_t>(64, chunk.states - w * 64);
    for (std::size_t first = 0; first < count; first += 64) {
      const std::size_t here = std::min<std::size_t>(64, count - first);
      std::uint64_t some = 0;
      for (std::size_t i = 0; i < 64; ++i) {
        square[i] = i < here ? plane_word(values, words_, planes[first + i], w) : 0;
        some |= square[i];
      }
      if (some != 0) mirror(square);
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        std::uint8_t* to = out.data() + ((chunk.first + w * 64 + lane) * rows + row) * length;
        if (bits == Bits::packed) {
          write_bytes(square[lane], to + first / 8, (here + 7) / 8);
        } else {
          unpack(square[lane], to + first, here);
        }
      }
    }
  }
}

void StateBatch::read_legal(std::span<std::uint8_t> out, Bits bits) {
  const std::size_t length = bits == Bits::packed ? (actions_ + 7) / 8 : actions_;
  check_size(out.size(), count_ * roles() * length);
  const std::span<const Plane> planes(legal_planes_);
  each([&](Chunk& chunk, std::size_t) {
    for (std::size_t role = 0; role < roles(); ++role) {
      write_rows(chunk, chunk.memory.workspace().values, planes.subspan(role * actions_, actions_),
                 role, roles(), out, bits);
    }
    // Nobody may move where the game is over, whatever the rules say.
    for (std::size_t i = 0; i < chunk.states; ++i) {
      if ((chunk.over[i / 64] >> (i % 64) & 1U) != 0) {
        std::fill_n(out.data() + (chunk.first + i) * roles() * length, roles() * length,
                    std::uint8_t{0});
      }
    }
  });
}

void StateBatch::read_fluents(std::span<std::uint8_t> out, Bits bits) {
  const std::size_t length = bits == Bits::packed ? (fluents() + 7) / 8 : fluents();
  check_size(out.size(), count_ * length);
  each([&](Chunk& chunk, std::size_t) {
    write_rows(chunk, chunk.memory.workspace().values, fluent_planes_, 0, 1, out, bits);
  });
}

void StateBatch::read_percepts(std::span<std::uint8_t> out, Bits bits) {
  const std::size_t length = bits == Bits::packed ? (percepts_ + 7) / 8 : percepts_;
  check_size(out.size(), count_ * roles() * length);
  const std::span<const Plane> planes(percept_planes_);
  each([&](Chunk& chunk, std::size_t) {
    for (std::size_t role = 0; role < roles(); ++role) {
      write_rows(chunk, chunk.percepts.data(), planes.subspan(role * percepts_, percepts_), role,
                 roles(), out, bits);
    }
  });
}

void StateBatch::read_plane(Words Chunk::* plane, std::span<std::uint8_t> out) const {
  check_size(out.size(), count_);
  for (const Chunk& chunk : chunks_) {
    for (std::size_t w = 0; w * 64 < chunk.states; ++w) {
      unpack((chunk.*plane)[w], out.data() + chunk.first + w * 64,
             std::min<std::size_t>(64, chunk.states - w * 64));
    }
  }
}

void StateBatch::read_over(std::span<std::uint8_t> out) const { read_plane(&Chunk::over, out); }

void StateBatch::read_stuck(std::span<std::uint8_t> out) const { read_plane(&Chunk::stuck, out); }

void StateBatch::read_ended(std::span<std::uint8_t> out) const { read_plane(&Chunk::ended, out); }

void StateBatch::read_goals(std::span<std::int32_t> out) {
  check_size(out.size(), count_ * roles());
  each([&](Chunk& chunk, std::size_t) {
    const Workspace& work = chunk.memory.workspace();
    kernel_.run(circuit_->view(), Part::goals, work, words_);
    std::vector<std::uint32_t> found(chunk.states * roles());
    visitor_.report_goals(work, words_, chunk.states, found.data());
    std::copy(found.begin(), found.end(),
              out.begin() + static_cast<std::ptrdiff_t>(chunk.first * roles()));
  });
}

void StateBatch::read_final_goals(std::span<std::int32_t> out) const {
  check_size(out.size(), count_ * roles());
  std::copy(final_goals_.begin(), final_goals_.end(), out.begin());
}

}  // namespace woodstock
