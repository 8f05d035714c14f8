"""Members that search among the states themselves, on the circuit: ``breadth`` and ``best-first``.

Most puzzles count their turns, and a state that differs in the counter alone is another state. So
counters are left out first: of two states that are alike but for them, the one with more turns
left can do all that the other can, unless the rules say otherwise. Only where that finds no plan
that reaches everything, `breadth` goes through all states as they are, which is then a proof.

States that symmetries of the rules take to each other count as one: what can be reached from the
one can be reached from the other by the images of the moves.
"""

from __future__ import annotations

import time
from itertools import cycle

from woodstock import _core
from woodstock.errors import WoodstockError
from woodstock.plan.task import Task
from woodstock.symmetry import rule_symmetries

__all__ = ["best_first", "breadth"]

SLICE = 0.05
"""Seconds between two looks at what the others have found."""
FIRST_BUDGET, GROWTH = 3.0, 1.5
"""CPU seconds that an order of the best first is tried for, and how much longer the next time."""
ORDERS = ((0, 1), (1, 3), (1, 1))
"""Weights of the turns so far and of the distance to go: greedy first, then with more care."""
SYMMETRY_SHARE, SYMMETRY_SECONDS = 0.05, 1.0
"""What the look for symmetries may take of the time, and at most."""


def breadth(task: Task) -> None:
    """Go through the states turn by turn; where all of them have been seen, that is a proof."""
    clock = _core.clock_fluents(task.circuit.grounding.program)
    for ignored in (clock, b"") if any(clock) else (b"",):
        search = _core.SpaceSearch(
            task.circuit.new_simulator(),
            task.start,
            task.role,
            horizon=task.most_turns,
            memory_mb=task.memory_mb // 2,
            ignored=ignored,
            quotient=_quotient(task),
        )
        status = _go_on(task, search, "breadth")
        if status == _core.SpaceStatus.exhausted and search.complete:
            task.lower_bound_to(max(0, task.best), "breadth")
        if status != _core.SpaceStatus.exhausted:
            return


def best_first(task: Task) -> None:
    """Go on from states that are near to a goal, as far as the relaxed rules can tell."""
    program = task.circuit.grounding.program
    clock = _core.clock_fluents(program)
    budget = FIRST_BUDGET
    for depth_weight, distance_weight in cycle(ORDERS):
        # The highest goal, and in between the next one: a way to everything may lead over less.
        for wanted in dict.fromkeys((task.ceiling, task.next_goal)):
            atoms = task.goal_atoms(wanted)
            if task.over or not atoms:
                return
            search = _core.SpaceSearch(
                task.circuit.new_simulator(),
                task.start,
                task.role,
                _core.Relaxation(program, atoms),
                depth_weight=depth_weight,
                distance_weight=distance_weight,
                novelty=True,
                horizon=task.most_turns,
                memory_mb=task.memory_mb // 4,
                ignored=clock,
                quotient=_quotient(task),
            )
            _go_on(task, search, "best-first", budget)
        budget *= GROWTH


def _quotient(task: Task) -> _core.Quotient | None:
    """What states are folded by; None where nothing is known to be alike."""
    game = task.game
    if len(game.roles) > 1:
        return None
    if "folds states" not in game.memo:
        seconds = min(SYMMETRY_SECONDS, SYMMETRY_SHARE * (task.until - time.monotonic()))
        try:
            found = rule_symmetries(game, seconds=max(0.0, seconds))
        except (TimeoutError, WoodstockError):
            return None
        game.memo["folds states"] = found.quotient(idle=False) if found.order > 1 else None
    quotient: _core.Quotient | None = game.memo["folds states"]
    return quotient


def _go_on(
    task: Task, search: _core.SpaceSearch, by: str, seconds: float = float("inf")
) -> _core.SpaceStatus:
    """Search until there is nothing left to find or no time; the last word of the search."""
    status, begun = _core.SpaceStatus.running, time.thread_time()
    while not task.over and time.thread_time() - begun < seconds:
        with task.turn():
            status = search.go_on(task.best, SLICE)
        if status == _core.SpaceStatus.found:
            task.offer([tuple(joint) for joint in search.moves(len(task.game.roles))], by)
            continue
        if status != _core.SpaceStatus.running:
            break
        task.report(f"{by}: {search.states:,} states, {search.depth} turns")
    return status
