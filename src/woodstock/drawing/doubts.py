"""Doubts: what one cannot tell if one of several states is the true one.

>>> states = [[("hand", "alice", "king"), ("hand", "bob", card)] for card in ("jack", "queen")]
>>> for doubt in find_doubts(states):
...     print(doubt)
hand bob: jack or queen
>>> for doubt in find_doubts([[("pit", "1"), "dark"], [("pit", "1"), ("pit", "2"), ("pit", "3")]]):
...     print(doubt)
perhaps dark
perhaps pit: 2, 3
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from woodstock.drawing.facts import row_order
from woodstock.drawing.relations import Row
from woodstock.drawing.terms import kif, words_of

__all__ = ["UNKNOWN", "Doubt", "find_doubts"]

UNKNOWN = "?"
_MOST_ARGUMENTS = 6  # of which every choice is tried as a key
_MOST_WORDS = 20  # places, or options, before the rest is only counted


@dataclass(frozen=True)
class Doubt:
    """Fluents of one functor: exactly one of them holds, or, if it is ``open``, any or none.

    ``patterns`` have the arguments that are known and question marks for the others; ``options``
    are what may stand there, in order, in each of the patterns.
    """

    functor: str
    patterns: tuple[Row, ...]
    options: tuple[str, ...]
    open: bool = False

    def __str__(self) -> str:
        places = [words_of(row).rstrip(f"{UNKNOWN} ") for row in self.patterns]
        name = f"{'perhaps ' if self.open else ''}{self.functor} {_listed(places, ', ')}".rstrip()
        options = _listed(self.options, ", " if self.open else " or ")
        return f"{name}: {options}" if options else name


def find_doubts(states: Iterable[Iterable[object]]) -> list[Doubt]:
    """What differs between states, functor by functor.

    Where all states have one fluent each for some place, and only what stands there differs, that
    is in doubt. What is left is open.
    """
    held = [frozenset(fluents) for fluents in states]
    unsure = frozenset().union(*held) - frozenset.intersection(*held)
    tables = [_tables(fluents & unsure) for fluents in held]
    found: list[Doubt] = []
    for functor, arity in sorted(_tables(unsure)):
        # Many states differ in something else.
        found += _doubts(functor, arity, {frozenset(table[functor, arity]) for table in tables})
    return found


def _tables(fluents: Iterable[object]) -> defaultdict[tuple[str, int], set[Row]]:
    tables: defaultdict[tuple[str, int], set[Row]] = defaultdict(set)
    for fluent in fluents:
        row = tuple(fluent[1:]) if isinstance(fluent, tuple) else ()
        tables[kif(fluent[0] if isinstance(fluent, tuple) else fluent), len(row)].add(row)
    return tables


def _doubts(functor: str, arity: int, tables: Collection[frozenset[Row]]) -> Iterable[Doubt]:
    columns, keys = _places(arity, tables)
    options: dict[Row, set[Row]] = defaultdict(set)
    left: set[Row] = set()
    for row in frozenset().union(*tables):
        key = tuple(row[i] for i in columns)
        if key in keys:
            pattern = tuple(row[i] if i in columns else UNKNOWN for i in range(arity))
            options[pattern].add(tuple(row[i] for i in range(arity) if i not in columns))
        else:
            left.add(row)
    patterns: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for pattern in sorted(options, key=row_order):
        patterns[_in_words(options[pattern])].append(pattern)
    for words, alike in patterns.items():
        yield Doubt(functor, tuple(alike), words)
    if left:
        yield Doubt(functor, ((UNKNOWN,) * arity,), _in_words(left), open=True)


def _places(arity: int, tables: Collection[frozenset[Row]]) -> tuple[tuple[int, ...], set[Row]]:
    """Arguments that are a key in all tables, as many as possible, and the keys that all have."""
    for size in range(min(arity, _MOST_ARGUMENTS) - 1, -1, -1):
        for columns in combinations(range(arity), size):
            common: set[Row] | None = None
            for table in tables:
                keys = {tuple(row[i] for i in columns) for row in table}
                common = keys if common is None else common & keys
                if len(keys) < len(table) or not common:
                    break
            else:
                return columns, common or set()
    return (), set()


def _in_words(rows: Iterable[Row]) -> tuple[str, ...]:
    return tuple(words_of(row) for row in sorted(rows, key=row_order))


def _listed(words: Sequence[str], last: str) -> str:
    if len(words) > _MOST_WORDS:
        return f"{', '.join(words[:_MOST_WORDS])} … ({len(words)} in all)"
    *others, end = words
    return f"{', '.join(others)}{last}{end}" if others else end
