"""The variables of percepts: which of them exclude one another and can share one.

Percepts of which a turn brings one at most are the values of one variable, as ``percept`` in the
papers. That is read off their conditions: two exclude one another where each way to perceive the
one contradicts each way to perceive the other.

>>> heads, tails = Compound(("coins", "heads")), Compound(("coins", "tails"))
>>> bodies = {heads: [[(7, 0)], [(7, 1)]], tails: [[(7, 2)]]}
>>> [name for name, _ in percept_groups(bodies, lambda variable: 4, grouped=True)]
['percept']
>>> [name for name, _ in percept_groups(bodies, lambda variable: 4, grouped=False)]
['percept_coins_heads', 'percept_coins_tails']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias

from woodstock.gdl.terms import Compound, Term
from woodstock.ground.mutex import candidates
from woodstock.scsp.encode.literals import Literal, Values, apart, conjunction
from woodstock.scsp.encode.naming import common_name, name_of

__all__ = ["Observer", "percept_groups"]

PERCEPT = "percept"

MAX_BODIES = 600
"""Conditions beyond which nobody tries to show that they exclude one another."""

Bodies: TypeAlias = Sequence[Sequence[Literal]]
Conditions: TypeAlias = list[dict[int, Values]]


class Observer(NamedTuple):
    """The role whose percepts a network has; `grouped`: those that exclude each other share one."""

    role: str
    grouped: bool


def percept_groups(
    bodies: Mapping[Term, Bodies], size: Callable[[int], int], grouped: bool
) -> Iterator[tuple[str, list[Term]]]:
    """Names of variables, and the percepts that each stands for; every percept is in one."""
    left = dict.fromkeys(bodies)
    for name, terms in _proposed(list(bodies)) if grouped else ():
        members = [term for term in terms if term in left]
        if len(members) > 1 and _exclude(members, bodies, size):
            yield name, members
            for term in members:
                del left[term]
    for term in left:
        yield f"{PERCEPT}_{name_of(term)}", [term]


def _proposed(percepts: list[Term]) -> Iterator[tuple[str, list[Term]]]:
    """All percepts together, then those of one functor, the larger groups first."""
    yield PERCEPT, percepts
    groups = [[percepts[i] for i in members] for _, members in candidates(percepts)]
    for terms in sorted(groups, key=len, reverse=True):
        functions = [term for term in terms if isinstance(term, Compound)]
        yield f"{PERCEPT}_{common_name(functions)}", terms


def _exclude(terms: list[Term], bodies: Mapping[Term, Bodies], size: Callable[[int], int]) -> bool:
    if sum(len(bodies[term]) for term in terms) > MAX_BODIES:
        return False
    ways: list[Conditions] = [
        [found for body in bodies[term] if (found := conjunction(body, size)) is not None]
        for term in terms
    ]
    return all(
        apart(left, right, size)
        for one, other in combinations(ways, 2)
        for left in one
        for right in other
    )
