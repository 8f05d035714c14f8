"""Searches about beliefs: the face of the native ones for games in which not everything is seen."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from itertools import chain

from woodstock import _core
from woodstock.background import Stoppable
from woodstock.belief import Belief
from woodstock.circuit.engine import CircuitEngine
from woodstock.game import Game, State
from woodstock.search.asking import ask
from woodstock.search.decision import Decision, Limits
from woodstock.search.searcher import OnProgress, check_question

__all__ = ["BeliefSearcher"]


class BeliefSearcher:
    """Thinks about the moves of one role that does not know the state.

    Where it is given a state, it is taken to know it, and the others what they remember.

    >>> from woodstock import Game, search
    >>> from woodstock.belief import ObservationHistory
    >>> game = Game.from_library("monty-hall")
    >>> searcher = search.make_searcher("mac-ucb-ii", game, "candidate", seed=1)
    >>> belief = ObservationHistory(game, "candidate", seed=1).belief()
    >>> found = searcher.think(belief, limits=Limits(seconds=60))
    >>> found.proved, round(found.value, 3)
    (True, 0.667)
    """

    def __init__(
        self,
        native: _core.BeliefSearcher,
        game: Game,
        engine: CircuitEngine,
        role: str,
        *,
        determinizations: int,
        rng: random.Random,
        look: Callable[[float | None], None] | None = None,
    ) -> None:
        self._look = look
        self._determinizations = determinizations
        self._rng = rng
        self._native = native
        self._samples = isinstance(native, _core.InformationSearch)
        self._game = game
        self._engine = engine
        self._role = role
        self._thinking = Stoppable("this search is thinking")

    def think(
        self,
        situation: State | Belief,
        *,
        limits: Limits,
        on_progress: OnProgress | None = None,
    ) -> Decision:
        """See `Searcher`."""
        check_question(self._game, situation, limits)
        wall, cpu = time.monotonic(), time.thread_time()
        if self._look is not None:
            self._look(limits.shortest)
        if isinstance(situation, State):
            situation = Belief.certain(situation, self._role)
        role = self._game.roles.index(self._role)
        number = self._engine.numbering.move_number
        ours = sorted(number(role, move) for move in situation.legal_moves())
        if self._determinizations:
            # Few states that are looked at closely may be worth more than many in passing.
            situation = situation.sample(self._determinizations, self._rng)
        belief = _core.Hypotheses(
            b"".join(situation.positions),
            list(situation.weights),
            [*chain(*situation.memories)],
        )
        with self._thinking.begun() as stop:
            think = partial(self._native.think, belief, ours, stop)
            # To hand over thousands of states takes a while, which counts.
            return ask(
                think, self._engine, limits, on_progress, wall=wall, cpu=cpu, samples=self._samples
            )

    def prepare(self, seconds: float) -> None:
        """Look for the symmetries of the game, if this search uses them."""
        if self._look is not None:
            self._look(seconds)

    def stop(self) -> None:
        """End a `think` that another thread is in; without one, nothing happens."""
        self._thinking.stop()
