"""WoodStock: give it the rules of any game and it plays.

>>> import woodstock
>>> state = woodstock.Game.load("tic-tac-toe").initial_state()
>>> state.best_move(seconds=0.1) in state.legal_moves("x")
True

`Game` and `State` are where to begin. The rooms `belief`, `games`, `learn`, `match`, `player`,
`scsp`, `search`, `solve` and `symmetry` are there without an import of their own; what can go wrong
is in `errors`, and every error is a `WoodstockError`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from woodstock.errors import WoodstockError

if TYPE_CHECKING:
    from woodstock import belief, errors, games, learn, match, player, scsp, search, solve, symmetry
    from woodstock.game import Game, State

__version__ = "0.1.0"

__all__ = [
    "Game",
    "State",
    "WoodstockError",
    "__version__",
    "belief",
    "errors",
    "games",
    "learn",
    "match",
    "player",
    "scsp",
    "search",
    "solve",
    "symmetry",
]


def __getattr__(name: str) -> Any:
    # The grounding child imports this package too: it must not pay for what it does not use.
    if name in ("Game", "State"):
        return getattr(importlib.import_module("woodstock.game"), name)
    if name in __all__:
        return importlib.import_module(f"woodstock.{name}")
    raise AttributeError(f"module 'woodstock' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
