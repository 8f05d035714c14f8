#include "plan/space.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "util/random.h"
#include "util/stopwatch.h"

namespace woodstock::plan {

namespace {

constexpr std::size_t informed_successors = 256;  // that are made together
constexpr std::size_t blind_successors = 4096;
constexpr std::size_t valued_together = 32;
constexpr std::size_t most_priority = 0xffff;
constexpr std::size_t informed_batch = 32;  // the best first: few at a time, or it is no order
constexpr std::size_t blind_batch = 512;
constexpr std::uint64_t widest = 100'000;  // joint moves of a state; beyond, it is left out

std::uint64_t word_at(const std::uint8_t* bytes, std::size_t size) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, std::min<std::size_t>(8, size));
  return word;
}

}  // namespace

void SpaceOptions::check() const {
  if (depth_weight == 0 && distance_weight == 0) {
    throw std::invalid_argument("either depth or distance must count for something");
  }
}

void SpaceSearch::Queue::put(std::size_t priority, Id id) {
  priority = std::min(priority, most_priority);
  if (priority >= buckets.size()) buckets.resize(priority + 1);
  buckets[priority].ids.push_back(id);
  lowest = std::min(lowest, priority);
  ++waiting;
}

SpaceSearch::Id SpaceSearch::Queue::take() {
  if (waiting == 0) return nobody;
  while (buckets[lowest].begin == buckets[lowest].ids.size()) ++lowest;
  Bucket& bucket = buckets[lowest];
  const Id id = bucket.ids[bucket.begin++];
  --waiting;
  if (bucket.begin == bucket.ids.size()) {
    bucket.ids.clear();
    bucket.begin = 0;
  }
  return id;
}

SpaceSearch::SpaceSearch(std::shared_ptr<Simulator> simulator,
                         std::shared_ptr<Relaxation> relaxation, const SpaceOptions& options,
                         std::span<const std::uint8_t> start)
    : simulator_(std::move(simulator)),
      relaxation_(std::move(relaxation)),
      options_(options),
      roles_(simulator_->circuit().roles()),
      size_(simulator_->circuit().state_size()),
      kept_(size_, 0xff),
      states_(size_),
      moves_(roles_),
      index_(1 << 12, nobody),
      widths_(roles_),
      folded_(size_) {
  options.check();
  if (start.size() != size_ || options.role >= roles_) {
    throw std::invalid_argument("a state or a role of another game");
  }
  if (!options.ignored.empty()) {
    if (options.ignored.size() != size_) throw std::invalid_argument("ignored: the wrong size");
    for (std::size_t i = 0; i < size_; ++i) {
      kept_[i] = static_cast<std::uint8_t>(~options.ignored[i]);
    }
    complete_ = std::all_of(options.ignored.begin(), options.ignored.end(),
                            [](std::uint8_t byte) { return byte == 0; });
  }
  if ((options.distance_weight != 0 || options.novelty) && !relaxation_) {
    throw std::invalid_argument("distances need a relaxation");
  }
  if (options.quotient) {
    const symmetry::Quotient& quotient = *options.quotient;
    if (roles_ != 1 || quotient.fluents() != simulator_->circuit().fluents()) {
      throw std::invalid_argument("symmetries of another game, or of several roles");
    }
    for (std::size_t i = 0; i < quotient.fluents(); ++i) {
      if ((kept_[i / 8] >> (i % 8) & 1) == 0 && quotient.moves_fluent(i)) {
        throw std::invalid_argument("symmetries move what is ignored");
      }
    }
  }
  const std::vector<std::uint32_t> none(roles_, 0);
  std::vector<std::uint8_t> first(start.begin(), start.end());
  const Element by = fold(first.data());
  fresh_.push_back(add(key_of(first.data()), first.data(), nobody, none.data(), 0, by));
}

SpaceSearch::Element SpaceSearch::fold(std::uint8_t* state) {
  if (!options_.quotient) return 0;
  // Which image is the representative must not depend on what is ignored.
  for (std::size_t i = 0; i < size_; ++i) {
    folded_[i] = static_cast<std::uint8_t>(state[i] & kept_[i]);
  }
  options_.quotient->fold(folded_, image_);
  for (std::size_t i = 0; i < size_; ++i) {
    state[i] = static_cast<std::uint8_t>((state[i] & ~kept_[i]) | folded_[i]);
  }
  return image_.elements.front();
}

std::uint64_t SpaceSearch::key_of(const std::uint8_t* state) const {
  std::uint64_t key = golden_gamma;
  for (std::size_t i = 0; i < size_; i += 8) {
    const std::uint64_t word = word_at(state + i, size_ - i) & word_at(kept_.data() + i, size_ - i);
    key = scatter(key ^ word) + golden_gamma;
  }
  return key;
}

