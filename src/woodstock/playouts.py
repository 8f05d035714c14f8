"""What came of random playouts, and the tallies it is made from.

>>> from woodstock import Game
>>> found = Game.from_library("tic-tac-toe").initial_state().playouts(20_000, seed=1)
>>> found.count, found.shortest, found.longest
(20000, 5, 9)
>>> abs(found.mean_goals["x"] - 64.8) < 5 * found.goal_errors["x"]
True
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from woodstock.notebook import html_table

__all__ = ["MAX_PLIES", "PlainTally", "Playouts", "Tally"]

MAX_PLIES = 100_000
"""The moves after which a playout is broken off, unless something else is said."""


class Tally(Protocol):
    """Sums over the playouts from one position; the native core's `_core.Tally` is one."""

    @property
    def playouts(self) -> int:
        """How many there were."""

    @property
    def stuck(self) -> int:
        """How many ended because a role had no legal move."""

    @property
    def cut(self) -> int:
        """How many ended at the limit of plies."""

    @property
    def unclear(self) -> int:
        """How often a role did not have exactly one goal at the end."""

    @property
    def length_sum(self) -> int:
        """The sum of their lengths."""

    @property
    def length_squares(self) -> int:
        """The sum of the squares of their lengths."""

    @property
    def shortest(self) -> int:
        """The least length; without meaning where there were none."""

    @property
    def longest(self) -> int:
        """The greatest length."""

    @property
    def goal_sums(self) -> Sequence[int]:
        """For each role the sum of its goals."""

    @property
    def goal_squares(self) -> Sequence[int]:
        """For each role the sum of the squares of its goals."""


@dataclass
class PlainTally:
    """A tally that is kept in Python, playout by playout.

    >>> tally = PlainTally.of_roles(2)
    >>> tally.add(7, [(100,), (0,)])
    >>> tally.add(9, [(50,), ()])
    >>> tally.playouts, tally.length_sum, tally.goal_sums, tally.unclear
    (2, 16, [150, 0], 1)
    """

    goal_sums: list[int]
    goal_squares: list[int]
    playouts: int = 0
    stuck: int = 0
    cut: int = 0
    unclear: int = 0
    length_sum: int = 0
    length_squares: int = 0
    shortest: int = field(default=MAX_PLIES)
    longest: int = 0

    @classmethod
    def of_roles(cls, roles: int) -> PlainTally:
        """An empty one."""
        return cls([0] * roles, [0] * roles)

    def add(self, length: int, goals: Sequence[Sequence[int]]) -> None:
        """Count a playout of some length that ended with these goals of each role."""
        self.shortest = min(self.shortest, length) if self.playouts else length
        self.longest = max(self.longest, length)
        self.playouts += 1
        self.length_sum += length
        self.length_squares += length * length
        for role, values in enumerate(goals):
            value = max(values, default=0)
            self.goal_sums[role] += value
            self.goal_squares[role] += value * value
            self.unclear += len(values) != 1


@dataclass(frozen=True)
class Playouts:
    """What came of random games from one state: every role made uniformly random legal moves.

    `mean_goals` and `goal_errors` give, by role, the mean goal and its standard error. A role gets
    the highest of its goals that hold at the end, 0 where there is none; `unclear` counts how often
    there was not exactly one, over all roles (chance usually has none). `mean_length`, `shortest`
    and `longest` are about the number of joint moves. A playout also ends where a role has no legal
    move (`stuck`) or at the limit of plies (`cut`), and is scored as it stands there.

    Of no playouts at all the means are not a number (nan), and so is the error of a single one.
    """

    count: int
    mean_goals: dict[str, float]
    goal_errors: dict[str, float]
    mean_length: float
    length_error: float
    shortest: int
    longest: int
    stuck: int
    cut: int
    unclear: int

    def _repr_html_(self) -> str:
        rows = [
            (role, f"{goal:.1f}", f"{self.goal_errors[role]:.1f}")
            for role, goal in self.mean_goals.items()
        ]
        lengths = f"{self.mean_length:.1f} moves each ({self.shortest} to {self.longest})"
        caption = f"{self.count:,} playouts, {lengths}"
        return html_table(["role", "mean goal", "standard error"], rows, caption)

    @classmethod
    def of(cls, roles: Sequence[str], tally: Tally) -> Playouts:
        """What a tally says, for roles in its order.

        >>> tally = PlainTally.of_roles(1)
        >>> for length, goal in ((3, 100), (5, 0), (7, 100), (9, 0)):
        ...     tally.add(length, [(goal,)])
        >>> found = Playouts.of(["robot"], tally)
        >>> found.mean_goals, found.mean_length, found.shortest, found.longest
        ({'robot': 50.0}, 6.0, 3, 9)
        >>> round(found.goal_errors["robot"], 2)
        28.87
        """
        count = tally.playouts
        length, length_error = _estimate(count, tally.length_sum, tally.length_squares)
        goals = [
            _estimate(count, total, squares)
            for total, squares in zip(tally.goal_sums, tally.goal_squares)
        ]
        return cls(
            count=count,
            mean_goals={role: mean for role, (mean, _) in zip(roles, goals)},
            goal_errors={role: error for role, (_, error) in zip(roles, goals)},
            mean_length=length,
            length_error=length_error,
            shortest=tally.shortest if count else 0,
            longest=tally.longest,
            stuck=tally.stuck,
            cut=tally.cut,
            unclear=tally.unclear,
        )


def _estimate(count: int, total: int, squares: int) -> tuple[float, float]:
    """The mean of a sample and its standard error."""
    if count == 0:
        return math.nan, math.nan
    if count == 1:
        return float(total), math.nan
    # In whole numbers as long as possible: nothing is lost where the spread is small.
    spread = max(0, count * squares - total * total)
    return total / count, math.sqrt(spread / (count - 1)) / count
