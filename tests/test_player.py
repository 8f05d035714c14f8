"""The player between search and match: clocks, a move always ready, the watchdog."""

from __future__ import annotations

import gc
import logging
import math
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games_support import load
from player_support import (
    Cheating,
    Crashing,
    Fake,
    Late,
    Makers,
    Patient,
    SimulatedClock,
    Stuck,
    player_of,
    reason_of,
)
from woodstock import Game, State
from woodstock.engine import LiftedEngine
from woodstock.errors import CircuitError, StateError
from woodstock.ground.engine import GroundEngine
from woodstock.match import play_match
from woodstock.player import Clock, Question, ThinkingPlayer, TurnClock, legal_moves
from woodstock.search import Limits
from woodstock.search.plain_searcher import PlainSearcher


@pytest.fixture
def start() -> State:
    return load("tic-tac-toe").initial_state()


@pytest.fixture
def stuck() -> Iterator[Stuck]:
    search = Stuck()
    yield search
    search.release.set()


@given(
    st.floats(0, 1e6),
    st.floats(0, 1e4),
    st.one_of(st.none(), st.floats(0, 100)),
)
def test_the_moments_of_a_turn_come_in_order(
    begun: float, seconds: float, margin: float | None
) -> None:
    clock = TurnClock.of(begun, begun + seconds, margin)
    moments = [clock.begun, clock.search_until, clock.stop_at, clock.answer_at, clock.deadline]
    assert moments == sorted(moments)
    assert clock.deadline - clock.search_until <= max(0.1, margin or 0.0) + 1e-6


def test_the_margin_can_be_chosen() -> None:
    assert TurnClock.of(0, 10, 2).search_until == 8
    assert TurnClock.of(0, 10, 20).search_until == 5
    assert TurnClock.of(0, 10).search_until == pytest.approx(9.9)
    assert TurnClock.of(0, 0.05).search_until == pytest.approx(0.035)
    assert TurnClock.of(0, 0.02).search_until == pytest.approx(0.01)
    clock = TurnClock.of(0, 1)
    assert clock.with_margin(0.05) == clock
    assert clock.with_margin(0.3).search_until == 0.7
    assert clock.with_margin(3).search_until == 0.5


def test_the_search_decides(start: State, clock: SimulatedClock) -> None:
    search = Fake()
    player = player_of(search, clock=clock)
    assert player.choose(start, "x", clock.soon()) == start.legal_moves("x")[-1]
    assert reason_of(player) == "search"
    assert player.last_decision == search.answer(start)
    assert search.limits[0].seconds == pytest.approx(0.27)


def test_an_only_move_needs_no_search(start: State, clock: SimulatedClock) -> None:
    search = Fake("o")
    player = player_of(search, clock=clock)
    assert player.choose(start, "o", clock.soon()) == "noop"
    assert reason_of(player) == "only move"
    assert player.last_decision is None
    assert search.asked == []


def test_a_stuck_search_is_left_alone(start: State, clock: SimulatedClock, stuck: Stuck) -> None:
    """The ready move is made, and the next turn gets a new search."""
    fresh = Fake()
    makers = Makers(stuck, fresh)
    player = ThinkingPlayer(makers, seed=1, clock=clock)
    assert player.choose(start, "x", clock.soon()) in start.legal_moves("x")
    assert reason_of(player) == "fallback"
    assert stuck.stops > 0
    assert player.choose(start, "x", clock.soon()) == start.legal_moves("x")[-1]
    assert reason_of(player) == "search"
    assert (len(stuck.asked), len(fresh.asked), makers.made) == (1, 1, 2)


def test_a_stuck_search_has_told_of_a_move(
    start: State, clock: SimulatedClock, stuck: Stuck
) -> None:
    stuck.tell = True
    player = player_of(stuck, clock=clock)
    assert player.choose(start, "x", clock.soon()) == start.legal_moves("x")[-1]
    assert reason_of(player) == "best so far"


