"""The contract of a player and the registry of their names."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from woodstock.belief import Situation
from woodstock.errors import WoodstockError
from woodstock.game import Game
from woodstock.gdl.terms import Term

__all__ = [
    "Factory",
    "Player",
    "UnknownPlayerError",
    "make",
    "names",
    "register",
    "register_search",
]


class Player(Protocol):
    """Somebody who plays one role of one match.

    Deadlines are readings of `time.monotonic`; an answer that comes later does not count. Equal
    seeds and equal questions give equal answers as long as no deadline cuts the thinking short.
    """

    def prepare(self, game: Game, role: str, deadline: float) -> None:
        """Get ready to play `role`; called once, in the start clock."""

    def choose(self, situation: Situation, role: str, deadline: float) -> Term:
        """A legal move of `role` now; the match is not over.

        The situation is the state in games of complete information. In others it is what the role
        has seen of the match, an `woodstock.belief.ObservationHistory`.
        """


Factory = Callable[[int], Player]
"""Makes a player from a seed."""

_factories: dict[str, Factory] = {}
_searches: set[str] = set()


class UnknownPlayerError(WoodstockError, LookupError):
    """A name that no player has."""

    def __init__(self, name: str, among: Sequence[str] | None = None) -> None:
        self.name = name
        known = names() if among is None else among
        what = "player" if among is None else "player that searches"
        near = difflib.get_close_matches(name.lower(), known, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        super().__init__(f"no {what} called {name!r}{hint} (there are {', '.join(known)})")


def register(name: str, factory: Factory) -> None:
    """Give a player a name; a name can be given only once."""
    if name in _factories or name in _searches:
        raise ValueError(f"there is a player called {name!r} already")
    _factories[name] = factory


def names() -> tuple[str, ...]:
    """The names of all players, sorted.

    >>> from woodstock import search
    >>> {"legal", "random"} <= set(search.names())
    True
    """
    return tuple(sorted({*_factories, *_searches}))


def register_search(name: str) -> None:
    """Let a configuration of `woodstock.search.configurations` play under its name."""
    if name in _factories or name in _searches:
        raise ValueError(f"there is a player called {name!r} already")
    _searches.add(name)


def check_search(name: str) -> None:
    """`UnknownPlayerError` for a name that no search has."""
    if name not in _searches:
        raise UnknownPlayerError(name, sorted(_searches))


def make(
    text: str,
    seed: int,
    *,
    threads: int = 1,
    memory_mb: int = 256,
    margin: float | None = None,
    ponder: bool = False,
) -> Player:
    """A new player; `UnknownPlayerError` says which there are.

    The name of a search can carry options, as in ``uct:exploration=0.5``. Threads, memory, the
    `margin` of the clock in seconds and whether to think while others do are for players that
    search; the others do not need them.

    >>> from woodstock import search
    >>> search.make("randon", seed=1)
    Traceback (most recent call last):
    ...
    woodstock.search.registry.UnknownPlayerError: no player called 'randon'; did you mean ...
    """
    factory = _factories.get(text)
    if factory is not None:
        return factory(seed)
    # The player knows the searches, not the other way round.
    from woodstock.player import ThinkingPlayer
    from woodstock.search.configurations import REHEARSED, parse, settle
    from woodstock.search.searcher import make_searcher

    name, options = parse(text)
    if name not in _searches:
        raise UnknownPlayerError(name)
    settle(name, options)  # wrong options are told now, not in the first move
    maker = partial(make_searcher, text, seed=seed, threads=threads, memory_mb=memory_mb)
    return ThinkingPlayer(
        maker, seed=seed, margin=margin, ponder=ponder, rehearses=name in REHEARSED
    )
