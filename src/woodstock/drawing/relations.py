"""Relations: which fluents of a state are the cells of a board.

All fluents with one functor and one number of arguments form a relation. Its arguments are looked
at column by column, as in a database: those that count (`Axis`) are candidates for places, the
rest for contents; what the state shows to be a key decides in doubt. ``(cell 2 3 x)``,
``(location king 2 3)``, ``(cell e4 pawn)``, ``(marked 2 3)`` and ``(cell 1 2 3 x)`` are all read.

>>> relation = Relation("cell", 3, state=[("1", "1", "x"), ("1", "2", "b"), ("2", "1", "o")])
>>> layout = find_layout(relation)
>>> layout.x, layout.y, layout.content
(0, 1, (2,))
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

from woodstock.drawing.coordinates import Axis, are_squares, split_square
from woodstock.drawing.terms import kif

Row = tuple[object, ...]

# Boards of more dimensions than this are listed, not drawn.
_MAX_KEY = 6
_MAX_TABLE = 12


@dataclass
class Relation:
    """All fluents of one functor and arity: those that hold and those that may.

    Squares named by one constant (``e4``) are split into two arguments on the way in.
    """

    functor: str
    arity: int
    state: list[Row] = field(default_factory=list)
    domain: list[Row] = field(default_factory=list)

    @cached_property
    def rows(self) -> list[Row]:
        """Rows of state and domain together."""
        return self.state + self.domain

    def column(self, index: int) -> set[object]:
        """The values one argument takes."""
        return {row[index] for row in self.rows}

    def split_squares(self) -> Relation:
        """The same relation with its one ``e4``-like argument split in two, if it has one."""
        squares = [i for i in range(self.arity) if are_squares(self.column(i))]
        if len(squares) != 1 or self.arity > 3:
            return self
        at = squares[0]

        def split(row: Row) -> Row:
            return row[:at] + (split_square(row[at]) or (row[at], "")) + row[at + 1 :]

        state = [split(row) for row in self.state]
        domain = [split(row) for row in self.domain]
        return Relation(self.functor, self.arity + 1, state, domain)

    def is_key(self, columns: Sequence[int]) -> bool:
        """Whether no two rows of the state agree on all these columns."""
        seen = {tuple(row[i] for i in columns) for row in self.state}
        return len(seen) == len(set(self.state))

    def covers(self, columns: Sequence[int]) -> bool:
        """Whether the state has (nearly) every combination of these columns' values."""
        size = 1
        for i in columns:
            size *= len(self.column(i))
        seen = {tuple(row[i] for i in columns) for row in self.state}
        return len(seen) >= 4 and len(seen) * 10 >= size * 9


def relations_of(state: Iterable[object], domain: Iterable[object] = ()) -> list[Relation]:
    """Sort fluents into relations, in the order of functor and arity.

    >>> [(r.functor, r.arity) for r in relations_of([("cell", "1", "b"), "over"])]
    [('cell', 2), ('over', 0)]
    """
    table: dict[tuple[str, int], Relation] = {}
    for fluents, domain_side in ((state, False), (domain, True)):
        for fluent in sorted(set(fluents), key=kif):
            functor, arguments = _parts(fluent)
            key = (functor, len(arguments))
            relation = table.setdefault(key, Relation(*key))
            (relation.domain if domain_side else relation.state).append(arguments)
    return [table[key] for key in sorted(table)]


def _parts(fluent: object) -> tuple[str, Row]:
    if isinstance(fluent, tuple) and fluent:
        return kif(fluent[0]), tuple(fluent[1:])
    return kif(fluent), ()


@dataclass(frozen=True)
class Layout:
    """What each argument of a relation means for a board.

    ``content`` is empty for a relation that only marks places; then its functor is the content.
    ``count`` says how many of the content there are.
    """

    x: int
    y: int
    content: tuple[int, ...]
    layers: tuple[int, ...] = ()
    block_x: int | None = None
    block_y: int | None = None
    count: int | None = None

    @property
    def key(self) -> tuple[int, ...]:
        """All arguments that together name a place."""
        blocks = (self.block_x, self.block_y)
        return (*self.layers, *(i for i in blocks if i is not None), self.x, self.y)


