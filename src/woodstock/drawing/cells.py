"""Cells and panels: a board as it is seen, before anything is drawn.

Column 0 is left and row 0 is on top, whatever the rules count like. A place the board does not
have (the corners of a cross-shaped board) has no entry in ``cells``; a blank has an empty one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True)
class Cell:
    """What stands on one place, the most telling content first.

    ``counts`` says how many there are of each content; ``ground`` what lies below them: wall,
    target, water or nothing in particular; ``floor`` the content that colours the cell; ``last``
    that the last move was made here.

    >>> Cell.of([("white", 2), ("black", 1), ("white", 1), ("red", 0)])
    Cell(contents=('white', 'black'), counts=(3, 1), ground='', floor='')
    """

    contents: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()
    ground: str = ""
    floor: str = ""
    last: bool = field(default=False, repr=False)

    @classmethod
    def of(cls, pieces: Iterable[tuple[str, int]], floor: str = "") -> Cell:
        """A cell with these pieces, equal ones counted together."""
        counts: dict[str, int] = {}
        for content, count in pieces:
            if count > 0:
                counts[content] = counts.get(content, 0) + count
        return cls(tuple(counts), tuple(counts.values()), floor=floor)

    def pieces(self) -> list[tuple[str, int]]:
        """Each content with how many there are of it.

        >>> Cell(("white",)).pieces()
        [('white', 1)]
        """
        return list(zip(self.contents, self.counts or (1,) * len(self.contents)))


Edge = tuple[str, int, int]  # "h" above cell (column, row), "v" left of it


@dataclass(frozen=True)
class Panel:
    """One grid of cells.

    ``block`` is the size of the blocks of nested boards. ``origin`` is the number of the first
    column and of the first counted row; ``upward`` says that rows count from the bottom and
    ``transposed`` that the rules name the row first. ``names`` are those of the places of a board
    that a layout spells; its columns and rows have no names, and its hexagons are found every half
    cell.

    ``words`` are the constants by which the rules know a place: its layers, its block, column and
    row as the rules tell them apart; ``order`` is that of these words in a fluent. ``crossings``
    are the same for lines between dots.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: Mapping[tuple[int, int], Cell]
    shape: str = "square"
    block: tuple[int, int] | None = None
    origin: tuple[int, int] = (1, 1)
    upward: bool = False
    transposed: bool = False
    edges: frozenset[Edge] = frozenset()
    names: Mapping[tuple[int, int], str] = field(default_factory=dict)
    words: Mapping[tuple[int, int], tuple[str, ...]] = field(default_factory=dict)
    order: tuple[int, ...] = (0, 1)
    crossings: Mapping[tuple[str, ...], Edge] = field(default_factory=dict)

    def place(self, column: int, row: int) -> str:
        """What a person calls a place.

        >>> Panel("", ("a", "b"), ("1",), {}).place(1, 0)
        'b 1'
        """
        named = self.names.get((column, row))
        return f"{self.columns[column]} {self.rows[row]}" if named is None else named

    def at(self, column: int, row: int) -> float:
        """How many cells a cell stands right of the left border."""
        if self.names and self.shape == "hex":
            return column / 2
        return column + self.shift(row) / 2

    @cached_property
    def span(self) -> tuple[float, float]:
        """Where the leftmost cell begins and the rightmost ends, in cells.

        >>> Panel("", ("1", "2"), ("1",), {(1, 0): Cell()}).span
        (1.0, 2.0)
        """
        starts = [self.at(column, row) for column, row in self.cells] or [0.0]
        return min(starts), max(starts) + 1

    @cached_property
    def spots(self) -> Mapping[str, list[tuple[int, int]]]:
        """Where each named place lies; a large one has several spots."""
        spots: dict[str, list[tuple[int, int]]] = {}
        for spot, name in self.names.items():
            spots.setdefault(name, []).append(spot)
        return spots

    def shift(self, row: int) -> int:
        """Half cells by which a row of hexagons stands further right than the leftmost row.

        Rows lean so that the neighbours of a cell are those of the usual rules of hex: the next
        column of the row before and the previous column of the row after.

        >>> Panel("", ("1",), ("a", "b"), {}, shape="hex").shift(1)
        1
        """
        if self.shape != "hex":
            return 0
        return len(self.rows) - 1 - row if self.upward else row

    def contents(self) -> Iterable[str]:
        """All contents on this panel, with repetition.

        >>> list(Panel("", ("1",), ("1",), {(0, 0): Cell(("x",))}).contents())
        ['x']
        """
        for cell in self.cells.values():
            yield from cell.contents
