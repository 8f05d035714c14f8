"""The member ``nested``: nested rollout policy adaptation, for what is reached by degrees."""

from __future__ import annotations

from woodstock import _core
from woodstock.plan.task import Task

__all__ = ["nested"]

SLICE = 0.05
"""Seconds between two looks at what the others have found."""


def nested(task: Task) -> None:
    """Adapt the weights of moves to the best playouts, with and without regard to the turn.

    Of playouts with the same goal, those are better that are nearer to the highest one.
    """
    program, atoms = task.circuit.grounding.program, task.goal_atoms(task.ceiling)
    searches = [
        _core.NestedRollouts(
            task.circuit.new_simulator(),
            task.start,
            task.role,
            _core.Relaxation(program, atoms) if atoms else None,
            horizon=task.most_turns,
            by_turn=by_turn,
            seed=task.seed,
        )
        for by_turn in (False, True)
    ]
    while not task.over:
        for search in searches:
            with task.turn():
                found = search.go_on(task.best, SLICE)
            if found:
                task.offer([tuple(joint) for joint in search.moves(len(task.game.roles))], "nested")
        task.report(f"nested: {sum(one.playouts for one in searches):,} playouts")
