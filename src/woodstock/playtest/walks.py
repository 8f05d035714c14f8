"""Random games that are kept move by move, so that what they show can be played again."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from woodstock.engine import Engine
from woodstock.errors import EvaluationError
from woodstock.gdl.terms import Term, to_kif

__all__ = ["Ending", "RandomGame", "line_of_play", "walk"]

Ending = Literal["over", "stuck", "limit", "broken"]
"""How a game ended: by its rules; where a role had no move; at the limit of moves; where the rules
could not be worked out in time."""


@dataclass
class RandomGame:
    """One random game: its positions, the joint moves between them, and how it ended."""

    positions: list[Any]
    moves: list[tuple[Term, ...]] = field(default_factory=list)
    widths: list[tuple[int, ...]] = field(default_factory=list)
    """How many moves each role had, ply by ply."""
    ending: Ending = "limit"
    goals: list[tuple[int, ...]] = field(default_factory=list)
    """The goals of each role at the end, where there was one."""
    stuck: tuple[int, ...] = ()
    """The roles without a move, where that was the end."""
    loop: tuple[int, int] | None = None
    """The first two plies with the same position."""

    @property
    def length(self) -> int:
        """The number of joint moves."""
        return len(self.moves)


def walk(
    engine: Engine,
    start: Any,
    rng: random.Random,
    limit: int,
    on_moves: Callable[[int, Sequence[Term]], None] = lambda role, moves: None,
    out_of_time: Callable[[], bool] = lambda: False,
) -> RandomGame | None:
    """Play one game of uniformly random moves; None where the time was over before its end.

    `on_moves` is told the legal moves of each role that is asked for them.

    >>> from woodstock import Game
    >>> engine = Game.load("tic-tac-toe").engine
    >>> found = walk(engine, engine.initial(), random.Random(1), 100)
    >>> found.ending, found.length == len(found.positions) - 1, len(found.goals)
    ('over', True, 2)
    """
    everybody = range(len(engine.roles))
    found = RandomGame([start])
    seen = {start: 0}
    try:
        while not engine.terminal(found.positions[-1]):
            position = found.positions[-1]
            legal = [engine.legal(position, role) for role in everybody]
            for role, moves in enumerate(legal):
                on_moves(role, moves)
            found.widths.append(tuple(map(len, legal)))
            if not all(legal):
                found.ending = "stuck"
                found.stuck = tuple(role for role in everybody if not legal[role])
                return found
            if found.length == limit:
                return found
            if out_of_time():
                return None
            joint = tuple(rng.choice(moves) for moves in legal)
            after, _ = engine.next(position, joint)
            found.moves.append(joint)
            found.positions.append(after)
            if found.loop is None and seen.setdefault(after, found.length) != found.length:
                found.loop = seen[after], found.length
        found.ending = "over"
        found.goals = [engine.goals(found.positions[-1], role) for role in everybody]
    except EvaluationError:
        found.ending = "broken"
    return found


def line_of_play(one: RandomGame, plies: int | None = None) -> str:
    """The moves of a game as ``woodstock show --after`` takes them: without those of no choice.

    >>> moves = [(("mark", "1", "1"), "noop"), ("noop", "noop")]
    >>> line_of_play(RandomGame([], moves, [(9, 1), (1, 1)]))
    '(mark 1 1); noop noop'
    """
    joints = []
    for joint, widths in zip(one.moves[:plies], one.widths):
        chosen = [move for move, width in zip(joint, widths) if width > 1] or joint
        joints.append(" ".join(to_kif(move) for move in chosen))
    return "; ".join(joints)
