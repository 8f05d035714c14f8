"""The words GDL and GDL-II reserve, and how many arguments each takes."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["ARITY", "CONNECTIVES", "KEYWORDS", "RANDOM", "players_of"]

RANDOM = "random"
"""The role of chance: it plays uniformly among its legal moves."""

ARITY: dict[str, int] = {
    "role": 1,
    "init": 1,
    "true": 1,
    "does": 2,
    "legal": 2,
    "next": 1,
    "terminal": 0,
    "goal": 2,
    "sees": 2,
    "base": 1,
    "input": 2,
}
"""Relation keywords with their arity."""

CONNECTIVES = frozenset({"not", "or", "and", "distinct"})

KEYWORDS = frozenset(ARITY) | CONNECTIVES | {RANDOM, "<="}


def players_of(roles: Iterable[str]) -> tuple[str, ...]:
    """The roles that want something: all but chance, in the same order.

    >>> players_of(["alice", "random", "bob"])
    ('alice', 'bob')
    """
    return tuple(role for role in roles if role != RANDOM)
