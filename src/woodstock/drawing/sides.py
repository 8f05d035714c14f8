"""Sides: how the axes of a board lie in the picture.

Rules name the column first or the row first, and count rows from the top or from the bottom. The
fluents hardly tell; hints do, and habits of rulesheets fill in.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from woodstock.drawing.coordinates import Axis, read_coordinate, spell
from woodstock.drawing.grids import Group
from woodstock.drawing.hints import Hints
from woodstock.drawing.looks import BLANKS

_ROW_FAMILIES = {"r#", "y#", "row#", "rank#"}
_COLUMN_FAMILIES = {"c#", "x#", "col#", "column#", "file#"}


@dataclass(frozen=True)
class Sides:
    """Both axes of a board as seen: x runs to the right, y as ``upward`` says."""

    x: Axis
    y: Axis
    upward: bool
    transposed: bool
    block_x: Axis | None = None
    block_y: Axis | None = None

    def locate(self, bx: str, by: str, x: str, y: str) -> tuple[int, int] | None:
        """Column and row of a place as seen; None when it is not on this board."""
        if self.transposed:
            x, y = y, x
        column, row = self.x.position(x), self.y.position(y)
        if column is None or row is None:
            return None
        if self.block_x is not None and self.block_y is not None:
            big_x, big_y = self.block_x.position(bx), self.block_y.position(by)
            if big_x is None or big_y is None:
                return None
            column, row = big_x * len(self.x) + column, big_y * len(self.y) + row
            height = len(self.y) * len(self.block_y)
        else:
            height = len(self.y)
        return column, height - 1 - row if self.upward else row


def sides_of(group: Group, hints: Hints) -> Sides:
    """The sides of a group of grids, as hints and habits say."""
    layout = group.first.layout
    x, y = _axis(group, "x"), _axis(group, "y")
    blocks: list[Axis | None] = [None, None]
    if layout.block_x is not None and layout.block_y is not None:
        blocks = [group.first.axis(layout.block_x), group.first.axis(layout.block_y)]
    transposed = not hints.args and blocks[0] is None and _row_first(group, x, y, hints)
    if transposed:
        x, y = y, x
    upward = hints.flip
    if upward is None:
        downward = hints.shape == "hex" or y.family in ("a", "r#", "named")
        upward = not (transposed or blocks[0] is not None or downward)
        if hints.args and _matrix_like(group, x, y, hints):
            upward = False
    if hints.columns is not None and blocks[0] is None:
        x = _resize(x, hints.columns)
    if hints.rows is not None and blocks[0] is None:
        if not isinstance(hints.rows, int):
            upward = False
        y = _resize(y, hints.rows)
    return Sides(x, y, upward, transposed, *blocks)


def _axis(group: Group, side: str) -> Axis:
    values: set[object] = set()
    for grid in group.grids:
        values |= grid.relation.column(grid.layout.x if side == "x" else grid.layout.y)
    first = group.first
    return Axis.of(values) or first.axis(first.layout.x if side == "x" else first.layout.y)


def _row_first(group: Group, x: Axis, y: Axis, hints: Hints) -> bool:
    """Whether the rules name the row before the column, as in a matrix."""
    if x.family in _ROW_FAMILIES and y.family in _COLUMN_FAMILIES:
        return True
    return _matrix_like(group, x, y, hints)


def _matrix_like(group: Group, x: Axis, y: Axis, hints: Hints) -> bool:
    """Numbers in a grid (sudoku) and very small boards are mostly written like matrices."""
    if not (x.numeric and y.numeric):
        return False
    grid = group.telling
    if _size(x, hints.columns) <= 3 and _size(y, hints.rows) <= 3:
        # A small part of a board that fills up later must not turn around while it does.
        return bool(grid.relation.domain) or len(grid.places(domain=False)) >= len(x) * len(y)
    if grid.marker:
        return False
    contents = [c for c in grid.contents() if c.lower() not in BLANKS]
    return bool(contents) and all(c.isdecimal() for c in contents)


def _size(axis: Axis, hinted: int | tuple[str, ...] | None) -> int:
    """How long a side will be in the end, of which the state may show a part only."""
    size = hinted if isinstance(hinted, int) else len(hinted or ())
    return max(len(axis), size)


def _resize(axis: Axis, size: int | tuple[str, ...]) -> Axis:
    """An axis of the hinted size; labels keep the rules' way of counting."""
    if not isinstance(size, int):
        return Axis.named(size)
    first = read_coordinate(axis.labels[0]) if axis.labels else None
    if first is None or len(axis) >= size:
        return axis
    family, low = first
    low = 0 if family == "a" else min(low, 1)
    labels = [spell(family, low + i) for i in range(size)]
    return replace(axis, labels=tuple(labels)) if family != "a" or size <= 26 else axis


def first_number(axis: Axis) -> int:
    """The number of the first place of an axis.

    >>> first_number(Axis.of(["c3", "c4"]))
    3
    """
    read = read_coordinate(axis.labels[0]) if axis.labels else None
    return read[1] if read else 0
