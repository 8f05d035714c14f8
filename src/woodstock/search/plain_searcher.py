"""A search in plain Python, for games that the fast searches cannot play.

It runs on every engine, the lifted one included: a few playouts a second are still enough to tell a
blunder from a good move.
"""

from __future__ import annotations

import itertools
import math
import random
import threading
import time
from collections.abc import Sequence
from typing import Any

from woodstock.belief import Belief
from woodstock.engine import Engine, LiftedEngine
from woodstock.errors import StateError
from woodstock.game import LIFTED_SECONDS, Game, State
from woodstock.gdl.tabling import Stopped, stopped_by
from woodstock.gdl.terms import Term
from woodstock.search.decision import Decision, Limits, MoveValue
from woodstock.search.searcher import OnProgress

__all__ = ["PlainSearcher"]

MAX_PLIES = 1_000
"""Plies after which a playout is scored as it stands."""
EXPLORATION = 0.5
_REPORT_SECONDS = 0.25


class PlainSearcher:
    """Flat UCB: every legal move of a role is an arm, random games by everybody are its samples.

    Where something is hidden, each of them begins in a state that is drawn from the belief. The
    same seed and number of simulations give the same decision.

    >>> from woodstock import Game
    >>> start = Game.from_library("tic-tac-toe", engine="lifted").initial_state()
    >>> for x, o in (("(mark 1 1)", "(mark 2 1)"), ("(mark 1 2)", "(mark 2 2)")):
    ...     start = start.apply([x, "noop"]).apply(["noop", o])
    >>> searcher = PlainSearcher("x", seed=1)
    >>> print(searcher.think(start, limits=Limits(simulations=60)).move)
    (mark 1 3)
    """

    def __init__(self, role: str, seed: int) -> None:
        self._role = role
        self._rng = random.Random(seed)
        self._stop = threading.Event()
        self._engines: dict[Game, Engine] = {}

    def prepare(self, seconds: float) -> None:
        """Nothing to prepare."""

    def stop(self) -> None:
        """Let `think` return soon."""
        self._stop.set()

    def think(
        self,
        situation: State | Belief,
        *,
        limits: Limits,
        on_progress: OnProgress | None = None,
    ) -> Decision:
        """Sample until a limit is reached; at least the first legal move comes back."""
        self._stop.clear()
        game = situation.game
        if game not in self._engines:
            self._engines[game] = _engine(game)
        if isinstance(situation, State):
            situation = Belief.certain(situation, self._role)
        engine = self._engines[game]
        trial = _Trial(engine, situation, self._role, limits, self._rng, self._stop)
        told = time.monotonic()
        while trial.sample():
            if on_progress is not None and time.monotonic() - told > _REPORT_SECONDS:
                on_progress(trial.decision())
                told = time.monotonic()
        return trial.decision()


def _engine(game: Game) -> Engine:
    """The game's engine; of the lifted one another copy, because threads cannot share it."""
    if game.engine.name == LiftedEngine.name:
        return LiftedEngine(game.rules, seconds=LIFTED_SECONDS)
    return game.engine