bool SpaceSearch::same(Id id, const std::uint8_t* state) const {
  const std::uint8_t* const other = states_.at(id);
  for (std::size_t i = 0; i < size_; ++i) {
    if (((other[i] ^ state[i]) & kept_[i]) != 0) return false;
  }
  return true;
}

// Where it is, or where it goes.
std::size_t SpaceSearch::slot_of(std::uint64_t key, const std::uint8_t* state) const {
  const std::size_t mask = index_.size() - 1;
  std::size_t slot = key & mask;
  while (index_[slot] != nobody &&
         (nodes_[index_[slot]].key != key || !same(index_[slot], state))) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

void SpaceSearch::grow_index() {
  std::vector<Id> larger(index_.size() * 2, nobody);
  const std::size_t mask = larger.size() - 1;
  for (const Id id : index_) {
    if (id == nobody) continue;
    std::size_t slot = nodes_[id].key & mask;
    while (larger[slot] != nobody) slot = (slot + 1) & mask;
    larger[slot] = id;
  }
  index_ = std::move(larger);
}

bool SpaceSearch::has_room(std::size_t nodes) const {
  // A node waits in at most two queues; an index that has to grow is there twice for a while.
  const std::size_t index = 2 * (count_ + nodes) > index_.size() ? 3 * index_.size() * sizeof(Id)
                                                                 : index_.size() * sizeof(Id);
  const std::size_t queues = (open_.waiting + novel_.waiting + 2 * nodes) * 2 * sizeof(Id);
  return states_.bytes_with(nodes) + moves_.bytes_with(nodes) + nodes_.bytes_with(nodes) + index +
             queues <=
         options_.memory;
}

SpaceSearch::Id SpaceSearch::add(std::uint64_t key, const std::uint8_t* state, Id parent,
                                 const std::uint32_t* moves, std::uint32_t depth, Element by) {
  if (2 * (count_ + 1) > index_.size()) grow_index();
  const Id id = static_cast<Id>(nodes_.add());
  states_.add();
  moves_.add();
  std::memcpy(states_.at(id), state, size_);
  std::copy_n(moves, roles_, moves_.at(id));
  nodes_[id] = {key, parent, depth, 0, by, false};
  index_[slot_of(key, state)] = id;
  ++count_;
  return id;
}

bool SpaceSearch::shows_news(Id id) {
  const std::size_t distance = nodes_[id].distance;
  if (distance >= shown_.size()) shown_.resize(distance + 1);
  std::vector<std::uint8_t>& shown = shown_[distance];
  if (shown.empty()) shown.assign(size_, 0);
  const std::uint8_t* const state = states_.at(id);
  bool news = false;
  for (std::size_t i = 0; i < size_; ++i) {
    const auto fresh = static_cast<std::uint8_t>(state[i] & kept_[i] & ~shown[i]);
    news = news || fresh != 0;
    shown[i] |= fresh;
  }
  return news;
}

void SpaceSearch::put(Id id) {
  const Node& node = nodes_[id];
  const std::uint64_t priority = std::uint64_t{options_.depth_weight} * node.depth +
                                 std::uint64_t{options_.distance_weight} * node.distance;
  open_.put(priority, id);
  if (options_.novelty && shows_news(id)) novel_.put(node.distance, id);
}

void SpaceSearch::value_some() {
  const std::size_t count = relaxation_ ? std::min(fresh_.size(), valued_together) : fresh_.size();
  const std::span<const Id> some(fresh_.data() + fresh_.size() - count, count);
  if (relaxation_) {
    some_states_.clear();
    for (const Id id : some) {
      some_states_.insert(some_states_.end(), states_.at(id), states_.at(id) + size_);
    }
    (*relaxation_)(some_states_, distances_);
    for (std::size_t i = 0; i < count; ++i) {
      nodes_[some[i]].distance = distances_[i];
      nearest_ = std::min(nearest_, distances_[i]);
    }
  }
  for (const Id id : some) put(id);
  fresh_.resize(fresh_.size() - count);
}

bool SpaceSearch::take_batch() {
  batch_.clear();
  batch_states_.clear();
  const std::size_t most = relaxation_ ? informed_batch : blind_batch;
  while (batch_.size() < most) {
    turn_of_novel_ = !turn_of_novel_;
    Id id = turn_of_novel_ ? novel_.take() : open_.take();
    if (id == nobody) id = turn_of_novel_ ? open_.take() : novel_.take();
    if (id == nobody) break;
    if (nodes_[id].done) continue;
    nodes_[id].done = true;
    batch_.push_back(id);
    batch_states_.insert(batch_states_.end(), states_.at(id), states_.at(id) + size_);
  }
  next_ = 0;
  joint_ = 0;
  if (batch_.empty()) return false;
  simulator_->visit(batch_states_, {}, legal_, {.legal = true, .keys = false});
  return true;
}

void SpaceSearch::keep_plan(Id last, const std::uint32_t* moves) {
  std::vector<Id> line;
  for (Id id = last; id != nobody; id = nodes_[id].parent) line.push_back(id);
  plan_.clear();
  // Moves are in the words of representatives: each is called what it is from where we began.
  Element by = nodes_[line.back()].by;
  const auto add_moves = [&](const std::uint32_t* joint) {
    for (std::uint32_t r = 0; r < roles_; ++r) {
      plan_.push_back(by == 0 ? joint[r] : options_.quotient->move_back(by, joint[r]));
    }
  };
  for (std::size_t i = line.size() - 1; i-- > 0;) {
    add_moves(moves_.at(line[i]));
    const Element next = nodes_[line[i]].by;
    by = by == 0 || next == 0 ? by | next : options_.quotient->join(by, next);
  }
  add_moves(moves);
}

// A state that the game goes on from.
void SpaceSearch::meet(std::size_t i, Id parent) {
  std::uint8_t* const state = after_.states.data() + i * size_;
  const Element by = fold(state);
  const std::uint32_t* const moves = from_moves_.data() + i * roles_;
  const std::uint32_t depth = nodes_[parent].depth + 1;
  const std::uint64_t key = key_of(state);
  const Id known = index_[slot_of(key, state)];
  if (known == nobody) {
    if (depth >= options_.horizon) {
      complete_ = false;
      return;
    }
    depth_ = std::max(depth_, depth);
    fresh_.push_back(add(key, state, parent, moves, depth, by));
    return;
  }
  Node& node = nodes_[known];
  if (depth >= node.depth) return;
  // Reached in fewer turns: what was said of it holds all the more, and has to be said again.
  node.parent = parent;
  node.depth = depth;
  node.by = by;
  node.done = false;
  std::memcpy(states_.at(known), state, size_);
  std::copy_n(moves, roles_, moves_.at(known));
  put(known);
}

// The next joint moves of the batch, at most so many.
void SpaceSearch::list_moves(std::size_t most) {
  from_.clear();
  from_states_.clear();
  from_moves_.clear();
  while (next_ < batch_.size() && from_.size() < most) {
    const std::uint32_t* const begin = legal_.legal_begin.data() + next_ * roles_;
    std::uint64_t width = legal_.terminal[next_] != 0 ? 0 : 1;
    for (std::uint32_t r = 0; r < roles_; ++r) {
      widths_[r] = begin[r + 1] - begin[r];
      width = std::min(width * widths_[r], widest + 1);
    }
    if (width > widest) {
      complete_ = false;
      width = 0;
    }
    for (; joint_ < width && from_.size() < most; ++joint_) {
      from_.push_back(batch_[next_]);
      const std::uint8_t* const state = batch_states_.data() + next_ * size_;
      from_states_.insert(from_states_.end(), state, state + size_);
      std::uint64_t rest = joint_;
      const std::size_t at = from_moves_.size();
      from_moves_.resize(at + roles_);
      for (std::uint32_t r = roles_; r-- > 0;) {
        from_moves_[at + r] = legal_.legal[begin[r] + rest % widths_[r]];
        rest /= widths_[r];
      }
    }
    if (joint_ >= width) {
      ++next_;
      joint_ = 0;
      ++expanded_;
    }
  }
}

bool SpaceSearch::expand_some(std::int64_t above) {
  list_moves(relaxation_ ? informed_successors : blind_successors);
  if (from_.empty()) return false;
  if (!has_room(from_.size())) {
    full_ = true;
    return false;
  }
  bool found = false;
  simulator_->visit(from_states_, from_moves_, after_, {.legal = false, .keys = false});
  for (std::size_t i = 0; i < from_.size(); ++i) {
    if (after_.terminal[i] == 0) {
      meet(i, from_[i]);
      continue;
    }
    const std::uint32_t goal = after_.goals[i * roles_ + options_.role];
    if (static_cast<std::int64_t>(goal) > above) {
      above = goal;
      goal_ = goal;
      keep_plan(from_[i], from_moves_.data() + i * roles_);
      found = true;
    }
  }
  return found;
}

SpaceStatus SpaceSearch::go_on(std::int64_t above, double seconds) {
  const Clock::time_point until = deadline_in(seconds);
  do {
    if (full_) return SpaceStatus::full;
    if (!fresh_.empty()) {
      value_some();
    } else if (next_ < batch_.size()) {
      if (expand_some(above)) return SpaceStatus::found;
    } else if (!take_batch()) {
      return SpaceStatus::exhausted;
    }
  } while (Clock::now() < until);
  return full_ ? SpaceStatus::full : SpaceStatus::running;
}

}  // namespace woodstock::plan