def test_a_late_search_is_stopped(start: State, clock: SimulatedClock) -> None:
    search = Late()
    player = player_of(search, clock=clock)
    for _ in range(2):
        assert player.choose(start, "x", clock.soon()) == start.legal_moves("x")[-1]
        assert reason_of(player) == "search"
    assert search.stops >= len(search.asked) == 2


def test_a_search_that_comes_back_later_is_kept(
    start: State, clock: SimulatedClock, stuck: Stuck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told to end earlier from then on, until it keeps its time."""
    told = []

    class Asked(Question):
        def __init__(self, *question: Any, clock: Clock) -> None:
            told.append(question[2])
            super().__init__(*question, clock=clock)

    monkeypatch.setattr("woodstock.player.thinking.Question", Asked)
    makers = Makers(stuck)
    player = ThinkingPlayer(makers, seed=1, clock=clock, margin=0.1)
    deadlines = [clock.soon()]
    player.choose(start, "x", deadlines[0])
    assert reason_of(player) == "fallback"
    stuck.release.set()
    for _ in range(2):
        deadlines.append(clock.soon())
        player.choose(start, "x", deadlines[-1])
        assert reason_of(player) == "search"
    assert makers.made == 1
    margins = [deadline - until for deadline, until in zip(deadlines, told, strict=True)]
    assert margins == pytest.approx([0.1, 0.15, 0.12])


def test_a_search_that_crashes_is_made_again(
    start: State, clock: SimulatedClock, caplog: pytest.LogCaptureFixture
) -> None:
    makers = Makers(Crashing(), Fake())
    player = ThinkingPlayer(makers, seed=1, clock=clock)
    assert player.choose(start, "x", clock.soon()) in start.legal_moves("x")
    assert reason_of(player) == "plain search"
    assert "lost in the tree" in caplog.text
    player.choose(start, "x", clock.soon())
    assert reason_of(player) == "search"
    assert makers.made == 2


def test_a_search_that_cannot_be_made_is_tried_again(start: State, clock: SimulatedClock) -> None:
    makers = Makers(MemoryError(), Fake())
    player = ThinkingPlayer(makers, seed=1, clock=clock)
    reasons = []
    for _ in range(3):
        player.choose(start, "x", clock.soon())
        reasons.append(reason_of(player))
    assert reasons == ["plain search", "search", "search"]
    assert makers.made == 2


def test_a_search_that_refuses_is_not_asked_again(start: State, clock: SimulatedClock) -> None:
    makers = Makers(CircuitError("this game has no circuit"))
    player = ThinkingPlayer(makers, seed=1, clock=clock, ponder=True)
    player.prepare(start.game, "x", clock.soon())
    for _ in range(2):
        assert player.choose(start, "x", clock.soon()) in start.legal_moves("x")
        assert reason_of(player) == "plain search"
    assert makers.made == 1


def test_an_illegal_answer_does_not_leave_the_player(
    start: State, clock: SimulatedClock, caplog: pytest.LogCaptureFixture
) -> None:
    player = player_of(Cheating(), clock=clock)
    assert player.choose(start, "x", clock.soon()) in start.legal_moves("x")
    assert reason_of(player) == "fallback"
    assert "(mark 9 9), which is not legal" in caplog.text


def test_the_start_clock_is_used(start: State, clock: SimulatedClock) -> None:
    search = Patient()
    makers = Makers(search)
    player = ThinkingPlayer(makers, seed=1, clock=clock)
    player.prepare(start.game, "x", clock.soon())
    assert search.asked == [start]
    player.choose(start, "x", clock.soon())
    assert (len(search.asked), makers.made) == (2, 1)


def test_trouble_in_the_start_clock_is_no_trouble(
    start: State, clock: SimulatedClock, stuck: Stuck
) -> None:
    for bad in (stuck, Crashing(), MemoryError()):
        player = player_of(bad, Fake(), clock=clock)
        player.prepare(start.game, "x", clock.soon())
        player.choose(start, "x", clock.soon())
        assert reason_of(player) == "search"


def test_a_search_that_is_slow_to_make_is_waited_for(start: State, clock: SimulatedClock) -> None:
    ready, made = threading.Event(), []

    def make(game: Game, role: str) -> Fake:
        clock.wait(ready, math.inf)
        made.append(Fake())
        return made[-1]

    player = ThinkingPlayer(make, seed=1, clock=clock)
    player.prepare(start.game, "x", clock.soon())
    player.choose(start, "x", clock.soon())
    assert reason_of(player) == "plain search"
    ready.set()
    while reason_of(player) == "plain search":
        player.choose(start, "x", clock.soon())
    assert reason_of(player) == "search"
    assert len(made) == 1


def test_a_question_that_was_stopped_early_is_not_asked(
    start: State, clock: SimulatedClock
) -> None:
    """Stopped while the search was still being made: there is nothing left to think about."""
    ready, search = threading.Event(), Late()

    def make() -> Late:
        clock.wait(ready, math.inf)
        return search

    question = Question(make, start, until=None, clock=clock)
    assert not question.stop(0.0)
    ready.set()
    assert question.wait(clock.soon())
    assert search.asked == []
    assert question.searcher is search


def test_thinking_ahead_goes_where_the_match_goes(start: State, clock: SimulatedClock) -> None:
    search = Patient()
    player = player_of(search, ponder=True, clock=clock)
    move = player.choose(start, "x", clock.soon())
    after = start.apply([move, "noop"])
    _wait_until_asked(search, after)
    # It is the other's turn: the search has what it needs already and is not disturbed.
    assert player.choose(after, "x", clock.soon()) == "noop"
    assert search.asked == [start, after]
    assert search.stops == 0
    reply = after.apply(["noop", after.legal_moves("o")[0]])
    player.choose(reply, "x", clock.soon())
    assert search.stops > 0
    assert search.asked[2] == reply
    player.close()
    assert search.stopped.is_set()


def test_thinking_ahead_where_others_choose_too(clock: SimulatedClock) -> None:
    start = load("matching-pennies").initial_state()
    search = Patient("j1")
    player = player_of(search, ponder=True, clock=clock)
    player.choose(start, "j1", clock.soon())
    player.close()
    assert set(search.asked) == {start}


def test_a_search_that_is_stuck_ahead_is_left_alone(
    start: State, clock: SimulatedClock, stuck: Stuck
) -> None:
    player = player_of(stuck, Fake("o"), ponder=True, clock=clock)
    assert player.choose(start, "o", clock.soon()) == "noop"
    _wait_until_asked(stuck, start)
    player.choose(start.apply(["(mark 1 1)", "noop"]), "o", clock.soon())
    assert reason_of(player) == "search"


def test_a_forgotten_player_thinks_no_more(start: State, clock: SimulatedClock) -> None:
    search = Patient()
    player = player_of(search, ponder=True, clock=clock)
    move = player.choose(start, "x", clock.soon())
    _wait_until_asked(search, start.apply([move, "noop"]))
    del player
    gc.collect()
    assert search.stopped.is_set()


def test_an_interrupt_stops_the_search(
    start: State, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = Late()
    real = Question.wait

    def interrupted(self: Question, until: float) -> bool:
        while not search.asked:
            real(self, until)
        raise KeyboardInterrupt

    monkeypatch.setattr(Question, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        player_of(search, clock=clock).choose(start, "x", clock.soon())
    assert search.stops > 0


def test_every_turn_is_logged(
    start: State, clock: SimulatedClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "woodstock.player")
    player = player_of(Fake(), clock=clock)
    player.choose(start, "x", clock.soon())
    player.choose(start, "o", clock.soon())
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 2
    assert lines[0].startswith("tic-tac-toe, x: (mark 3 3) (search), value 0.750, 100 visits, 900 ")
    assert lines[1].startswith("tic-tac-toe, o: noop (only move), ")


def test_a_seat_can_be_taken_again(start: State, clock: SimulatedClock) -> None:
    """A player that is asked for another role or game gets another search."""
    makers = Makers(Fake(), Fake("player1"))
    player = ThinkingPlayer(makers, seed=1, clock=clock)
    player.choose(start, "x", clock.soon())
    nim = load("nim").initial_state()
    assert player.choose(nim, "player1", clock.soon()) == nim.legal_moves("player1")[-1]
    assert makers.made == 2


class _Broken(Exception):
    pass


def _broken(*_: object) -> None:
    raise _Broken


def test_another_engine_tells_the_legal_moves(
    start: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = start.legal_moves("x")
    monkeypatch.setattr(start.game.engine, "legal", _broken)
    asked = []
    for engine in (GroundEngine, LiftedEngine):
        real = engine.legal

        def legal(self: object, *question: object, real: object = real) -> object:
            asked.append(type(self).name)  # type: ignore[attr-defined]
            return real(self, *question)  # type: ignore[operator]

        monkeypatch.setattr(engine, "legal", legal)
    assert legal_moves(start, "x") == expected
    assert asked == ["ground"]
    monkeypatch.setattr(GroundEngine, "legal", _broken)
    assert legal_moves(start, "x") == expected
    assert asked == ["ground", "lifted"]
    monkeypatch.setattr(LiftedEngine, "legal", _broken)
    with pytest.raises(StateError, match="x has no legal move"):
        legal_moves(start, "x")


def test_plays_a_match_on_every_engine() -> None:
    for engine in ("circuit", "ground", "lifted"):
        game = Game.from_library("nim", engine=engine)
        players = {
            role: ThinkingPlayer(lambda _, role: PlainSearcher(role, 1), seed=1)
            for role in game.roles
        }
        record = play_match(game, players, seed=1, start_clock=0.1, play_clock=0.1)
        assert record.is_completed
        # An answer may be late here, where many tests run at a time; it may not be wrong.
        assert {error for joint in record.errors for error in joint} <= {"", "TO"}


def _wait_until_asked(search: Fake, state: State) -> None:
    """Until the search's thread has begun."""
    while state not in search.asked:
        search.stopped.wait(0.001)


@pytest.mark.parametrize("engine", ["circuit", "ground", "lifted"])
def test_the_plain_search_wins_where_it_can(engine: str) -> None:
    state = Game.from_library("tic-tac-toe", engine=engine).initial_state()  # type: ignore[arg-type]
    for moves in (["(mark 1 1)", "noop"], ["noop", "(mark 2 2)"], ["(mark 1 2)", "noop"]):
        state = state.apply(moves)
    state = state.apply(["noop", "(mark 3 3)"])
    found = PlainSearcher("x", seed=1).think(state, limits=Limits(simulations=200))
    assert str(found.move) == "(mark 1 3)"
    assert found.value == 1.0
    assert found.values["x"] == 1.0
    assert found.simulations == sum(one.visits for one in found.moves) == 200
    visits = [one.visits for one in found.moves]
    assert visits == sorted(visits, reverse=True)
    again = PlainSearcher("x", seed=1).think(state, limits=Limits(simulations=200))
    assert again.moves == found.moves


def test_the_plain_search_keeps_its_limits(start: State) -> None:
    searcher = PlainSearcher("x", seed=1)
    assert searcher.think(start, limits=Limits(nodes=50)).nodes == 50
    assert searcher.think(start, limits=Limits(seconds=0.0)).simulations == 0
    assert searcher.think(start, limits=Limits(cpu_seconds=0.0)).move in start.legal_moves("x")
    question = Question(lambda: searcher, start, until=None)
    assert question.stop(30)
    assert question.problem is None


def test_the_plain_search_plays_rules_that_end_nowhere() -> None:
    rules = """(role x) (role y) (init (at 0)) (succ 0 1) (succ 1 2)
        (<= (legal x ?m) (true (at 0)) (move ?m)) (move a) (move b) (legal y noop)
        (<= (next (at ?n)) (true (at ?m)) (succ ?m ?n)) (<= terminal (true (at 9))) (goal x 60)"""
    state = Game.from_text(rules).initial_state()
    found = PlainSearcher("x", seed=1).think(state, limits=Limits(simulations=10))
    assert found.value == pytest.approx(0.6)
    assert found.depth == 1
