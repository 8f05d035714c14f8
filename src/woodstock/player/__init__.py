"""Players: who answers for a role, in time, with a legal move.

A search thinks; a player answers. `make_player` makes a player by its name, `register_player` gives
a name to one of your own, which inherits from `Player`. `ThinkingPlayer` asks a search on a thread
of its own, keeps the clock, and has a legal move to answer with whatever becomes of the search.

>>> import time
>>> from woodstock import Game
>>> state = Game.from_library("tic-tac-toe").initial_state()
>>> print(make_player("legal").choose(state, "x", deadline=0.0))
(mark 1 1)
>>> player = make_player("uct", seed=1)
>>> player.choose(state, "x", time.monotonic() + 0.3) in state.legal_moves("x")
True
"""

from __future__ import annotations

from woodstock.player.clock import SYSTEM_CLOCK, Clock, SystemClock, TurnClock, default_margin
from woodstock.player.contract import Answer, Player, Reason
from woodstock.player.question import Question
from woodstock.player.ready import legal_moves
from woodstock.player.registry import (
    Factory,
    UnknownPlayerError,
    about_player,
    make_player,
    player_names,
    register_player,
)
from woodstock.player.simple import LegalPlayer, RandomPlayer
from woodstock.player.thinking import SearcherMaker, ThinkingPlayer

__all__ = [
    "SYSTEM_CLOCK",
    "Answer",
    "Clock",
    "Factory",
    "LegalPlayer",
    "Player",
    "Question",
    "RandomPlayer",
    "Reason",
    "SearcherMaker",
    "SystemClock",
    "ThinkingPlayer",
    "TurnClock",
    "UnknownPlayerError",
    "about_player",
    "default_margin",
    "legal_moves",
    "make_player",
    "player_names",
    "register_player",
]
