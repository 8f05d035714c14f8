"""A question to a search, asked on a thread of its own, so that whoever asks can walk away."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol

from woodstock.game import State
from woodstock.search import Decision, Limits

__all__ = ["THREAD_NAME", "Question", "SearcherLike"]

THREAD_NAME = "woodstock-search"

_PATIENCE = 0.001
"""Seconds between two requests to stop: one that comes before the search begins is lost."""


class SearcherLike(Protocol):
    """What a player wants of a search; `woodstock.search.Searcher` has it."""

    def think(
        self,
        state: State,
        *,
        limits: Limits,
        on_progress: Callable[[Decision], None] | None = None,
    ) -> Decision:
        """Search from a state within limits and say what was found."""

    def stop(self) -> None:
        """Let a `think` on another thread return soon, with the best so far."""


class Question:
    """What to do in a state, asked of a search that may have to be made first.

    The thread starts at once and ends by itself at `until` (a reading of `time.monotonic`; None:
    when it is stopped). Nothing that the search raises comes out of here: it is in `problem`. The
    thread is a daemon: a search that never comes back does not keep the process alive.

    >>> from woodstock import Game
    >>> from woodstock.player import PlainSearcher
    >>> state = Game.from_library("nim").initial_state()
    >>> question = Question(lambda: PlainSearcher("player1", seed=1), state, time.monotonic() + 5)
    >>> question.stop(patience=5)
    True
    >>> question.decision.move in state.legal_moves("player1")
    True
    """

    def __init__(
        self,
        searcher: Callable[[], SearcherLike],
        state: State,
        until: float | None,
        on_progress: Callable[[Decision], None] | None = None,
    ) -> None:
        self.state = state
        self.searcher: SearcherLike | None = None
        """The search that was asked; None as long as it is being made."""
        self.decision: Decision | None = None
        """The answer, once there is one."""
        self.latest: Decision | None = None
        """What the search last told on its way."""
        self.problem: BaseException | None = None
        """What it raised."""
        self._make = searcher
        self._until = until
        self._on_progress = on_progress
        self._stopped = False
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name=THREAD_NAME, daemon=True)
        self._thread.start()

    @property
    def done(self) -> bool:
        """Whether the search has come back, with an answer or without."""
        return self._done.is_set()

    def wait(self, until: float) -> bool:
        """Wait for the search, no longer than until then; whether it is done."""
        return self._done.wait(max(0.0, until - time.monotonic()))

    def stop(self, patience: float) -> bool:
        """Ask the search to stop and wait so many seconds for it; whether it is done."""
        until = time.monotonic() + patience
        self._stopped = True
        while not self.done:
            if self.searcher is not None:
                self.searcher.stop()
            left = until - time.monotonic()
            if left <= 0:
                break
            self._done.wait(min(left, _PATIENCE))
        return self.done

    def _run(self) -> None:
        try:
            searcher = self._make()
            self.searcher = searcher
            seconds = None if self._until is None else self._until - time.monotonic()
            if not self._stopped and (seconds is None or seconds > 0):
                self.decision = searcher.think(
                    self.state, limits=Limits(seconds=seconds), on_progress=self._tell
                )
        except BaseException as problem:
            self.problem = problem
        finally:
            self._done.set()

    def _tell(self, decision: Decision) -> None:
        self.latest = decision
        if self._on_progress is not None:
            self._on_progress(decision)
