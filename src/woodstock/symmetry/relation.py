"""Relations by their largest boxes, however they are written.

A box says of some variables that each has one of a set of values. The largest boxes in which
nothing is allowed are the minimal nogoods of a relation; those in which everything is allowed are
its implicants. Both follow from the relation alone: tables that mean the same have the same boxes,
and a permutation of values that takes one relation to another takes its boxes to boxes.

>>> yes = (True, frozenset({1}))
>>> both = Part("defined", [{1: yes, 2: yes}], head=(0, yes))  # x0 holds where x1 and x2 do
>>> found = largest_boxes([both], {0: range(2), 1: range(2), 2: range(2)})
>>> found.kind
'forbidden'
>>> for box in found.rows:
...     print({v: size_of(values, {1}) for v, values in box.items()})
{0: 1, 2: 0}
{0: 1, 1: 0}
{0: 0, 1: 1, 2: 1}
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Any, Literal, TypeAlias

from woodstock.scsp.encode.literals import Values, meet

__all__ = ["Box", "Part", "Values", "conjoin", "largest_boxes", "restrict", "size_of"]

Box: TypeAlias = Mapping[int, Values]
"""For some variables, by number, the places in the domain that are meant."""

Domains: TypeAlias = Mapping[int, Collection[int]] | Sequence[Collection[int]]
"""The places that are left of each variable's domain."""

MAX_CELLS = 1 << 16
"""Combinations of values that look different, beyond which nobody looks for boxes."""

MAX_DIFFERENT = 1 << 12
"""The same for combinations of values that are different."""

FAR_MORE = 2
"""How many times as many entries are far more."""


@dataclass(frozen=True)
class Part:
    """A condition on values by boxes: they are what is allowed, or what is forbidden.

    Where it is a definition, the `head` (a variable and some of its values) holds exactly where one
    of the boxes does. It is about the variables that it names and those of its `scope`.
    """

    kind: Literal["allowed", "forbidden", "defined"]
    rows: Sequence[Box]
    head: tuple[int, Values] | None = None
    scope: Collection[int] = ()

    @property
    def variables(self) -> set[int]:
        """Those that it is about."""
        found = {variable for row in self.rows for variable in row}.union(self.scope)
        if self.head is not None:
            found.add(self.head[0])
        return found


# Values of one variable


def size_of(values: Values, domain: Collection[int]) -> int:
    """How many of the domain's places are meant.

    >>> size_of((False, frozenset({0, 7})), range(3))
    2
    """
    named, places = values
    inside = 0
    for place in places:
        inside += place in domain
    return inside if named else len(domain) - inside


def restrict(box: Box, domains: Domains) -> dict[int, Values] | None:
    """The box without variables that may have any value; None where nothing is in it.

    >>> restrict({0: (False, frozenset({1})), 1: (True, frozenset({1}))}, [(0,), (0, 1)])
    {1: (True, frozenset({1}))}
    """
    found = {}
    for variable, values in box.items():
        domain = domains[variable]
        size = size_of(values, domain)
        if not size:
            return None
        if size < len(domain):
            found[variable] = values
    return found


def conjoin(left: Box, right: Box) -> dict[int, Values]:
    """The box of what is in both; it may be empty, see `restrict`."""
    found = dict(left)
    for variable, values in right.items():
        found[variable] = meet(found[variable], values) if variable in found else values
    return found


# Boxes


def largest_boxes(parts: Sequence[Part], domains: Domains) -> Part | None:
    """What satisfies all parts, by its nogoods, or None where that is too much to work out.

    Where the nogoods have far more entries than the implicants, by these. The numbers decide, so
    relations that can be exchanged come out alike. Cost: about 2^n steps over the combinations of
    values that differ, for n variables; the same shape again costs little.
    """
    scope = sorted(set().union(*(part.variables for part in parts)))
    heads = [[] if part.head is None else [dict([part.head])] for part in parts]
    rows = [row for part, head in zip(parts, heads) for row in (*head, *part.rows)]
    columns = [_Column([row.get(v) for row in rows], domains[v]) for v in scope]
    sizes = tuple(len(column.classes) for column in columns)
    if prod(sizes) > MAX_CELLS:
        return None
    masks = list(zip(*(column.masks for column in columns)))
    shape = []
    for part, head in zip(parts, heads):
        count = len(head) + len(part.rows)
        shape.append((part.kind, tuple(masks[len(head) : count]), *masks[: len(head)]))
        del masks[:count]
    found = _boxes(sizes, tuple(shape))
    if found is None:
        return None
    kind, boxes = found
    spelled = [column.values for column in columns]
    return Part(kind, [{scope[c]: spelled[c](mask) for c, mask in box} for box in boxes])


