"""Perfect information Monte Carlo: hidden things are drawn, then seen as if they were open.

The oldest way to play with hidden information, and still hard to beat at bridge (Levy 1989,
Ginsberg's GIB 2001). It never gathers information nor hides any, since in each determinization
there is none to have: that is why it can fail, and how much that matters depends on the game (Long,
Sturtevant, Buro and Furtak 2010).
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter

from woodstock.belief import Belief
from woodstock.game import State
from woodstock.gdl.terms import Term
from woodstock.search.decision import Decision, Limits, MoveValue
from woodstock.search.searcher import OnProgress, Searcher

__all__ = ["Determinization"]


class Determinization:
    """Lets a search think about some states of a belief, and takes the mean of what it says.

    States are drawn by weight; where there are no more of them than `determinizations`, each is
    taken once and weighs what it weighs. All get an equal share of the limits, and what one leaves
    goes to those that follow. A search that has proved its best move ends, and of the other moves
    says what it has seen by then. Nothing is proved here: what is best in each of them
    need not be best.

    >>> from woodstock import Game, search
    >>> game = Game.from_library("monty-hall")
    >>> state = game.initial_state()
    >>> belief = Belief.certain(state, "candidate")
    >>> searcher = search.make_searcher("pimc:determinizations=4", game, "candidate", seed=1)
    >>> found = searcher.think(belief, limits=Limits(simulations=1000))
    >>> found.proved, len(found.moves)
    (False, 3)
    """

    def __init__(self, searcher: Searcher, role: str, *, determinizations: int, seed: int) -> None:
        self._searcher = searcher
        self._role = role
        self._determinizations = determinizations
        self._rng = random.Random(seed)
        self._stopped = threading.Event()

    def prepare(self, seconds: float) -> None:
        """Let the search within prepare."""
        self._searcher.prepare(seconds)

    def stop(self) -> None:
        """End a `think` that another thread is in, with what has been found by then."""
        self._stopped.set()
        self._searcher.stop()

    def think(
        self,
        situation: State | Belief,
        *,
        limits: Limits,
        on_progress: OnProgress | None = None,
    ) -> Decision:
        """Think about all states drawn; `on_progress` hears of each one that is done."""
        self._stopped.clear()
        if isinstance(situation, State):
            situation = Belief.certain(situation, self._role)
        mean = _Mean()
        drawn = list(situation.sample(self._determinizations, self._rng).chances.items())
        for left, (state, weight) in zip(range(len(drawn), 0, -1), drawn):
            share = mean.share(limits, left)
            mean.add(self._searcher.think(state, limits=share), weight)
            if self._stopped.is_set():
                break
            if on_progress is not None and left > 1:
                on_progress(mean.decision())
        return mean.decision()


class _Mean:
    """What has been found in the states so far."""

    def __init__(self) -> None:
        self._begun, self._begun_cpu = time.monotonic(), time.thread_time()
        self._found: list[tuple[Decision, float]] = []

    def share(self, limits: Limits, states: int) -> Limits:
        """What is left of the limits, shared among so many states."""

        def part(limit: float | None, spent: float) -> float | None:
            return None if limit is None else max(0.0, limit - spent) / states

        def count(limit: int | None, spent: int) -> int | None:
            return None if limit is None else max(0, limit - spent) // states

        return Limits(
            seconds=part(limits.seconds, time.monotonic() - self._begun),
            cpu_seconds=part(limits.cpu_seconds, time.thread_time() - self._begun_cpu),
            nodes=count(limits.nodes, sum(one.nodes for one, _ in self._found)),
            simulations=count(limits.simulations, sum(one.simulations for one, _ in self._found)),
        )

    def add(self, found: Decision, weight: float) -> None:
        """One more state."""
        self._found.append((found, weight))

    def decision(self) -> Decision:
        """The mean of all, a move that some state does not have being worth nothing there."""
        total = sum(weight for _, weight in self._found)
        decisions = [one for one, _ in self._found]
        worth: dict[Term, float] = {}
        visits: Counter[Term] = Counter()
        values: dict[str, float] = {}
        for one, weight in self._found:
            for move in one.moves:
                worth[move.move] = worth.get(move.move, 0.0) + move.value * weight / total
                visits[move.move] += move.visits
            for role, value in one.values.items():
                values[role] = values.get(role, 0.0) + value * weight / total
        order = sorted(worth, key=lambda move: -worth[move])
        games = max(1, visits.total())
        return Decision(
            move=order[0],
            value=worth[order[0]],
            values=values,
            moves=tuple(
                MoveValue(move, worth[move], visits[move], share=visits[move] / games)
                for move in order
            ),
            nodes=sum(one.nodes for one in decisions),
            simulations=sum(one.simulations for one in decisions),
            depth=max(one.depth for one in decisions),
            seconds=time.monotonic() - self._begun,
            cpu_seconds=time.thread_time() - self._begun_cpu,
            bytes=max(one.bytes for one in decisions),
            notes=(f"{len(decisions)} determinization{'s' if len(decisions) > 1 else ''}",),
        )
