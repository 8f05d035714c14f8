"""Many random games at once, for figures: lengths, goals, how many did not end well."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from woodstock.engine import Engine
from woodstock.playtest.walks import RandomGame

__all__ = ["Outcomes", "play_many"]

PROBE_PLIES = 8
FIRST, MOST = 64, 1 << 14
LEAST_PLIES = 100


@dataclass
class Outcomes:
    """What came of some games: the length of each, the sums of goals by role, the odd ends."""

    goals: list[list[int]]
    lengths: list[int] = field(default_factory=list)
    stuck: int = 0
    cut: int = 0
    unclear: int = 0
    """In how many games some player did not have exactly one goal at the end."""

    @classmethod
    def of(cls, walks: Iterable[RandomGame], players: list[int], roles: int) -> Outcomes:
        """What came of games that were kept."""
        found = cls([[] for _ in range(roles)])
        for one in walks:
            if one.ending == "broken":
                continue
            found.lengths.append(one.length)
            found.stuck += one.ending == "stuck"
            found.cut += one.ending == "limit"
            if one.ending == "over":
                found.unclear += any(len(one.goals[role]) != 1 for role in players)
                for role, values in enumerate(one.goals):
                    found.goals[role].append(max(values, default=0))
        return found


def play_many(
    engine: Engine,
    start: Any,
    *,
    seconds: float,
    games: int,
    limit: int,
    seed: int,
    on_progress: Callable[[float], None] = lambda done: None,
) -> tuple[Outcomes, int]:
    """Play up to so many games for about so long on the circuit; also the limit of plies kept.

    That is lower than `limit` where games take so long that a single batch would not end in time;
    where even that is of no use, no game is played.

    >>> from woodstock import Game
    >>> engine = Game.load("tic-tac-toe").engine
    >>> found, _ = play_many(engine, engine.initial(), seconds=60, games=500, limit=99, seed=1)
    >>> len(found.lengths), min(found.lengths), max(found.lengths), found.stuck, found.unclear
    (500, 5, 9, 0, 0)
    """
    begun = time.monotonic()
    chance = len(engine.roles) - len(engine.players)
    found = Outcomes([[] for _ in engine.roles])
    options: dict[str, Any] = {"threads": 1, "isa": "auto"}
    engine.playouts([start], [FIRST], seed=seed, max_plies=1, **options)
    before = time.monotonic()
    engine.playouts([start], [FIRST], seed=seed, max_plies=PROBE_PLIES, **options)
    ply = (time.monotonic() - before) / PROBE_PLIES
    if ply * LEAST_PLIES > 3 * seconds:
        return found, limit
    limit = max(min(limit, LEAST_PLIES), min(limit, int(seconds / 3 / max(ply, 1e-7))))
    count, number = min(FIRST, games), 0
    while count > 0:
        before = time.monotonic()
        tallies = engine.playouts(
            [start] * count,
            [1] * count,
            seed=((seed << 24) + number) % 2**64,
            max_plies=limit,
            **options,
        )
        number += 1
        for tally in tallies:
            found.lengths.append(tally.longest)
            found.stuck += tally.stuck
            found.cut += tally.cut
            if not tally.stuck and not tally.cut:
                # The tally counts chance among those without a goal, which it usually is.
                found.unclear += tally.unclear > chance
                for role, total in enumerate(tally.goal_sums):
                    found.goals[role].append(total)
        now = time.monotonic()
        left = seconds - (now - begun)
        on_progress(min(1.0, (now - begun) / seconds))
        if left <= 0:
            break
        fitting = int(count * min(4.0, left / max(now - before, 1e-6)))
        if fitting < count // 4:
            break
        count = min(max(fitting, 1), MOST, games - len(found.lengths))
    return found, limit
