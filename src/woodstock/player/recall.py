"""What a player believes, worked out in time or not at all, whatever becomes of the tracker."""

from __future__ import annotations

import logging

from woodstock.belief import Belief, ObservationHistory, PlainParticleFilter
from woodstock.player.clock import SYSTEM_CLOCK, Clock
from woodstock.player.question import Errand, leave_alone

__all__ = ["Recall"]

SPARE_STATES = 8
"""How many states are enough when the usual tracker has failed."""

_log = logging.getLogger("woodstock.player")


class Recall:
    """Works beliefs out on a thread of its own.

    Where the tracker of a history fails, a plain one follows the match from its beginning. One that
    does not come back is waited for in the next turn: two threads must not share it.

    >>> from woodstock import Game
    >>> history = ObservationHistory(Game.from_library("monty-hall"), "candidate", seed=1)
    >>> now = SYSTEM_CLOCK.now()
    >>> Recall().belief(history, now + 10, now + 60)
    <Belief of candidate in monty-hall: 1 states, exact>
    """

    def __init__(self, clock: Clock = SYSTEM_CLOCK) -> None:
        self._clock = clock
        self._errand: Errand | None = None
        self._history: ObservationHistory | None = None

    def belief(self, history: ObservationHistory, until: float, latest: float) -> Belief | None:
        """What may be the state, given that the match goes on; None if nothing came of it.

        It should be worked out at `until`, and is no longer waited for at `latest`.
        """
        if self._errand is not None and self._history is history and not self._errand.wait(latest):
            return None
        found: list[Belief] = []
        self._history = history
        self._errand = Errand(
            lambda: found.append(_belief(history, until).going_on()), clock=self._clock
        )
        if not self._errand.wait(latest):
            _log.warning("there is no belief yet")
            leave_alone(self._errand)
        elif self._errand.problem is not None:
            _log.error("there is no belief", exc_info=self._errand.problem)
        return found[0] if found else None


def _belief(history: ObservationHistory, until: float) -> Belief:
    try:
        return history.belief(until)
    except Exception as problem:
        _log.warning("the tracker has failed; a plain one follows the match", exc_info=problem)
        tracker = PlainParticleFilter(history.game, history.role, seed=0, states=SPARE_STATES)
        for move, percepts in history.observations:
            tracker.advance(move, percepts, until)
        return tracker.belief
