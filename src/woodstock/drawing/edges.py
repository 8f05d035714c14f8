"""Edges: walls between cells and lines between dots.

Mazes say ``(blockedEast 2 3)`` or ``(wall 2 3 north)``; games of lines say ``(line 2 3 2 4)``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from woodstock.drawing.coordinates import Axis, read_coordinate
from woodstock.drawing.looks import words_in
from woodstock.drawing.relations import Relation, Row

_DIRECTIONS = {
    "north": "up",
    "up": "up",
    "above": "up",
    "south": "down",
    "down": "down",
    "below": "down",
    "east": "right",
    "right": "right",
    "west": "left",
    "left": "left",
}
_WALLS = {"blocked", "wall", "walls", "fence"}


@dataclass(frozen=True)
class Wall:
    """One side of a cell: ``side`` is up, down, left or right as a person sees it."""

    x: int
    y: int
    side: str


@dataclass(frozen=True)
class Line:
    """From dot (x, y) to the right (``across``) or to the next higher y."""

    x: int
    y: int
    across: bool


def find_walls(relation: Relation) -> list[Wall] | None:
    """The walls a relation tells of; None when it tells of none.

    >>> find_walls(Relation("blockedEast", 2, [("2", "3")]))
    [Wall(x=2, y=3, side='right')]
    """
    words = words_in(relation.functor)
    if not _WALLS & set(words) or relation.arity not in (2, 3):
        return None
    named = next((_DIRECTIONS[word] for word in words if word in _DIRECTIONS), None)
    if (named is None) != (relation.arity == 3):
        return None
    walls = []
    for row in relation.state:
        x, y = _number(row[0]), _number(row[1])
        side = named or _DIRECTIONS.get(str(row[2]).lower())
        if x is None or y is None or side is None:
            return None
        walls.append(Wall(x, y, side))
    return walls or None


def find_lines(relation: Relation) -> list[Line] | None:
    """The lines between neighbouring dots; None when this is not what a relation tells.

    >>> find_lines(Relation("line", 4, [("1", "2", "1", "3")]))
    [Line(x=1, y=2, across=False)]
    """
    return read_lines(relation.state) or None if _speaks_of_lines(relation) else None


def line_span(relation: Relation) -> tuple[Axis, Axis] | None:
    """The axes of the boxes between the dots of state and domain."""
    lines = read_lines(relation.rows) if _speaks_of_lines(relation) else None
    if not lines:
        return None
    xs = [line.x for line in lines] + [line.x + 1 for line in lines if line.across]
    ys = [line.y for line in lines] + [line.y + 1 for line in lines if not line.across]
    x = Axis.of(str(i) for i in range(min(xs), max(xs)))
    y = Axis.of(str(i) for i in range(min(ys), max(ys)))
    return (x, y) if x and y else None


def _speaks_of_lines(relation: Relation) -> bool:
    return relation.arity == 4 and bool({"line", "edge"} & set(words_in(relation.functor)))


def read_lines(rows: Iterable[Row]) -> list[Line] | None:
    """Lines from the numbers of both their dots; None when one is no line."""
    lines = []
    for row in rows:
        numbers = [_number(item) for item in row]
        x1, y1, x2, y2 = numbers
        if x1 is None or y1 is None or x2 is None or y2 is None:
            return None
        if abs(x1 - x2) + abs(y1 - y2) != 1:
            return None
        lines.append(Line(min(x1, x2), min(y1, y2), across=y1 == y2))
    return lines


def _number(term: object) -> int | None:
    read = read_coordinate(term)
    return read[1] if read else None
