"""Work on a thread of its own, so that whoever wants it can walk away: above all, questions."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable

from woodstock.belief import Belief
from woodstock.game import State
from woodstock.player.clock import SYSTEM_CLOCK, Clock
from woodstock.search import Decision, Limits, Searcher

__all__ = ["THREAD_NAME", "Errand", "Question", "Study", "leave_alone"]

THREAD_NAME = "woodstock-search"
EXIT_SECONDS = 5.0
"""How long the process waits at its end for what was left alone."""

_PATIENCE = 0.001
"""Seconds between two requests to stop: one that comes before the search begins is lost."""


class Errand:
    """Some work, begun at once on a thread of its own.

    Nothing that it raises comes out of here: it is in `problem`. The thread is a daemon: work that
    never ends does not keep the process alive. All moments are readings of `clock`.

    >>> errand = Errand(lambda: 1 // 0)
    >>> errand.wait(SYSTEM_CLOCK.now() + 60), errand.problem
    (True, ZeroDivisionError('integer division or modulo by zero'))
    """

    def __init__(self, work: Callable[[], object], *, clock: Clock = SYSTEM_CLOCK) -> None:
        self.problem: BaseException | None = None
        """What it raised."""
        self._clock = clock
        self._work = work
        self._done = threading.Event()
        threading.Thread(target=self._run, name=THREAD_NAME, daemon=True).start()

    @property
    def done(self) -> bool:
        """Whether the work has ended, well or not."""
        return self._done.is_set()

    def wait(self, until: float) -> bool:
        """Wait for the end, no longer than until then; whether it has come."""
        return self._clock.wait(self._done, until)

    def stop(self, patience: float) -> bool:
        """Wait so many seconds for the end; whether it has come."""
        return self._clock.wait(self._done, self._clock.now() + patience)

    def _stop(self, end: Callable[[], None], patience: float) -> bool:
        """The same, while the work is asked to end again and again."""
        until = self._clock.now() + patience
        while not self.done:
            end()
            now = self._clock.now()
            if now >= until:
                break
            self._clock.wait(self._done, min(until, now + _PATIENCE))
        return self.done

    def _run(self) -> None:
        try:
            self._work()
        except BaseException as problem:
            self.problem = problem
        finally:
            self._done.set()


class Question(Errand):
    """What to do in a state, asked of a search that may have to be made first.

    It ends by itself at `until` (a reading of the clock; None: when it is stopped). The situation
    is a belief where something is hidden.

    >>> from woodstock import Game
    >>> from woodstock.search.plain_searcher import PlainSearcher
    >>> state = Game.from_library("nim").initial_state()
    >>> question = Question(lambda: PlainSearcher("player1", seed=1), state, until=None)
    >>> while question.latest is None:  # until it has told something
    ...     _ = question.wait(SYSTEM_CLOCK.now() + 0.01)
    >>> question.stop(patience=60)
    True
    >>> question.decision.move in state.legal_moves("player1")
    True
    """

    def __init__(
        self,
        searcher: Callable[[], Searcher],
        situation: State | Belief,
        until: float | None,
        on_progress: Callable[[Decision], None] | None = None,
        *,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self.situation = situation
        self.searcher: Searcher | None = None
        """The search that was asked; None as long as it is being made."""
        self.decision: Decision | None = None
        """The answer, once there is one."""
        self.latest: Decision | None = None
        """What the search last told on its way."""
        self._make = searcher
        self._until = until
        self._on_progress = on_progress
        self._stopped = False
        super().__init__(self._ask, clock=clock)

    def stop(self, patience: float) -> bool:
        """Ask the search to stop and wait so many seconds for it; whether it is done."""
        self._stopped = True
        return self._stop(self._end, patience)

    def _end(self) -> None:
        if self.searcher is not None:
            self.searcher.stop()

    def _ask(self) -> None:
        searcher = self._make()
        self.searcher = searcher
        seconds = None if self._until is None else self._until - self._clock.now()
        if not self._stopped and (seconds is None or seconds > 0):
            self.decision = searcher.think(
                self.situation, limits=Limits(seconds=seconds), on_progress=self._tell
            )

    def _tell(self, decision: Decision) -> None:
        self.latest = decision
        if self._on_progress is not None:
            self._on_progress(decision)


class Study(Errand):
    """Something to learn while nobody waits for an answer; `end` is asked to end it.

    >>> learned = threading.Event()
    >>> study = Study(learned.wait, learned.set)
    >>> study.stop(patience=60)
    True
    """

    def __init__(
        self, work: Callable[[], object], end: Callable[[], None], *, clock: Clock = SYSTEM_CLOCK
    ) -> None:
        self._end = end
        super().__init__(work, clock=clock)

    def stop(self, patience: float) -> bool:
        """Ask it to end and wait so many seconds for that; whether it has."""
        return self._stop(self._end, patience)


_left_alone: list[Errand] = []


def leave_alone(errand: Errand) -> None:
    """Go on without something that does not come back.

    >>> leave_alone(Errand(lambda: None))
    """
    _left_alone[:] = [*(one for one in _left_alone if not one.done), errand]


@atexit.register
def _wait_for_the_last() -> None:
    # A thread that comes back from native code while the interpreter shuts down takes the process
    # with it. Those that were left alone get some time to come back before.
    until = SYSTEM_CLOCK.now() + EXIT_SECONDS
    for errand in _left_alone:
        errand.stop(until - SYSTEM_CLOCK.now())
