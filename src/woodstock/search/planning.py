"""A search that plans first: for who plays alone, or together with others for the same goal."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace

from woodstock.belief import Belief
from woodstock.game import Game, State
from woodstock.gdl.terms import Term
from woodstock.plan import Plan
from woodstock.plan.portfolio import make_task, run
from woodstock.plan.task import Task
from woodstock.search.asking import left
from woodstock.search.decision import Decision, Limits, MoveValue
from woodstock.search.searcher import OnProgress, Searcher, SearchError, check_question

__all__ = ["PlanningSearcher"]

LEAST_SECONDS = 0.02
"""For which it is worth to begin with a plan."""


class PlanningSearcher:
    """Follows a plan where nothing can be better; else it plans, and then lets a search think.

    Planning gets a share of the time. The plan's move is made unless the search expects more on
    average than the plan is sure of. What lies ahead of the state stays known from move to move, so
    that a plan only gets better. Without a limit on time there is no plan: the search alone finds
    the same every time.

    >>> from woodstock import search
    >>> game = Game.load("buttons-and-lights-3")
    >>> searcher = search.make_searcher("woodstock", game, "robot")
    >>> decision = searcher.think(game.initial_state(), limits=Limits(seconds=60))
    >>> decision.value, decision.proved, len(decision.line)
    (1.0, True, 6)
    """

    def __init__(
        self,
        search: Searcher,
        game: Game,
        role: str,
        *,
        share: float,
        threads: int = 1,
        memory_mb: int = 1024,
        seed: int = 0,
    ) -> None:
        self._search = search
        self._game = game
        self._role = role
        self._share = share
        self._threads = threads
        self._memory_mb = memory_mb
        self._seed = seed
        self._plan: Plan | None = None
        self._path: dict[State, int] = {}
        self._task: Task | None = None
        self._stopped = threading.Event()

    def think(
        self,
        situation: State | Belief,
        *,
        limits: Limits,
        on_progress: OnProgress | None = None,
    ) -> Decision:
        """See `Searcher`."""
        check_question(self._game, situation, limits)
        if not isinstance(situation, State):
            raise SearchError("this search is about states, not about beliefs")
        self._stopped.clear()
        wall, cpu = time.monotonic(), time.thread_time()
        known = self._ahead(situation)
        if known is not None and known.proof == "proved":
            return self._follow(known, situation, None, wall)
        seconds = limits.shortest
        if seconds is None or seconds * self._share < LEAST_SECONDS or situation.is_terminal:
            return self._search.think(situation, limits=limits, on_progress=on_progress)
        found = self._look(situation, known, seconds * self._share, on_progress, wall)
        if found is not None and (found.proof == "proved" or self._stopped.is_set()):
            return self._follow(found, situation, None, wall)
        rest = replace(
            limits,
            seconds=left(limits.seconds, time.monotonic() - wall),
            cpu_seconds=left(limits.cpu_seconds, max(time.thread_time() - cpu, self._spent(wall))),
        )
        # A plan that is known is told of already.
        hears = on_progress if found is None else None
        other = self._search.think(situation, limits=rest, on_progress=hears)
        if found is None or other.value > self._worth(found.goal):
            return other
        return self._follow(found, situation, other, wall)

    def prepare(self, seconds: float) -> None:
        """See `Searcher`."""
        self._search.prepare(seconds)

    def stop(self) -> None:
        """End a `think` that another thread is in; without one, nothing happens."""
        self._stopped.set()
        task = self._task
        if task is not None:
            task.stop()
        self._search.stop()

    @staticmethod
    def _spent(wall: float) -> float:
        return time.monotonic() - wall

    def _worth(self, goal: int) -> float:
        return self._game.engine.utility(goal)

    def _ahead(self, state: State) -> Plan | None:
        """What is left of the plan, where it comes by this state."""
        place = self._path.get(state)
        if self._plan is None or place is None:
            return None
        return replace(self._plan, moves=self._plan.moves[place:])

    def _look(
        self,
        state: State,
        known: Plan | None,
        seconds: float,
        on_progress: OnProgress | None,
        wall: float,
    ) -> Plan | None:
        """Plan from here on, beginning with what is known; the best plan is kept."""
        task = make_task(
            self._game,
            state,
            seconds=seconds,
            threads=self._threads,
            memory_mb=self._memory_mb,
            seed=self._seed,
            tell=self._teller(state, on_progress, wall),
        )
        if known is not None:
            task.offer_terms(known.moves, known.by)
        self._task = task
        try:
            if not self._stopped.is_set():
                run(task)
        finally:
            self._task = None
        found = task.plan()
        if found is not None:
            self._plan = found
            self._path = {one: place for place, one in enumerate(found.states(state)[:-1])}
        return found

    def _teller(
        self, state: State, on_progress: OnProgress | None, wall: float
    ) -> Callable[[str], None] | None:
        if on_progress is None:
            return None

        def tell(_: str) -> None:
            task = self._task
            found = None if task is None else task.plan()
            if found is not None:
                on_progress(self._follow(found, state, None, wall))

        return tell

    def _follow(self, plan: Plan, state: State, other: Decision | None, wall: float) -> Decision:
        """The decision for the first move of a plan; what else is known of moves stays."""
        value, most = self._worth(plan.goal), self._worth(plan.bound)
        proved = plan.proof == "proved"
        move: Term = plan.moves[0][self._game.roles.index(self._role)]
        rest = () if other is None else tuple(one for one in other.moves if one.move != move)
        if other is None:
            legal = state.legal_moves(self._role)
            rest = tuple(MoveValue(one, 0.0, 0, upper=most) for one in legal if one != move)
        first = MoveValue(move, value, 1, lower=value, upper=most, proved=proved, share=1.0)
        return Decision(
            move,
            value,
            dict.fromkeys(self._game.players, value),
            (first, *rest),
            line=plan.moves,
            nodes=0 if other is None else other.nodes,
            simulations=0 if other is None else other.simulations,
            depth=plan.horizon,
            proved=proved,
            seconds=time.monotonic() - wall,
            cpu_seconds=0.0 if other is None else other.cpu_seconds,
            notes=(f"a plan of {plan.horizon} turns for {plan.goal} by {plan.by}, {plan.proof}",),
        )
