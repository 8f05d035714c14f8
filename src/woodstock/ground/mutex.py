"""Mutex groups: sets of fluents of which a state holds one at most, proposed here, proved in C++.

Candidates come from the shape of the fluents: all that have the same functor and agree on some of
their arguments, such as every ``(cell 1 1 _)``. What is proved holds in every reachable state.

>>> from woodstock import Game
>>> from woodstock.ground.engine import GroundEngine
>>> engine = GroundEngine.from_rules(Game.from_library("tic-tac-toe", engine="lifted").rules)
>>> groups = find_groups(engine.grounding)
>>> len(groups), groups[0].pattern, groups[0].exactly_one
(10, '(cell 1 1 _)', True)
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from woodstock import _core
from woodstock.gdl.terms import Term
from woodstock.ground.grounder import Grounding

__all__ = ["MutexGroup", "candidates", "find_groups"]

_MAX_ARITY = 6


@dataclass(frozen=True)
class MutexGroup:
    """Fluents (by index) that exclude one another; `exactly_one`: one of them always holds."""

    pattern: str
    fluents: tuple[int, ...]
    exactly_one: bool


def find_groups(grounding: Grounding, budget_steps: int = 200_000_000) -> list[MutexGroup]:
    """The largest proved groups: none lies within another, those of more fluents come first.

    `budget_steps` bounds the proof; what is not proved within it is left out.
    """
    proposed = list(candidates(grounding.fluents))
    kinds = _core.prove_mutexes(grounding.program, [list(g) for _, g in proposed], budget_steps)
    proved = [
        MutexGroup(pattern, fluents, kind == 2)
        for (pattern, fluents), kind in zip(proposed, kinds, strict=True)
        if kind
    ]
    proved.sort(key=lambda group: (-len(group.fluents), not group.exactly_one, group.fluents))
    kept: list[MutexGroup] = []
    holders: dict[int, list[frozenset[int]]] = {}
    for group in proved:
        members = frozenset(group.fluents)
        # A group within a larger one says nothing new, unless it alone is known to be full.
        if any(members <= larger for larger in holders.get(group.fluents[0], ())):
            continue
        kept.append(group)
        for fluent in members:
            holders.setdefault(fluent, []).append(members)
    return kept


def candidates(fluents: list[Term]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Groups worth a proof: a pattern with ``_`` for what varies, and the fluents that fit it."""
    relations: dict[tuple[str, int], list[int]] = {}
    for index, fluent in enumerate(fluents):
        if isinstance(fluent, tuple) and len(fluent) <= _MAX_ARITY + 1:
            relations.setdefault((str(fluent[0]), len(fluent) - 1), []).append(index)
    seen: set[tuple[int, ...]] = set()
    for (functor, arity), members in relations.items():
        for size in range(arity, 0, -1):
            for varying in itertools.combinations(range(1, arity + 1), size):
                groups: dict[tuple[Term, ...], list[int]] = {}
                for index in members:
                    fluent = fluents[index]
                    assert isinstance(fluent, tuple)
                    fixed = tuple("_" if i in varying else a for i, a in enumerate(fluent))
                    groups.setdefault(fixed[1:], []).append(index)
                for fixed_arguments, group in groups.items():
                    key = tuple(group)
                    if len(group) > 1 and key not in seen:
                        seen.add(key)
                        yield f"({functor} {' '.join(map(str, fixed_arguments))})", key