class _Trial:
    """One `think`: the arms and what has been seen of them."""

    def __init__(
        self,
        engine: Engine,
        belief: Belief,
        role: str,
        limits: Limits,
        rng: random.Random,
        stop: threading.Event,
    ) -> None:
        self._engine = engine
        self._everybody = range(len(engine.roles))
        self._positions = belief.positions
        self._weights = list(itertools.accumulate(belief.weights))
        self._me = engine.roles.index(role)
        self._rng = rng
        self._stop = stop
        self._begun, self._begun_cpu = time.monotonic(), time.thread_time()
        self._seconds = math.inf if limits.seconds is None else limits.seconds
        self._cpu = math.inf if limits.cpu_seconds is None else limits.cpu_seconds
        self._simulations = math.inf if limits.simulations is None else limits.simulations
        self._nodes = math.inf if limits.nodes is None else limits.nodes
        self._options: dict[int, list[Sequence[Term]]] = {}
        likely = self._positions.index(belief.heaviest.position)
        self._legal = engine.legal(self._positions[likely], self._me)
        if not self._legal:
            raise StateError(f"{role} has no legal move here")
        self._visits = [0] * len(self._legal)
        self._sums = [[0.0] * len(engine.roles) for _ in self._legal]
        self._plies = 0
        self._depth = 0

    def sample(self) -> bool:
        """Play one random game behind the most promising move; False when time is up."""
        if self._over() or sum(self._visits) >= self._simulations:
            return False
        arm = self._promising()
        try:
            # One question may take longer than all the time there is.
            with stopped_by(self._over):
                end = self._play_out(arm)
        except Stopped:
            return False
        if end is None:
            return False
        self._visits[arm] += 1
        for role in self._everybody:
            goal = max(self._engine.goals(end, role), default=0)
            self._sums[arm][role] += self._engine.utility(goal)
        return True

    def decision(self) -> Decision:
        """What has been found so far."""
        # What was tried most often is best: a mean of few tries may be mere luck.
        arms = range(len(self._legal))
        order = sorted(arms, key=lambda a: (-self._visits[a], -self._mean(a, self._me)))
        best = order[0]
        return Decision(
            move=self._legal[best],
            value=self._mean(best, self._me),
            values={
                role: self._mean(best, number)
                for number, role in enumerate(self._engine.roles)
                if role in self._engine.players
            },
            moves=tuple(
                MoveValue(
                    move=self._legal[arm],
                    value=self._mean(arm, self._me),
                    visits=self._visits[arm],
                    lower=0.0,
                    upper=1.0,
                    proved=False,
                )
                for arm in order
            ),
            line=(),
            nodes=self._plies,
            simulations=sum(self._visits),
            depth=self._depth,
            proved=False,
            seconds=time.monotonic() - self._begun,
            cpu_seconds=time.thread_time() - self._begun_cpu,
            bytes=0,
        )

    def _over(self) -> bool:
        return (
            self._stop.is_set()
            or time.monotonic() - self._begun >= self._seconds
            or time.thread_time() - self._begun_cpu >= self._cpu
            or self._plies >= self._nodes
        )

    def _mean(self, arm: int, role: int) -> float:
        # A move that was never tried is worth less than any that was, and nothing is known of it.
        return self._sums[arm][role] / self._visits[arm] if self._visits[arm] else 0.0

    def _promising(self) -> int:
        fresh = [arm for arm, visits in enumerate(self._visits) if not visits]
        if fresh:
            return self._rng.choice(fresh)
        tries = math.log(sum(self._visits))
        return max(
            range(len(self._legal)),
            key=lambda arm: (
                self._mean(arm, self._me) + EXPLORATION * math.sqrt(tries / self._visits[arm])
            ),
        )

    def _choices(self, number: int) -> list[Sequence[Term]]:
        """What the roles may do in a state of the belief."""
        if number not in self._options:
            position = self._positions[number]
            self._options[number] = [self._engine.legal(position, role) for role in self._everybody]
        return self._options[number]

    def _play_out(self, arm: int) -> Any:
        """Where a random game that begins with this move ends; None when time was up first."""
        engine, number = self._engine, 0
        if len(self._positions) > 1:
            (number,) = self._rng.choices(range(len(self._positions)), cum_weights=self._weights)
        position, options = self._positions[number], list(self._choices(number))
        if self._legal[arm] in options[self._me]:  # else the state was a bad guess
            options[self._me] = (self._legal[arm],)
        if not all(options):
            return position
        for depth in range(1, MAX_PLIES + 1):
            position, _ = engine.next(position, [self._rng.choice(moves) for moves in options])
            self._plies += 1
            self._depth = max(self._depth, depth)
            if engine.terminal(position):
                break
            options = [engine.legal(position, role) for role in self._everybody]
            if not all(options):
                break
            if self._over():
                return None
        return position
