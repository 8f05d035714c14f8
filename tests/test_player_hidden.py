"""The player that thinks where something is hidden: beliefs in time, whatever trackers do."""

from __future__ import annotations

import math
import threading
from collections.abc import Collection

import pytest

from games_support import load
from player_support import Fake, Patient, SimulatedClock, player_of, reason_of
from woodstock import Game
from woodstock.belief import Belief, ObservationHistory, PlainParticleFilter
from woodstock.gdl.terms import Term
from woodstock.player import Clock
from woodstock.search import Limits
from woodstock.search.plain_searcher import PlainSearcher


class Broken(PlainParticleFilter):
    """Fails whenever it is told something."""

    def advance(self, move: Term | None, percepts: Collection[Term] | None, until: float) -> bool:
        raise RuntimeError("lost")


class Stuck(PlainParticleFilter):
    """Does not come back before it is released."""

    release = threading.Event()
    clock: Clock

    def advance(self, move: Term | None, percepts: Collection[Term] | None, until: float) -> bool:
        self.clock.wait(self.release, math.inf)
        return super().advance(move, percepts, until)


def monty(
    make: type[PlainParticleFilter] = PlainParticleFilter, turns: int = 2
) -> ObservationHistory:
    """What the candidate has seen before it decides, or earlier."""
    game = load("monty-hall")
    history = ObservationHistory(game, "candidate", seed=1, make=make)
    told = [("(choose 1)", []), ("noop", [game.term("(open 3)")])]
    for move, percepts in told[:turns]:
        history.record(game.term(move), percepts)
    return history


def test_the_search_is_asked_about_the_belief(clock: SimulatedClock) -> None:
    search = Fake("candidate")
    player = player_of(search, clock=clock)
    assert player.choose(monty(), "candidate", clock.later()) == "switch"
    assert reason_of(player) == "search"
    (about,) = search.asked
    assert isinstance(about, Belief)
    assert len(about.states) == 2


def test_the_start_clock_is_for_the_first_belief(clock: SimulatedClock) -> None:
    search = Fake("candidate")
    player = player_of(search, clock=clock)
    player.prepare(load("monty-hall"), "candidate", clock.later())
    (about,) = search.asked
    assert isinstance(about, Belief)
    assert about.turn == 0


def test_an_only_move_keeps_the_belief_up_to_date(clock: SimulatedClock) -> None:
    search, history = Fake("candidate"), monty(turns=1)
    player = player_of(search, clock=clock)
    assert player.choose(history, "candidate", clock.later()) == "noop"
    assert reason_of(player) == "only move"
    assert search.asked == []
    # Nothing is left to catch up with in the turn that matters.
    assert history.belief(-math.inf).turn == 1
    assert len(history.belief(-math.inf).states) == 3


def test_nobody_thinks_ahead_of_what_is_hidden(clock: SimulatedClock) -> None:
    search = Patient("candidate")
    player = player_of(search, ponder=True, clock=clock)
    player.choose(monty(), "candidate", clock.soon())
    assert len(search.asked) == 1
    assert not player._open


def test_a_tracker_that_fails_is_replaced(
    clock: SimulatedClock, caplog: pytest.LogCaptureFixture
) -> None:
    search = Fake("candidate")
    player = player_of(search, clock=clock)
    assert player.choose(monty(Broken), "candidate", clock.later()) == "switch"
    assert "the tracker has failed" in caplog.text
    (about,) = search.asked
    assert isinstance(about, Belief)
    assert len(about.states) == 2


def test_a_tracker_that_does_not_come_back_is_not_waited_for(clock: SimulatedClock) -> None:
    search, history = Fake("candidate"), monty(Stuck)
    player = player_of(search, clock=clock)
    Stuck.clock = clock
    Stuck.release.clear()
    try:
        # Moves of the first turn: nothing else is known yet.
        assert str(player.choose(history, "candidate", clock.soon())).startswith("(choose ")
        assert reason_of(player) == "fallback"
        player.choose(history, "candidate", clock.soon())
        assert search.asked == []
    finally:
        Stuck.release.set()
    assert player.choose(history, "candidate", clock.later()) == "switch"
    assert reason_of(player) == "search"


# The plain search.


@pytest.mark.parametrize("engine", ["circuit", "lifted"])
def test_the_plain_search_draws_states_from_the_belief(engine: str) -> None:
    game = Game.from_library("monty-hall", engine=engine)  # type: ignore[arg-type]
    history = ObservationHistory(game, "candidate", seed=1)
    history.record(game.term("(choose 1)"), [])
    history.record("noop", [game.term("(open 3)")])
    found = PlainSearcher("candidate", seed=1).think(
        history.belief(), limits=Limits(simulations=3000)
    )
    worth = {one.move: one.value for one in found.moves}
    assert found.move == "switch"
    assert worth["switch"] == pytest.approx(2 / 3, abs=0.05)
    assert worth["stay"] == pytest.approx(1 / 3, abs=0.15)
    again = PlainSearcher("candidate", seed=1).think(
        history.belief(), limits=Limits(simulations=3000)
    )
    assert again.moves == found.moves


def test_the_plain_search_survives_bad_guesses() -> None:
    """States in which our moves are others, or nobody has any, as in a belief that is a guess."""
    game = load("monty-hall")
    deciding = game.state(["(phase deciding)", "(chosen 1)", "(open 3)", "(car 2)"])
    over = game.state(["(phase over)", "(chosen 1)", "(open 3)", "(car 1)"])
    start = game.initial_state()
    positions = [one.position for one in (deciding, over, start)]
    belief = Belief(game, "candidate", 2, positions, [0.5, 0.25, 0.25], [[0, 0]] * 3, exact=False)
    found = PlainSearcher("candidate", seed=1).think(belief, limits=Limits(simulations=200))
    assert {str(one.move) for one in found.moves} == {"stay", "switch"}
    assert found.simulations == 200


def test_without_a_fast_search_the_plain_one_thinks_about_the_belief(clock: SimulatedClock) -> None:
    game = Game.from_library("monty-hall", engine="lifted")
    history = ObservationHistory(game, "candidate", seed=1)
    player = player_of(ValueError("none here"), clock=clock)
    assert str(player.choose(history, "candidate", clock.soon())).startswith("(choose")
    assert reason_of(player) == "plain search"
