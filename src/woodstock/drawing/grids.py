"""Grids: relations laid out, and which of them share one board.

A game may spread its board over several functors: one per piece, one for the floor and one for
what stands on it, even and odd squares. `group_grids` puts together what belongs together and
gives back what only repeats the board.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from woodstock.drawing.colors import SIDES
from woodstock.drawing.coordinates import Axis, number_of
from woodstock.drawing.edges import line_span
from woodstock.drawing.hints import Hints
from woodstock.drawing.looks import BLANKS, PIECES, words_in
from woodstock.drawing.relations import Layout, Relation, Row, find_layout, layout_from_args
from woodstock.drawing.terms import kif, words_of

Place = tuple[tuple[str, ...], str, str, str, str]  # layers, block x, block y, x, y (lower case)


@dataclass
class Grid:
    """A relation with its layout: places with contents.

    >>> from woodstock.drawing.relations import relations_of
    >>> relation = relations_of([("white", "1", "1"), ("white", "2", "3"), ("white", "2", "1")])[0]
    >>> grid = Grid(relation, find_layout(relation))
    >>> sorted(grid.contents())
    ['white']
    """

    relation: Relation
    layout: Layout
    source: Relation | None = None  # the relation before squares were split
    shadow: bool = False  # says where places are and nothing about what is there

    @property
    def marker(self) -> bool:
        """Whether the functor itself is the content."""
        return not self.layout.content

    def place(self, row: Row) -> Place:
        """The place a row speaks of."""
        layout = self.layout

        def label(index: int | None) -> str:
            return "" if index is None else kif(row[index])

        layers = tuple(label(i) for i in layout.layers)
        return (
            layers,
            label(layout.block_x),
            label(layout.block_y),
            label(layout.x),
            label(layout.y),
        )

    def content(self, row: Row) -> str:
        """What a row says is there."""
        if self.marker:
            return self.relation.functor
        return words_of(tuple(row[i] for i in self.layout.content))

    def count(self, row: Row) -> int:
        """How many of its content a row puts there."""
        return 1 if self.layout.count is None else number_of(row[self.layout.count])

    def contents(self) -> set[str]:
        """All contents of state and domain."""
        if self.shadow:
            return set()
        return {self.content(row) for row in self.relation.rows}

    def places(self, *, domain: bool = True) -> set[Place]:
        """All places of the state, and of the domain if asked."""
        rows = self.relation.rows if domain else self.relation.state
        return {self.place(row) for row in rows}

    def axis(self, index: int) -> Axis:
        """The axis of an argument; one of any constants where a hint insists."""
        values = self.relation.column(index)
        return Axis.of(values) or Axis.named(sorted(kif(value) for value in values))

    def occupied(self) -> set[Place]:
        """Places of the state with something other than a blank."""
        return {
            self.place(row)
            for row in self.relation.state
            if self.content(row).lower() not in BLANKS
        }


@dataclass
class Group:
    """Grids that share one board, the one that says most first."""

    grids: list[Grid] = field(default_factory=list)

    @property
    def first(self) -> Grid:
        """The grid that gave the group its axes."""
        return self.grids[0]

    @property
    def telling(self) -> Grid:
        """The largest grid with contents of its own, where there is one."""
        return next((grid for grid in self.grids if not grid.marker), self.first)

    def places(self) -> set[Place]:
        """The places of all grids together."""
        return set().union(*(grid.places() for grid in self.grids))

    def fits(self, grid: Grid) -> bool:
        """Whether a grid has the same axes, and no place off this board."""
        mine, its = self.first.layout, grid.layout
        if mine.layers or its.layers or mine.block_x is not None or its.block_x is not None:
            return False
        for here, there in ((mine.x, its.x), (mine.y, its.y)):
            one, other = self.first.axis(here), grid.axis(there)
            if one.family != other.family:
                return False
            if not (self.first.marker or grid.shadow) and not set(map(str.lower, other.labels)) <= {
                label.lower() for label in one.labels
            }:
                return False
        return True


def find_grids(relations: Iterable[Relation], hints: Hints) -> tuple[list[Grid], list[Relation]]:
    """Split relations into those that look like boards and those that do not."""
    wanted = {name.lower() for name in hints.cell}
    grids: list[Grid] = []
    rest: list[Relation] = []
    for relation in relations:
        layout: Layout | None = None
        if not wanted or relation.functor.lower() in wanted:
            split = relation.split_squares()
            args = hints.args_of.get(relation.functor.lower(), hints.args)
            if (
                "x" in args
                and len(args) in (relation.arity, split.arity)
                and (wanted or split.arity > 2)
            ):
                layout = layout_from_args(args)
                split = relation if len(args) == relation.arity else split
            else:
                layout = find_layout(split)
            if layout is not None:
                grids.append(Grid(split, layout, source=relation))
        if layout is None:
            rest.append(relation)
    return grids, rest


def shadow_of_walls(relation: Relation) -> Grid | None:
    """The places that have walls: the board is at least as large, whoever stands where.

    Cells count from 1; a wall at 0 is the border.
    """
    rows = [row[:2] for row in relation.state if "0" not in row[:2]]
    places = Relation(relation.functor, 2, rows)
    layout = find_layout(places)
    return Grid(places, layout, shadow=True) if layout is not None else None


def shadow_of_boxes(relation: Relation) -> Grid | None:
    """The boxes between the dots of a game of lines."""
    span = line_span(relation)
    if span is None:
        return None
    rows: list[Row] = [(x, y) for x in span[0].labels for y in span[1].labels]
    return Grid(Relation(relation.functor, 2, rows), Layout(0, 1, ()), shadow=True)


def group_grids(grids: list[Grid], hints: Hints) -> tuple[list[Group], list[Grid]]:
    """Groups of grids that are boards, and the grids that are none after all."""
    groups: list[Group] = []
    rest: list[Grid] = []
    wanted = {name.lower() for name in hints.cell}
    for grid in sorted(grids, key=_weight):
        group = next((g for g in groups if g.fits(grid)), None)
        if grid.shadow:
            if group is not None:
                group.grids.append(grid)
            continue
        sure = grid.relation.functor.lower() in wanted | hints.floor
        if group is None:
            if sure or _is_board(grid, grids):
                groups.append(Group([grid]))
            else:
                rest.append(grid)
        elif sure or grid.marker or _adds_to(grid, group):
            group.grids.append(grid)
        elif _is_twin(grid, group):
            groups.append(Group([grid]))
        else:
            rest.append(grid)
    boards = [g for g in groups if g.first.relation.functor.lower() in wanted or _big_enough(g)]
    rest += [grid for group in groups if group not in boards for grid in group.grids]
    return boards, rest


def _weight(grid: Grid) -> tuple[bool, int, str]:
    """Large grids first, for they know the board; what has contents counts double."""
    return grid.shadow, -len(grid.places()) * (1 if grid.marker else 2), grid.relation.functor


def _is_board(grid: Grid, grids: list[Grid]) -> bool:
    """Whether a marker relation such as ``(pawn 2 3)`` is a board and not ``(heap 2 3)``."""
    if not grid.marker or not grid.relation.is_key([grid.layout.x]):
        return True
    if grid.relation.domain and grid.axis(grid.layout.x) == grid.axis(grid.layout.y):
        return True
    # One functor a piece: each looks like a count, but together they fill a board.
    pieces = [other for other in grids if other.marker and _names_a_piece(other.relation.functor)]
    columns = {place[3] for other in pieces for place in other.places()}
    return grid in pieces and len(columns) < sum(len(other.places()) for other in pieces)


def _names_a_piece(name: str) -> bool:
    known = {*PIECES, *SIDES, *BLANKS, "x", "o"}
    return bool(known & set(words_in(name)))


def _adds_to(grid: Grid, group: Group) -> bool:
    """Whether a grid shows something the board does not show yet."""
    known = set().union(*(other.contents() for other in group.grids))
    shared = (grid.contents() & known) - {c for c in known if c.lower() in BLANKS}
    if shared:
        return not grid.places() & group.places()
    occupied = set().union(*(other.occupied() for other in group.grids if not other.marker))
    mine = grid.places(domain=False)
    both = len(mine & occupied)
    # What stands on most pieces of the board and hardly anywhere else is a note about them.
    return len(mine) < 4 or both * 10 < len(mine) * 6 or both * 2 < len(occupied)


def _is_twin(grid: Grid, group: Group) -> bool:
    """A second board beside the first, as in two games played at once."""
    return len(grid.places()) * 2 >= len(group.first.places()) and bool(
        grid.contents() & group.first.contents()
    )


def _big_enough(group: Group) -> bool:
    places = group.places()
    columns = {place[3] for place in places}
    rows = {place[4] for place in places}
    return len(places) >= 3 and len(columns) >= 2 and len(rows) >= 2
