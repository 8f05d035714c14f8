"""The contract of every search: one thread thinks, others may stop it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from woodstock.belief import Belief
from woodstock.errors import WoodstockError
from woodstock.game import Game, State
from woodstock.search.decision import Decision, Limits

__all__ = ["OnProgress", "SearchError", "Searcher", "check_question"]

OnProgress = Callable[[Decision], None]
"""Hears on the way what has been found so far; an exception from it ends the search."""


class SearchError(WoodstockError, ValueError):
    """A search that cannot be made for this game, or a question that it cannot be asked."""


class Searcher(Protocol):
    """Thinks about the moves of one role. What it finds stays known from move to move.

    One thread at a time may think; `stop` is for the others. `woodstock.search.make_searcher` makes
    one by its name.
    """

    def think(
        self,
        situation: State | Belief,
        *,
        limits: Limits,
        on_progress: OnProgress | None = None,
    ) -> Decision:
        """Think until a limit is reached, `stop` is called or the value is proved.

        The situation is a state; where something is hidden, what the role believes. `on_progress`
        hears a few times a second what has been found so far. Raises `SearchError` for a situation
        of another game, or one in which the game is over, `RuntimeError` while another thread
        thinks.
        """

    def prepare(self, seconds: float) -> None:
        """Do what is better done before the match, within about so many seconds."""

    def stop(self) -> None:
        """Let a `think` on another thread return soon, with the best so far; else do nothing."""


def check_question(game: Game, situation: State | Belief, limits: Limits) -> None:
    """`SearchError` for what a search of this game cannot think about.

    >>> nim, other = Game.from_library("nim"), Game.from_library("tic-tac-toe")
    >>> check_question(nim, other.initial_state(), Limits())
    Traceback (most recent call last):
    ...
    woodstock.search.searcher.SearchError: this search is about nim, not tic-tac-toe
    >>> check_question(nim, nim.initial_state(), {"seconds": 1})
    Traceback (most recent call last):
    ...
    woodstock.search.searcher.SearchError: {'seconds': 1} are no limits; write Limits(seconds=1)
    """
    if not isinstance(situation, (State, Belief)):
        raise SearchError(f"{situation!r} is nothing to think about; give a State or a Belief")
    if situation.game is not game:
        raise SearchError(f"this search is about {game.name}, not {situation.game.name}")
    if not isinstance(limits, Limits):
        raise SearchError(f"{limits!r} are no limits; write Limits(seconds=1)")
