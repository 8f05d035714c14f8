"""Players and the searches behind them, by name.

A player is anything that keeps the `Player` contract; `register` gives it a name, `make` builds it.
A search thinks about one position, or, where something is hidden, about a belief: `make_searcher`
builds it, `Searcher.think` asks it.

>>> from woodstock import Game
>>> state = Game.from_library("tic-tac-toe").initial_state()
>>> print(make("legal", seed=1).choose(state, "x", deadline=0.0))
(mark 1 1)
>>> "uct" in names()
True
"""

from __future__ import annotations

from woodstock.search import simple as _simple
from woodstock.search.configurations import CONFIGURATIONS, OptionError, options_of
from woodstock.search.decision import Decision, Limits, MoveValue
from woodstock.search.registry import (
    Factory,
    Player,
    UnknownPlayerError,
    make,
    names,
    register,
    register_search,
)
from woodstock.search.searcher import Searcher, SearchError, make_searcher

__all__ = [
    "Decision",
    "Factory",
    "Limits",
    "MoveValue",
    "OptionError",
    "Player",
    "SearchError",
    "Searcher",
    "UnknownPlayerError",
    "make",
    "make_searcher",
    "names",
    "options_of",
    "register",
]

register("random", _simple.RandomPlayer)
register("legal", _simple.LegalPlayer)
for _name in CONFIGURATIONS:
    register_search(_name)
