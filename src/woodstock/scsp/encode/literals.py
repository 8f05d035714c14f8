"""Literals over network variables: what the conditions of ground rules become.

A literal is a pair ``(variable, entry)`` of numbers. The entry is the one the native solver takes:
a value's place in the domain for "has this value", ``-2 - place`` for "has another value". So one
pair says ``cell_1_1 = x``, ``action_x ≠ noop`` or, of a Boolean variable, that an atom holds.

>>> negate((7, 3), 5), negate((7, -5), 5), negate((7, 0), 2), negate(TRUE, 2)
((7, -5), (7, 3), (7, 1), (-1, 0))
>>> conjunction([(7, 3), (7, -2), TRUE], lambda variable: 5)
{7: (True, frozenset({3}))}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import TypeAlias

__all__ = [
    "ANY_VALUE",
    "FALSE",
    "TRUE",
    "Body",
    "Literal",
    "Row",
    "Values",
    "apart",
    "complement",
    "conjunction",
    "entries",
    "negate",
    "not_value",
]

Literal: TypeAlias = tuple[int, int]
Body: TypeAlias = tuple[Literal, ...]
"""A conjunction: literals of different variables, sorted."""

Row: TypeAlias = tuple[int, ...]

Values: TypeAlias = tuple[bool, frozenset[int]]
"""A set of values: those named (True), or all but those named (False)."""

ANY_VALUE = -1
TRUE: Literal = (-1, 1)
FALSE: Literal = (-1, 0)


def not_value(place: int, size: int) -> int:
    """The entry for "any value but this one" in a domain of this size."""
    return 1 - place if size == 2 else -2 - place


def negate(literal: Literal, size: int) -> Literal:
    """The literal that holds when this one does not; `size` is that of the variable's domain."""
    variable, entry = literal
    if variable < 0:
        return (-1, 1 - entry)
    return (variable, not_value(entry, size) if entry >= 0 else -2 - entry)


def as_values(entry: int) -> Values:
    """The set of values that an entry other than `ANY_VALUE` stands for."""
    return (True, frozenset((entry,))) if entry >= 0 else (False, frozenset((-2 - entry,)))


def meet(left: Values, right: Values) -> Values:
    """The values in both sets."""
    if left[0] and right[0]:
        return True, left[1] & right[1]
    if left[0]:
        return True, left[1] - right[1]
    if right[0]:
        return True, right[1] - left[1]
    return False, left[1] | right[1]


def normal(values: Values, size: int) -> Values:
    """The same set, by whichever spelling names fewer values."""
    named, places = values
    if len(places) * 2 > size or (len(places) * 2 == size and not named):
        return not named, frozenset(range(size)) - places
    return values


def entries(values: Values, size: int) -> list[int]:
    """Entries that together stand for the set: one where that is possible."""
    named, places = values
    count = len(places) if named else size - len(places)
    if count == size:
        return [ANY_VALUE]
    if count == 1:
        return [next(iter(places))] if named else [min(set(range(size)) - places)]
    if count == size - 1:
        left_out = min(set(range(size)) - places) if named else next(iter(places))
        return [not_value(left_out, size)]
    return sorted(places) if named else [place for place in range(size) if place not in places]


def conjunction(
    literals: Iterable[Literal], size: Callable[[int], int]
) -> dict[int, Values] | None:
    """The values each variable may have where all literals hold; None where they cannot."""
    found: dict[int, Values] = {}
    for variable, entry in literals:
        if variable < 0:
            if not entry:
                return None
            continue
        values = as_values(entry)
        if variable in found:
            values = meet(found[variable], values)
            named, places = values
            if len(places) == (0 if named else size(variable)):
                return None
        found[variable] = values
    return found


def apart(left: dict[int, Values], right: dict[int, Values], size: Callable[[int], int]) -> bool:
    """Whether two conjunctions cannot hold together."""
    for variable in left.keys() & right.keys():
        named, places = meet(left[variable], right[variable])
        if len(places) == (0 if named else size(variable)):
            return True
    return False


def complement(
    bodies: list[dict[int, Values]], size: Callable[[int], int], limit: int
) -> list[dict[int, int]] | None:
    """Rows (variable: entry) that cover exactly what satisfies none of the bodies.

    None where that takes more rows than `limit`. Rows exclude each other, but for a single body,
    where row i says that its i-th literal fails.

    >>> complement([{1: (True, frozenset({1})), 2: (True, frozenset({0}))}], lambda _: 2, 9)
    [{1: 0}, {2: 1}]
    """
    if len(bodies) == 1:
        found = []
        for variable, (named, places) in bodies[0].items():
            for entry in entries((not named, places), size(variable)):
                found.append({variable: entry})
        return found if len(found) <= limit else None
    found = []
    for values in _misses(bodies, {}, size):
        options = [[(v, e) for e in entries(one, size(v))] for v, one in values.items()]
        for row in product(*options):
            found.append({v: e for v, e in row if e != ANY_VALUE})
            if len(found) > limit:
                return None
    return found


def _misses(
    bodies: list[dict[int, Values]], known: dict[int, Values], size: Callable[[int], int]
) -> Iterator[dict[int, Values]]:
    """Disjoint boxes of values in which no body holds."""
    if not bodies:
        yield known
        return
    shortest = min(bodies, key=len)
    if not shortest:
        return
    counts: dict[int, int] = {}
    for body in bodies:
        for variable in body:
            counts[variable] = counts.get(variable, 0) + 1
    variable = max(shortest, key=lambda v: counts[v])
    named, places = shortest[variable]
    for values in ((not named, places), (named, places)):
        if variable in known:
            values = meet(known[variable], values)
        values = normal(values, size(variable))
        left = []
        for body in bodies:
            if variable not in body:
                left.append(body)
                continue
            common = meet(body[variable], values)
            if len(common[1]) == (0 if common[0] else size(variable)):
                continue
            if normal(common, size(variable)) == values:
                left.append({v: one for v, one in body.items() if v != variable})
            else:
                left.append(body)
        yield from _misses(left, {**known, variable: values}, size)
