#include "search/tree.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "check.h"

using namespace woodstock;

namespace {

constexpr std::uint32_t roles = 3;
constexpr std::uint32_t chance = 2;
constexpr std::size_t moves = 40;
constexpr std::size_t state_size = 5;

TreeOptions options(bool regrets, std::size_t memory) {
  TreeOptions out;
  out.roles = roles;
  out.chance = chance;
  out.state_size = state_size;
  out.moves = moves;
  out.regrets = regrets;
  out.memory = memory;
  return out;
}

struct Legal {
  std::vector<std::uint32_t> begin{0};
  std::vector<std::uint32_t> moves;
};

Legal legal(const std::vector<std::uint32_t>& sizes) {
  Legal out;
  for (std::uint32_t r = 0; r < sizes.size(); ++r) {
    for (std::uint32_t m = 0; m < sizes[r]; ++m) out.moves.push_back(13 * r + m);
    out.begin.push_back(static_cast<std::uint32_t>(out.moves.size()));
  }
  return out;
}

std::vector<std::uint8_t> state_of(std::uint32_t name) {
  std::vector<std::uint8_t> out(state_size, 7);
  std::memcpy(out.data(), &name, sizeof name);
  return out;
}

NodeId add(Tree& tree, std::uint32_t name, std::uint64_t key,
           const std::vector<std::uint32_t>& sizes, bool over = false) {
  const Legal list = legal(sizes);
  return tree.add(key, state_of(name).data(), over, list.begin.data(), list.moves.data());
}

// What a node should remember, by the name in its state.
struct Remembered {
  std::uint64_t key = 0;
  std::vector<std::uint32_t> sizes;
  bool over = false;
  std::uint32_t visits = 0;
  std::map<std::uint64_t, std::uint32_t> children;  // joint move -> name
  bool amaf = false;
};

// Numbers that belong to a place of a node, to be found there again.
double number(std::uint32_t name, std::uint32_t what) { return name * 64.0 + what; }

void write(Tree& tree, NodeId id, std::uint32_t name, const Remembered& known, bool regrets) {
  Node& node = tree.node(id);
  node.visits = known.visits;
  for (std::uint32_t r = 0; r < roles; ++r) {
    tree.values(id)[r].sum = number(name, r);
    tree.values(id)[r].lower = 0.25F;
    if (node.terminal) continue;
    std::uint32_t place = 0;
    for (Arm& arm : tree.arms(id, r)) {
      arm.visits = name + place;
      arm.sum = number(name, 10 * r + place);
      arm.upper = 0.75F;
      ++place;
    }
    if (!regrets) continue;
    for (Regret& regret : tree.regrets(id, r)) regret.regret = static_cast<float>(name);
  }
  if (!known.amaf) return;
  Amaf* table = tree.make_amaf(id);
  CHECK(table != nullptr);
  for (std::size_t m = 0; m < moves; ++m) table[m] = {static_cast<float>(name), 1.0F};
}

void check_node(Tree& tree, NodeId id, std::uint32_t name, const Remembered& known, bool regrets) {
  const Node& node = tree.node(id);
  CHECK(node.key == known.key);
  CHECK(node.visits == known.visits);
  CHECK(node.terminal == known.over);
  CHECK(std::memcmp(tree.state(id), state_of(name).data(), state_size) == 0);
  for (std::uint32_t r = 0; r < roles; ++r) {
    CHECK(tree.values(id)[r].sum == number(name, r));
    CHECK(tree.values(id)[r].lower == 0.25F);
    const auto arms = tree.arms(id, r);
    CHECK(arms.size() == (known.over ? 0 : known.sizes[r]));
    for (std::uint32_t place = 0; place < arms.size(); ++place) {
      CHECK(arms[place].move == 13 * r + place);
      CHECK(arms[place].visits == name + place);
      CHECK(arms[place].sum == number(name, 10 * r + place));
      CHECK(arms[place].upper == 0.75F);
    }
    if (!regrets) continue;
    CHECK(tree.regrets(id, r).size() == arms.size());
    for (const Regret& regret : tree.regrets(id, r)) {
      CHECK(regret.regret == static_cast<float>(name));
    }
  }
  const Amaf* table = tree.amaf(id);
  CHECK((table != nullptr) == known.amaf);
  if (table == nullptr) return;
  for (std::size_t m = 0; m < moves; ++m) CHECK(table[m].games == static_cast<float>(name));
}

std::uint64_t width(const Remembered& known) {
  std::uint64_t out = known.over ? 0 : 1;
  for (std::uint32_t size : known.sizes) out *= known.over ? 0 : size;
  return out;
}

}  // namespace

