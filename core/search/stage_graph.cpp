#include "search/stage_graph.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace woodstock {

namespace {

constexpr std::uint32_t none = StageGraph::none;
constexpr std::size_t smallest_index = 1024;

std::uint32_t hash_of(std::uint64_t key) noexcept {
  return static_cast<std::uint32_t>(key ^ (key >> 32));
}

std::size_t record_size(const StageGraphOptions& options) {
  const std::size_t bytes = sizeof(StageNode) + options.state_size;
  return (bytes + alignof(StageNode) - 1) / alignof(StageNode) * alignof(StageNode);
}

// An index is at most two thirds full.
bool crowded(std::size_t index, std::size_t entries) { return 3 * (entries + 1) > 2 * index; }

}  // namespace

StageGraph::StageGraph(const StageGraphOptions& options)
    : options_(options),
      nodes_(record_size(options)),
      worths_(options.worths),
      samples_(options.worths),
      offsets_(options.roles + 1),
      by_key_(smallest_index, none) {
  static_assert(alignof(StageNode) <= 8);
}

void StageGraph::clear() {
  size_ = 0;
  nodes_.restart();
  worths_.restart();
  samples_.restart();
  proofs_.restart();
  stages_.restart();
  offsets_.restart();
  children_.restart();
  moves_.restart();
  followed_.restart();
  parents_.restart();
  by_key_.assign(smallest_index, none);
}

std::size_t StageGraph::bytes() const noexcept {
  return nodes_.bytes() + worths_.bytes() + samples_.bytes() + proofs_.bytes() + stages_.bytes() +
         offsets_.bytes() + children_.bytes() + moves_.bytes() + followed_.bytes() +
         parents_.bytes() + sizeof(NodeId) * by_key_.size();
}

bool StageGraph::has_room(std::size_t arms, std::size_t width) const noexcept {
  // While an index grows, the old one is still there.
  std::size_t index = by_key_.size();
  std::size_t keys = index;
  while (crowded(index, size_ + width)) {
    keys = 3 * index;
    index *= 2;
  }
  const std::size_t needed =
      nodes_.bytes_extended(width) + worths_.bytes_extended(width) +
      (options_.samples ? samples_.bytes_extended(width) : 0) +
      (options_.proofs ? proofs_.bytes_extended(width) : 0) + stages_.bytes_extended(1) +
      offsets_.bytes_extended(1) + children_.bytes_extended(width) + moves_.bytes_extended(arms) +
      followed_.bytes_extended(arms) + parents_.bytes_extended(width) + sizeof(NodeId) * keys;
  return needed <= options_.memory && size_ + width < none && children_.size() + width < none &&
         moves_.size() + arms < none && parents_.size() + width < none;
}

std::size_t StageGraph::slot_of(std::uint32_t hash) const noexcept {
  return hash & (by_key_.size() - 1);
}

void StageGraph::prefetch(std::uint64_t key) const noexcept {
  __builtin_prefetch(by_key_.data() + slot_of(hash_of(key)));
}

void StageGraph::prefetch_node(std::uint64_t key) const noexcept {
  const NodeId id = by_key_[slot_of(hash_of(key))];
  if (id != none) __builtin_prefetch(nodes_.at(id));
}

NodeId StageGraph::find(std::uint64_t key, const std::uint8_t* state) const noexcept {
  const std::uint32_t hash = hash_of(key);
  const std::size_t mask = by_key_.size() - 1;
  for (std::size_t i = slot_of(hash); by_key_[i] != none; i = (i + 1) & mask) {
    const std::byte* const record = nodes_.at(by_key_[i]);
    // Keys collide once in a while, and a wrong node would make a proof wrong: states are compared
    // in full.
    if (reinterpret_cast<const StageNode*>(record)->hash == hash &&
        std::memcmp(record + sizeof(StageNode), state, options_.state_size) == 0) {
      return by_key_[i];
    }
  }
  return no_node;
}

NodeId StageGraph::add(std::uint64_t key, const std::uint8_t* state, std::uint32_t depth) {
  const auto id = static_cast<NodeId>(nodes_.extend(1));
  size_ = nodes_.size();
  std::byte* const record = nodes_.at(id);
  auto* const made = new (record) StageNode{};
  made->hash = hash_of(key);
  made->depth = static_cast<std::uint16_t>(std::min<std::uint32_t>(depth, 0xffff));
  worths_.extend(1);
  std::fill_n(worths_.at(id), options_.worths, Worth{0.5F, 0, 1});
  std::memcpy(record + sizeof(StageNode), state, options_.state_size);
  if (options_.samples) {
    samples_.extend(1);
    std::fill_n(samples_.at(id), options_.worths, Samples{0, 0.5F, 0});
  }
  if (options_.proofs) {
    proofs_.extend(1);
    proofs_[id] = Proof{};
  }
  if (crowded(by_key_.size(), size_)) {
    by_key_.assign(2 * by_key_.size(), none);
    rebuild_index();
  } else {
    const std::size_t mask = by_key_.size() - 1;
    std::size_t i = slot_of(made->hash);
    while (by_key_[i] != none) i = (i + 1) & mask;
    by_key_[i] = id;
  }
  return id;
}

