"""What a service of the page is: a question about one game, answered in a process with limits.

A service is a function of a game, a request, a way to tell of progress, and a way to learn that
nobody wants the answer any more. Request, progress and result are plain JSON. What the person did
wrong is raised as a `WoodstockError`, whose text is shown; anything else is a mistake of ours.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from woodstock.errors import WoodstockError
from woodstock.game import Game

__all__ = ["Service", "ServiceError", "Stopped", "Tell"]

Tell: TypeAlias = Callable[[dict[str, Any]], None]
"""Tells whoever asked how far the work is."""

Stopped: TypeAlias = Callable[[], bool]
"""Whether nobody wants the answer any more; a service that takes long asks now and then."""

Service: TypeAlias = Callable[[Game, dict[str, Any], Tell, Stopped], dict[str, Any]]
"""``service(game, request, tell, stopped)`` gives the result."""


class ServiceError(WoodstockError, ValueError):
    """A request that makes no sense; the text says what is wrong with it."""
