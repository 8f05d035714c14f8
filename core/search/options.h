// The options of all searches: what they are called, what they are unless told otherwise, and which
// values make sense.
//
// A struct checks its own values, whatever the game; what a game must have for them, such as the
// player, the search checks that is made for it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "search/concept.h"

namespace woodstock {

// How players choose while a simulation goes down the tree.
//   ucb     mean + C sqrt(ln N / n), every role for itself (Kocsis and Szepesvari 2006; decoupled
//           where several roles choose)
//   grave   mean and all-moves-as-first mean of the nearest ancestor with enough visits, mixed
//           (Cazenave 2015)
//   regret  drawn by regret matching (Hart and Mas-Colell 2000; as in Monte-Carlo CFR)
enum class Choice { ucb, grave, regret };

// What the others are taken to know.
//   memories    what they have done and perceived
//   next        only what they do and perceive from now on, as if they began here
//   everything  the state: they answer everything that we might have done
enum class Others { memories, next, everything };

// Which open stage is solved next.
//   utility    the one of the highest value to us: Algorithm 3 of the papers, literally
//   principal  the one that everybody's best play leads to, with a small bonus for moves that have
//              been followed rarely
//   depth      the shallowest, so that all stages up to a growing depth are solved
enum class StageOrder { utility, principal, depth };

// What states are worth that a search has only just met.
//   playouts  what random games say
//   net       what a learned net says; nothing is played
//   blend     both, mixed
enum class Values { playouts, net, blend };

// Which move answers, where nothing is proved.
//   value     the one of the highest value
//   followed  the one that was followed most often on the way to the next stage
enum class Answer { value, followed };

// The value that goes by a name, for the enumerations above. Throws std::invalid_argument for a
// name that is none.
template <class Option>
Option parse(std::string_view name);
template <class Option>
std::string_view name_of(Option option);

// What every search is told.
struct SearchOptions {
  Concept concept_ = Concept::maximin;
  std::uint32_t role = 0;
  std::uint32_t chance = Utilities::nobody;  // the role whose moves are drawn
  std::uint32_t max_plies = 100'000;         // of a playout
  std::uint64_t seed = 0;
  std::size_t memory = std::size_t{256} << 20;  // bytes

  // Throws std::invalid_argument for values without sense.
  void check() const;
  // The same where a game with so many roles has no such player.
  void check_player(std::uint32_t roles) const;
};

// What searches by sampling have in common: how they choose, and how much they sample at a time.
struct SamplingOptions : SearchOptions {
  Choice choice = Choice::ucb;
  double exploration = 0.5;     // C; visits are counted in playouts
  std::uint32_t leaves = 64;    // a pass goes down so often (for each thread, where there are any)
  std::uint32_t playouts = 8;   // ... and plays so many games from each leaf
  bool halving = false;         // sequential halving at the root
  std::uint32_t max_depth = 0;  // of the tree; 0: no limit, 1: a flat bandit
  double reference = 50;        // grave: visits that make a node a reference for those below it
  double bias = 1e-5;           // grave: how soon a move's own mean takes over
  double mixing = 0.1;          // regret: the share of moves that who learns draws uniformly

  void check() const;
};

struct TreeSearchOptions : SamplingOptions {
  // PN-MCTS: what is added to the value of a move that is one leaf from a proof; 0: nothing. For
  // contests without chance, and not for choices by regret.
  double proof_numbers = 0;
  // So many states are opened after each pass, in the mean, without playouts, the one first that is
  // nearest to a proof (proof-number search); 0: none. For the same games.
  double proof_steps = 0;
  double mast = 0;  // MAST: playouts prefer moves that did so much better than usual; 0: none
  Values values = Values::playouts;  // of leaves; never the net alone
  double net_weight = 0.5;           // blend: the share of the net, the rest is for playouts

  void check() const;
};

struct InformationSearchOptions : SamplingOptions {
  bool mixed = false;  // the answer is drawn by the average strategy, not the best move
  Others others = Others::memories;
  // For each role the fluents, as a packed state, that it always knows the truth of. Beyond the
  // trees it then plays by a learned playout policy: by what has done well where it knew the same.
  // Empty: it moves at random.
  std::vector<std::uint8_t> known_fluents;
  double policy_exploration = 0.3;  // C of the playout policy
  double policy_prior = 8;          // visits that the policy counts for in a tree
  // Goals count by this power, for who plays alone. Who thinks again at every move makes more of a
  // chance than a search sees in it, but no more of an end: above 1, small goals that are sure
  // count for less. Values of decisions are those of the goals as they are.
  double risk_exponent = 1;

  void check() const;
};

// What searches by stages have in common.
struct StageSearchOptions : SearchOptions {
  std::uint32_t samples = 512;  // of the solutions of a stage
  double confidence = 2.0;      // UCB1: mean + sqrt(confidence ln n / n_i)
  double bonus = 0.03;          // on the way to the next stage, for moves followed rarely

  void check() const;
};

struct MacUcbOptions : StageSearchOptions {
  StageOrder order = StageOrder::principal;
  std::uint32_t batch = 512;  // samples that are played together
  // The share of the time for solving; the rest is for sampling. 0: whatever it takes, `samples`
  // samples following on each solved stage. Limits on nodes and simulations have it so always.
  double solving_share = 0;
  bool shrinking = true;  // means of few samples are drawn towards that of their stage
  bool cache = true;      // states met before are not made and sampled again
  Values values = Values::playouts;
  double net_weight = 0.5;  // blend: the share of the net, the rest is for playouts
  Answer answer = Answer::value;
  // So many stages are solved after each that is sampled, in the mean, the one first that is
  // nearest to a proof (proof-number search); 0: none. For contests without chance.
  double proof_steps = 0;

  void check() const;
};

struct MacUcbIIOptions : StageSearchOptions {
  std::uint32_t hypotheses = 256;   // of a belief; of more, so many are drawn
  std::uint32_t successors = 8192;  // of a stage; of more, chance and then hypotheses are drawn

  // A belief has many states in a stage, and each takes time: fewer samples leave some for others.
  MacUcbIIOptions() { samples = 256; }

  void check() const;
};

}  // namespace woodstock
