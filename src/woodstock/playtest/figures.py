"""What came of trying a game out: figures, and findings with lines of play."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from woodstock.gdl.diagnostics import Diagnostic
from woodstock.gdl.sheet import Clause
from woodstock.gdl.terms import Term

__all__ = ["Interval", "Lengths", "PlayTest", "Width"]

_NORMAL = 1.959964
"""Of the normal distribution 95 % lie within so many standard deviations."""


@dataclass(frozen=True)
class Interval:
    """A mean, with the interval in which the true one lies with 95 % confidence."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[int]) -> Interval | None:
        """That of a sample; None of an empty one.

        >>> Interval.of([0, 100, 100, 0]).mean
        50.0
        """
        if not values:
            return None
        count = len(values)
        mean = sum(values) / count
        spread = sum((value - mean) ** 2 for value in values)
        error = math.sqrt(spread / max(1, count - 1) / count) * _NORMAL
        return cls(mean, mean - error, mean + error)


@dataclass(frozen=True)
class Lengths:
    """How many moves games took: shortest, quarter, middle, three quarters, longest, and mean."""

    shortest: int
    quarter: int
    middle: int
    three_quarters: int
    longest: int
    mean: float

    @classmethod
    def of(cls, lengths: Sequence[int]) -> Lengths | None:
        """Those of some games; None of none.

        >>> Lengths.of([5, 9, 7, 9, 8])
        Lengths(shortest=5, quarter=7, middle=8, three_quarters=9, longest=9, mean=7.6)
        """
        if not lengths:
            return None
        ordered = sorted(lengths)
        at = [ordered[(len(ordered) - 1) * quarter // 4] for quarter in range(5)]
        return cls(at[0], at[1], at[2], at[3], at[4], sum(ordered) / len(ordered))


@dataclass(frozen=True)
class Width:
    """How many moves a role has where it has a choice: on average, and at most."""

    mean: float
    most: int


@dataclass(frozen=True)
class PlayTest:
    """What `playtest` found out.

    `games` random games give `lengths` and `goals` (by role, of the games that ended by their
    rules); `cut` of them were broken off at `limit` moves, in `stuck` a role had no move. `walks`
    games were followed move by move: of those are `branching` (by role), `unused_moves` (moves that
    the rules speak of and that were never legal), and `unused_rules` (by `rule_states` states).
    Both are empty where too few games or states were met to say so.
    """

    engine: str
    games: int
    walks: int
    limit: int
    cut: int
    stuck: int
    lengths: Lengths | None
    goals: Mapping[str, Interval]
    branching: Mapping[str, Width]
    moves: int
    unused_moves: tuple[tuple[str, Term], ...]
    rules: int
    rule_states: int
    unused_rules: tuple[Clause, ...]
    findings: tuple[Diagnostic, ...]
    seconds: float
    lines: Mapping[str, int] = field(default_factory=dict)
    """The line of each unused rule, by its text."""

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data, but for the findings."""
        return {
            "engine": self.engine,
            "games": self.games,
            "walks": self.walks,
            "seconds": round(self.seconds, 2),
            "limit": self.limit,
            "cut": self.cut,
            "stuck": self.stuck,
            "lengths": None if self.lengths is None else vars(self.lengths),
            "goals": {role: vars(interval) for role, interval in self.goals.items()},
            "branching": {role: vars(width) for role, width in self.branching.items()},
            "moves": self.moves,
            "unused_moves": [[role, str(move)] for role, move in self.unused_moves],
            "rules": self.rules,
            "rule_states": self.rule_states,
            "unused_rules": [
                {"line": self.lines[rule.to_kif()], "rule": rule.to_kif()}
                for rule in self.unused_rules
            ],
        }
