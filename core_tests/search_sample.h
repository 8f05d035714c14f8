// Games drawn at random as graphs of places, and what their places are worth, for tests of
// searches.

#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "circuit_sample.h"
#include "search/bounds.h"
#include "search/concept.h"
#include "search/tree.h"

namespace sample {

using woodstock::Concept;
using woodstock::Simultaneous;
using woodstock::Utilities;

struct Place {
  bool over = false;
  std::vector<std::uint32_t> sizes;  // moves of each role
  std::vector<std::uint32_t> next;   // place after each joint move, the last role's moves first
  std::vector<std::uint32_t> goals;  // of each role, if play ends here
};

struct GraphGame {
  std::uint32_t roles = 0;
  std::uint32_t chance = Utilities::nobody;
  std::vector<Place> places;  // play begins in the first
};

struct GraphShape {
  std::uint32_t roles = 2;
  bool chance = false;    // the last role is drawn
  bool together = false;  // all roles may choose at once; otherwise one player at a time
  bool circles = false;   // places may come back
  std::uint32_t places = 24;
  std::uint32_t moves = 3;  // at most, of a role
  std::vector<std::uint32_t> values{0, 10, 20, 30, 50, 70, 80, 90, 100};
};

inline GraphGame random_graph(const GraphShape& shape, std::uint32_t seed) {
  std::mt19937 rng(seed);
  const auto below = [&rng](std::size_t n) { return static_cast<std::uint32_t>(rng() % n); };
  GraphGame game;
  game.roles = shape.roles;
  if (shape.chance) game.chance = shape.roles - 1;
  game.places.resize(shape.places);
  for (std::uint32_t p = 0; p < shape.places; ++p) {
    Place& place = game.places[p];
    for (std::uint32_t r = 0; r < shape.roles; ++r) {
      place.goals.push_back(shape.values[below(shape.values.size())]);
    }
    place.over = p > 0 && (p + 1 == shape.places || below(4) == 0);
    const std::uint32_t mover = below(shape.roles);
    std::uint64_t width = 1;
    for (std::uint32_t r = 0; r < shape.roles; ++r) {
      const bool chooses = shape.together || r == mover || r == game.chance;
      place.sizes.push_back(chooses ? 1 + below(shape.moves) : 1);
      width *= place.sizes.back();
    }
    for (std::uint64_t joint = 0; joint < width && !place.over; ++joint) {
      const std::uint32_t first = shape.circles ? 0 : p + 1;
      // Mostly near by, so that games are long.
      const std::uint32_t span = std::min(shape.places - first, below(4) == 0 ? 1000U : 6U);
      place.next.push_back(shape.circles ? below(shape.places) : first + below(span));
    }
  }
  return game;
}

// The rules of such a game: a fluent for each place, and moves that are called by their number.
inline GroundProgram rules(const GraphGame& game) {
  constexpr std::uint32_t at = 100'000;
  constexpr std::uint32_t move = 10'000;
  Writer w;
  w.rule(w.atom(init, {at}));
  for (std::uint32_t r = 0; r < game.roles; ++r) w.rule(w.atom(role, {1 + r}));
  for (std::uint32_t p = 0; p < game.places.size(); ++p) {
    const Place& place = game.places[p];
    const Literal here = w.atom(holds, {at + p});
    for (std::uint32_t r = 0; r < game.roles; ++r) {
      w.rule(w.atom(goal, {1 + r, place.goals[r]}), {here});
      for (std::uint32_t m = 0; m < place.sizes[r]; ++m) {
        w.rule(w.atom(legal, {1 + r, move + m}), {here});
        w.atom(does, {1 + r, move + m});
      }
    }
    if (place.over) w.rule(w.atom(terminal), {here});
    for (std::uint64_t joint = 0; joint < place.next.size(); ++joint) {
      std::vector<Literal> body{here};
      std::uint64_t rest = joint;
      for (std::uint32_t r = game.roles; r-- > 0;) {
        const auto m = static_cast<std::uint32_t>(rest % place.sizes[r]);
        rest /= place.sizes[r];
        if (place.sizes[r] > 1) body.push_back(w.atom(does, {1 + r, move + m}));
      }
      w.rule(w.atom(next, {at + place.next[joint]}), body);
    }
  }
  return w.builder.finish();
}

// A tree of all places of a game, without any edges yet; place p is node p.
inline woodstock::Tree tree_of(const GraphGame& game, bool proofs = false) {
  woodstock::TreeOptions options;
  options.roles = game.roles;
  options.chance = game.chance;
  options.state_size = 4;
  options.moves = 64;
  options.proofs = proofs;
  woodstock::Tree tree(options);
  for (std::uint32_t p = 0; p < game.places.size(); ++p) {
    const Place& place = game.places[p];
    std::vector<std::uint32_t> begin{0};
    std::vector<std::uint32_t> legal;
    for (std::uint32_t size : place.sizes) {
      for (std::uint32_t m = 0; m < size; ++m) legal.push_back(m);
      begin.push_back(static_cast<std::uint32_t>(legal.size()));
    }
    const std::uint8_t state[4] = {static_cast<std::uint8_t>(p), 0, 0, 0};
    CHECK(tree.add(p, state, place.over, begin.data(), legal.data()) == p);
  }
  return tree;
}

// Values by definition, for games without circles: of each place, one utility for each role.
class Exact {
 public:
  Exact(const GraphGame& game, Concept solution_concept, std::uint32_t me)
      : game_(game), concept_(solution_concept), me_(me), values_(game.places.size()) {
    for (std::size_t p = game.places.size(); p-- > 0;) values_[p] = value(game.places[p]);
  }

