"""WoodStock: give it the rules of any game and it plays.

>>> from woodstock import Game
>>> Game.from_library("tic-tac-toe").roles
('x', 'o')
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from woodstock.errors import (
    CircuitError,
    EvaluationError,
    GdlError,
    GdlSyntaxError,
    GroundingError,
    IllegalMoveError,
    NetworkError,
    StateError,
    TraceError,
    UnknownGameError,
    WoodstockError,
)

if TYPE_CHECKING:
    from woodstock.game import Game, State

__version__ = "0.1.0"

__all__ = [
    "CircuitError",
    "EvaluationError",
    "Game",
    "GdlError",
    "GdlSyntaxError",
    "GroundingError",
    "IllegalMoveError",
    "NetworkError",
    "State",
    "StateError",
    "TraceError",
    "UnknownGameError",
    "WoodstockError",
]


def __getattr__(name: str) -> Any:
    # The grounding child imports this package too: it must not pay for what it does not use.
    if name in ("Game", "State"):
        from woodstock import game

        return getattr(game, name)
    raise AttributeError(f"module 'woodstock' has no attribute {name!r}")
