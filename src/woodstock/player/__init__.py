"""What sits between a search and a match: the clock, a move that is always ready, the watchdog.

A search thinks; a player answers. `ThinkingPlayer` asks a search on a thread of its own, keeps the
clock, and has a legal move to answer with whatever becomes of the search.

>>> import time
>>> from woodstock import Game
>>> from woodstock.player import PlainSearcher, ThinkingPlayer
>>> state = Game.from_library("tic-tac-toe").initial_state()
>>> state = state.apply(["(mark 2 2)", "noop"])
>>> player = ThinkingPlayer(lambda game, role: PlainSearcher(role, seed=1), seed=1)
>>> player.choose(state, "o", time.monotonic() + 0.1) in state.legal_moves("o")
True
"""

from __future__ import annotations

from woodstock.player.clock import SYSTEM_CLOCK, Clock, SystemClock, TurnClock, default_margin
from woodstock.player.plain import PlainSearcher
from woodstock.player.question import Question, SearcherLike
from woodstock.player.ready import legal_moves
from woodstock.player.thinking import Answer, Reason, SearcherMaker, ThinkingPlayer

__all__ = [
    "SYSTEM_CLOCK",
    "Answer",
    "Clock",
    "PlainSearcher",
    "Question",
    "Reason",
    "SearcherLike",
    "SearcherMaker",
    "SystemClock",
    "ThinkingPlayer",
    "TurnClock",
    "default_margin",
    "legal_moves",
]
