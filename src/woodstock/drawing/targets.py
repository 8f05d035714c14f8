"""Targets: which cells of a board a move speaks of, so that a person can point at it.

Nothing is known but the board as it is drawn and the words of the move. Two arguments side by side
that are a column and a row are a cell, one that is a square (``e4``) or a named place is one too;
a lone argument that names a column, or a row, stands for all of it.

>>> board = Board.find([("cell", "1", "1", "b"), ("cell", "2", "1", "b"), ("cell", "1", "2", "b"),
...                     ("cell", "2", "2", "x")])
>>> find_target(board, ("mark", "1", "2")).places
((0, 1, 0),)
>>> find_target(board, "noop").places
()
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from woodstock.drawing.board import Board
from woodstock.drawing.cells import Panel
from woodstock.drawing.marks import Place
from woodstock.drawing.terms import kif

__all__ = ["Target", "find_target", "find_targets", "place_text"]

_SQUARE = re.compile(r"([a-z]+)([0-9]+)")


@dataclass(frozen=True)
class Target:
    """The cells that a move names, in its own order, or a line of cells that it stands for."""

    places: tuple[Place, ...] = ()
    area: tuple[Place, ...] = ()


def place_text(place: Place) -> str:
    """A place as the attribute ``data-place`` of a drawing spells it.

    >>> place_text((0, 4, 3))
    '0,4,3'
    """
    return ",".join(map(str, place))


def find_target(board: Board, move: object) -> Target:
    """Where a move points to; nowhere if it names no cell.

    >>> column = Board.find([("control", "red")], hints={"columns": 3, "rows": 2})
    >>> find_target(column, ("drop", "3")).area
    ((0, 2, 0), (0, 2, 1))
    """
    if not isinstance(move, tuple) or len(move) < 2:
        return Target()
    words = [word for argument in move[1:] for word in _words(argument)]
    panels = sorted(enumerate(board.panels), key=lambda one: -_named(one[1], words))
    for number, panel in panels:
        found = _places(panel, words)
        if found:
            return Target(tuple((number, *spot) for spot in found))
    for number, panel in panels:
        line = _line(panel, kif(move[0]), words)
        if line:
            return Target(area=tuple((number, *spot) for spot in line))
    return Target()


def find_targets(board: Board, moves: Sequence[object]) -> list[Target]:
    """Where the moves point to that are open together.

    Where one of several of a kind points nowhere, none of its kind speaks of cells: ``-1`` among
    ``accelerate 1 1`` and its like tells that these are no columns and rows.

    >>> board = Board.find([("control", "red")], hints={"columns": 3, "rows": 2})
    >>> moves = [("go", "1", "1"), ("go", "-1", "1"), ("put", "2", "1"), "stay"]
    >>> [len(one.places) for one in find_targets(board, moves)]
    [0, 0, 1, 0]
    """
    found = [find_target(board, move) for move in moves]
    kinds = [(kif(move[0]), len(move)) if isinstance(move, tuple) else kif(move) for move in moves]
    lost = {kind for kind, target in zip(kinds, found) if not target.places and not target.area}
    return [Target() if kind in lost else target for kind, target in zip(kinds, found)]


def _words(term: object) -> list[str]:
    """The constants of an argument, innermost functors left out: ``(column 3)`` is ``3``."""
    if isinstance(term, tuple):
        return [word for part in term[1:] for word in _words(part)]
    return [kif(term).lower()]


def _named(panel: Panel, words: Sequence[str]) -> bool:
    """Whether a move names the panel itself."""
    title = panel.title.lower().split()
    return bool(title) and any(word in title for word in words)


def _places(panel: Panel, words: Sequence[str]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    index = 0
    while index < len(words):
        pair = words[index : index + 2]
        spot = _cell(panel, *pair) if len(pair) == 2 else None
        if spot is None:
            spot = _square(panel, words[index])
            index += 1
        else:
            index += 2
        if spot is not None:
            found.append(spot)
    return found


def _cell(panel: Panel, first: str, second: str) -> tuple[int, int] | None:
    """The cell that two constants name: as a place with a name of two parts, or by its axes."""
    if panel.names:
        return _spot(panel, f"{first}-{second}")
    column, row = (second, first) if panel.transposed else (first, second)
    columns, rows = [*map(str.lower, panel.columns)], [*map(str.lower, panel.rows)]
    if column not in columns or row not in rows:
        # Rows may be letters and columns numbers: then the order is not in doubt.
        column, row = row, column
        if column not in columns or row not in rows or column in rows or row in columns:
            return None
    spot = columns.index(column), rows.index(row)
    return spot if spot in panel.cells else None


def _square(panel: Panel, word: str) -> tuple[int, int] | None:
    if panel.names:
        return _spot(panel, word)
    match = _SQUARE.fullmatch(word)
    if match is None:
        return None
    for column, row in (match.groups(), match.groups()[::-1]):
        columns, rows = [*map(str.lower, panel.columns)], [*map(str.lower, panel.rows)]
        if column in columns and row in rows:
            spot = columns.index(column), rows.index(row)
            return spot if spot in panel.cells else None
    return None


def _spot(panel: Panel, name: str) -> tuple[int, int] | None:
    spots = next((spots for one, spots in panel.spots.items() if one.lower() == name), None)
    return spots[0] if spots else None


def _line(panel: Panel, functor: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """All cells of the one column, or row, that a move names."""
    if panel.names:
        return []
    axes = [[*map(str.lower, panel.columns)], [*map(str.lower, panel.rows)]]
    named = [
        (axis, labels.index(word))
        for word in words
        for axis, labels in enumerate(axes)
        if word in labels
    ]
    title = panel.title.lower().split()
    if len([word for word in words if word not in title]) != 1 or not named:
        return []
    wants_row = "row" in functor.lower() or (not any(axis == 0 for axis, _ in named))
    axis, index = next(((a, i) for a, i in named if a == int(wants_row)), named[0])
    return sorted(spot for spot in panel.cells if spot[axis] == index)
