"""The contract of a player and the registry of their names."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Protocol

from woodstock.errors import WoodstockError
from woodstock.game import Game, State
from woodstock.gdl.terms import Term

__all__ = ["Factory", "Player", "UnknownPlayerError", "make", "names", "register"]


class Player(Protocol):
    """Somebody who plays one role of one match.

    Deadlines are readings of `time.monotonic`; an answer that comes later does not count. Equal
    seeds and equal questions give equal answers as long as no deadline cuts the thinking short.
    """

    def prepare(self, game: Game, role: str, deadline: float) -> None:
        """Get ready to play `role`; called once, in the start clock."""

    def choose(self, state: State, role: str, deadline: float) -> Term:
        """A legal move of `role` in `state`, which is not terminal."""


Factory = Callable[[int], Player]
"""Makes a player from a seed."""

_factories: dict[str, Factory] = {}


class UnknownPlayerError(WoodstockError, LookupError):
    """A name that no player has."""

    def __init__(self, name: str) -> None:
        self.name = name
        near = difflib.get_close_matches(name.lower(), names(), n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        super().__init__(f"no player called {name!r}{hint} (there are {', '.join(names())})")


def register(name: str, factory: Factory) -> None:
    """Give a player a name; a name can be given only once."""
    if name in _factories:
        raise ValueError(f"there is a player called {name!r} already")
    _factories[name] = factory


def names() -> tuple[str, ...]:
    """The names of all players, sorted.

    >>> from woodstock import search
    >>> {"legal", "random"} <= set(search.names())
    True
    """
    return tuple(sorted(_factories))


def make(name: str, seed: int) -> Player:
    """A new player; `UnknownPlayerError` says which there are.

    >>> from woodstock import search
    >>> search.make("randon", seed=1)
    Traceback (most recent call last):
    ...
    woodstock.search.registry.UnknownPlayerError: no player called 'randon'; did you mean ...
    """
    factory = _factories.get(name)
    if factory is None:
        raise UnknownPlayerError(name)
    return factory(seed)