TEST(a_tree_tells_states_with_the_same_key_apart) {
  Tree tree(options(false, 64 << 20));
  const NodeId a = add(tree, 1, 99, {2, 1, 1});
  const NodeId b = add(tree, 2, 99, {1, 2, 1});
  CHECK(tree.find(99, state_of(1).data()) == a);
  CHECK(tree.find(99, state_of(2).data()) == b);
  CHECK(tree.find(99, state_of(3).data()) == no_node);
  CHECK(tree.find(98, state_of(1).data()) == no_node);
}

TEST(a_node_knows_who_chooses) {
  struct Wanted {
    std::vector<std::uint32_t> sizes;
    std::uint32_t choosers, pivot;
    bool single;
    std::uint64_t width;
  };
  Tree tree(options(false, 64 << 20));
  std::uint32_t name = 0;
  for (const Wanted& wanted : std::vector<Wanted>{{{1, 1, 1}, 0, 0, true, 1},
                                                  {{1, 3, 1}, 1, 1, true, 3},
                                                  {{1, 1, 4}, 0, 2, true, 4},
                                                  {{2, 1, 4}, 1, 0, false, 8},
                                                  {{1, 2, 4}, 1, 1, false, 8},
                                                  {{3, 2, 1}, 2, 0, false, 6},
                                                  {{3, 2, 2}, 2, 0, false, 12}}) {
    ++name;
    const Node& node = tree.node(add(tree, name, name, wanted.sizes));
    CHECK(node.choosers == wanted.choosers);
    CHECK(node.pivot == wanted.pivot);
    CHECK(node.single == wanted.single);
    CHECK(node.width == wanted.width);
    CHECK(!node.terminal);
  }
}

TEST(a_state_in_which_somebody_has_no_move_is_an_end) {
  Tree tree(options(true, 64 << 20));
  const NodeId id = add(tree, 1, 1, {3, 0, 2});
  CHECK(tree.node(id).terminal);
  CHECK(tree.node(id).width == 0);
  for (std::uint32_t r = 0; r < roles; ++r) CHECK(tree.arms(id, r).empty());
  CHECK(tree.compact(id, 0.5) == 0);
  CHECK(tree.size() == 1);
}

TEST(joint_moves_count_through_the_last_role_first) {
  Tree tree(options(false, 64 << 20));
  const NodeId id = add(tree, 1, 1, {3, 2, 4});
  std::uint32_t places[roles];
  for (std::uint64_t joint = 0; joint < 24; ++joint) {
    tree.joint_places(id, joint, places);
    CHECK(places[0] == joint / 8 && places[1] == joint / 4 % 2 && places[2] == joint % 4);
    CHECK(tree.joint_of(id, places) == joint);
    std::uint32_t made[roles];
    tree.joint_moves(id, joint, made);
    for (std::uint32_t r = 0; r < roles; ++r) CHECK(made[r] == 13 * r + places[r]);
    CHECK(tree.child(id, joint) == no_node);
  }
}