class _Column:
    """The values of a variable, those together that no row tells apart."""

    def __init__(self, entries: Sequence[Values | None], domain: Collection[int]) -> None:
        rest = 0  # rows that fit values nobody names
        odd: dict[int, int] = {}  # for the others, the rows in which they differ from those
        for row, entry in enumerate(entries):
            if entry is None or not entry[0]:
                rest |= 1 << row
            for place in entry[1] if entry else ():
                if place in domain:
                    odd[place] = odd.get(place, 0) | 1 << row
        together: dict[int, set[int]] = {}
        for place, rows in odd.items():
            together.setdefault(rest ^ rows, set()).add(place)
        found: dict[int, Values] = {
            rows: (True, frozenset(places)) for rows, places in together.items()
        }
        if len(odd) < len(domain):
            found[rest] = (False, frozenset(odd))
        order = sorted(found)
        self.classes = [found[rows] for rows in order]
        self.masks = [0] * len(entries)
        """For each row the classes that fit it, as bits."""
        for place, rows in enumerate(order):
            for row in range(len(entries)):
                self.masks[row] |= (rows >> row & 1) << place
        self._values: dict[int, Values] = {}

    def values(self, mask: int) -> Values:
        """The values of some classes."""
        if mask not in self._values:
            chosen = [values for place, values in enumerate(self.classes) if mask >> place & 1]
            places = frozenset[int]().union(*(values[1] for values in chosen if values[0]))
            rest = [values[1] for values in chosen if not values[0]]
            self._values[mask] = (False, rest[0] - places) if rest else (True, places)
        return self._values[mask]


_Masks: TypeAlias = tuple[tuple[int, int], ...]
"""A box: columns and the classes of each, as bits."""

_Shape: TypeAlias = tuple[tuple[Any, ...], ...]
"""For each part its kind, the classes of each row, and those of its head if it has one."""


@lru_cache(maxsize=1 << 14)
def _boxes(
    sizes: tuple[int, ...], shape: _Shape
) -> tuple[Literal["allowed", "forbidden"], tuple[_Masks, ...]] | None:
    """The same for classes of values; sets of combinations are bits of a number."""
    cube = _Cube(sizes)
    relation = cube.everything
    for kind, rows, *heads in shape:
        inside = 0
        for row in rows:
            inside |= cube.box(row)
        if kind == "forbidden":
            inside ^= cube.everything
        for head in heads:
            inside ^= cube.everything ^ cube.box(head)
        relation &= inside
    if not cube.merge(relation):
        return None
    nogoods = tuple(cube.largest(cube.everything ^ relation))
    implicants = tuple(cube.largest(relation))
    if _entries(nogoods) > FAR_MORE * _entries(implicants):
        return "allowed", implicants
    return "forbidden", nogoods


def _entries(boxes: tuple[_Masks, ...]) -> int:
    return sum(len(box) + 1 for box in boxes)


class _Cube:
    """Sets of cells of a cube, as bits: the cell (a, b, ...) has place a + b * sizes[0] + ..."""

    def __init__(self, sizes: tuple[int, ...]) -> None:
        self.sizes = sizes
        self.strides = [prod(sizes[:place]) for place in range(len(sizes))]
        self.everything = (1 << prod(sizes)) - 1
        full = [(1 << size) - 1 for size in sizes]
        self.first = [self.box([*full[:c], 1, *full[c + 1 :]]) for c in range(len(sizes))]
        """For each column the cells with its first value."""
        self.alike: list[dict[int, int]] = []
        """For each column the values to look at, and which others each of them stands for."""

    def box(self, masks: Sequence[int]) -> int:
        bits = 1
        for mask, stride, size in zip(masks, self.strides, self.sizes):
            bits = self._spread(bits, stride, [v for v in range(size) if mask >> v & 1])
        return bits

    @staticmethod
    def _spread(bits: int, stride: int, values: Collection[int]) -> int:
        found = 0
        for value in values:
            found |= bits << value * stride
        return found

    def merge(self, relation: int) -> bool:
        """Find the values that the relation does not tell apart; whether few are left."""
        for column, stride in enumerate(self.strides):
            first = self.first[column]
            seen: dict[int, int] = {}
            alike: dict[int, int] = {}
            for value in range(self.sizes[column]):
                representative = seen.setdefault(relation >> value * stride & first, value)
                alike[representative] = alike.get(representative, 0) | 1 << value
            self.alike.append(alike)
        return prod(map(len, self.alike)) <= MAX_DIFFERENT

    def largest(self, cells: int) -> Iterator[_Masks]:
        """The largest boxes in a set of cells."""
        open_columns = [c for c, alike in enumerate(self.alike) if len(alike) > 1]
        kept = self.box(
            [sum(1 << v for v in alike) if len(alike) > 1 else 1 for alike in self.alike]
        )
        yield from self._largest(cells & kept, open_columns, 0)

    def _largest(self, cells: int, columns: list[int], start: int) -> Iterator[_Masks]:
        """Those that leave out none of `columns` before `start`, the others are left out."""
        if not cells:
            return
        alone = cells
        for place, column in enumerate(columns):
            stride, values = self.strides[column], self.alike[column]
            wide = cells & self.first[column]
            for value in values:
                wide &= cells >> value * stride
            alone &= ~self._spread(wide, stride, values)
            if place >= start:
                yield from self._largest(wide, columns[:place] + columns[place + 1 :], place)
        while alone:
            low = alone & -alone
            alone ^= low
            cell = low.bit_length() - 1
            yield tuple(
                (column, self.alike[column][cell // self.strides[column] % self.sizes[column]])
                for column in columns
            )