def layout_from_args(args: str) -> Layout:
    """The layout spelled by the ``args`` hint.

    >>> layout_from_args("zxyc").layers, layout_from_args("xycn").count
    ((0,), 3)
    """
    at: dict[str, list[int]] = defaultdict(list)
    for index, letter in enumerate(args):
        at[letter].append(index)
    return Layout(
        x=at["x"][0],
        y=at["y"][0],
        content=tuple(at["c"]),
        layers=tuple(at["z"]),
        block_x=at["X"][0] if at["X"] else None,
        block_y=at["Y"][0] if at["Y"] else None,
        count=at["n"][0] if at["n"] else None,
    )


def find_layout(relation: Relation) -> Layout | None:
    """How to lay a relation out as a board; None when it is none."""
    if not 2 <= relation.arity <= _MAX_KEY + 2:
        return None
    axes = {}
    for i in range(relation.arity):
        axis = Axis.of(relation.column(i))
        if axis is not None:
            axes[i] = axis
    places = tuple(axes)
    others = tuple(i for i in range(relation.arity) if i not in axes)
    if len(places) < 2:
        return _table_layout(relation)
    layers: tuple[int, ...] = ()
    if others:
        places = _covering_subkey(relation, places) or places
        if not relation.is_key(places):
            if _is_table(relation, places):
                return None
            layers = _named_layers(relation, places, others)
    elif len(places) > 2:
        found = _smallest_key(relation, places)
        if found is None and len(places) == 3:
            found = places[:2]  # several numbers on one place
        if found is None:
            return None
        places = found
    if len(places) > _MAX_KEY:
        return None
    content = tuple(i for i in range(relation.arity) if i not in places and i not in layers)
    return _arrange(places, axes, content, layers)


def _table_layout(relation: Relation) -> Layout | None:
    """Two arguments that count nothing but have a value for each pair make a small table."""
    if relation.arity != 3:
        return None
    sizes = [len(relation.column(i)) for i in (0, 1)]
    if not all(2 <= size <= _MAX_TABLE for size in sizes):
        return None
    if relation.is_key((0, 1)) and relation.covers((0, 1)):
        return Layout(x=1, y=0, content=(2,))
    return None


def _covering_subkey(relation: Relation, places: tuple[int, ...]) -> tuple[int, ...] | None:
    """Fewer places that already tell all cells apart and fill the board: the rest is content."""
    for size in range(2, len(places)):
        for subset in combinations(places, size):
            if relation.covers(subset) and relation.is_key(subset):
                return subset
    return None


def _smallest_key(relation: Relation, places: tuple[int, ...]) -> tuple[int, ...] | None:
    """Where everything counts (sudoku), some argument the others determine is the content."""
    for size in range(2, len(places)):
        for subset in combinations(places, size):
            if relation.is_key(subset):
                return subset
    return None


def _is_table(relation: Relation, places: tuple[int, ...]) -> bool:
    """A count per line and player has a number at its end, yet is no board."""
    last = relation.arity - 1
    return last in places and relation.is_key(range(last)) and relation.covers(range(last))


def _named_layers(
    relation: Relation, places: tuple[int, ...], others: tuple[int, ...]
) -> tuple[int, ...]:
    """An argument such as ``left-board`` that is needed to tell the cells apart."""
    if len(others) < 2:
        return ()
    return next(((i,) for i in others if relation.is_key((*places, i))), ())


def _arrange(
    places: tuple[int, ...],
    axes: dict[int, Axis],
    content: tuple[int, ...],
    layers: tuple[int, ...],
) -> Layout:
    """Choose among three and more counting arguments which are sides and which are layers."""
    if len(places) == 2:
        return Layout(places[0], places[1], content, layers)
    if len(places) == 4 and len({axes[i].family for i in places}) == 1:
        big_y, big_x, y, x = places
        return Layout(x, y, content, layers, block_x=big_x, block_y=big_y)
    if len(places) == 3:
        first, second, third = places
        alike = [_alike(axes[a], axes[b]) for a, b in ((second, third), (first, second))]
        if alike[0] and not alike[1]:
            return Layout(second, third, content, (*layers, first))
        return Layout(first, second, content, (*layers, third))
    *more, x, y = places
    return Layout(x, y, content, (*layers, *more))


def _alike(one: Axis, other: Axis) -> bool:
    return one.family == other.family and len(one) == len(other)
