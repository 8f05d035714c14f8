"""Tables as XCSP3 has them: integers and stars, each with one meaning for every solver.

Entries of rows are integers, `STAR` for any value, or `Except(v)` for any value but v. Other
solvers know the first; stars in supports most of them; stars in conflicts and `Except` few of
them. `plain` gives tables that all of them know and that have the same solutions.

>>> plain(("x", "y"), ((0, 1), (0, 1, 2)), [(1, STAR), (0, Except(1))], True)
[ExtensionTable(scope=('x', 'y'), rows=((0, 0), (0, 2), (1, None)), supports=True)]

Forbidden rows with stars are forbidden rows of a smaller scope:

>>> plain(("x", "y"), ((0, 1), (0, 1, 2)), [(1, STAR)], False)
[ExtensionTable(scope=('x',), rows=((1,),), supports=False)]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Final, NamedTuple, TypeAlias

from woodstock.errors import Xcsp3Error

__all__ = ["MOST_ENTRIES", "STAR", "Code", "Except", "ExtensionTable", "Row", "plain", "row_text"]

MOST_ENTRIES: Final = 20_000_000
"""The most entries that the tables of a file may have together, once they are expanded."""

STAR: Final = None
"""The entry that every value fits."""


class Except(NamedTuple):
    """The entry that every value but this one fits."""

    code: int

    def __str__(self) -> str:
        return f"≠{self.code}"


Code: TypeAlias = int | Except | None
Row: TypeAlias = tuple[Code, ...]


@dataclass(frozen=True)
class ExtensionTable:
    """What an ``<extension>`` says: a scope, and its supports or its conflicts."""

    scope: tuple[str, ...]
    rows: tuple[Row, ...]
    supports: bool


def plain(
    scope: Sequence[str], domains: Sequence[Sequence[int]], rows: Iterable[Row], allowed: bool
) -> list[ExtensionTable]:
    """Tables with the same solutions that every solver reads; rows sorted, each once.

    `domains` are those of the scope. Takes time with the size of the result, which is bounded.
    """
    if allowed:
        return [ExtensionTable(tuple(scope), _sorted(_expanded(scope, domains, rows)), True)]
    by_columns: dict[tuple[int, ...], set[Row]] = {}
    for row in rows:
        columns = tuple(place for place, entry in enumerate(row) if entry is not STAR)
        by_columns.setdefault(columns, set()).add(tuple(row[place] for place in columns))
    if () in by_columns:  # nothing is left
        return [ExtensionTable(tuple(scope), (), True)]
    if not by_columns:
        return [ExtensionTable(tuple(scope), (), False)]
    return [
        ExtensionTable(tuple(scope[place] for place in columns), _sorted(found), False)
        for columns, found in sorted(by_columns.items())
    ]


def _expanded(
    scope: Sequence[str], domains: Sequence[Sequence[int]], rows: Iterable[Row]
) -> Iterator[Row]:
    room = MOST_ENTRIES
    for row in rows:
        room -= len(row)
        if len(row) == 1 and row[0] is STAR:
            yield from ((code,) for code in domains[0])
        elif any(isinstance(entry, Except) for entry in row):
            choices = [_choices(entry, domain) for entry, domain in zip(row, domains)]
            room -= len(row) * prod(map(len, choices))
            if room >= 0:
                yield from product(*choices)
        else:
            yield row
        if room < 0:
            raise Xcsp3Error(
                f"the table over ({', '.join(scope)[:200]}) has more than {MOST_ENTRIES:,} entries "
                "once Not(...) is expanded; break it up by auxiliary variables"
            )


def _choices(entry: Code, domain: Sequence[int]) -> Sequence[int | None]:
    if isinstance(entry, Except):
        return [code for code in domain if code != entry.code]
    return (entry,)


def _sorted(rows: Iterable[Row]) -> tuple[Row, ...]:
    # Stars come after all values, as in the files of other tools.
    return tuple(sorted(set(rows), key=lambda row: [(entry is STAR, entry or 0) for entry in row]))


def row_text(row: Row) -> str:
    """A row as XCSP3 writes it.

    >>> row_text((1, STAR, Except(2))), row_text((1,))
    ('(1,*,≠2)', '1')
    """
    entries = ["*" if entry is STAR else str(entry) for entry in row]
    return entries[0] if len(entries) == 1 else f"({','.join(entries)})"
