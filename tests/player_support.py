"""Searches that behave badly on purpose, for the tests of players and commands."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from woodstock import Game, State
from woodstock.belief import Belief
from woodstock.gdl.terms import Term
from woodstock.player import legal_moves
from woodstock.search import Decision, Limits, MoveValue

FOR_EVER = 60.0
"""Seconds that a stuck search waits at most: longer than any test, so that none hangs."""


def decision(move: Term, *others: Term, value: float = 0.75, proved: bool = False) -> Decision:
    """A decision for a move, as if `others` were worth less."""
    values = [value, *(value / 2 for _ in others)]
    moves = tuple(
        MoveValue(move=one, value=worth, visits=100, lower=0.0, upper=1.0, proved=proved)
        for one, worth in zip((move, *others), values, strict=True)
    )
    return Decision(
        move=move,
        value=value,
        values={"x": value, "o": 1 - value},
        moves=moves,
        line=((move, "noop"),),
        nodes=1_234,
        simulations=100 * len(moves),
        depth=7,
        proved=proved,
        seconds=0.5,
        cpu_seconds=0.4,
        bytes=1 << 20,
    )


class Fake:
    """A search that answers at once with the last legal move, and counts what it is asked."""

    def __init__(self, role: str = "x") -> None:
        self.role = role
        self.asked: list[State | Belief] = []
        self.limits: list[Limits] = []
        self.stops = 0
        self.stopped = threading.Event()

    def answer(self, situation: State | Belief) -> Decision:
        *others, last = legal_moves(situation, self.role)
        return decision(last, *others)

    def think(
        self,
        situation: State | Belief,
        *,
        limits: Limits,
        on_progress: Callable[[Decision], None] | None = None,
    ) -> Decision:
        self.stopped.clear()
        self.asked.append(situation)
        self.limits.append(limits)
        return self.work(situation, limits, on_progress)

    def work(
        self,
        situation: State | Belief,
        limits: Limits,
        on_progress: Callable[[Decision], None] | None,
    ) -> Decision:
        return self.answer(situation)

    def stop(self) -> None:
        self.stops += 1
        self.stopped.set()


class Patient(Fake):
    """Uses all the time it is given."""

    def work(
        self,
        situation: State | Belief,
        limits: Limits,
        on_progress: Callable[[Decision], None] | None,
    ) -> Decision:
        self.stopped.wait(FOR_EVER if limits.seconds is None else limits.seconds)
        return self.answer(situation)


class Late(Fake):
    """Knows no clock: ends only when it is stopped."""

    def work(
        self,
        situation: State | Belief,
        limits: Limits,
        on_progress: Callable[[Decision], None] | None,
    ) -> Decision:
        self.stopped.wait(FOR_EVER)
        return self.answer(situation)


class Stuck(Fake):
    """Does not come back until `release` is set, whoever asks it to stop."""

    def __init__(self, role: str = "x", tell: bool = False) -> None:
        super().__init__(role)
        self.release = threading.Event()
        self.tell = tell

    def work(
        self,
        situation: State | Belief,
        limits: Limits,
        on_progress: Callable[[Decision], None] | None,
    ) -> Decision:
        if self.tell and on_progress is not None:
            on_progress(self.answer(situation))
        self.release.wait(FOR_EVER)
        return self.answer(situation)


class Crashing(Fake):
    """Raises what it is given."""

    def __init__(self, role: str = "x", problem: BaseException | None = None) -> None:
        super().__init__(role)
        self.problem = problem or RuntimeError("lost in the tree")

    def work(
        self,
        situation: State | Belief,
        limits: Limits,
        on_progress: Callable[[Decision], None] | None,
    ) -> Decision:
        raise self.problem


class Cheating(Fake):
    """Answers with a move that no rules know."""

    def answer(self, situation: State | Belief) -> Decision:
        return decision("(mark 9 9)")


class Makers:
    """Makes the given searches one after the other, the last one again and again."""

    def __init__(self, *searches: Fake | Exception) -> None:
        self.searches = list(searches)
        self.made = 0

    def __call__(self, game: Game, role: str) -> Fake:
        one = self.searches[min(self.made, len(self.searches) - 1)]
        self.made += 1
        if isinstance(one, Exception):
            raise one
        return one


def soon(seconds: float = 0.3) -> float:
    """A deadline for searches that use all their time, or never end."""
    return time.monotonic() + seconds


def later() -> float:
    """A deadline that no search meets which answers at once, on however busy a machine."""
    return soon(FOR_EVER)
