"""The face of the native searches about states: roles and moves in words."""

from __future__ import annotations

import time
from functools import partial

from woodstock import _core
from woodstock.background import Stoppable
from woodstock.belief import Belief
from woodstock.circuit.engine import CircuitEngine
from woodstock.game import Game, State
from woodstock.search.asking import ask
from woodstock.search.decision import Decision, Limits
from woodstock.search.searcher import OnProgress, SearchError, check_question
from woodstock.search.symmetry import Finder

__all__ = ["StateSearcher"]


class StateSearcher:
    """Thinks about states that are known; see `woodstock.search.Searcher`.

    >>> from woodstock import search
    >>> game = Game.from_library("tic-tac-toe")
    >>> searcher = search.make_searcher("uct", game, "x", seed=1)
    >>> decision = searcher.think(game.initial_state(), limits=Limits(simulations=2_000_000))
    >>> decision.proved, decision.value
    (True, 0.5)
    """

    def __init__(
        self,
        native: _core.Searcher,
        game: Game,
        engine: CircuitEngine,
        role: str,
        finder: Finder,
    ) -> None:
        self._native = native
        self._samples = isinstance(native, _core.TreeSearch)
        self._finder = finder
        self._engine = engine
        self._game = game
        self._role = role
        self._thinking = Stoppable("this search is thinking")

    def think(
        self,
        situation: State | Belief,
        *,
        limits: Limits,
        on_progress: OnProgress | None = None,
    ) -> Decision:
        """See `Searcher`; `SearchError` for a belief: this one takes everything for known."""
        check_question(self._game, situation, limits)
        if not isinstance(situation, State):
            raise SearchError("this search is about states, not about beliefs")
        state = situation
        with self._thinking.begun() as stop:
            wall, cpu = time.monotonic(), time.thread_time()
            self._finder.look(self._native, state, limits.shortest)
            think = partial(self._native.think, state.position, stop)
            return ask(
                think, self._engine, limits, on_progress, wall=wall, cpu=cpu, samples=self._samples
            )

    def prepare(self, seconds: float) -> None:
        """Look for the symmetries of the game, if this search uses them."""
        self._finder.prepare(self._native, seconds)

    def stop(self) -> None:
        """End a `think` that another thread is in; without one, nothing happens."""
        self._thinking.stop()
