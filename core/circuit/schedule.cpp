#include "circuit/schedule.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "circuit/cover.h"

namespace woodstock {

namespace {

constexpr Slot no_slot = 0xffffffffU;
constexpr std::uint32_t never = 0;  // times start at 1

std::uint32_t form_of(const Run& run) noexcept {
  constexpr std::uint32_t shapes[][5] = {
#define WOODSTOCK_ROW(p, n, b, u, e) {p, n, b, u, e},
      WOODSTOCK_SHAPES(WOODSTOCK_ROW)
#undef WOODSTOCK_ROW
  };
  for (std::uint32_t i = 0; i < std::size(shapes); ++i) {
    const auto& shape = shapes[i];
    if (run.plain == shape[0] && run.negated == shape[1] && run.both == shape[2] &&
        run.but == shape[3] && run.either == shape[4]) {
      return i + 1;
    }
  }
  return 0;
}

class Scheduling {
 public:
  Scheduling(const GameLogic& game, const Guards& guards)
      : game_(game),
        logic_(game.logic),
        guards_(guards),
        cover_(cover(game, guards)),
        slot_(logic_.size(), no_slot),
        last_use_(logic_.size(), never),
        next_of_(logic_.size(), none) {}

  Code run() {
    place_sources();
    find_last_uses();
    emit(Part::state);
    cross_boundary();
    emit(Part::move);
    latch();
    return std::move(out_);
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffU;
  static std::size_t index(Part part) noexcept { return static_cast<std::size_t>(part); }

  Slot fresh_slot() {
    if (out_.slots >= 0x7fffffffU) throw std::length_error("too many slots for one circuit");
    return out_.slots++;
  }

  Slot take_slot() {
    if (free_.empty()) return fresh_slot();
    const Slot slot = free_.back();  // the one freed last is the one most likely in the cache
    free_.pop_back();
    return slot;
  }

  void place_sources() {
    slot_[0] = zero_slot;
    out_.fluents = static_cast<std::uint32_t>(game_.next.size());
    // Fluents lie side by side in an order that is fixed, so states go in and out without a table.
    fluent_node_.assign(out_.fluents, 0);
    for (NodeId n = 1; n < logic_.size(); ++n) {
      if (logic_.kind(n) != NodeKind::fluent) continue;
      slot_[n] = 1 + logic_.index(n);
      fluent_node_[logic_.index(n)] = n;
    }
    out_.slots = 1 + out_.fluents;
    for (Ref guard : guards_.guards) out_.guards.push_back(plane(guard));
  }

  // Time runs over the instructions of state and move. Between them lie two moments: the boundary,
  // when goals and legal moves are read, and the one after it, when moves have been written over
  // legal ones and percepts are read. A recursion is one moment, since it runs over its
  // instructions again and again.
  void find_last_uses() {
    std::uint32_t time = 0;
    for (Part part : {Part::state, Part::goals, Part::percepts, Part::move}) {
      if (part == Part::goals) boundary_ = ++time;
      if (part == Part::percepts) ++time;
      const bool aside = part == Part::goals || part == Part::percepts;
      for (const Stretch& stretch : cover_.parts[index(part)]) {
        if (stretch.recursive && !aside) ++time;
        for (std::uint32_t i = stretch.first; i < stretch.last; ++i) {
          if (!stretch.recursive && !aside) ++time;
          for (NodeId n : operands(cover_.instructions[i])) last_use_[home(n)] = time;
        }
      }
      if (part == Part::state) {
        // Read at the boundary, by who chooses and who scores, even where no instruction reads
        // them.
        for (Ref ref : game_.legal) last_use_[home(node_of(ref))] = time + 1;
        last_use_[home(node_of(game_.terminal))] = time + 1;
      }
    }
    const auto keep_until = [this](const std::vector<Ref>& roots, std::uint32_t moment) {
      for (Ref ref : roots) {
        const NodeId n = home(node_of(ref));
        last_use_[n] = std::max(last_use_[n], moment);
      }
    };
    keep_until(game_.goals, boundary_);
    keep_until(game_.percepts, boundary_ + 1);
    end_ = ++time;
    for (std::uint32_t f = 0; f < out_.fluents; ++f) {
      const Ref ref = game_.next[f];
      if (ref == ref_of(fluent_node_[f])) continue;  // stays as it is, where it is
      last_use_[home(node_of(ref))] = end_;
      // A slot is loaded and stored as it is: what is the next value only when negated takes a
      // copy.
      if (!is_negated(ref)) next_of_[node_of(ref)] = f;
    }
  }

  // Inner and outer nodes of a recursive atom share their slot, kept under the outer one.
  NodeId home(NodeId n) const noexcept {
    return logic_.kind(n) == NodeKind::inner ? outer_of(n) : n;
  }

  NodeId outer_of(NodeId inner) const noexcept {
    const std::uint32_t index = logic_.index(inner);
    const auto after = std::upper_bound(
        game_.recursions.begin(), game_.recursions.end(), index,
        [](std::uint32_t i, const Recursion& recursion) { return i < recursion.first; });
    const Recursion& recursion = *std::prev(after);
    return recursion.outer[index - recursion.first];
  }

  std::span<const NodeId> operands(const Instruction& instruction) const noexcept {
    return {cover_.operands.data() + instruction.operands, instruction.operand_count()};
  }

  Plane plane(Ref ref) const noexcept {
    const NodeId n = node_of(ref);
    return 2 * slot_[home(n)] + (is_negated(ref) != (cover_.inverted[n] != 0) ? 1U : 0U);
  }

  bool is_fluent(NodeId n) const noexcept { return logic_.kind(n) == NodeKind::fluent; }

  // Gives back the slot of a value nobody needs after now. Fluents keep theirs: the next state
  // goes there.
  void release(NodeId n, std::uint32_t now) {
    n = home(n);
    if (last_use_[n] != now || n == 0 || is_fluent(n) || slot_[n] == no_slot) return;
    // Written in place: from now on it is the state.
    if (slot_[n] <= out_.fluents) return;
    free_.push_back(slot_[n]);
    last_use_[n] = never;
  }

  // The slot of a new value. The next value of a fluent goes where the fluent is, if the old value
  // is not needed any more.
  Slot slot_for(NodeId n, std::uint32_t now) {
    const std::uint32_t f = next_of_[n];
    // Before the boundary, and beside it, the old state is still read by parts that come later.
    if (f != none && !aside_ && now > boundary_) {
      const NodeId old = fluent_node_[f];
      if (last_use_[old] <= now) {
        in_place_.push_back(f);
        return slot_[old];
      }
    }
    return take_slot();
  }

  void emit(Part part) {
    for (const Stretch& stretch : cover_.parts[index(part)]) {
      Segment segment;
      segment.guard = stretch.guard;
      segment.first_run = static_cast<std::uint32_t>(out_.runs.size());
      segment.first_fill = static_cast<std::uint32_t>(out_.fills.size());
      if (stretch.recursive) {
        emit_recursion(stretch, segment);
      } else {
        for (std::uint32_t i = stretch.first; i < stretch.last; ++i) {
          const Instruction& instruction = cover_.instructions[i];
          const std::uint32_t now = ++clock_;
          // Operands first: all of them are read before anything is written, so the result may lie
          // where one of them did.
          for (NodeId n : operands(instruction)) release(n, now);
          slot_[instruction.node] = slot_for(instruction.node, now);
          add_to_run(instruction, i == stretch.first);
          const Asleep asleep = guards_.asleep[instruction.node];
          if (stretch.guard != 0 && asleep != Asleep::unseen) {
            out_.fills.push_back(2 * slot_[instruction.node] + (asleep == Asleep::one ? 1U : 0U));
          }
        }
      }
      segment.last_run = static_cast<std::uint32_t>(out_.runs.size());
      segment.last_fill = static_cast<std::uint32_t>(out_.fills.size());
      if (stretch.guard != 0 && !stretch.recursive) drop_overwritten_fills(segment);
      out_.parts[index(part)].push_back(segment);
    }
  }

  // Two values of one segment may share a slot, one after the other: only the last is filled.
  void drop_overwritten_fills(Segment& segment) {
    std::vector<Plane> kept;
    std::vector<Slot> seen;
    for (std::uint32_t i = segment.last_fill; i-- > segment.first_fill;) {
      const Plane fill = out_.fills[i];
      if (filled_.size() <= slot_of(fill)) filled_.resize(slot_of(fill) + 1, 0);
      if (std::exchange(filled_[slot_of(fill)], std::uint8_t{1})) continue;
      seen.push_back(slot_of(fill));
      kept.push_back(fill);
    }
    for (Slot slot : seen) filled_[slot] = 0;
    out_.fills.resize(segment.first_fill);
    out_.fills.insert(out_.fills.end(), kept.begin(), kept.end());
    segment.last_fill = static_cast<std::uint32_t>(out_.fills.size());
  }

  void emit_recursion(const Stretch& stretch, Segment& segment) {
    const Recursion& recursion = game_.recursions[stretch.recursion];
    segment.kind = Segment::loop;
    const std::uint32_t now = ++clock_;
    // Every value that the sweeps make has a slot of its own until the last sweep is over.
    std::vector<NodeId> helpers;
    for (NodeId outer : recursion.outer) slot_[outer] = take_slot();
    // The least fixpoint is reached from below: all atoms begin as false.
    for (NodeId inner : recursion.inner) {
      out_.fills.push_back(2 * slot_[home(inner)] + cover_.inverted[inner]);
    }
    for (std::uint32_t i = stretch.first; i < stretch.last; ++i) {
      if (i == stretch.middle) segment.middle = static_cast<std::uint32_t>(out_.runs.size());
      const Instruction& instruction = cover_.instructions[i];
      if (logic_.kind(instruction.node) != NodeKind::inner && i < stretch.middle) {
        slot_[instruction.node] = take_slot();
        helpers.push_back(instruction.node);
      }
      add_to_run(instruction, true);  // in order, one by one
    }
    for (NodeId n : helpers) release(n, now);
    for (NodeId outer : recursion.outer) {
      if (last_use_[outer] < now) last_use_[outer] = now;  // nobody ever asks
      release(outer, now);
    }
    // What comes from outside is read in every sweep, so it had to last until here. The sweep
    // backwards reads the same.
    for (std::uint32_t i = stretch.first; i < stretch.middle; ++i) {
      for (NodeId n : operands(cover_.instructions[i])) release(n, now);
    }
  }

  void add_to_run(const Instruction& instruction, bool new_run) {
    if (new_run || !same_shape(out_.runs.back(), instruction)) {
      Run run;
      run.operands = static_cast<std::uint32_t>(out_.operands.size());
      run.plain = instruction.plain;
      run.negated = instruction.negated;
      run.both = instruction.both;
      run.but = instruction.but;
      run.either = instruction.either;
      run.form = form_of(run);
      out_.runs.push_back(run);
    }
    ++out_.runs.back().count;
    out_.operands.push_back(slot_[home(instruction.node)]);
    for (NodeId n : operands(instruction)) out_.operands.push_back(slot_[home(n)]);
  }

  static bool same_shape(const Run& run, const Instruction& i) noexcept {
    return run.plain == i.plain && run.negated == i.negated && run.both == i.both &&
           run.but == i.but && run.either == i.either;
  }

  // Between state and move: places for the moves made, and the parts that are run aside.
  void cross_boundary() {
    const std::uint32_t now = ++clock_;
    for (Ref ref : game_.legal) out_.legal.push_back(plane(ref));
    out_.terminal = plane(game_.terminal);
    place_moves(now);

    emit_aside(Part::goals, game_.goals, out_.goals);
    emit_aside(Part::percepts, game_.percepts, out_.percepts);

    ++clock_;
    // What was read at the boundary, or in the moment after it, for the last time; but for slots
    // that the moves have taken over.
    for (NodeId n = 1; n < logic_.size(); ++n) {
      if (reused_[n] == 0) release(n, now);
      release(n, now + 1);
    }
  }

  // Goals and percepts must leave alone all that is needed after them, so they get slots that are
  // free at the boundary, and keep accounts of their own.
  void emit_aside(Part part, const std::vector<Ref>& roots, std::vector<Plane>& planes) {
    std::vector<Slot> slot = slot_;
    std::vector<std::uint32_t> last_use = last_use_;
    std::vector<Slot> free = free_;
    const std::uint32_t slots = out_.slots;
    // Times after the end, which no use in the other parts can be taken for.
    const std::uint32_t clock = std::exchange(clock_, end_);
    aside_ = true;

    std::uint32_t time = end_;
    for (const Stretch& stretch : cover_.parts[index(part)]) {
      for (std::uint32_t i = stretch.first; i < stretch.last; ++i) {
        if (!stretch.recursive || i == stretch.first) ++time;
        for (NodeId n : operands(cover_.instructions[i])) {
          if (made_aside(n)) last_use_[home(n)] = time;
        }
      }
    }
    for (Ref root : roots) {
      if (made_aside(node_of(root))) last_use_[home(node_of(root))] = time + 1;
    }
    emit(part);
    for (Ref root : roots) planes.push_back(plane(root));

    aside_ = false;
    clock_ = clock;
    slot_ = std::move(slot);
    last_use_ = std::move(last_use);
    free_ = std::move(free);
    // Everything is as before, but that there are more slots: those the move part may overwrite.
    for (Slot s = slots; s < out_.slots; ++s) free_.push_back(s);
  }

  bool made_aside(NodeId n) const noexcept {
    const NodeKind kind = logic_.kind(n);
    return !cover_.in_state[n] &&
           (kind == NodeKind::conjunction || kind == NodeKind::inner || kind == NodeKind::outer);
  }

  // A move that is made is written over its legality where nobody needs that any more.
  void place_moves(std::uint32_t now) {
    std::vector<std::uint32_t> times(logic_.size(), 0);
    for (Ref ref : game_.legal) ++times[node_of(ref)];
    reused_.assign(logic_.size(), 0);
    out_.does.assign(game_.does.size(), zero_slot);
    for (std::size_t move = 0; move < game_.does.size(); ++move) {
      const NodeId n = node_of(game_.does[move]);
      if (logic_.kind(n) != NodeKind::does || last_use_[n] == never) continue;
      const Ref legal = game_.legal[move];
      if (legal == ref_false) {  // rewriting found out that it never is: nobody will write a slot
        slot_[n] = zero_slot;
        continue;
      }
      const NodeId l = node_of(legal);
      // The choice reads a group of legal moves before it writes what is made of them. So where the
      // legality is a value of this move alone, held as it is and not read later, no slot is
      // needed.
      if (logic_.kind(l) == NodeKind::conjunction && !is_negated(legal) && times[l] == 1 &&
          last_use_[l] == now && l != node_of(game_.terminal)) {
        slot_[n] = slot_[l];
        reused_[l] = 1;
      } else {
        slot_[n] = take_slot();
      }
      out_.does[move] = slot_[n];
    }
  }

  void latch() {
    std::vector<std::uint8_t> there(out_.fluents, 0);
    for (std::uint32_t f : in_place_) there[f] = 1;
    for (std::uint32_t f = 0; f < out_.fluents; ++f) {
      const Ref ref = game_.next[f];
      const NodeId n = node_of(ref);
      if (there[f] || ref == ref_of(fluent_node_[f])) continue;
      Plane from = plane(ref);
      if (is_fluent(n)) {
        // The old value of a fluent, whose slot may be written before it is read.
        const Slot safe = take_slot();
        out_.save.push_back({safe, from});
        from = 2 * safe;
      }
      out_.latch.push_back({1 + f, from});
    }
  }

  const GameLogic& game_;
  const Logic& logic_;
  const Guards& guards_;
  Cover cover_;
  Code out_;
  std::vector<Slot> slot_;               // per node
  std::vector<std::uint32_t> last_use_;  // per node
  std::vector<std::uint32_t> next_of_;   // per node: a fluent it is the next value of
  std::vector<NodeId> fluent_node_;      // per fluent
  std::vector<std::uint32_t> in_place_;  // fluents written in place
  std::vector<Slot> free_;
  std::vector<std::uint8_t> filled_;
  std::vector<std::uint8_t> reused_;  // per node: its slot goes to the move
  std::uint32_t clock_ = 0;
  std::uint32_t boundary_ = 0;
  std::uint32_t end_ = 0;
  bool aside_ = false;
};

}  // namespace

Code schedule(const GameLogic& game, const Guards& guards) {
  return Scheduling(game, guards).run();
}

std::uint32_t depth_of(const GameLogic& game) {
  const Logic& logic = game.logic;
  std::vector<std::uint32_t> depth(logic.size(), 0);
  std::uint32_t deepest = 0;
  for (NodeId n = 1; n < logic.size(); ++n) {
    for (Ref input : logic.inputs(n)) depth[n] = std::max(depth[n], depth[node_of(input)] + 1);
    deepest = std::max(deepest, depth[n]);
  }
  return deepest;
}

}  // namespace woodstock
