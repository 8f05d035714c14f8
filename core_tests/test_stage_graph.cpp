#include "search/stage_graph.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "check.h"

using namespace woodstock;

namespace {

constexpr std::size_t state_size = 5;
constexpr std::uint32_t roles = 2;

std::vector<std::uint8_t> state_of(std::uint32_t name) {
  std::vector<std::uint8_t> state(state_size, 7);
  for (unsigned i = 0; i < 4; ++i) state[i] = static_cast<std::uint8_t>(name >> (8 * i));
  return state;
}

// Few keys, so that many states share one.
std::uint64_t key_of(std::uint32_t name) { return name / 3 * 0x9e3779b97f4a7c15ULL; }

std::uint32_t name_of(const StageGraph& graph, NodeId id) {
  const std::span<const std::uint8_t> state = graph.state(id);
  std::uint32_t name = 0;
  for (unsigned i = 0; i < 4; ++i) name |= std::uint32_t{state[i]} << (8 * i);
  return name;
}

StageGraphOptions options(std::size_t memory) {
  StageGraphOptions out;
  out.roles = roles;
  out.state_size = state_size;
  out.samples = true;
  out.memory = memory;
  return out;
}

// Solves a leaf with so many moves, to states that are there already now and then.
bool solve(StageGraph& graph, NodeId id, std::uint32_t width, std::mt19937& rng) {
  std::vector<std::uint32_t> moves;
  for (std::uint32_t i = 0; i <= width; ++i) moves.push_back(100 + i);
  const std::vector<std::uint32_t> begin{0, width, width + 1};
  if (!graph.has_room(moves.size(), width)) return false;
  graph.solve(id, {begin, moves}, width);
  for (std::uint32_t i = 0; i < width; ++i) {
    const auto name = static_cast<std::uint32_t>(rng() % 200'000);
    NodeId child = graph.find(key_of(name), state_of(name).data());
    if (child == no_node) {
      child = graph.add(key_of(name), state_of(name).data(), graph.node(id).depth + 1U);
      graph.worth(child)->value = static_cast<float>(name % 1000) / 1000;
      graph.samples(child)->sum = name;
    }
    graph.link(id, i, child);
  }
  return true;
}

// Everything in it belongs together.
void check_graph(const StageGraph& graph, NodeId root) {
  std::size_t links = 0;
  std::size_t parents = 0;
  std::multiset<std::pair<NodeId, NodeId>> down;
  std::multiset<std::pair<NodeId, NodeId>> up;
  for (NodeId id = 0; id < graph.size(); ++id) {
    const std::uint32_t name = name_of(graph, id);
    CHECK(graph.find(key_of(name), state_of(name).data()) == id);
    CHECK(graph.worth(id)->value == static_cast<float>(name % 1000) / 1000);
    CHECK(id == root || graph.samples(id)->sum == name);
    CHECK(!graph.node(id).marked);
    graph.for_each_parent(id, [&](NodeId parent) {
      up.emplace(parent, id);
      ++parents;
    });
    if (!graph.solved(id)) continue;
    const Stage& stage = graph.stage(id);
    CHECK(stage.node == id && stage.single && stage.pivot == 0);
    const NodeId* const children = graph.children(stage);
    for (std::uint32_t i = 0; i < stage.width; ++i) {
      CHECK(children[i] == graph.child(stage, i) && children[i] < graph.size());
      CHECK(graph.move(stage, 0, i) == 100 + i);
      down.emplace(id, children[i]);
      ++links;
    }
    CHECK(graph.move(stage, 1, 0) == 100 + stage.width);
  }
  CHECK(links == parents);
  CHECK(down == up);
}

}  // namespace

TEST(making_room_in_a_graph_keeps_what_was_followed_most) {
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    std::mt19937 rng(seed);
    StageGraph graph(options(std::size_t{6} << 20));
    NodeId root = graph.add(key_of(1), state_of(1).data(), 0);
    graph.worth(root)->value = 0.001F;
    std::vector<NodeId> leaves{root};
    CHECK(solve(graph, root, 20, rng));
    graph.stage(root).followed = 1'000'000;
    for (std::uint32_t i = 0; i < 3000; ++i) {
      const auto id = static_cast<NodeId>(rng() % graph.size());
      if (graph.solved(id)) continue;
      if (!solve(graph, id, 1 + static_cast<std::uint32_t>(rng() % 30), rng)) break;
      graph.stage(id).followed = static_cast<std::uint32_t>(rng() % 1000);
    }
    CHECK(graph.bytes() <= std::size_t{6} << 20);
    check_graph(graph, root);
    // How often stages were followed, by the names of their states.
    std::map<std::uint32_t, std::uint32_t> followed;
    for (NodeId id = 0; id < graph.size(); ++id) {
      if (graph.solved(id)) followed[name_of(graph, id)] = graph.stage(id).followed;
    }
    const std::size_t before = graph.size();
    root = graph.compact(root, seed % 2 == 0 ? 0.1 : 1.0);
    CHECK(name_of(graph, root) == 1 && graph.solved(root));
    check_graph(graph, root);
    std::uint32_t least = 1'000'000;  // of those that are left
    std::uint32_t most = 0;  // of those that are leaves again, though one could still get there
    for (NodeId id = 0; id < graph.size(); ++id) {
      const auto known = followed.find(name_of(graph, id));
      if (known == followed.end()) continue;
      if (graph.solved(id)) {
        CHECK(graph.stage(id).followed == known->second);
        least = std::min(least, known->second);
      } else {
        most = std::max(most, known->second);
      }
    }
    CHECK(most <= least);
    if (seed % 2 == 0) {
      CHECK(graph.size() < before / 4 && most > 0);
    } else {
      CHECK(most == 0);
    }
    // It goes on.
    for (NodeId id = 0; id < 200; ++id) {
      if (!graph.solved(id)) CHECK(solve(graph, id, 3, rng));
    }
    check_graph(graph, root);
  }
}
