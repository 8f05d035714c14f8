"""Errors that WoodStock raises on purpose.

Every error a user can cause is a subclass of `WoodstockError`, so one `except` is enough:

>>> from woodstock import Game, WoodstockError
>>> try:
...     Game.from_text("(role x")
... except WoodstockError as error:
...     print(error)
<text>:1:1: '(' is never closed; add the missing ')'
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from woodstock.gdl.diagnostics import Diagnostic

__all__ = [
    "ArgumentError",
    "CircuitError",
    "EvaluationError",
    "GdlError",
    "GdlSyntaxError",
    "GroundingError",
    "HintError",
    "IllegalMoveError",
    "NetworkError",
    "StateError",
    "TraceError",
    "UnknownGameError",
    "WoodstockError",
    "Xcsp3Error",
]


class WoodstockError(Exception):
    """The base of all errors a user of WoodStock can meet."""


class ArgumentError(WoodstockError, ValueError, TypeError):
    """An argument that cannot be meant; the message says what to give instead.

    It is a `ValueError` and a `TypeError`: which of them a mistake is, is a matter of taste.
    """


class GdlError(WoodstockError, ValueError):
    """The rules are wrong; `diagnostics` says where and what to do."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(str(d) for d in self.diagnostics))


class GdlSyntaxError(GdlError):
    """The text cannot be read as rules at all."""


class IllegalMoveError(WoodstockError, ValueError):
    """A move that the rules do not allow in this state."""


class StateError(WoodstockError, ValueError):
    """A question that a state cannot answer, or data that is no state of this game."""


class EvaluationError(WoodstockError, RuntimeError):
    """The rules cannot be evaluated: negation that depends on itself, terms that grow for ever."""


class GroundingError(WoodstockError, RuntimeError):
    """The rules could not be grounded within the limits; the lifted engine still plays them.

    `reason` is one of ``"time"``, ``"memory"``, ``"rules"``, ``"unstratified"``, ``"failed"``.
    """

    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        super().__init__(message)


class CircuitError(WoodstockError, RuntimeError):
    """The ground rules could not be compiled to a circuit; the ground engine still plays them."""


class HintError(WoodstockError, ValueError):
    """Hints for drawing a game of one's own that nobody understands; the message has the place."""


class NetworkError(WoodstockError, ValueError):
    """A constraint network that does not hold together, or a question that it cannot answer."""


class Xcsp3Error(WoodstockError, ValueError):
    """XML that is no XCSP3, or XCSP3 beyond what is read; the message has the place."""


class TraceError(WoodstockError, ValueError):
    """A recorded match that cannot be read."""


class UnknownGameError(WoodstockError, LookupError):
    """A name that is neither a game of the library nor a file."""

    def __init__(self, name: str, suggestions: Sequence[str] = ()) -> None:
        self.name = name
        self.suggestions = tuple(suggestions)
        hint = f"; did you mean {' or '.join(self.suggestions)}?" if self.suggestions else ""
        super().__init__(
            f"no game or file called {name!r}{hint} ('woodstock games' lists the library)"
        )
