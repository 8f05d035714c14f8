"""What reports are made of: headings, paragraphs, tables, pictures and lists of matches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

__all__ = [
    "REPLAYS",
    "Block",
    "Heading",
    "Paragraph",
    "Picture",
    "ReplayEntry",
    "Replays",
    "ReportTable",
    "interval",
    "percent",
    "with_margin",
]


REPLAYS = 500
"""Matches whose moves are in a report; the store has all."""


@dataclass(frozen=True)
class Heading:
    """A heading; level 2 is that of a part."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Paragraph:
    """Some sentences."""

    text: str


@dataclass(frozen=True)
class ReportTable:
    """A table: the first `words` columns are text, the others figures.

    `marks` are the cells to be marked, by row and column.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1
    marks: frozenset[tuple[int, int]] = frozenset()


@dataclass(frozen=True)
class Picture:
    """A picture in SVG, and what it shows in words."""

    svg: str
    text: str


@dataclass(frozen=True)
class ReplayEntry:
    """A match to be looked at: what it was, its joint moves, and the id it is kept under."""

    id: str
    title: str
    roles: tuple[str, ...]
    moves: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Replays:
    """Matches with all their moves."""

    entries: tuple[ReplayEntry, ...]
    more: int = 0
    """So many were left out."""


Block: TypeAlias = "Heading | Paragraph | ReportTable | Picture | Replays"


def percent(share: float, digits: int = 1) -> str:
    """A share in per cent; a dash where there is none.

    >>> percent(0.5), percent(math.nan)
    ('50.0', '–')
    """
    return "–" if math.isnan(share) else f"{100 * share:.{digits}f}"


def interval(bounds: Sequence[float], digits: int = 1) -> str:
    """An interval of shares in per cent.

    >>> interval((0.25, 0.75))
    '25.0 to 75.0'
    """
    low, high = bounds
    return "–" if math.isnan(low) else f"{percent(low, digits)} to {percent(high, digits)}"


def with_margin(share: float, margin: float, digits: int = 1) -> str:
    """A share in per cent with half of its interval.

    >>> with_margin(0.5, 0.1)
    '50.0 ± 10.0'
    """
    if math.isnan(share):
        return "–"
    return percent(share, digits) + ("" if math.isnan(margin) else f" ± {percent(margin, digits)}")
