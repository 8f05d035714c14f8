"""Searches, by name: what to do in a position, or in a belief where something is hidden.

`make_searcher` makes a `Searcher`, `Searcher.think` asks it, and a `Decision` is what it found.
Who plays whole matches with them are the players of `woodstock.player`.

>>> from woodstock import Game
>>> game = Game.from_library("tic-tac-toe")
>>> searcher = make_searcher("uct", game, "x")
>>> searcher.think(game.initial_state(), limits=Limits(simulations=1000)).value > 0.4
True
>>> "uct" in search_names()
True
"""

from __future__ import annotations

from woodstock.search.decision import Decision, Limits, MoveValue
from woodstock.search.make import make_searcher
from woodstock.search.options import OptionError, Options, StageOptions, TreeOptions
from woodstock.search.presets import UnknownSearchError, about_search, options_of, search_names
from woodstock.search.searcher import Searcher, SearchError

__all__ = [
    "Decision",
    "Limits",
    "MoveValue",
    "OptionError",
    "Options",
    "SearchError",
    "Searcher",
    "StageOptions",
    "TreeOptions",
    "UnknownSearchError",
    "about_search",
    "make_searcher",
    "options_of",
    "search_names",
]
