#include "search/tree.h"

#include <algorithm>
#include <cstring>

#include "util/random.h"

namespace woodstock {

namespace {

constexpr std::uint32_t empty = 0xffffffffU;
constexpr std::size_t smallest_index = 1024;

// An index is at most half full.
template <class Id>
bool crowded(const std::vector<Id>& index, std::size_t entries) {
  return 2 * (entries + 1) > index.size();
}

}  // namespace

Tree::Tree(const TreeOptions& options)
    : options_(options),
      nodes_(),
      states_(options.state_size),
      values_(options.roles),
      offsets_(options.roles + 1),
      arms_(1, options.moves),
      regrets_(1, options.moves),
      proofs_(1, options.moves),
      folds_(1, options.moves),
      amafs_(std::max<std::size_t>(1, options.moves)),
      by_key_(smallest_index, empty),
      by_edge_(smallest_index, empty) {}

void Tree::clear() {
  nodes_.restart();
  states_.restart();
  values_.restart();
  offsets_.restart();
  arms_.restart();
  regrets_.restart();
  proofs_.restart();
  folds_.restart();
  amafs_.restart();
  amaf_owners_.clear();
  edges_.restart();
  by_key_.assign(smallest_index, empty);
  by_edge_.assign(smallest_index, empty);
}

std::size_t Tree::bytes() const noexcept {
  return nodes_.bytes() + states_.bytes() + values_.bytes() + offsets_.bytes() + arms_.bytes() +
         regrets_.bytes() + proofs_.bytes() + folds_.bytes() + amafs_.bytes() + edges_.bytes() +
         sizeof(NodeId) * (by_key_.size() + by_edge_.size() + amaf_owners_.size());
}

bool Tree::has_room(std::size_t arms) const noexcept {
  // While an index grows, the old one is still there.
  const std::size_t keys = crowded(by_key_, nodes_.size() + 1) ? 3 : 1;
  const std::size_t links = crowded(by_edge_, edges_.size() + 1) ? 3 : 1;
  const std::size_t needed =
      nodes_.bytes_with(1) + states_.bytes_with(1) + values_.bytes_with(1) +
      offsets_.bytes_with(1) + arms_.bytes_with(arms) +
      (options_.regrets ? regrets_.bytes_with(arms) : 0) +
      (options_.proofs ? proofs_.bytes_with(arms) : 0) +
      (options_.folds ? folds_.bytes_with(arms) : 0) + amafs_.bytes() + edges_.bytes_with(1) +
      sizeof(NodeId) * (keys * by_key_.size() + links * by_edge_.size() + amaf_owners_.size());
  return needed <= options_.memory && arms_.size() + arms < empty && nodes_.size() + 1 < no_node;
}

NodeId Tree::find(std::uint64_t key, const std::uint8_t* state) const noexcept {
  const std::size_t mask = by_key_.size() - 1;
  for (std::size_t i = scatter(key) & mask; by_key_[i] != empty; i = (i + 1) & mask) {
    const NodeId id = by_key_[i];
    // Keys collide once in a while, and a wrong node would make a proof wrong: states are compared
    // in full.
    if (nodes_[id].key == key && std::memcmp(states_.at(id), state, options_.state_size) == 0) {
      return id;
    }
  }
  return no_node;
}

NodeId Tree::add(std::uint64_t key, const std::uint8_t* state, bool terminal,
                 const std::uint32_t* legal_begin, const std::uint32_t* legal) {
  const std::uint32_t roles = options_.roles;
  const auto id = static_cast<NodeId>(nodes_.add());
  states_.add();
  std::memcpy(states_.at(id), state, options_.state_size);
  values_.add();
  std::fill_n(values_.at(id), roles, RoleValue{0, 0, 1});

  Node& node = nodes_[id];
  node = Node{};
  node.key = key;
  node.edge = Node::none;
  node.amaf = Node::none;
  node.taken = Node::none;
  node.terminal = terminal;
  node.width = 1;
  // Who chooses decides how the node is treated: how bounds pass up, and where its children are
  // kept.
  std::uint32_t several = 0;
  for (std::uint32_t role = 0; role < roles; ++role) {
    const std::uint64_t count = legal_begin[role + 1] - legal_begin[role];
    if (count == 0) node.terminal = true;
    // Widths that do not fit are as good as infinite: nobody goes through them all.
    node.width = count != 0 && node.width > ~std::uint64_t{0} / count ? ~std::uint64_t{0}
                                                                      : node.width * count;
    if (count < 2) continue;
    ++several;
    // Chance is the pivot only where no player is: a player that comes later takes its place.
    if (role == options_.chance) {
      if (several == 1) node.pivot = static_cast<std::uint8_t>(role);
    } else {
      if (node.choosers++ == 0) node.pivot = static_cast<std::uint8_t>(role);
    }
  }
  if (node.terminal) {
    node.width = 0;
    node.choosers = 0;
    node.pivot = 0;
    several = 0;
  }
  // Most nodes of most games are single. Their children stand in the arms; others need edges, which
  // are looked up by hashing.
  node.single = several <= 1;

  // Moves that rules still allow where the game is over are of no use to anybody.
  const std::size_t count = node.terminal ? 0 : legal_begin[roles] - legal_begin[0];
  node.arms = static_cast<std::uint32_t>(arms_.add(count));
  Arm* arms = count == 0 ? nullptr : arms_.at(node.arms);
  for (std::size_t i = 0; i < count; ++i) {
    arms[i] = {legal[legal_begin[0] + i], 0, 0, no_node, 0, 0, 1};
  }
  offsets_.add();
  for (std::uint32_t role = 0; role <= roles; ++role) {
    offsets_.at(id)[role] = node.terminal ? 0 : legal_begin[role] - legal_begin[0];
  }
  if (options_.regrets) {
    node.regrets = static_cast<std::uint32_t>(regrets_.add(count));
    if (count != 0) std::fill_n(regrets_.at(node.regrets), count, Regret{0, 0});
  }
  if (options_.proofs) {
    node.regrets = static_cast<std::uint32_t>(proofs_.add(count));
    if (count != 0) std::fill_n(proofs_.at(node.regrets), count, Proof{1, 1});
  }
  if (options_.folds) {
    node.folds = static_cast<std::uint32_t>(folds_.add(count));
    if (count != 0) std::fill_n(folds_.at(node.folds), count, std::uint8_t{0});
  }
  if (crowded(by_key_, nodes_.size())) {
    by_key_.assign(2 * by_key_.size(), empty);
    const std::size_t mask = by_key_.size() - 1;
    for (NodeId other = 0; other < nodes_.size(); ++other) {
      std::size_t i = scatter(nodes_[other].key) & mask;
      while (by_key_[i] != empty) i = (i + 1) & mask;
      by_key_[i] = other;
    }
  } else {
    const std::size_t mask = by_key_.size() - 1;
    std::size_t i = scatter(key) & mask;
    while (by_key_[i] != empty) i = (i + 1) & mask;
    by_key_[i] = id;
  }
  return id;
}

std::span<Regret> Tree::regrets(NodeId id, std::uint32_t role) {
  const std::uint32_t* offset = offsets_.at(id) + role;
  if (offset[0] == offset[1]) return {};
  return {regrets_.at(nodes_[id].regrets + offset[0]), offset[1] - offset[0]};
}

std::span<Proof> Tree::proofs(NodeId id, std::uint32_t role) {
  const std::uint32_t* offset = offsets_.at(id) + role;
  if (offset[0] == offset[1]) return {};
  return {proofs_.at(nodes_[id].regrets + offset[0]), offset[1] - offset[0]};
}

Amaf* Tree::amaf(NodeId id) {
  const std::uint32_t place = nodes_[id].amaf;
  return place == Node::none ? nullptr : amafs_.at(place);
}

Amaf* Tree::make_amaf(NodeId id) {
  if (bytes() - amafs_.bytes() + amafs_.bytes_with(1) + sizeof(NodeId) > options_.memory) {
    return nullptr;
  }
  const std::size_t place = amafs_.add();
  amaf_owners_.push_back(id);
  nodes_[id].amaf = static_cast<std::uint32_t>(place);
  std::fill_n(amafs_.at(place), options_.moves, Amaf{0, 0});
  return amafs_.at(place);
}

std::uint64_t Tree::joint_of(NodeId id, const std::uint32_t* places) const {
  const Node& node = nodes_[id];
  // The other roles have one move: the number of the joint move is the place of the pivot's arm.
  if (node.single) return places[node.pivot];
  const std::uint32_t* offsets = offsets_.at(id);
  // A number in mixed radix: the last role's place changes first, as solvers of stages list them.
  std::uint64_t joint = 0;
  for (std::uint32_t role = 0; role < options_.roles; ++role) {
    joint = joint * (offsets[role + 1] - offsets[role]) + places[role];
  }
  return joint;
}

void Tree::joint_places(NodeId id, std::uint64_t joint, std::uint32_t* places) const {
  const std::uint32_t* offsets = offsets_.at(id);
  for (std::uint32_t role = options_.roles; role-- > 0;) {
    const std::uint32_t count = offsets[role + 1] - offsets[role];
    places[role] = static_cast<std::uint32_t>(joint % count);
    joint /= count;
  }
}

void Tree::joint_moves(NodeId id, std::uint64_t joint, std::uint32_t* moves) const {
  joint_places(id, joint, moves);
  for (std::uint32_t role = 0; role < options_.roles; ++role) {
    moves[role] = arms(id, role)[moves[role]].move;
  }
}

bool Tree::next_players(NodeId id, std::uint32_t* places) const {
  for (std::uint32_t role = options_.roles; role-- > 0;) {
    if (role == options_.chance) continue;
    if (++places[role] < arms(id, role).size()) return true;
    places[role] = 0;
  }
  return false;
}

std::size_t Tree::edge_slot(NodeId parent, std::uint64_t joint) const noexcept {
  const std::size_t mask = by_edge_.size() - 1;
  std::size_t i = scatter(joint * golden_gamma + parent) & mask;
  while (by_edge_[i] != empty) {
    const Edge& edge = edges_[by_edge_[i]];
    if (edge.parent == parent && edge.joint == joint) break;
    i = (i + 1) & mask;
  }
  return i;
}

NodeId Tree::child(NodeId id, std::uint64_t joint) const {
  const Node& node = nodes_[id];
  if (node.single) return arms(id, node.pivot)[joint].child;
  const std::uint32_t edge = by_edge_[edge_slot(id, joint)];
  return edge == empty ? no_node : edges_[edge].child;
}

std::uint8_t Tree::fold(NodeId id, std::uint64_t joint) const {
  if (!options_.folds) return 0;
  const Node& node = nodes_[id];
  if (node.single) return folds_[node.folds + offsets_.at(id)[node.pivot] + joint];
  const std::uint32_t edge = by_edge_[edge_slot(id, joint)];
  return edge == empty ? 0 : edges_[edge].fold;
}

void Tree::link(NodeId id, std::uint64_t joint, NodeId child, std::uint8_t fold) {
  Node& node = nodes_[id];
  if (node.single) {
    arms(id, node.pivot)[joint].child = child;
    if (options_.folds) folds_[node.folds + offsets_.at(id)[node.pivot] + joint] = fold;
    return;
  }
  // A stage that has lost a successor is solved again; the other successors have their edges.
  const std::uint32_t known = by_edge_[edge_slot(id, joint)];
  if (known != empty) {
    edges_[known].child = child;
    edges_[known].fold = fold;
    return;
  }
  const auto edge = static_cast<std::uint32_t>(edges_.add());
  edges_[edge] = {joint, id, child, node.edge, fold};
  node.edge = edge;
  if (crowded(by_edge_, edges_.size())) {
    // Open addressing without deletion: to grow is to enter everything once more.
    by_edge_.assign(2 * by_edge_.size(), empty);
    for (std::uint32_t e = 0; e < edges_.size(); ++e) {
      by_edge_[edge_slot(edges_[e].parent, edges_[e].joint)] = e;
    }
  } else {
    by_edge_[edge_slot(id, joint)] = edge;
  }
}

template <class Visit>
void Tree::for_each_child(NodeId id, Visit visit) const {
  const Node& node = nodes_[id];
  if (node.terminal) return;
  if (node.single) {
    for (const Arm& arm : arms(id, node.pivot)) {
      if (arm.child != no_node) visit(arm.child);
    }
    return;
  }
  for (std::uint32_t e = node.edge; e != Node::none; e = edges_[e].next) visit(edges_[e].child);
}

// With a stack of our own: lines of a game can be far longer than the machine's.
std::vector<std::uint8_t> Tree::reachable(NodeId root) const {
  std::vector<std::uint8_t> found(nodes_.size(), 0);
  std::vector<NodeId> waiting{root};
  found[root] = 1;
  while (!waiting.empty()) {
    const NodeId id = waiting.back();
    waiting.pop_back();
    for_each_child(id, [&](NodeId child) {
      if (found[child] != 0) return;
      found[child] = 1;
      waiting.push_back(child);
    });
  }
  return found;
}

void Tree::drop_rare(std::vector<std::uint8_t>& keep, NodeId root, double share) const {
  // What the kept nodes need, roughly: nodes with many moves weigh more than others.
  const auto weight = [&](NodeId id) {
    std::size_t bytes = sizeof(Node) + options_.state_size + options_.roles * sizeof(RoleValue) +
                        (options_.roles + 1) * sizeof(std::uint32_t) + sizeof(Edge) +
                        4 * sizeof(NodeId);
    const std::size_t arms = offsets_.at(id)[options_.roles];
    bytes += arms *
             (sizeof(Arm) + (options_.regrets ? sizeof(Regret) : 0) +
              (options_.proofs ? sizeof(Proof) : 0) + (options_.folds ? sizeof(std::uint8_t) : 0));
    if (nodes_[id].amaf != Node::none) bytes += options_.moves * sizeof(Amaf);
    return bytes;
  };
  const auto most = static_cast<std::size_t>(share * static_cast<double>(options_.memory));
  // A histogram of the memory by visits finds the threshold without sorting.
  constexpr std::size_t classes = 33;
  std::vector<std::size_t> bytes(classes, 0);
  const auto rank = [&](NodeId id) {
    return static_cast<std::size_t>(std::bit_width(nodes_[id].visits));
  };
  for (NodeId id = 0; id < keep.size(); ++id) {
    if (keep[id] != 0) bytes[rank(id)] += weight(id);
  }
  // The classes of many visits go in first, whole, as long as they fit: what is visited often cost
  // most to find out.
  std::size_t least = classes;
  std::size_t sum = 0;
  while (least > 0 && sum + bytes[least - 1] <= most) sum += bytes[--least];
  for (NodeId id = 0; id < keep.size(); ++id) {
    if (rank(id) < least && id != root) keep[id] = 0;
  }
}

NodeId Tree::slide(const std::vector<std::uint8_t>& keep, NodeId root) {
  // In place, since at this moment there is no memory for a copy.
  std::vector<NodeId> renamed(keep.size(), no_node);
  NodeId kept = 0;
  for (NodeId id = 0; id < keep.size(); ++id) {
    if (keep[id] != 0) renamed[id] = kept++;
  }
  const auto rename = [&](NodeId id) { return id == no_node ? no_node : renamed[id]; };
  const std::size_t before = nodes_.size();
  nodes_.restart();
  states_.restart();
  values_.restart();
  offsets_.restart();
  arms_.restart();
  regrets_.restart();
  proofs_.restart();
  folds_.restart();
  // Everything moves towards the beginning, in order, so nothing is overwritten that is still
  // needed.
  for (NodeId id = 0; id < before; ++id) {
    if (keep[id] == 0) continue;
    const Node node = nodes_[id];
    const std::size_t to = nodes_.add();
    nodes_[to] = node;
    // Lists of edges and tables are put together again below, from those that are left.
    nodes_[to].edge = Node::none;
    nodes_[to].amaf = Node::none;
    states_.add();
    values_.add();
    offsets_.add();
    if (to != id) {
      std::memmove(states_.at(to), states_.at(id), options_.state_size);
      std::copy_n(values_.at(id), options_.roles, values_.at(to));
      std::copy_n(offsets_.at(id), options_.roles + 1, offsets_.at(to));
    }
    const std::size_t count = offsets_.at(to)[options_.roles];
    const std::size_t place = arms_.add(count);
    nodes_[to].arms = static_cast<std::uint32_t>(place);
    const std::size_t regrets = options_.regrets  ? regrets_.add(count)
                                : options_.proofs ? proofs_.add(count)
                                                  : 0;
    nodes_[to].regrets = static_cast<std::uint32_t>(regrets);
    const std::size_t folds = options_.folds ? folds_.add(count) : 0;
    nodes_[to].folds = static_cast<std::uint32_t>(folds);
    if (count == 0) continue;
    const Arm* from = arms_.at(node.arms);
    Arm* arms = arms_.at(place);
    for (std::size_t i = 0; i < count; ++i) {
      arms[i] = from[i];
      // A child that was dropped becomes one that is not made yet; visits and means of the arm
      // stay.
      arms[i].child = rename(arms[i].child);
    }
    if (options_.regrets) {
      std::memmove(regrets_.at(regrets), regrets_.at(node.regrets), count * sizeof(Regret));
    }
    if (options_.proofs) {
      std::memmove(proofs_.at(regrets), proofs_.at(node.regrets), count * sizeof(Proof));
    }
    if (options_.folds) {
      std::memmove(folds_.at(folds), folds_.at(node.folds), count);
    }
  }

  std::vector<NodeId> owners;
  amafs_.restart();
  for (std::size_t i = 0; i < amaf_owners_.size(); ++i) {
    const NodeId owner = rename(amaf_owners_[i]);
    if (owner == no_node) continue;
    const std::size_t to = amafs_.add();
    std::memmove(amafs_.at(to), amafs_.at(i), options_.moves * sizeof(Amaf));
    nodes_[owner].amaf = static_cast<std::uint32_t>(to);
    owners.push_back(owner);
  }
  amaf_owners_ = std::move(owners);

  const std::size_t edges = edges_.size();
  edges_.restart();
  for (std::size_t e = 0; e < edges; ++e) {
    Edge edge = edges_[e];
    edge.parent = rename(edge.parent);
    edge.child = rename(edge.child);
    if (edge.parent == no_node || edge.child == no_node) continue;
    // Threaded through the new numbers: the newest edge of a parent is the head of its list.
    edge.next = nodes_[edge.parent].edge;
    const std::size_t to = edges_.add();
    edges_[to] = edge;
    nodes_[edge.parent].edge = static_cast<std::uint32_t>(to);
  }
  return renamed[root];
}

void Tree::rebuild_indices() {
  // Smaller than before: what compacting frees is counted in bytes, indices included.
  const auto room = [](std::size_t entries) {
    return std::max(smallest_index, std::bit_ceil(2 * (entries + 2)));
  };
  by_key_.assign(room(nodes_.size()), empty);
  by_key_.shrink_to_fit();
  const std::size_t mask = by_key_.size() - 1;
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    std::size_t i = scatter(nodes_[id].key) & mask;
    while (by_key_[i] != empty) i = (i + 1) & mask;
    by_key_[i] = id;
  }
  by_edge_.assign(room(edges_.size()), empty);
  by_edge_.shrink_to_fit();
  for (std::uint32_t e = 0; e < edges_.size(); ++e) {
    by_edge_[edge_slot(edges_[e].parent, edges_[e].joint)] = e;
  }
}

NodeId Tree::compact(NodeId root, double share) {
  std::vector<std::uint8_t> keep = reachable(root);
  drop_rare(keep, root, share);
  const NodeId id = slide(keep, root);
  nodes_.trim();
  states_.trim();
  values_.trim();
  offsets_.trim();
  arms_.trim();
  regrets_.trim();
  proofs_.trim();
  folds_.trim();
  amafs_.trim();
  edges_.trim();
  rebuild_indices();
  return id;
}

}  // namespace woodstock
