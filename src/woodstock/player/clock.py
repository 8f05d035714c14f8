"""The clock of one turn: when to end the search, when to stop it, when to answer without it."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Protocol

__all__ = ["SYSTEM_CLOCK", "Clock", "SystemClock", "TurnClock", "default_margin"]

MARGIN_SHARE = 0.1
SHORTEST_MARGIN, LONGEST_MARGIN = 0.015, 0.1
"""Seconds. A busy machine may wake a thread some milliseconds late, however short the clock is."""
RESERVE = 0.4
"""The part of the margin that is left when a search is given up."""


class Clock(Protocol):
    """What tells a player the time, and wakes it: the machine's, or one that is simulated."""

    def now(self) -> float:
        """This moment, in seconds; it never goes back."""

    def wait(self, event: threading.Event, until: float) -> bool:
        """Wait for an event, no longer than until then; whether it has come."""


class SystemClock:
    """The clock of this machine, `time.monotonic`.

    >>> clock = SystemClock()
    >>> clock.wait(threading.Event(), until=clock.now() + 0.01)
    False
    """

    def now(self) -> float:
        """A reading of `time.monotonic`."""
        return time.monotonic()

    def wait(self, event: threading.Event, until: float) -> bool:
        """Let this thread sleep until then, or until the event comes."""
        seconds = max(0.0, until - time.monotonic())
        return event.wait(min(seconds, threading.TIMEOUT_MAX))


SYSTEM_CLOCK = SystemClock()


def default_margin(seconds: float) -> float:
    """What is kept free at the end of a clock in a match on one machine.

    >>> default_margin(15), default_margin(0.5), default_margin(0.05)
    (0.1, 0.05, 0.015)
    """
    return max(SHORTEST_MARGIN, min(LONGEST_MARGIN, MARGIN_SHARE * seconds))


@dataclass(frozen=True)
class TurnClock:
    """The moments of a turn, readings of one `Clock`, in the order in which they come.

    A search is told to end at `search_until`. One that has not is asked to stop at `stop_at`, and
    if it is still not there at `answer_at`, the player answers without it. Between that and
    `deadline` there is time for the answer to arrive.

    >>> clock = TurnClock.of(begun=100.0, deadline=101.0)
    >>> [round(moment, 3) for moment in (clock.search_until, clock.stop_at, clock.answer_at)]
    [100.9, 100.93, 100.96]
    """

    begun: float
    search_until: float
    stop_at: float
    answer_at: float
    deadline: float

    @classmethod
    def of(
        cls,
        begun: float,
        deadline: float,
        margin: float | None = None,
        reserve: float = RESERVE,
    ) -> TurnClock:
        """The clock of a turn that began at `begun`; a margin takes half of the clock at most."""
        seconds = max(0.0, deadline - begun)
        kept = default_margin(seconds) if margin is None else max(0.0, margin)
        kept = min(kept, seconds / 2)
        return cls(
            begun=begun,
            search_until=deadline - kept,
            stop_at=deadline - (1 + reserve) / 2 * kept,
            answer_at=deadline - reserve * kept,
            deadline=deadline,
        )

    @property
    def margin(self) -> float:
        """What is kept free, in seconds."""
        return self.deadline - self.search_until

    def with_margin(self, least: float) -> TurnClock:
        """The same turn with a margin that is at least so long, as far as the clock allows."""
        return self if self.margin >= least else TurnClock.of(self.begun, self.deadline, least)
