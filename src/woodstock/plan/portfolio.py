"""The portfolio: several ways to plan, side by side, each told what the others have found."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence

from woodstock.errors import ArgumentError
from woodstock.game import Game, State
from woodstock.plan import asp, network
from woodstock.plan.contract import Plan, PlanError, cannot_plan
from woodstock.plan.nested import nested
from woodstock.plan.space import best_first, breadth
from woodstock.plan.task import Task

__all__ = ["MEMBERS", "plan"]

Member = Callable[[Task], None]

MEMBERS: Mapping[str, Member] = {
    "breadth": breadth,
    "best-first": best_first,
    "nested": nested,
    "parallel": asp.parallel,
    "clingo": asp.clingo,
    "mac": network.run,
}
"""Who looks for plans, by name."""

SLOW, SLOW_SECONDS = frozenset({"parallel", "clingo", "mac"}), 0.5
"""Members that have to build something first, and the time that is too short for it."""

LEAST_MEMORY_MB = 16
PULSE, GRACE = 0.005, 0.1
"""Seconds between two looks whether all is done, and for which members may go on after that."""

_log = logging.getLogger("woodstock.plan")


def plan(
    game: Game,
    state: State | None = None,
    *,
    seconds: float = 10.0,
    goal: int | None = None,
    horizon: int | None = None,
    threads: int = 1,
    memory_mb: int = 1024,
    members: Sequence[str] = tuple(MEMBERS),
    seed: int = 0,
    tell: Callable[[str], None] | None = None,
) -> Plan | None:
    """The best way from a state to the end of a game that is found in time; None: nothing is.

    It ends early when the highest goal is reached, or `goal`, or when it is proved that there is no
    better plan. A plan takes at most `horizon` turns, and what is proved is about such plans alone.
    `PlanError` for games that cannot be planned
    for, `ArgumentError` for other mistakes.

    >>> game = Game.load("buttons-and-lights-3")
    >>> found = plan(game, seconds=60)
    >>> found.goal, found.proof, found.horizon
    (100, 'proved', 6)
    """
    task = make_task(
        game,
        state,
        seconds=seconds,
        goal=goal,
        horizon=horizon,
        threads=threads,
        memory_mb=memory_mb,
        members=members,
        seed=seed,
        tell=tell,
    )
    run(task, members)
    return task.plan()


def make_task(
    game: Game,
    state: State | None = None,
    *,
    seconds: float,
    goal: int | None = None,
    horizon: int | None = None,
    threads: int = 1,
    memory_mb: int = 1024,
    members: Sequence[str] = tuple(MEMBERS),
    seed: int = 0,
    tell: Callable[[str], None] | None = None,
) -> Task:
    """What is asked, checked."""
    why = cannot_plan(game)
    if why is not None:
        raise PlanError(why)
    for name in members:
        if name not in MEMBERS:
            raise ArgumentError(f"no member is called {name!r}; there are {', '.join(MEMBERS)}")
    if not members:
        raise ArgumentError("a portfolio needs at least one member")
    if not seconds > 0:
        raise ArgumentError("seconds must be above 0")
    if memory_mb < LEAST_MEMORY_MB:
        raise ArgumentError(f"plans need at least {LEAST_MEMORY_MB} MB")
    if horizon is not None and horizon < 1:
        raise ArgumentError("a horizon is at least one turn")
    start = game.initial_state() if state is None else state
    if start.is_terminal:
        raise PlanError(f"{game.name}: the game is over in this state")
    return Task(
        game,
        start,
        until=time.monotonic() + seconds,
        goal=goal,
        horizon=horizon,
        threads=threads,
        memory_mb=memory_mb,
        seed=seed,
        tell=tell,
    )


def run(task: Task, members: Sequence[str] = tuple(MEMBERS)) -> None:
    """Let members work on a task until it is over or all of them have given up.

    One that does not return soon after that is left alone, and nobody hears what it tells then.
    """

    def work(name: str) -> None:
        try:
            MEMBERS[name](task)
        except Exception as problem:  # the others go on
            _log.warning("%s: %s gave up: %s", task.game.name, name, problem)
            task.tell(f"{name}: gave up: {problem}")

    hasty = task.until - time.monotonic() < SLOW_SECONDS
    names = [name for name in members if not (hasty and name in SLOW)] or members
    threads = [threading.Thread(target=work, args=(name,), daemon=True) for name in names]
    for thread in threads:
        thread.start()
    try:
        while not task.over and any(thread.is_alive() for thread in threads):
            for thread in threads:
                thread.join(PULSE)
    finally:
        task.stop()
    until = time.monotonic() + GRACE
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))
