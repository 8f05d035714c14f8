"""A turn as one role sees it, and what the role remembers of the turns so far."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from woodstock.gdl.terms import Term

__all__ = ["Observation", "remember"]


class Observation(NamedTuple):
    """A turn as a role saw it: the move it made, and what it perceived of what followed.

    None stands for what the role was not told, since a message was lost.

    >>> Observation("noop", frozenset()).move
    'noop'
    """

    move: Term | None
    percepts: frozenset[Term] | None


def remember(memory: int, move: Term, percepts: Collection[Term]) -> int:
    """The memory of a role one turn later: a number for all that it did and perceived so far.

    The order of the percepts does not matter. Numbers hold within one process, as Python's own
    hashes do; before the first turn the memory is 0.

    >>> remember(0, "noop", ["a", "b"]) == remember(0, "noop", ["b", "a"])
    True
    """
    return hash((memory, move, frozenset(percepts)))