TEST(compaction_keeps_what_it_keeps) {
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    std::mt19937 rng(seed);
    const auto below = [&rng](std::uint32_t n) { return static_cast<std::uint32_t>(rng() % n); };
    const bool regrets = seed % 2 == 1;
    Tree tree(options(regrets, 64 << 20));
    std::map<std::uint32_t, Remembered> known;
    std::uint32_t names = 0;
    for (int round = 0; round < 4; ++round) {
      // New nodes, edges between any of them, new numbers in all of them.
      for (std::uint32_t i = 0, n = 200 + below(3000); i < n; ++i) {
        const std::uint32_t name = names++;
        Remembered& one = known[name];
        one.key = below(8) == 0 ? 5 : rng();
        one.over = below(5) == 0;
        for (std::uint32_t r = 0; r < roles; ++r) {
          one.sizes.push_back(below(2) == 0 ? 1 : 1 + below(13));
        }
        one.visits = below(2) == 0 ? below(4) : below(1U << below(20));
        one.amaf = !one.over && below(10) == 0;
        const NodeId id = add(tree, name, one.key, one.sizes, one.over);
        write(tree, id, name, one, regrets);
      }
      std::vector<std::uint32_t> all;
      for (const auto& [name, one] : known) all.push_back(name);
      for (auto& [name, one] : known) {
        if (one.over) continue;
        for (std::uint32_t i = 0, n = below(4); i < n; ++i) {
          const std::uint64_t joint = rng() % width(one);
          const std::uint32_t child = all[below(static_cast<std::uint32_t>(all.size()))];
          tree.link(tree.find(one.key, state_of(name).data()), joint,
                    tree.find(known[child].key, state_of(child).data()));
          one.children[joint] = child;
        }
      }
      // Only what can be reached stays; of that, what is visited more than what goes.
      const std::uint32_t root_name = all[below(static_cast<std::uint32_t>(all.size()))];
      std::set<std::uint32_t> reached{root_name};
      std::vector<std::uint32_t> waiting{root_name};
      while (!waiting.empty()) {
        const std::uint32_t name = waiting.back();
        waiting.pop_back();
        for (const auto& [joint, child] : known[name].children) {
          if (reached.insert(child).second) waiting.push_back(child);
        }
      }
      const double share = round % 2 == 0 ? 1.0 : 0.002;
      const std::size_t before = tree.bytes();
      const NodeId root =
          tree.compact(tree.find(known[root_name].key, state_of(root_name).data()), share);
      CHECK(tree.bytes() <= before);
      CHECK(tree.find(known[root_name].key, state_of(root_name).data()) == root);
      std::map<std::uint32_t, Remembered> kept;
      std::uint32_t least_kept = ~0U;
      std::uint32_t most_dropped = 0;
      for (const auto& [name, one] : known) {
        const NodeId id = tree.find(one.key, state_of(name).data());
        if (id == no_node) {
          if (reached.count(name) != 0) most_dropped = std::max(most_dropped, one.visits);
          continue;
        }
        CHECK(reached.count(name) != 0);
        if (name != root_name) least_kept = std::min(least_kept, one.visits);
        kept[name] = one;
      }
      CHECK(kept.size() == tree.size());
      CHECK(share < 1 || kept.size() == reached.size());
      CHECK(kept.size() == 1 || most_dropped < least_kept || most_dropped == 0);
      for (auto& [name, one] : kept) {
        const NodeId id = tree.find(one.key, state_of(name).data());
        check_node(tree, id, name, one, regrets);
        std::erase_if(one.children, [&](const auto& edge) { return kept.count(edge.second) == 0; });
        for (std::uint64_t joint = 0, n = std::min<std::uint64_t>(width(one), 300); joint < n;
             ++joint) {
          const NodeId child = tree.child(id, joint);
          const auto wanted = one.children.find(joint);
          CHECK((child == no_node) == (wanted == one.children.end()));
          if (child == no_node || wanted == one.children.end()) continue;
          CHECK(std::memcmp(tree.state(child), state_of(wanted->second).data(), state_size) == 0);
        }
      }
      known = std::move(kept);
    }
  }
}

TEST(a_tree_keeps_to_its_memory) {
  constexpr std::size_t memory = 4 << 20;
  for (bool together : {false, true}) {
    Tree tree(options(true, memory));
    const std::vector<std::uint32_t> sizes{5, together ? 5U : 1U, 1};
    std::uint32_t name = 0;
    const NodeId root = add(tree, name++, 0, sizes);
    while (tree.has_room(together ? 11 : 7)) {
      const NodeId id = add(tree, name, name, sizes);
      const std::uint32_t parent = (name - 1) / 5;
      tree.link(tree.find(parent, state_of(parent).data()), (name - 1) % 5, id);
      ++name;
      CHECK(tree.bytes() <= memory);
      if (name % 7 == 0) tree.make_amaf(id);
      CHECK(tree.bytes() <= memory);
    }
    CHECK(tree.size() > 2000);
    CHECK(tree.compact(root, 0.5) == 0);
    CHECK(tree.bytes() <= memory * 3 / 4);
    CHECK(tree.has_room(11));
  }
}

TEST(edges_between_known_states_need_room_too) {
  // Few states, many ways between them.
  constexpr std::size_t memory = 4 << 20;
  TreeOptions wide;
  wide.roles = 2;
  wide.state_size = state_size;
  wide.moves = 2000;
  wide.memory = memory;
  Tree tree(wide);
  Legal list;
  for (std::uint32_t r = 0; r < 2; ++r) {
    for (std::uint32_t m = 0; m < 1000; ++m) list.moves.push_back(1000 * r + m);
    list.begin.push_back(static_cast<std::uint32_t>(list.moves.size()));
  }
  const NodeId id = tree.add(1, state_of(1).data(), false, list.begin.data(), list.moves.data());
  for (std::uint64_t joint = 0; joint < 1'000'000 && tree.has_room(0); ++joint) {
    tree.link(id, joint, id);
    CHECK(tree.bytes() <= memory);
  }
  CHECK(!tree.has_room(0));
}

TEST(a_cleared_tree_is_empty) {
  Tree tree(options(true, 64 << 20));
  for (std::uint32_t name = 0; name < 5000; ++name) add(tree, name, name, {2, 2, 1});
  tree.link(0, 3, 1);
  tree.make_amaf(0);
  tree.clear();
  CHECK(tree.size() == 0);
  CHECK(tree.find(7, state_of(7).data()) == no_node);
  const NodeId id = add(tree, 0, 0, {2, 2, 1});
  CHECK(tree.child(id, 3) == no_node);
  CHECK(tree.amaf(id) == nullptr);
  CHECK(tree.node(id).visits == 0);
  CHECK(tree.regrets(id, 0)[0].regret == 0);
}
