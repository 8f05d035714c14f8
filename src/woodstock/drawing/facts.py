"""Facts: what a state says besides its boards, in short lines.

>>> from woodstock.drawing.relations import relations_of
>>> held = relations_of([("control", "white"), ("score", "white", "3"), "over"])
>>> for fact in find_facts(held, Hints()):
...     print(fact.name, fact.values)
control ('white',)
over ()
score ('white 3',)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from woodstock.drawing.coordinates import number_of, read_coordinate
from woodstock.drawing.hints import Hints
from woodstock.drawing.relations import Relation
from woodstock.drawing.terms import kif, words_of

_HEAPS = ("heap", "pile", "stick", "match", "nim", "stack", "bean")
_COINS = {"heads", "tails", "head", "tail", "pile", "face"}
_UNSEEN = {"unset", "unknown", "hidden", "none", "inconnue", "inconnu"}
_TURNS = ("control", "turn", "tomove", "sidetomove", "active")
_MOST_STICKS = 40


@dataclass(frozen=True)
class Fact:
    """One line: a name and its values.

    ``bars`` holds a length for each value where the values are heaps (``style`` "sticks") or an
    ordered stack (``style`` "stack"); ``style`` "coins" says that values name sides of coins.
    ``turn`` marks the line that says who moves.
    """

    name: str
    values: tuple[str, ...]
    bars: tuple[int, ...] = ()
    style: str = "line"
    turn: bool = False


def find_facts(relations: Iterable[Relation], hints: Hints) -> list[Fact]:
    """The lines for these relations, those that say who moves first."""
    facts = [_fact(relation, hints) for relation in relations if relation.state]
    return sorted(facts, key=lambda fact: (not fact.turn, fact.style in ("line", "coins")))


def _fact(relation: Relation, hints: Hints) -> Fact:
    name = hints.label(relation.functor)
    rows = sorted(relation.state, key=row_order)
    lower = relation.functor.lower().replace("_", "")
    turn = lower in _TURNS or (lower.endswith("control") and not lower.startswith("last"))
    if relation.arity == 2 and any(word in relation.functor.lower() for word in _HEAPS):
        sizes = [number_of(row[1], -1) for row in rows]
        if relation.is_key([0]) and all(0 <= size <= _MOST_STICKS for size in sizes):
            return Fact(name, tuple(kif(row[0]) for row in rows), tuple(sizes), "sticks")
    if len(rows) == 1 and relation.arity >= 4:
        sizes = [number_of(item, -1) for item in rows[0]]
        low = min(sizes)
        if low in (0, 1) and sorted(sizes) == list(range(low, low + len(sizes))):
            return Fact(name, tuple(kif(item) for item in rows[0]), tuple(sizes), "stack")
    if relation.arity == 2 and relation.functor.lower() == "on":
        chains = _chains(rows)
        if chains:
            return Fact(name, tuple(" → ".join(chain) for chain in chains))
    style = "coins" if _are_coins(relation) else "line"
    return Fact(name, tuple(words_of(row) for row in rows if row), style=style, turn=turn)


def coin_side(word: str) -> str | None:
    """The letter on a coin, ``?`` for a side not seen yet; None for a word that is no side.

    >>> coin_side("heads"), coin_side("unset"), coin_side("alice")
    ('H', '?', None)
    """
    lower = word.lower()
    if lower in _UNSEEN:
        return "?"
    return word[0].upper() if lower in _COINS else None


def _are_coins(relation: Relation) -> bool:
    if relation.arity == 0:
        return False
    sides = [row[-1] for row in relation.rows]
    named = any(word in relation.functor.lower() for word in ("coin", "penn", "piece"))
    seen = {side.lower() for side in sides if isinstance(side, str)}
    if len({kif(side) for side in sides}) > len(seen) or not seen <= _COINS | _UNSEEN:
        return False
    return named or bool(seen & _COINS)


def row_order(row: tuple[object, ...]) -> tuple[tuple[str, int, str], ...]:
    """Sorts arguments: numbers by size within their family, the rest by spelling.

    >>> sorted([("c", "10"), ("c", "9"), ("a",)], key=row_order)
    [('a',), ('c', '9'), ('c', '10')]
    """
    keys = []
    for item in row:
        family, number = read_coordinate(item) or (kif(item), 0)
        keys.append((family, number, kif(item)))
    return tuple(keys)


def _chains(rows: list[tuple[object, ...]]) -> list[list[str]]:
    """Follow ``(on a b)`` from the top of each stack to its bottom; empty when it is no stack."""
    below = {kif(row[0]): kif(row[1]) for row in rows}
    if len(below) < len(rows) or len(set(below.values())) < len(rows):
        return []
    chains = []
    for top in sorted(set(below) - set(below.values())):
        chain = [top]
        while chain[-1] in below:
            chain.append(below[chain[-1]])
        chains.append(chain)
    return chains if sum(map(len, chains)) == len(rows) + len(chains) else []
