"""Fluents that have one value each, found by looking: ``(cell 1 1 _)`` is b, x or o.

Nothing is known by name. A family is a functor and one of its arguments, the value; the other
arguments are the key. Every key that was ever seen has exactly one value at the start and never two
later; keys share their values (cells of a board do, places of pieces do not: a piece may leave the
board); and some key had different values in the course of time.

A key that loses its value is no mistake by itself: boards may be told by what stands on them. That
several do at once, but not all, or all and nothing else, means that a frame rule is missing; so
does a number that is counted up and then is gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from woodstock.gdl.terms import Compound, Term

__all__ = ["Family", "Loss", "families", "first_loss"]

MOST_ARGUMENTS = 6
Key = tuple[Term, ...]


class Family(NamedTuple):
    """All fluents of a functor and a number of arguments, of which one is the value."""

    functor: str
    arity: int
    place: int

    def split(self, fluent: Term) -> tuple[Key, Term] | None:
        """Key and value of a fluent; None for one of another family."""
        if not isinstance(fluent, tuple) or len(fluent) != self.arity + 1:
            return None
        if fluent[0] != self.functor:
            return None
        return fluent[1 : self.place] + fluent[self.place + 1 :], fluent[self.place]

    def values(self, fluents: Iterable[Term]) -> dict[Key, list[Term]]:
        """The values of each key."""
        found: dict[Key, list[Term]] = {}
        for fluent in fluents:
            parts = self.split(fluent)
            if parts is not None:
                found.setdefault(parts[0], []).append(parts[1])
        return found

    def pattern(self, key: Key) -> str:
        """A key as people read it.

        >>> Family("cell", 3, 3).pattern(("1", "2"))
        '(cell 1 2 _)'
        """
        return str(Compound((self.functor, *key[: self.place - 1], "_", *key[self.place - 1 :])))


class Loss(NamedTuple):
    """Keys that had one value each in all states before, and none from this ply on."""

    ply: int
    family: Family
    keys: tuple[Key, ...]


def families(states: Sequence[frozenset[Term]]) -> list[Family]:
    """The families of a game, by states that were seen in it; the initial one comes first.

    >>> from woodstock.gdl.terms import parse_term
    >>> texts = ("(cell 1 b)", "(cell 2 b)"), ("(cell 1 red)", "(cell 2 b)")
    >>> families([frozenset(map(parse_term, state)) for state in texts])
    [Family(functor='cell', arity=2, place=2)]
    """
    kinds: dict[tuple[str, int], None] = {}
    for fluent in sorted(states[0], key=str) if states else ():
        if isinstance(fluent, Compound) and len(fluent) <= MOST_ARGUMENTS + 1:
            kinds[str(fluent[0]), len(fluent) - 1] = None
    proposed = [Family(*kind, place) for kind in kinds for place in range(kind[1], 0, -1)]
    return [family for family in proposed if _is_functional(family, states)]


def _is_functional(family: Family, states: Sequence[frozenset[Term]]) -> bool:
    start = family.values(states[0])
    values = {value for group in start.values() for value in group}
    if len(values) >= len(start) > 1:
        return False
    changes = False
    for fluents in states:
        now = family.values(fluents)
        if not now.keys() <= start.keys() or any(len(group) > 1 for group in now.values()):
            return False
        changes = changes or any(group != start[key] for key, group in now.items())
    return changes


def first_loss(
    family: Family, states: Sequence[frozenset[Term]], over: bool = False
) -> Loss | None:
    """The first state of a game in which several keys have no value any more.

    `over` tells that the last state is an end: that may be just why nothing is left of a family.

    >>> from woodstock.gdl.terms import parse_term
    >>> texts = ["(c 1 b)", "(c 2 b)", "(c 3 b)"], ["(c 1 x)"]
    >>> first_loss(Family("c", 2, 2), [frozenset(map(parse_term, state)) for state in texts]).keys
    (('2',), ('3',))
    """
    keys = family.values(states[0]).keys()
    for ply, fluents in enumerate(states):
        now = family.values(fluents)
        if len(now) < len(keys):
            lost = tuple(sorted((key for key in keys if key not in now), key=str))
            whole = len(lost) == len(keys)
            ended = over and ply == len(states) - 1
            odd = not ended and _all_lost(family, states[: ply + 1])
            told = odd if whole else len(lost) > 1
            return Loss(ply, family, lost) if told else None
    return None


def _all_lost(family: Family, states: Sequence[frozenset[Term]]) -> bool:
    """Whether it is odd that the last of these states has no value of a family any more.

    Who drops other kinds of fluents too turns to something else, and means it. A single value that
    never changed is a mark that is taken away.
    """
    kinds = [{_kind(fluent) for fluent in state} for state in states[-2:]]
    others = kinds[0] - {(family.functor, family.arity)}
    if len(family.values(states[0])) > 1:
        return others <= kinds[1]
    return others <= kinds[1] and len({str(family.values(state)) for state in states[:-1]}) > 2


def _kind(fluent: Term) -> tuple[str, int]:
    return (str(fluent[0]), len(fluent) - 1) if isinstance(fluent, tuple) else (str(fluent), 0)
