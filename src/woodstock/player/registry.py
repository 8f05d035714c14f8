"""The registry of players: names, and how they are made."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable

from woodstock.errors import WoodstockError
from woodstock.game import Game
from woodstock.player.contract import Player
from woodstock.player.simple import LegalPlayer, RandomPlayer
from woodstock.player.thinking import ThinkingPlayer
from woodstock.search import Searcher, about_search, search_names
from woodstock.tune import Preparation, Rehearsals

__all__ = [
    "Factory",
    "UnknownPlayerError",
    "about_player",
    "make_player",
    "player_names",
    "register_player",
]

Factory = Callable[[int], Player]
"""Makes a player from a seed."""

_factories: dict[str, Factory] = {"random": RandomPlayer, "legal": LegalPlayer}


class UnknownPlayerError(WoodstockError, LookupError):
    """A name that no player has."""

    def __init__(self, name: str) -> None:
        self.name = name
        near = difflib.get_close_matches(name.lower(), player_names(), n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        super().__init__(f"no player called {name!r}{hint} (there are {', '.join(player_names())})")


def register_player(name: str, factory: Factory) -> None:
    """Give a player of your own a name; a name can be given only once."""
    if name in player_names():
        raise ValueError(f"there is a player called {name!r} already")
    _factories[name] = factory


def player_names() -> tuple[str, ...]:
    """The names of all players, sorted: those that were registered, and all searches.

    >>> {"legal", "random", "uct"} <= set(player_names())
    True
    """
    return tuple(sorted({*_factories, *search_names()}))


def about_player(name: str) -> str:
    """What a player is, in a line; `UnknownPlayerError` says which there are.

    >>> about_player("random")
    'Draws uniformly from the legal moves.'
    """
    if name in search_names():
        return about_search(name)
    if name not in _factories:
        raise UnknownPlayerError(name)
    return (inspect.getdoc(_factories[name]) or "a player of your own").splitlines()[0]


def make_player(
    text: str,
    seed: int = 0,
    *,
    threads: int = 1,
    memory_mb: int = 256,
    margin: float | None = None,
    ponder: bool = False,
    rehearsals: Rehearsals | None = None,
) -> Player:
    """A new player; `UnknownPlayerError` says which there are.

    The name of a search can carry options, as in ``uct:exploration=0.5``. Threads, memory, the
    `margin` of the clock in seconds and whether to think while others do are for players that
    search; the others do not need them. Players that learn and rehearse share what they are given
    as `rehearsals`; without any, each finds out for itself. ``values=FILE`` among the options are
    values that were learned before, as in ``woodstock:values=breakthrough.values``.

    >>> make_player("randon")
    Traceback (most recent call last):
    ...
    woodstock.player.registry.UnknownPlayerError: no player called 'randon'; did you mean ...
    """
    factory = _factories.get(text)
    if factory is not None:
        return factory(seed)
    if text.partition(":")[0].strip() not in search_names():
        raise UnknownPlayerError(text.partition(":")[0].strip())
    preparation = Preparation(text, rehearsals)  # wrong options are told now, not in the first move

    def search(game: Game, role: str) -> Searcher:
        return preparation.searcher(game, role, seed=seed, threads=threads, memory_mb=memory_mb)

    return ThinkingPlayer(
        search,
        seed=seed,
        margin=margin,
        ponder=ponder,
        preparation=preparation if preparation.needed else None,
        threads=threads,
    )
