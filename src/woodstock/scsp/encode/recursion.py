"""Recursive rules: a component of atoms that depend on each other, unfolded into sweeps.

Clark's completion of ``path(a) ← path(b)`` and ``path(b) ← path(a)`` has a model in which both
hold for no reason. So a component is evaluated as an engine would, from "nothing holds" up, and
each step is a definition of its own. A sweep defines every atom once, in a fixed order, over what
is newest.

How many sweeps are enough: atoms whose removal leaves no cycle come first in the order, the others
follow their dependencies. A derivation that uses no atom twice goes back in the order only when it
comes to one of the first, so there are at most as many sweeps as those, and one more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from woodstock.errors import WoodstockError
from woodstock.scsp.encode.literals import FALSE, Literal

__all__ = ["MAX_UNFOLDED", "EncodingError", "order", "unfold"]

MAX_UNFOLDED = 200_000
"""Definitions that one recursive component may need."""


class EncodingError(WoodstockError, ValueError):
    """The rules cannot become a network; `reason` is ``"recursion"``, ``"size"`` or ``"goals"``."""

    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        super().__init__(message)


def order(edges: Mapping[int, Sequence[int]]) -> tuple[list[int], int]:
    """An order of the atoms and how many of the first have to be there to cut all cycles.

    ``edges[a]`` are the atoms of the component that a depends on.

    >>> order({1: [3], 2: [1], 3: [2]})
    ([1, 2, 3], 1)
    """
    needs = {atom: set(below) for atom, below in edges.items()}
    feeds: dict[int, set[int]] = {atom: set() for atom in edges}
    for atom, below in needs.items():
        for other in below:
            feeds[other].add(atom)
    first: list[int] = []
    early: list[int] = []
    late: list[int] = []
    ready = [atom for atom in needs if not needs[atom]]
    done = [atom for atom in needs if needs[atom] and not feeds[atom]]

    def remove(atom: int) -> None:
        for other in needs.pop(atom):
            if other != atom:
                feeds[other].discard(atom)
                if other in needs and not feeds[other]:
                    done.append(other)
        for other in feeds.pop(atom):
            if other != atom:
                needs[other].discard(atom)
                if not needs[other]:
                    ready.append(other)

    while needs:
        if ready:
            atom = ready.pop()
            if atom in needs:
                early.append(atom)
                remove(atom)
        elif done:
            atom = done.pop()
            if atom in needs:
                late.append(atom)
                remove(atom)
        else:
            # Ties go to the smallest number, so that the order is the same in every run.
            atom = max(needs, key=lambda a: (a in needs[a], len(needs[a]) * len(feeds[a]), -a))
            first.append(atom)
            remove(atom)
    return [*first, *early, *reversed(late)], len(first)


def unfold(
    bodies: Mapping[int, Sequence[Sequence[int]]],
    outside: Callable[[int], Literal],
    define: Callable[[int, list[list[Literal]]], Literal],
    limit: int = MAX_UNFOLDED,
) -> dict[int, Literal]:
    """The literals of the atoms of a component.

    `bodies` has the ground bodies of each atom, `outside` the literals of atoms of other
    components (negative numbers: negated), `define` makes a literal from bodies of literals.
    """
    edges = {
        atom: sorted({one for body in found for one in body if one in bodies})
        for atom, found in bodies.items()
    }
    sequence, cuts = order(edges)
    sweeps = min(cuts + 1, len(sequence))
    if sweeps * len(sequence) > limit:
        raise EncodingError(
            "recursion",
            f"{len(sequence):,} atoms depend on each other, which takes {sweeps:,} rounds of "
            f"definitions; {limit:,} definitions are the limit",
        )
    newest = dict.fromkeys(sequence, FALSE)
    for _ in range(sweeps):
        changed = False
        for atom in sequence:
            literals = [
                [newest[one] if one in newest else outside(one) for one in body]
                for body in bodies[atom]
            ]
            literal = define(atom, literals)
            changed |= literal != newest[atom]
            newest[atom] = literal
        if not changed:
            break
    return newest
