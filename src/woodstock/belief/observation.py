"""A turn as one role sees it."""

from __future__ import annotations

from typing import NamedTuple

from woodstock.gdl.terms import Term

__all__ = ["Observation"]


class Observation(NamedTuple):
    """A turn as a role saw it: the move it made, and what it perceived of what followed.

    None stands for what the role was not told, since a message was lost.

    >>> Observation("noop", frozenset()).move
    'noop'
    """

    move: Term | None
    percepts: frozenset[Term] | None