void StageGraph::solve(NodeId id, const Choices& choices, std::uint32_t width) {
  const auto place = static_cast<std::uint32_t>(stages_.extend(1));
  node(id).stage = place;
  Stage& stage = stages_[place];
  stage = Stage{};
  stage.node = id;
  stage.place = place;
  stage.width = width;
  stage.taken = none;
  stage.children = static_cast<std::uint32_t>(children_.extend(width));
  const std::size_t arms = choices.moves.size();
  stage.arms = static_cast<std::uint32_t>(moves_.extend(arms));
  followed_.extend(arms);
  for (std::size_t i = 0; i < arms; ++i) {
    moves_[stage.arms + i] = choices.moves[i];
    followed_[stage.arms + i] = 0;
  }
  offsets_.extend(1);
  std::copy_n(choices.begin.data(), options_.roles + 1, offsets_.at(place));
  // Who chooses decides how the stage is treated.
  std::uint32_t several = 0;
  for (std::uint32_t role = 0; role < options_.roles; ++role) {
    if (choices.count(role) < 2) continue;
    ++several;
    // Chance is the pivot only where no player is: a player that comes later takes its place.
    if (role == options_.chance ? several == 1 : stage.choosers == 0) {
      stage.pivot = static_cast<std::uint8_t>(role);
    }
    if (role != options_.chance) ++stage.choosers;
  }
  stage.single = several <= 1;
}

void StageGraph::link(NodeId id, std::uint32_t joint, NodeId child) {
  children_[stage(id).children + joint] = child;
  adopt(child, id);
}

void StageGraph::adopt(NodeId child, NodeId parent) {
  // A state can be reached from many stages, and news about it must reach all of them.
  StageNode& at = node(child);
  if (at.parent == none) {
    at.parent = parent;
    return;
  }
  const auto place = static_cast<std::uint32_t>(parents_.extend(1));
  parents_[place] = {parent, at.parents};
  at.parents = place;
}

std::uint64_t StageGraph::joint_of(const Stage& stage, const std::uint32_t* places) const {
  // The other roles have one move: the number of the joint move is the place of the pivot's arm.
  if (stage.single) return places[stage.pivot];
  const std::uint32_t* offset = offsets(stage);
  std::uint64_t joint = 0;
  for (std::uint32_t role = 0; role < options_.roles; ++role) {
    joint = joint * (offset[role + 1] - offset[role]) + places[role];
  }
  return joint;
}

void StageGraph::joint_places(const Stage& stage, std::uint64_t joint,
                              std::uint32_t* places) const {
  for (std::uint32_t role = options_.roles; role-- > 0;) {
    const std::uint32_t count = arms(stage, role);
    places[role] = static_cast<std::uint32_t>(joint % count);
    joint /= count;
  }
}

bool StageGraph::next_players(const Stage& stage, std::uint32_t* places) const {
  for (std::uint32_t role = options_.roles; role-- > 0;) {
    if (role == options_.chance) continue;
    if (++places[role] < arms(stage, role)) return true;
    places[role] = 0;
  }
  return false;
}

// Making room

// With a stack of our own: lines of a game can be far longer than the machine's.
void StageGraph::mark(NodeId root, std::vector<std::uint8_t>& found) const {
  found.assign(size_, 0);
  std::vector<NodeId> waiting{root};
  found[root] = 1;
  while (!waiting.empty()) {
    const NodeId id = waiting.back();
    waiting.pop_back();
    if (!solved(id)) continue;
    const Stage& at = stage(id);
    for (std::uint32_t i = 0; i < at.width; ++i) {
      const NodeId next = child(at, i);
      if (found[next] != 0) continue;
      found[next] = 1;
      waiting.push_back(next);
    }
  }
}

// What a solved stage needs, its children being leaves that nobody else leads to.
std::size_t StageGraph::weight(const Stage& stage) const {
  const std::size_t leaf = record_size(options_) + options_.worths * sizeof(Worth) +
                           3 * sizeof(NodeId) +
                           (options_.samples ? options_.worths * sizeof(Samples) : 0) +
                           (options_.proofs ? sizeof(Proof) : 0);
  return stage.width * leaf + 2 * sizeof(std::uint32_t) * offsets(stage)[options_.roles] +
         sizeof(Stage) + (options_.roles + 1) * sizeof(std::uint32_t);
}

void StageGraph::forget_rare(std::vector<std::uint8_t>& found, NodeId root, double share) {
  struct Ranked {
    std::uint32_t followed;
    std::uint32_t stage;
  };
  std::vector<Ranked> ranked;
  for (NodeId id = 0; id < size_; ++id) {
    if (found[id] == 0) {
      node(id).stage = none;
    } else if (solved(id)) {
      // Followed often: what it is worth has been asked for often, and will be.
      const bool first = id == root;
      ranked.push_back({first ? none : stage(id).followed, node(id).stage});
    }
  }
  // Of equals the newer: the line that is followed now.
  std::sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
    return a.followed != b.followed ? a.followed > b.followed : a.stage > b.stage;
  });
  const auto most = static_cast<std::size_t>(share * static_cast<double>(options_.memory));
  std::size_t sum = 0;
  for (const Ranked& one : ranked) {
    sum += weight(stages_[one.stage]);
    if (sum > most && one.followed != none) node(stages_[one.stage].node).stage = none;
  }
  if (sum > most) mark(root, found);
}

