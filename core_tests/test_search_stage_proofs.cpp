#include "search/stage_proofs.h"

#include <cmath>

#include "search_sample.h"

using namespace sample;
using namespace woodstock;

namespace {

// Numbers by definition: of all places that are solved, from those after their moves.
class ByDefinition {
 public:
  ByDefinition(const GraphGame& game, const StageGraph& graph, std::uint32_t me, float wanted)
      : game_(game), graph_(graph), me_(me), wanted_(wanted) {}

  Proof operator()(std::uint32_t place) const {
    const Worth& worth = *graph_.worth(place);
    if (worth.lower >= wanted_) return Proof::yes();
    if (worth.upper < wanted_) return Proof::no();
    const Place& at = game_.places[place];
    if (!graph_.solved(place)) return {};
    // A move of ours is good enough when all answers are; it fails when one of them does.
    std::vector<std::vector<Proof>> answers(at.sizes[me_]);
    std::uint64_t below = 1;
    for (std::uint32_t r = me_ + 1; r < game_.roles; ++r) below *= at.sizes[r];
    for (std::uint64_t joint = 0; joint < at.next.size(); ++joint) {
      answers[joint / below % at.sizes[me_]].push_back((*this)(at.next[joint]));
    }
    std::uint64_t proof = Proof::never;
    std::vector<std::uint64_t> disproofs;
    for (const std::vector<Proof>& after : answers) {
      std::vector<std::uint64_t> proofs;
      std::uint64_t disproof = Proof::never;
      for (const Proof& one : after) {
        proofs.push_back(one.proof);
        disproof = std::min<std::uint64_t>(disproof, one.disproof);
      }
      proof = std::min(proof, all_of(proofs));
      disproofs.push_back(disproof);
    }
    return {static_cast<std::uint32_t>(proof), static_cast<std::uint32_t>(all_of(disproofs))};
  }

 private:
  static std::uint64_t all_of(const std::vector<std::uint64_t>& needed) {
    const std::uint64_t hardest = *std::max_element(needed.begin(), needed.end());
    if (hardest == Proof::never || hardest == 0) return hardest;
    const auto open = std::count_if(needed.begin(), needed.end(), [](auto n) { return n > 0; });
    return hardest + static_cast<std::uint64_t>(open) - 1;
  }

  const GraphGame& game_;
  const StageGraph& graph_;
  std::uint32_t me_;
  float wanted_;
};

// All places, none of them solved; place p is node p.
StageGraph graph_of(const GraphGame& game) {
  StageGraphOptions options;
  options.roles = game.roles;
  options.state_size = 4;
  options.proofs = true;
  StageGraph graph(options);
  for (std::uint32_t p = 0; p < game.places.size(); ++p) {
    const std::uint8_t state[4] = {static_cast<std::uint8_t>(p), 0, 0, 0};
    CHECK(graph.add(p, state, p) == p);
  }
  return graph;
}

void solve(StageGraph& graph, const GraphGame& game, NodeId id) {
  const Place& place = game.places[id];
  std::vector<std::uint32_t> begin{0};
  std::vector<std::uint32_t> moves;
  for (std::uint32_t size : place.sizes) {
    for (std::uint32_t m = 0; m < size; ++m) moves.push_back(m);
    begin.push_back(static_cast<std::uint32_t>(moves.size()));
  }
  const auto width = static_cast<std::uint32_t>(place.next.size());
  graph.solve(id, {begin, moves}, width);
  for (std::uint32_t joint = 0; joint < width; ++joint) graph.link(id, joint, place.next[joint]);
}

}  // namespace

TEST(proof_numbers_of_stages_are_those_of_the_definition) {
  std::uint32_t open = 0;
  std::uint32_t questions = 0;
  for (bool together : {false, true}) {
    for (std::uint32_t roles : {1U, 2U, 3U}) {
      for (std::uint32_t seed = 0; seed < 60; ++seed) {
        GraphShape shape;
        shape.roles = roles;
        shape.together = together;
        shape.places = 16;
        shape.values = {0, 50, 100};
        const GraphGame game = random_graph(shape, seed);
        const std::uint32_t me = seed % roles;
        const Exact exact(game, Concept::maximin, me);
        StageGraph graph = graph_of(game);
        StageValues values(graph, roles, me, Utilities::nobody, Concept::maximin);
        StageProofs proofs(graph, roles, me);
        std::vector<NodeId> left;
        for (NodeId id = 0; id < game.places.size(); ++id) {
          if (game.places[id].over) {
            values.settle(id, exact.of(id).data());
          } else {
            left.push_back(id);
          }
        }
        std::mt19937 rng(seed);
        std::shuffle(left.begin(), left.end(), rng);
        for (const NodeId solved : left) {
          solve(graph, game, solved);
          for (auto id = static_cast<NodeId>(graph.size()); id-- > 0;) {
            if (graph.solved(id)) values.update(id);
          }
          const float before = proofs.wanted();
          proofs.ask(0);
          questions += proofs.wanted() != before ? 1 : 0;
          const Worth& root = *graph.worth(0);
          if (root.settled()) break;
          // Neither answered nor out of reach.
          CHECK(root.lower < proofs.wanted() && proofs.wanted() <= root.upper);
          for (auto id = static_cast<NodeId>(graph.size()); id-- > 0;) {
            const Proof wanted = ByDefinition(game, graph, me, proofs.wanted())(id);
            CHECK(proofs.recount(id) == wanted.answered());
            CHECK(graph.proof(id) == wanted);
            open += wanted.proof > 1 && wanted.proof < Proof::never ? 1 : 0;
          }
        }
      }
    }
  }
  CHECK(open > 1000);
  CHECK(questions > 10);
}

TEST(the_line_to_a_proof_goes_by_how_many_moves_are_left) {
  // We have two moves: to a place where the other has one move, and to one where it has three.
  GraphGame game;
  game.roles = 2;
  game.places.resize(3);
  game.places[0] = {false, {2, 1}, {1, 2}, {0, 0}};
  StageGraph graph = graph_of(game);
  StageProofs proofs(graph, 2, 0);
  solve(graph, game, 0);
  graph.node(1).choices = 3;
  graph.node(2).choices = 2;
  proofs.ask(0);
  CHECK(proofs.wanted() == 1);
  CHECK((graph.proof(0) == Proof{2, 2}));
  CHECK(proofs.nearest(0) == 2);
  // The same moves of ours: one is enough, and to refute them takes all.
  graph.node(1).ours = graph.node(2).ours = true;
  for (NodeId id : {1U, 2U, 0U}) CHECK(!proofs.recount(id));
  CHECK((graph.proof(0) == Proof{1, 4}));
  CHECK(proofs.nearest(0) == 1);
}
