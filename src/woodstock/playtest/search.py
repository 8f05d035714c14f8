"""Looks for a line of play that shows what playouts have met: a role that is stuck, odd goals."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Literal

from woodstock.engine import Engine
from woodstock.playouts import Tally
from woodstock.playtest.walks import RandomGame

__all__ = ["Trouble", "find_line"]

Trouble = Literal["stuck", "unclear"]
CHILDREN, PLAYOUTS = 48, 4096
"""Moves that are tried at a position, and playouts for all of them together."""
TRIES = 10


def find_line(
    engine: Engine,
    start: Any,
    trouble: Trouble,
    rng: random.Random,
    limit: int,
    out_of_time: Callable[[], bool],
) -> RandomGame | None:
    """A game that ends in some trouble, None where none was found in time.

    From each position it goes where random games have most of the trouble, a few times.

    >>> from woodstock import Game
    >>> rules = '''(role x) (init (n 0)) (next (n 1)) (legal x a) (legal x b)
    ...     (<= terminal (true (n 1))) (<= (next won) (does x a)) (<= (goal x 100) (true won))'''
    >>> engine = Game.from_text(rules).engine
    >>> find_line(engine, engine.initial(), "unclear", random.Random(1), 9, bool).moves
    [('b',)]
    """
    for _ in range(TRIES):
        found = _descend(engine, start, trouble, rng, limit, out_of_time)
        if found is not None or out_of_time():
            return found
    return None


def _descend(
    engine: Engine,
    start: Any,
    trouble: Trouble,
    rng: random.Random,
    limit: int,
    out_of_time: Callable[[], bool],
) -> RandomGame | None:
    chance = len(engine.roles) - len(engine.players)
    everybody = range(len(engine.roles))
    found = RandomGame([start])
    while found.length <= limit and not out_of_time():
        position = found.positions[-1]
        legal = [engine.legal(position, role) for role in everybody]
        if engine.terminal(position):
            found.ending = "over"
            found.goals = [engine.goals(position, role) for role in everybody]
            odd = any(
                len(found.goals[role]) != 1
                for role in everybody
                if engine.roles[role] in engine.players
            )
            return found if trouble == "unclear" and odd else None
        if not all(legal):
            found.ending = "stuck"
            found.stuck = tuple(role for role in everybody if not legal[role])
            return found if trouble == "stuck" else None
        moves = {tuple(rng.choice(options) for options in legal) for _ in range(2 * CHILDREN)}
        chosen = sorted(moves, key=str)[:CHILDREN]
        after = [engine.next(position, joint)[0] for joint in chosen]
        tallies = engine.playouts(
            after,
            [PLAYOUTS // len(after)] * len(after),
            seed=rng.getrandbits(63),
            max_plies=limit,
            threads=1,
            isa="auto",
        )
        amounts = [_amount(tally, trouble, chance) for tally in tallies]
        best = max(amounts)
        place = rng.choice([n for n, amount in enumerate(amounts) if amount == best])
        found.moves.append(chosen[place])
        found.widths.append(tuple(map(len, legal)))
        found.positions.append(after[place])
    return None


def _amount(tally: Tally, trouble: Trouble, chance: int) -> int:
    return tally.stuck if trouble == "stuck" else tally.unclear - chance * tally.playouts
