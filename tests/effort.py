"""How much the tests try: a usual amount in `make test`, all of it in `make test-long`.

What differs is how many games, seeds, moves and examples a law is tried on, never which laws are
tried: those that cost most for what they add to the others are left to the long run.
"""

from __future__ import annotations

import os
from typing import TypeVar

T = TypeVar("T")

LONG = os.environ.get("WOODSTOCK_TESTS") == "long"


def effort(usual: T, long: T) -> T:
    """A number, or a list of things to try, for the run that this is."""
    return long if LONG else usual


def all_but(names: list[str], costly: set[str]) -> list[str]:
    """All names in the long run, those that are not costly in the usual one."""
    assert costly <= set(names), costly - set(names)
    return [name for name in names if LONG or name not in costly]
