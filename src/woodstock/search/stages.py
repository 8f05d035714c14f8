"""Who solves the stages of a search: the circuit, or the table solvers on the network of the game.

All give the same solutions: a search finds the same tree with each of them.

>>> from woodstock import Game
>>> game = Game.from_library("tic-tac-toe")
>>> start = game.engine.initial()
>>> simulator = game.engine.simulator()
>>> compiled, mac = (make_stages(game, name, simulator) for name in ("compiled", "mac"))
>>> len(compiled.solve(start)), compiled.solve(start) == mac.solve(start)
(9, True)
"""

from __future__ import annotations

from typing import get_args

from woodstock import _core
from woodstock.background import in_background
from woodstock.game import Game
from woodstock.gdl.keywords import RANDOM
from woodstock.scsp.encode import Template, template
from woodstock.scsp.encode.injector import problem_of
from woodstock.scsp.encode.slots import fixed_fluents
from woodstock.search.options import Heuristic, Preprocessing, Propagation, StageSolverName

__all__ = ["make_stages"]


def make_stages(
    game: Game,
    solver: StageSolverName,
    simulator: _core.Simulator,
    *,
    propagation: Propagation = "ct",
    heuristic: Heuristic = "lex",
    preprocessing: Preprocessing = "none",
) -> _core.StageSolver:
    """A solver for the stages of a game; `simulator` is one of its circuit.

    ``split`` is Algorithms 1 and 2 of the papers: forward checking on the constraints of chance,
    whose solutions become the feasibility constraint, and MAC on the others with it.

    Raises `EncodingError` where a table solver is wanted and the game is too large for a network,
    `ValueError` for a solver that there is none of.

    >>> game = Game.from_library("nim")
    >>> make_stages(game, "fc", game.engine.simulator()).nodes
    0
    """
    if solver not in get_args(StageSolverName):
        raise ValueError(f"no solver {solver!r}; there are {', '.join(get_args(StageSolverName))}")
    if propagation not in get_args(Propagation):
        names = ", ".join(get_args(Propagation))
        raise ValueError(f"no propagation {propagation!r}; there are {names}")
    if solver == "compiled":
        return _core.CompiledStages(simulator)
    with in_background():
        return _table_solver(
            template(game),
            simulator,
            "fc" if solver == "fc" else propagation,
            heuristic,
            sac=preprocessing == "sac",
            split=solver == "split",
        )


def _table_solver(
    turn: Template,
    simulator: _core.Simulator,
    propagation: str,
    heuristic: str,
    *,
    sac: bool,
    split: bool,
) -> _core.StageSolver:
    engine = turn.game.circuit()
    number = engine.numbering.move_number
    parts = turn.turn
    slots = [
        (now, after, [-1 if fluent is None else fluent for fluent in slot.fluents])
        for (now, after), slot in zip(parts.slots, turn.slots)
    ]
    roles = []
    for role, (action, moves, score) in enumerate(zip(parts.actions, parts.moves, parts.scores)):
        goals = parts.builder.domains[score]
        roles.append(
            (
                action,
                [-1 if move is None else number(role, move) for move in moves],
                score,
                [goal if isinstance(goal, int) else -1 for goal in goals],
            )
        )
    return _core.CspStages(
        simulator,
        problem_of(parts.builder),
        propagation=propagation,
        heuristic=heuristic,
        sac=sac,
        split=split,
        chance=engine.roles.index(RANDOM) if RANDOM in engine.roles else None,
        terminal=parts.terminal,
        slots=slots,
        roles=roles,
        always=sorted(fixed_fluents(engine.grounding.program)),
    )
