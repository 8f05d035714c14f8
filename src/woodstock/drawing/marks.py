"""Marks on a board: letters and colours that tell something about its cells.

>>> from woodstock.drawing import draw_text
>>> board = Board.find([("cell", "1", "1", "x"), ("cell", "1", "2", "b"), ("cell", "2", "1", "b"),
...                     ("cell", "2", "2", "o")])
>>> print(draw_text(marked(board, {(0, 1, 0): "a", (0, 0, 1): "a"})))
    1   2
  ┌───┬───┐
1 │ x │ a │
  ├───┼───┤
2 │ a │ o │
  └───┴───┘
"""

from __future__ import annotations

import colorsys
from collections.abc import Mapping, Set
from dataclasses import replace
from typing import TypeAlias

from woodstock.drawing.board import Board
from woodstock.drawing.cells import Cell, Panel
from woodstock.drawing.looks import Look

__all__ = ["Place", "changed_cells", "marked"]

Place: TypeAlias = tuple[int, int, int]
"""The number of a panel, a column and a row of it."""


def marked(board: Board, marks: Mapping[Place, str]) -> Board:
    """The board with marks instead of what stands on some of its cells.

    Facts and whatever lies beside the board are left out; equal marks have equal colours.
    """
    names = sorted(set(marks.values()))
    # With a blank in front, a mark is no content of the game, and explains itself.
    looks = {f" {name}": _look(name, rank, len(names)) for rank, name in enumerate(names)}
    panels = tuple(
        replace(panel, cells={**panel.cells, **_cells(panel, number, marks)})
        for number, panel in enumerate(board.panels)
    )
    return Board(panels, (), {**board.looks, **looks}, board.hints)


def _cells(panel: Panel, number: int, marks: Mapping[Place, str]) -> dict[tuple[int, int], Cell]:
    return {
        (column, row): Cell((f" {mark}",), ground=cell.ground)
        for (column, row), cell in panel.cells.items()
        if (mark := marks.get((number, column, row))) is not None
    }


def _look(name: str, rank: int, count: int) -> Look:
    red, green, blue = colorsys.hls_to_rgb(rank / max(1, count), 0.72, 0.6)
    fill = "#" + "".join(f"{round(part * 255):02x}" for part in (red, green, blue))
    return Look(name, "letter", fill)


def changed_cells(before: Board, after: Board) -> Set[Place]:
    """Where something else stands than before; of cells that became empty, only if that is all.

    >>> before = Board.find([("cell", "1", "1", "x"), ("cell", "2", "2", "b"),
    ...                      ("cell", "1", "2", "b"), ("cell", "2", "1", "b")])
    >>> after = Board.find([("cell", "1", "1", "b"), ("cell", "2", "2", "x"),
    ...                     ("cell", "1", "2", "b"), ("cell", "2", "1", "b")])
    >>> sorted(changed_cells(before, after))
    [(0, 1, 1)]
    """
    places: set[Place] = set()
    filled: set[Place] = set()
    for number, (old, new) in enumerate(zip(before.panels, after.panels)):
        for spot, cell in new.cells.items():
            if old.cells.get(spot, Cell()).pieces() != cell.pieces():
                places.add((number, *spot))
                if cell.contents:
                    filled.add((number, *spot))
    return filled or places
