"""Searches about beliefs: the face of the native ones for games in which not everything is seen."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from functools import partial
from itertools import chain

from woodstock import _core
from woodstock.belief import Belief
from woodstock.belief.known import known_fluents
from woodstock.circuit.engine import CircuitEngine
from woodstock.game import Game, State
from woodstock.search.asking import Thinking, ask
from woodstock.search.configurations import (
    common_options,
    native_part,
    option_errors,
    settle,
)
from woodstock.search.decision import Decision, Limits
from woodstock.search.portfolio import Portfolio
from woodstock.search.searcher import OnProgress, Searcher, check_question

__all__ = ["BeliefSearcher", "make_belief_searcher"]


def make_belief_searcher(
    name: str,
    game: Game,
    engine: CircuitEngine,
    role: str,
    *,
    seed: int,
    memory: int,
    options: Mapping[str, object],
) -> Searcher:
    """The search about beliefs that goes by a name.

    Names of trees are information-set searches, those of stages MAC-UCB-II; options that only
    matter where everything is seen are left aside. With ``stage_share``, MAC-UCB-II gets that
    share of the time first, and whoever finds the better move for us, or proves it, is believed.
    """
    chosen = settle(name, options)
    common = common_options(game, engine, role, chosen["concept"], seed=seed, memory=memory)
    simulator = engine.new_simulator()
    native: _core.BeliefSearcher
    with option_errors(name):
        if "choice" in chosen:
            common["known_fluents"] = known_fluents(game) if chosen["playout_policy"] else b""
            sets = native_part(_core.InformationSearchOptions, chosen, common)
            native = _core.InformationSearch(simulator, sets)
        else:
            stages = native_part(_core.MacUcbIIOptions, chosen, common)
            native = _core.MacUcbII(simulator, stages)
    searcher = BeliefSearcher(
        native,
        game,
        engine,
        role,
        determinizations=chosen.get("determinizations", 0),
        rng=random.Random(seed),
    )
    share = chosen.get("stage_share", 0.0)
    if not share:
        return searcher
    first = make_belief_searcher(
        "mac-ucb-ii", game, engine, role, seed=seed, memory=memory, options={}
    )
    return Portfolio(first, searcher, share)


class BeliefSearcher:
    """Thinks about the moves of one role that does not know the state.

    Where it is given a state, it is taken to know it, and the others what they remember.

    >>> from woodstock import Game, search
    >>> from woodstock.belief import ObservationHistory
    >>> game = Game.from_library("monty-hall")
    >>> searcher = search.make_searcher("mac-ucb-ii", game, "candidate", seed=1)
    >>> belief = ObservationHistory(game, "candidate", seed=1).belief()
    >>> found = searcher.think(belief, limits=Limits(seconds=5))
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
    ) -> None:
        self._determinizations = determinizations
        self._rng = rng
        self._native = native
        self._game = game
        self._engine = engine
        self._role = role
        self._thinking = Thinking()

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
            return ask(think, self._engine, limits, on_progress, wall=wall, cpu=cpu)

    def prepare(self, seconds: float) -> None:
        """Nothing to prepare."""

    def stop(self) -> None:
        """End a `think` that another thread is in; without one, nothing happens."""
        self._thinking.stop()
