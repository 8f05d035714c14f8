"""Clocks: what everybody has for a move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from woodstock.search import Limits

__all__ = ["CLOCK_KINDS", "ClockKind", "MoveClock"]

ClockKind = Literal["cpu", "real", "simulations"]
"""``cpu``: equal CPU time, so that a busy machine is as bad for the one as for the other.
``real``: the clocks of a competition. ``simulations``: the same work, and the same match again."""

CLOCK_KINDS: tuple[ClockKind, ...] = get_args(ClockKind)


@dataclass(frozen=True)
class MoveClock:
    """What a player has for a `move`, in seconds or simulations, and seconds to prepare before.

    >>> print(MoveClock("cpu", 0.05), MoveClock("real", 15, 120), MoveClock("simulations", 500))
    0.05 s CPU 15 s after 120 s 500 simulations
    """

    kind: ClockKind
    move: float
    start: float = 0.0

    @property
    def key(self) -> str:
        """The clock in ids of matches.

        >>> MoveClock("real", 15, 120).key
        'real=15+120'
        """
        return f"{self.kind}={self.move:g}+{self.start:g}"

    @property
    def limits(self) -> Limits:
        """The clock as limits of a search."""
        if self.kind == "simulations":
            return Limits(simulations=int(self.move))
        return Limits(cpu_seconds=self.move)

    def __str__(self) -> str:
        if self.kind == "simulations":
            return f"{self.move:g} simulations"
        unit = "s CPU" if self.kind == "cpu" else "s"
        after = f" after {self.start:g} s" if self.kind == "real" and self.start else ""
        return f"{self.move:g} {unit}{after}"
