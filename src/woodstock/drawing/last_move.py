"""The last move on a board: the cells that it names, or where something else stands now.

>>> from woodstock.drawing.text import draw_text
>>> before = [("cell", x, y, "b") for x in "12" for y in "12"]
>>> after = [*before[1:], ("cell", "1", "1", "x")]
>>> print(draw_text(last_move_board(before, after, [("mark", "1", "1")])))
    1   2
  ┌───┬───┐
1 │[x]│   │
  ├───┼───┤
2 │   │   │
  └───┴───┘
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from woodstock.drawing.board import Board
from woodstock.drawing.marks import Place, changed_cells
from woodstock.drawing.targets import MoveEffect, find_targets

__all__ = ["last_move_board"]

_MOST = 8
"""Of a move that names no cell, and changes more of them, nothing is marked."""


def last_move_board(
    before: Collection[object],
    after: Collection[object],
    moves: Sequence[object],
    *,
    hints: Mapping[str, object] | None = None,
    domain: Iterable[object] | None = None,
) -> Board:
    """The board of the fluents ``after`` some moves, with the cells marked that they are about.

    ``moves`` are those of the roles that had a choice; the others tell nothing.
    """
    possible = None if domain is None else list(domain)
    old, new = Board.find(before, possible, hints), Board.find(after, possible, hints)
    effect = MoveEffect.of(before, after)
    targets = find_targets(old, moves, [effect] * len(moves))
    named: set[Place] = set()
    for target in targets:
        for spot in (*target.places, *target.area[:1]):
            if len(spot) == 3:
                named.add(spot)
    changed = changed_cells(old, new)
    return _with_last(new, named or (changed if len(changed) <= _MOST else ()))


def _with_last(board: Board, places: Collection[Place]) -> Board:
    panels = []
    for number, panel in enumerate(board.panels):
        cells = dict(panel.cells)
        for there, column, row in places:
            if there == number and (column, row) in cells:
                cells[column, row] = replace(cells[column, row], last=True)
        panels.append(replace(panel, cells=cells))
    return replace(board, panels=tuple(panels))
