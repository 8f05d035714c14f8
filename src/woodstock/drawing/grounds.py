"""Grounds: what lies below the pieces although no fluent says so.

Rules often have their walls and targets as fixed relations, which a state does not show. The
``background`` hint is a sketch of them, one character a cell: ``#`` wall, ``*`` target, ``~``
water, ``^`` and ``v`` a long triangle with its tip up or down (``A`` and ``V`` a dark one), a blank
where there is no cell, anything else plain floor.

>>> hints = Hints.read({"background": ["###", "#*~"]})
>>> sized(hints).columns, sized(hints).rows
(3, 2)
>>> add_ground(Panel("", ("1", "2"), ("1",), {(0, 0): Cell()}), hints).cells[0, 0].ground
'wall'
"""

from __future__ import annotations

from dataclasses import replace

from woodstock.drawing.cells import Cell, Panel
from woodstock.drawing.hints import Hints

_GROUNDS = {"#": "wall", "*": "target", "~": "water"} | {tip: f"tip {tip}" for tip in "^vAV"}


def sized(hints: Hints) -> Hints:
    """Hints that give a board the size of its background, where they do not say another."""
    if not hints.background or hints.layout:
        return hints
    columns = max(len(row) for row in hints.background)
    return replace(
        hints,
        columns=columns if hints.columns is None else hints.columns,
        rows=len(hints.background) if hints.rows is None else hints.rows,
    )


def add_ground(panel: Panel, hints: Hints) -> Panel:
    """A panel on its background. Cells the background leaves out stay only where pieces are."""
    if not hints.background:
        return panel
    cells: dict[tuple[int, int], Cell] = {}
    for j in range(len(panel.rows)):
        row = hints.background[j] if j < len(hints.background) else ""
        for i in range(len(panel.columns)):
            mark = row[i] if i < len(row) else " "
            cell = panel.cells.get((i, j))
            if panel.names and cell is None:
                continue
            if mark != " " or panel.names or (cell is not None and cell.contents):
                cells[i, j] = replace(cell or Cell(), ground=_GROUNDS.get(mark, ""))
    return panel if not cells else _trimmed(replace(panel, cells=cells))


def _trimmed(panel: Panel) -> Panel:
    """A panel without the rows and columns at its border that have no cells at all."""
    if panel.names:
        return panel
    left, right = min(i for i, _ in panel.cells), max(i for i, _ in panel.cells)
    top, low = min(j for _, j in panel.cells), max(j for _, j in panel.cells)
    first = len(panel.rows) - 1 - low if panel.upward else top
    return replace(
        panel,
        columns=panel.columns[left : right + 1],
        rows=panel.rows[top : low + 1],
        cells={(i - left, j - top): cell for (i, j), cell in panel.cells.items()},
        words={(i - left, j - top): words for (i, j), words in panel.words.items()},
        origin=(panel.origin[0] + left, panel.origin[1] + first),
    )