  const std::vector<double>& of(std::uint32_t place) const { return values_[place]; }

  // What our moves in a place are worth to us: the others do their worst, or a team its best.
  std::vector<double> moves(std::uint32_t place) const { return own(game_.places[place], me_); }

 private:
  std::vector<double> end(const std::vector<std::uint32_t>& goals) const {
    std::vector<double> out(game_.roles);
    double sum = 0;
    for (std::uint32_t r = 0; r < game_.roles; ++r) {
      if (r != game_.chance) sum += goals[r] / 100.0;
    }
    const std::uint32_t players = game_.roles - (game_.chance == Utilities::nobody ? 0 : 1);
    const double mean = sum / players;
    double mine = goals[me_] / 100.0;
    if (concept_ == Concept::difference && players > 1) {
      mine = 0.5 + (mine - (sum - mine) / (players - 1)) / 2;
    }
    for (std::uint32_t r = 0; r < game_.roles; ++r) {
      out[r] = concept_ == Concept::team   ? mean
               : concept_ == Concept::maxn ? goals[r] / 100.0
               : r == me_                  ? mine
                                           : 1 - mine;
    }
    return out;
  }

  // The expected values after the players' moves in `places`.
  std::vector<double> expect(const Place& place, std::vector<std::uint32_t> moves) const {
    std::vector<double> out(game_.roles, 0);
    const std::uint32_t draws = game_.chance < game_.roles ? place.sizes[game_.chance] : 1;
    for (std::uint32_t draw = 0; draw < draws; ++draw) {
      if (game_.chance < game_.roles) moves[game_.chance] = draw;
      std::size_t joint = 0;
      for (std::uint32_t r = 0; r < game_.roles; ++r) joint = joint * place.sizes[r] + moves[r];
      for (std::uint32_t r = 0; r < game_.roles; ++r) {
        out[r] += values_[place.next[joint]][r] / draws;
      }
    }
    return out;
  }

  bool advance(const Place& place, std::vector<std::uint32_t>& moves) const {
    for (std::uint32_t r = game_.roles; r-- > 0;) {
      if (r == game_.chance) continue;
      if (++moves[r] < place.sizes[r]) return true;
      moves[r] = 0;
    }
    return false;
  }

  std::vector<double> own(const Place& place, std::uint32_t role) const {
    const bool team = concept_ == Concept::team;
    std::vector<double> worth(place.sizes[role], team ? 0.0 : 1.0);
    std::vector<std::uint32_t> moves(game_.roles, 0);
    do {
      const double value = expect(place, moves)[role];
      double& known = worth[moves[role]];
      known = team ? std::max(known, value) : std::min(known, value);
    } while (advance(place, moves));
    return worth;
  }

  std::vector<double> value(const Place& place) const {
    if (place.over) return end(place.goals);
    for (std::uint32_t size : place.sizes) {
      if (size == 0) return end(place.goals);
    }
    // Everybody's first best move, each reckoning with the worst of the others.
    std::vector<std::uint32_t> best(game_.roles, 0);
    for (std::uint32_t r = 0; r < game_.roles; ++r) {
      if (r == game_.chance) continue;
      const std::vector<double> worth = own(place, r);
      best[r] =
          static_cast<std::uint32_t>(std::max_element(worth.begin(), worth.end()) - worth.begin());
    }
    std::vector<double> out = expect(place, best);
    if (concept_ != Concept::maxn) {
      const std::vector<double> worth = own(place, me_);
      const double mine = *std::max_element(worth.begin(), worth.end());
      for (std::uint32_t r = 0; r < game_.roles; ++r) {
        out[r] = r == me_ || concept_ == Concept::team ? mine : 1 - mine;
      }
    }
    return out;
  }

  const GraphGame& game_;
  Concept concept_;
  std::uint32_t me_;
  std::vector<std::vector<double>> values_;
};

}  // namespace sample
