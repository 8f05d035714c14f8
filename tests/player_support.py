"""Searches that behave badly on purpose, for the tests of players and commands."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable

from woodstock import Game, State
from woodstock.belief import Belief
from woodstock.gdl.terms import Term
from woodstock.player import SYSTEM_CLOCK, Clock, ThinkingPlayer, legal_moves
from woodstock.player.question import THREAD_NAME
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


class SimulatedClock:
    """Time that passes only while everybody waits for it, however busy the machine is.

    Everybody: the thread that made the clock, and the searches' threads. As soon as all of them
    wait, it is the moment that comes first among those they wait for.
    """

    def __init__(self) -> None:
        self._now = time.monotonic()  # others may compare it with the machine's
        self._owner = threading.current_thread()
        self._waiting: dict[threading.Thread, tuple[threading.Event, float]] = {}
        self._lock = threading.Lock()

    def now(self) -> float:
        return self._now

    def wait(self, event: threading.Event, until: float) -> bool:
        me, give_up = threading.current_thread(), time.monotonic() + FOR_EVER
        with self._lock:
            self._waiting[me] = event, until
        try:
            while not event.is_set() and self._now < until:
                assert time.monotonic() < give_up, "nobody comes"
                if not self._advance():
                    event.wait(0.001)
        finally:
            with self._lock:
                del self._waiting[me]
        return event.is_set()

    def _advance(self) -> bool:
        everybody = {one for one in threading.enumerate() if one.name == THREAD_NAME}
        with self._lock:
            asleep = {
                one
                for one, (event, until) in self._waiting.items()
                if not event.is_set() and self._now < until
            }
            if not asleep >= everybody | {self._owner}:
                return False
            soonest = min(until for _, until in self._waiting.values())
            self._now = max(self._now, soonest)
            return soonest < math.inf

    def soon(self) -> float:
        """A deadline of a turn."""
        return self._now + 0.3

    def later(self) -> float:
        """A deadline of a turn in which there is also something to work out on the machine."""
        return self._now + FOR_EVER


class Fake:
    """A search that answers at once with the last legal move, and counts what it is asked."""

    clock: Clock = SYSTEM_CLOCK
    """What it waits by."""

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

    def prepare(self, seconds: float) -> None:
        pass

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
        seconds = math.inf if limits.seconds is None else limits.seconds
        self.clock.wait(self.stopped, self.clock.now() + seconds)
        return self.answer(situation)


class Late(Fake):
    """Knows no clock: ends only when it is stopped."""

    def work(
        self,
        situation: State | Belief,
        limits: Limits,
        on_progress: Callable[[Decision], None] | None,
    ) -> Decision:
        self.clock.wait(self.stopped, math.inf)
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
        self.clock.wait(self.release, math.inf)
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


def player_of(
    *searches: Fake | Exception, clock: Clock = SYSTEM_CLOCK, ponder: bool = False
) -> ThinkingPlayer:
    """A player of these searches, one after the other."""
    return ThinkingPlayer(Makers(*searches), seed=1, ponder=ponder, clock=clock)


def reason_of(player: ThinkingPlayer) -> str:
    """Why it made its last move."""
    assert player.last_answer is not None
    return player.last_answer.reason
