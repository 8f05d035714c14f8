"""Players: who can be asked for a move, by name.

A player is anything that keeps the `Player` contract; `register` gives it a name, `make` builds it.

>>> from woodstock import Game
>>> state = Game.from_library("tic-tac-toe").initial_state()
>>> print(make("legal", seed=1).choose(state, "x", deadline=0.0))
(mark 1 1)
"""

from __future__ import annotations

from woodstock.search import simple as _simple
from woodstock.search.registry import Factory, Player, UnknownPlayerError, make, names, register

__all__ = ["Factory", "Player", "UnknownPlayerError", "make", "names", "register"]

register("random", _simple.RandomPlayer)
register("legal", _simple.LegalPlayer)
