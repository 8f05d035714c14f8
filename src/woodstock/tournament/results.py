"""Results: what came of a match, seat by seat, and of a round."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

__all__ = ["STARVED_SHARE", "MatchResult", "RoundResult", "SeatResult", "pair_score"]

STARVED_SHARE = 0.8
"""A player that had the processor for less of its thinking time was starved."""
LEAST_THINKING = 0.05
"""Seconds of thinking below which nothing can be said about that."""


@dataclass(frozen=True)
class SeatResult:
    """One player of a match: what it got, and what it spent.

    Times are seconds: `cpu` of the processor, `wall` of the clock, `longest` the longest thought in
    what its clock counts. `cpu` is nan where nobody can tell, as with programs far away.
    """

    role: str
    participant: str
    goal: int
    thoughts: int = 0
    simulations: int = 0
    cpu: float = 0.0
    wall: float = 0.0
    longest: float = 0.0
    late: int = 0
    illegal: int = 0
    failed: int = 0

    @property
    def mistakes(self) -> int:
        """Answers that did not count."""
        return self.late + self.illegal + self.failed

    @property
    def share(self) -> float:
        """The share of its thinking time in which it had the processor; nan if too short to say.

        >>> SeatResult("x", "uct", 100, cpu=0.5, wall=1.0).share
        0.5
        """
        if math.isnan(self.cpu) or self.wall < LEAST_THINKING:
            return math.nan
        return min(1.0, self.cpu / self.wall)

    @property
    def starved(self) -> bool:
        """Whether somebody else had the processor when it was needed."""
        return self.share < STARVED_SHARE


@dataclass(frozen=True)
class MatchResult:
    """A match that came to its end.

    `number` is its place in the round, `scale` what goals are divided by, `load` how busy the
    machine was, `begun` when it began (seconds since 1970).
    """

    number: int
    seats: tuple[SeatResult, ...]
    moves: tuple[tuple[str, ...], ...] = ()
    scale: int = 100
    seed: int = 0
    begun: float = 0.0
    seconds: float = 0.0
    place: str = ""
    load: float = 0.0
    version: str = ""
    notes: tuple[str, ...] = ()

    @property
    def goals(self) -> tuple[int, ...]:
        """The goals in the order of the seats."""
        return tuple(seat.goal for seat in self.seats)

    @property
    def starved(self) -> bool:
        """Whether a player was."""
        return any(seat.starved for seat in self.seats)

    @property
    def mistakes(self) -> int:
        """Of all players."""
        return sum(seat.mistakes for seat in self.seats)


@dataclass(frozen=True)
class RoundResult:
    """The matches of a round, or why there are none."""

    matches: tuple[MatchResult, ...] = field(default_factory=tuple)
    problem: str = ""

    @property
    def starved(self) -> bool:
        """Whether a player of any of its matches was."""
        return any(match.starved for match in self.matches)


def pair_score(seating: Sequence[int], goals: Sequence[int], scale: int = 100) -> float:
    """What a match between two is worth to the first of them, from the goals of the seats.

    A player who sits alone wins by having more than everybody else, and half wins by having as much
    as the best; its loss is the other's win. Who has all seats gets the mean of their goals,
    divided by the `scale` of the game's goals.

    >>> pair_score((0, 1), (100, 0)), pair_score((1, 0), (100, 0)), pair_score((0, 1), (50, 50))
    (1.0, 0.0, 0.5)
    >>> pair_score((0, 0), (75, 75)), pair_score((1, 1), (75, 75))
    (0.75, 0.25)
    """
    if len(set(seating)) == 1:
        worth = math.fsum(goals) / len(goals) / scale
        return worth if seating[0] == 0 else 1 - worth
    lonely = 0 if list(seating).count(0) == 1 else 1
    own = goals[list(seating).index(lonely)]
    best = max(goal for who, goal in zip(seating, goals) if who != lonely)
    worth = 1.0 if own > best else 0.5 if own == best else 0.0
    return worth if lonely == 0 else 1 - worth