NodeId StageGraph::slide(const std::vector<std::uint8_t>& keep, NodeId root) {
  // In place, since at this moment there is no memory for a copy. Everything moves towards the
  // beginning, in order, so nothing is overwritten that is still needed.
  std::vector<NodeId> renamed(keep.size(), no_node);
  const std::size_t stages = stages_.size();
  std::size_t kept = 0;
  const std::size_t record = record_size(options_);
  for (NodeId id = 0; id < keep.size(); ++id) {
    if (keep[id] == 0) continue;
    renamed[id] = static_cast<NodeId>(kept);
    std::memmove(nodes_.at(kept), nodes_.at(id), record);
    std::copy_n(worths_.at(id), options_.worths, worths_.at(kept));
    if (options_.samples) std::copy_n(samples_.at(id), options_.worths, samples_.at(kept));
    if (options_.proofs) proofs_[kept] = proofs_[id];
    ++kept;
  }
  size_ = kept;
  nodes_.restart();
  nodes_.extend(kept);
  worths_.restart();
  worths_.extend(kept);
  if (options_.samples) {
    samples_.restart();
    samples_.extend(kept);
  }
  if (options_.proofs) {
    proofs_.restart();
    proofs_.extend(kept);
  }
  stages_.restart();
  offsets_.restart();
  children_.restart();
  moves_.restart();
  followed_.restart();
  for (std::uint32_t from = 0; from < stages; ++from) {
    Stage stage = stages_[from];
    const NodeId id = renamed[stage.node];
    // Forgotten, or a leaf again.
    if (id == no_node || node(id).stage != from) continue;
    const auto to = static_cast<std::uint32_t>(stages_.extend(1));
    offsets_.extend(1);
    std::copy_n(offsets_.at(from), options_.roles + 1, offsets_.at(to));
    const std::uint32_t arms = offsets_.at(to)[options_.roles];
    const std::size_t children = children_.extend(stage.width);
    for (std::uint32_t i = 0; i < stage.width; ++i) {
      children_[children + i] = renamed[children_[stage.children + i]];
    }
    const std::size_t first = moves_.extend(arms);
    followed_.extend(arms);
    for (std::uint32_t i = 0; i < arms; ++i) {
      moves_[first + i] = moves_[stage.arms + i];
      followed_[first + i] = followed_[stage.arms + i];
    }
    stage.node = id;
    stage.place = to;
    stage.children = static_cast<std::uint32_t>(children);
    stage.arms = static_cast<std::uint32_t>(first);
    stages_[to] = stage;
    node(id).stage = to;
  }
  return renamed[root];
}

// From the root on, so that the first parent of a node is one on a shortest way.
void StageGraph::find_parents(NodeId root) {
  parents_.restart();
  for (NodeId id = 0; id < size_; ++id) {
    node(id).parent = node(id).parents = none;
    node(id).marked = false;
  }
  std::vector<NodeId> layer{root};
  node(root).marked = true;
  node(root).depth = 0;
  for (std::size_t next = 0; next < layer.size(); ++next) {
    const NodeId id = layer[next];
    if (!solved(id)) continue;
    const Stage& at = stage(id);
    for (std::uint32_t i = 0; i < at.width; ++i) {
      const NodeId to = child(at, i);
      adopt(to, id);
      if (node(to).marked) continue;
      node(to).marked = true;
      node(to).depth = static_cast<std::uint16_t>(std::min(0xffff, node(id).depth + 1));
      layer.push_back(to);
    }
  }
  for (NodeId id = 0; id < size_; ++id) node(id).marked = false;
}

void StageGraph::rebuild_index() {
  const std::size_t mask = by_key_.size() - 1;
  for (NodeId id = 0; id < size_; ++id) {
    std::size_t i = slot_of(node(id).hash);
    while (by_key_[i] != none) i = (i + 1) & mask;
    by_key_[i] = id;
  }
}

NodeId StageGraph::compact(NodeId root, double share) {
  std::vector<std::uint8_t> keep;
  mark(root, keep);
  forget_rare(keep, root, share);
  const NodeId id = slide(keep, root);
  find_parents(id);
  nodes_.trim();
  worths_.trim();
  samples_.trim();
  proofs_.trim();
  stages_.trim();
  offsets_.trim();
  children_.trim();
  moves_.trim();
  followed_.trim();
  parents_.trim();
  // Smaller than before: what compacting frees is counted in bytes, the index included.
  std::size_t index = smallest_index;
  while (crowded(index, size_ + 1)) index *= 2;
  by_key_.assign(index, none);
  by_key_.shrink_to_fit();
  rebuild_index();
  return id;
}

}  // namespace woodstock
