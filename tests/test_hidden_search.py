"""Searches about beliefs in unusual games: odd rules, little memory, little time."""

from __future__ import annotations

from typing import Any

import pytest

from effort import effort
from woodstock import Game, search
from woodstock.belief import Belief, ObservationHistory
from woodstock.search import Decision, Limits
from woodstock.search.portfolio import FLATTERY, Portfolio

LINKED = """
(role a) (role b) (role d) (role random) (init (s 0)) (c 1) (c 2)
(<= (legal random (hide ?c)) (true (s 0)) (c ?c))
(<= (legal random noop) (not (true (s 0))))
(<= (legal ?r noop) (true (s 0)) (role ?r) (distinct ?r random))
(<= (legal a bad) (true (s 1)))
(<= (legal a good) (true (s 1)))
(<= (legal b (x ?c)) (true (s 1)) (true (h ?c)))
(<= (legal d (y ?c)) (true (s 1)) (true (h ?c)))
(<= (next (h ?c)) (does random (hide ?c)))
(<= (next (s 1)) (true (s 0)))
(<= (next (s 2)) (true (s 1)))
(<= (next won) (does a good))
(<= (sees b (h ?c)) (does random (hide ?c)))
(<= (sees d (h ?c)) (does random (hide ?c)))
(<= terminal (true (s 2)))
(<= (goal a 100) (true won))
(<= (goal a 0) (not (true won)))
(goal b 50) (goal d 50) (goal random 0)
"""
"""What two others may do depends on the same hidden thing: half of their pairs cannot be."""


GAMBLE = """
(role a) (role random) (init (s 0)) (succ 0 1) (succ 1 2) (side heads) (side tails)
(<= (legal random (toss ?x)) (true (s 0)) (side ?x))
(<= (legal random noop) (true (s 1)))
(<= (legal a noop) (true (s 0)))
(<= (legal a take) (true (s 1)))
(<= (legal a bet) (true (s 1)))
(<= (next (s ?y)) (true (s ?x)) (succ ?x ?y))
(<= (next (coin ?x)) (does random (toss ?x)))
(<= (next sure) (does a take))
(<= (next lucky) (does a bet) (true (coin heads)))
(<= (sees a (coin ?x)) (true (coin ?x)))
(<= terminal (true (s 2)))
(<= (goal a 60) (true sure))
(<= (goal a 100) (true lucky))
(<= (goal a 0) (not (true sure)) (not (true lucky)))
(goal random 0)
"""
"""Sixty for sure, or a hundred for heads."""


def disjoint(turns: int) -> str:
    """What b may do is decided by a hidden number, which changes every turn."""
    numbers = " ".join(f"(c {i})" for i in range(60))
    moves = " ".join(f"(m {i})" for i in range(6))
    order = " ".join(f"(succ {i} {i + 1})" for i in range(turns))
    return f"""
    (role a) (role b) (role random) (init (s 0)) {numbers} {moves} {order}
    (<= (legal random (hide ?c)) (c ?c))
    (<= (legal a (g ?m)) (m ?m))
    (<= (legal b noop) (true (s 0)))
    (<= (legal b (x ?c ?m)) (true (h ?c)) (m ?m))
    (<= (next (h ?c)) (does random (hide ?c)))
    (<= (next (w ?m)) (does a (g ?m)))
    (<= (next (s ?y)) (true (s ?x)) (succ ?x ?y))
    (<= (sees a (w ?m)) (does b (x ?c ?m)))
    (<= (sees b (w ?m)) (does a (g ?m)))
    (<= terminal (true (s {turns})))
    (<= (goal a 100) (true (w 3)))
    (<= (goal a 0) (not (true (w 3))))
    (<= (goal b 0) (true (w 3)))
    (<= (goal b 100) (not (true (w 3))))
    (goal random 0)
    """


@pytest.mark.parametrize("player", ["mac-ucb-ii", "uct", "grave", "woodstock"])
def test_pairs_of_moves_that_cannot_be_made_say_nothing(player: str) -> None:
    game = Game.from_text(LINKED)
    history = ObservationHistory(game, "a", seed=1)
    history.record("noop", [])
    searcher = search.make_searcher(player, game, "a", seed=1)
    found = searcher.think(history.belief(), limits=Limits(simulations=20_000))
    assert found.move == "good"
    assert found.value == pytest.approx(1.0)
    assert found.proved or player != "mac-ucb-ii"


