"""What a search is given to think with, and what it found out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from woodstock.gdl.terms import Term
from woodstock.intervals import wilson
from woodstock.notebook import html_table

__all__ = ["Decision", "Limits", "MoveValue"]

SHARE_NOISE = 1e-3
"""Shares that differ more from those of the visits are probabilities to play by."""


@dataclass(frozen=True)
class Limits:
    """When to stop thinking: at whichever comes first; None is no limit.

    `seconds` are those of the clock, `cpu_seconds` those of the thread that thinks. Nodes are
    states met, simulations random games. Under limits on nodes and simulations alone, a search
    with one thread and the same seed always finds the same.

    >>> Limits(seconds=0.5)
    Limits(seconds=0.5, cpu_seconds=None, nodes=None, simulations=None)
    >>> Limits(seconds=-1)
    Traceback (most recent call last):
    ...
    ValueError: seconds must not be negative
    """

    seconds: float | None = None
    cpu_seconds: float | None = None
    nodes: int | None = None
    simulations: int | None = None

    @property
    def shortest(self) -> float | None:
        """The least of the limits on time, in seconds."""
        return min((x for x in (self.seconds, self.cpu_seconds) if x is not None), default=None)

    def split(self, share: float) -> tuple[Limits, Limits]:
        """A part of the limits, and what is left of them.

        >>> Limits(seconds=2, simulations=100).split(0.25)[0]
        Limits(seconds=0.5, cpu_seconds=None, nodes=None, simulations=25)
        """

        def part(of: float) -> Limits:
            return Limits(
                seconds=None if self.seconds is None else self.seconds * of,
                cpu_seconds=None if self.cpu_seconds is None else self.cpu_seconds * of,
                nodes=None if self.nodes is None else int(self.nodes * of),
                simulations=None if self.simulations is None else int(self.simulations * of),
            )

        return part(share), part(1 - share)

    def __post_init__(self) -> None:
        for name in ("seconds", "cpu_seconds", "nodes", "simulations"):
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise ValueError(f"{name} must not be negative")


@dataclass(frozen=True)
class MoveValue:
    """What a search thinks of a move.

    Utilities are between 0 and 1; `lower` and `upper` are proved bounds. `share` is how much of
    the visits the move had, or the probability with which it should be played.
    """

    move: Term
    value: float
    visits: int
    lower: float = 0.0
    upper: float = 1.0
    proved: bool = False
    share: float = 0.0

    @property
    def bounds(self) -> str:
        """What is proved of the value, in hundredths, for people; empty where nothing is.

        >>> MoveValue("pass", 0.5, 10, lower=0.25).bounds
        '25 - 100'
        """
        if self.proved:
            return "proved"
        if self.lower <= 0 and self.upper >= 1:
            return ""
        return f"{100 * self.lower:.0f} - {100 * self.upper:.0f}"

    @property
    def trusted(self) -> tuple[float, float]:
        """Between what bounds the value lies, by what is proved and by 95 % of the samples.

        >>> [round(x, 2) for x in MoveValue("climb", 0.25, 1680).trusted]
        [0.23, 0.27]
        """
        if self.proved or not self.visits:
            return (self.value, self.value) if self.proved else (self.lower, self.upper)
        low, high = wilson(min(1.0, max(0.0, self.value)), self.visits)
        return max(self.lower, min(low, self.upper)), min(self.upper, max(high, self.lower))

    def to_json(self) -> dict[str, Any]:
        """The value as a JSON object."""
        return {
            "move": str(self.move),
            "value": round(self.value, 6),
            "visits": self.visits,
            "lower": round(self.lower, 6),
            "upper": round(self.upper, 6),
            "proved": self.proved,
            "share": round(self.share, 6),
        }


@dataclass(frozen=True)
class Decision:
    """A move, and what speaks for it.

    `moves` are all legal moves, the choice first and then as they are advised, `values` the
    utilities of the position to the players, `line` is the expected play, joint move by joint move.
    `proved` tells that the value is exact. Nodes, simulations and times are those of this one
    search, `bytes` is the memory it holds.
    """

    move: Term
    value: float
    values: Mapping[str, float]
    moves: tuple[MoveValue, ...]
    line: tuple[tuple[Term, ...], ...] = ()
    nodes: int = 0
    simulations: int = 0
    depth: int = 0
    proved: bool = False
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    bytes: int = 0
    notes: tuple[str, ...] = field(default=())
    """What the search says about how it went, in words."""

    def advising(self) -> Decision:
        """The same with the moves in the order of advice, for searches that sample moves.

        Behind the choice, moves stand by what they are worth at least, as far as samples tell, or
        by the probability with which they should be played. A search may choose what promises more
        than it has seen so far: then a note says which move is worth more as it is.

        >>> moves = [MoveValue(*one) for one in (("east", 0.19, 900), ("west", 0.1, 60), ("climb", \
0.25, 40))]
        >>> moves = tuple(replace(one, share=one.visits / 1000) for one in moves)
        >>> found = Decision("east", 0.19, {"x": 0.19}, moves).advising()
        >>> [one.move for one in found.moves]
        ['east', 'climb', 'west']
        """
        games = sum(one.visits for one in self.moves)
        if not games:
            return self
        mixed = any(abs(one.share - one.visits / games) > SHARE_NOISE for one in self.moves)

        def advice(one: MoveValue) -> float:
            return one.share if mixed else one.trusted[0]

        choice = next(one for one in self.moves if one.move == self.move)
        rest = sorted((one for one in self.moves if one is not choice), key=advice, reverse=True)
        notes = self.notes
        if rest and not mixed and rest[0].trusted[0] > choice.trusted[1]:
            notes += (f"{rest[0].move} is worth more so far, {choice.move} promises more",)
        return replace(self, moves=(choice, *rest), notes=notes)

    def to_json(self) -> dict[str, Any]:
        """The decision as a JSON object, moves as KIF texts.

        >>> Decision("pass", 0.5, {"x": 0.5}, (MoveValue("pass", 0.5, 10),)).to_json()["moves"][0]
        {'move': 'pass', 'value': 0.5, 'visits': 10, 'lower': 0.0, 'upper': 1.0, 'proved': False, \
'share': 0.0}
        """
        return {
            "move": str(self.move),
            "value": round(self.value, 6),
            "values": {role: round(value, 6) for role, value in self.values.items()},
            "proved": self.proved,
            "moves": [one.to_json() for one in self.moves],
            "line": [[str(move) for move in joint] for joint in self.line],
            "nodes": self.nodes,
            "simulations": self.simulations,
            "depth": self.depth,
            "seconds": round(self.seconds, 3),
            "cpu_seconds": round(self.cpu_seconds, 3),
            "bytes": self.bytes,
            "notes": list(self.notes),
        }

    def _repr_html_(self) -> str:
        rows = [(one.move, f"{100 * one.value:.1f}", one.visits, one.bounds) for one in self.moves]
        figures = f"{self.simulations:,} simulations, {self.nodes:,} nodes, {self.seconds:.1f} s"
        return html_table(["move", "value", "visits", "bounds"], rows, figures)
