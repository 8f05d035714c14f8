"""Readings: how to tell from a fluent where on the board it is drawn.

>>> reading = PlaceReading("cell", 3, (1, 0), (0,))
>>> reading.words(("cell", "2", "3", "x"))
('3', '2')
>>> PlaceReading("cell", 2, (0, 1), (0,), square=0).words(("cell", "e4", "pawn"))
('e', '4')
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from woodstock.drawing.coordinates import split_square
from woodstock.drawing.grids import Group
from woodstock.drawing.places import Places
from woodstock.drawing.relations import Relation
from woodstock.drawing.terms import kif

__all__ = ["PlaceReading", "read_group", "read_lines", "read_places"]


@dataclass(frozen=True)
class PlaceReading:
    """Which arguments of a relation are the words of a place, and on which panels it may be.

    ``at`` are the arguments in the order of `Panel.words`; with none the functor itself is the
    place. ``square`` is the argument that is split in two (``e4``) before they are counted.
    """

    functor: str
    arity: int
    at: tuple[int, ...]
    panels: tuple[int, ...]
    square: int | None = None

    def words(self, fluent: object) -> tuple[str, ...]:
        """The words of the place, in lower case; none if the fluent is of another relation."""
        row = tuple(fluent[1:]) if isinstance(fluent, tuple) else ()
        name = kif(fluent[0] if isinstance(fluent, tuple) and fluent else fluent)
        if name != self.functor or len(row) != self.arity:
            return ()
        if self.square is not None:
            parts = split_square(row[self.square])
            if parts is None:
                return ()
            row = row[: self.square] + parts + row[self.square + 1 :]
        return tuple(kif(row[i]).lower() for i in self.at) or (name.lower(),)


def read_group(group: Group, panels: Iterable[int]) -> list[PlaceReading]:
    """The readings of the relations that share one board."""
    found = []
    for grid in group.grids:
        relation = grid.source or grid.relation
        square = None
        if grid.relation.arity > relation.arity:
            same = [
                i
                for i in range(relation.arity)
                if all(split_square(row[i]) for row in relation.rows)
            ]
            square = same[0]
        if not grid.shadow:
            key = grid.layout.key
            numbers = tuple(panels)
            found.append(PlaceReading(relation.functor, relation.arity, key, numbers, square))
    return found


def read_places(places: Places) -> list[PlaceReading]:
    """The readings of the relations on a board of named places, which is the first panel."""
    return [
        PlaceReading(relation.functor, relation.arity, _letters(args, "p"), (0,))
        for relation, args in zip(places.used, places.args)
    ]


def read_lines(relation: Relation, panel: int) -> PlaceReading:
    """The reading of lines between dots."""
    return PlaceReading(relation.functor, relation.arity, tuple(range(relation.arity)), (panel,))


def _letters(args: str, wanted: str) -> tuple[int, ...]:
    return tuple(i for i, letter in enumerate(args) if letter == wanted)