@pytest.mark.parametrize(
    "player", ["cfr:solve_nodes=0", "uct:playout_policy=1", "grave:others=next"]
)
def test_a_tree_without_room_for_moves_still_answers(player: str) -> None:
    game = Game.from_text(disjoint(12))
    belief = Belief.certain(game.initial_state(), "a")
    searcher = search.make_searcher(player, game, "a", seed=1, memory_mb=4)
    found = searcher.think(belief, limits=Limits(simulations=effort(100_000, 300_000)))
    assert found.move in belief.legal_moves()
    assert found.bytes <= 5 << 20


def test_stages_think_again_after_their_memory_was_full() -> None:
    game = Game.from_library("latent-tic-tac-toe-10x10")
    belief = ObservationHistory(game, "x", seed=1).belief()
    searcher = search.make_searcher("mac-ucb-ii", game, "x", seed=1, memory_mb=4)
    for _ in range(3):
        found = searcher.think(belief, limits=Limits(nodes=200_000))
        assert found.move in belief.legal_moves()
        assert found.nodes > 100


def test_a_search_without_time_has_an_answer() -> None:
    game = Game.from_library("wumpus")
    belief = Belief.certain(game.initial_state(), "hunter")
    for player in ("woodstock", "uct", "grave", "cfr", "mac-ucb-ii", "flat-ucb", "pimc"):
        searcher = search.make_searcher(player, game, "hunter", seed=1)
        assert searcher.think(belief, limits=Limits(seconds=0.0)).move == "noop"


class _Says:
    """A search that knows its answer."""

    def __init__(self, move: str, value: float, *, proved: bool = False) -> None:
        self.asked: list[Limits] = []
        self.stopped = 0
        self._decision = Decision(move, value, {}, (), nodes=3, proved=proved)

    def think(self, situation: Any, *, limits: Limits, on_progress: Any = None) -> Decision:
        self.asked.append(limits)
        return self._decision

    def stop(self) -> None:
        self.stopped += 1


@pytest.mark.parametrize(
    ("first", "second", "believed"),
    [
        (_Says("a", 0.95), _Says("b", 0.5), "a"),
        (_Says("a", 0.5 + FLATTERY / 2), _Says("b", 0.5), "b"),
        (_Says("a", 0.1), _Says("b", 0.5), "b"),
        (_Says("a", 0.1, proved=True), _Says("b", 0.5), "a"),
    ],
)
def test_of_a_portfolio_who_finds_more_is_believed(first: Any, second: Any, believed: str) -> None:
    portfolio = Portfolio(first, second, 0.25)
    state = Game.from_library("monty-hall").initial_state()
    found = portfolio.think(state, limits=Limits(seconds=4, nodes=100))
    assert found.move == believed
    assert (first.asked[0].seconds, first.asked[0].nodes) == (1.0, 25)
    assert found.proved == (not second.asked)
    assert found.nodes == 3 * (1 + len(second.asked))
    portfolio.stop()
    assert (first.stopped, second.stopped) == (1, 1)


@pytest.mark.parametrize("playout_policy", [0, 1])
@pytest.mark.parametrize(("risk_exponent", "move", "value"), [(1, "take", 0.6), (2, "bet", 0.5)])
def test_who_dares_prefers_a_chance_and_knows_its_worth(
    playout_policy: int, risk_exponent: int, move: str, value: float
) -> None:
    game = Game.from_text(GAMBLE)
    name = f"uct:playout_policy={playout_policy},risk_exponent={risk_exponent}"
    searcher = search.make_searcher(name, game, "a", seed=1)
    history = ObservationHistory(game, "a", seed=1)
    history.record("noop", [])
    found = searcher.think(history.belief(), limits=Limits(simulations=100_000))
    assert found.move == move
    assert found.value == pytest.approx(value, abs=0.02)
    values = {one.move: one.value for one in found.moves}
    assert values["take"] == pytest.approx(0.6)


def test_with_others_nobody_dares() -> None:
    game = Game.from_text(LINKED)
    with pytest.raises(search.OptionError, match="risk_exponent"):
        search.make_searcher("uct:risk_exponent=2", game, "a", seed=1)
