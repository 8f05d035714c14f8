"""How fast searches are, in CPU time, so that figures can be compared."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from woodstock.circuit.bench import cpu_seconds
from woodstock.game import Game
from woodstock.ground.child import peak_memory_mb
from woodstock.search import Decision, Limits, make_searcher

__all__ = ["SearchSpeed", "measure_search"]


@dataclass(frozen=True)
class SearchSpeed:
    """What a measurement found.

    Rates are over the CPU time of all threads, `simulations_per_second` by the clock. `searches` is
    how often the search began anew, because it had proved the game before its time was up; `depth`
    and `bytes` are the largest of them. `value` and `move` are what the last one found.
    `prepare_cpu_seconds` is the CPU time from the rules in their file to the first search.
    """

    game: str
    player: str
    role: str
    simulations_per_cpu_second: float
    nodes_per_cpu_second: float
    simulations_per_second: float
    simulations: int
    nodes: int
    searches: int
    depth: int
    bytes: int
    move: str
    value: float
    proved: bool
    threads: int
    cpu_seconds: float
    prepare_cpu_seconds: float
    peak_memory_mb: float

    def to_json(self) -> dict[str, Any]:
        """The figures as a JSON object, with no more digits than mean something."""
        return {
            name: round(value, 4 if name in ("value", "cpu_seconds", "prepare_cpu_seconds") else 1)
            if isinstance(value, float)
            else value
            for name, value in asdict(self).items()
        }


def measure_search(
    prepare: Callable[[], tuple[str, Game]],
    *,
    player: str = "uct",
    role: str | None = None,
    seconds: float = 5.0,
    threads: int = 1,
    memory_mb: int = 1024,
    seed: int = 1,
    on_progress: Callable[[float, float], None] | None = None,
) -> SearchSpeed:
    """Search from the first position of a game for `seconds` CPU seconds on each thread.

    `prepare` gives the name of the game and the game, and is timed as well. A search that has
    proved everything ends early; others, with other seeds, follow until the time is used up. The
    role is the first one with a choice, if none is given. `on_progress` hears how many CPU seconds
    of how many are done.
    """
    begun = cpu_seconds()
    name, game = prepare()
    start = game.initial_state()
    mine = role or next((one for one in game.players if one in start.turn), game.players[0])
    prepared: float | None = None
    found: list[Decision] = []
    spent = clock = 0.0
    while spent < seconds * threads:
        searcher = make_searcher(
            player, game, mine, seed=seed + len(found), threads=threads, memory_mb=memory_mb
        )
        if prepared is None:
            prepared = cpu_seconds() - begun
        done = spent

        def tell(decision: Decision, done: float = done) -> None:
            if on_progress is not None:
                on_progress(done / threads + decision.cpu_seconds, seconds)

        wall, cpu = time.perf_counter(), time.process_time()
        left = (seconds * threads - spent) / threads
        found.append(searcher.think(start, limits=Limits(cpu_seconds=left), on_progress=tell))
        spent += time.process_time() - cpu
        clock += time.perf_counter() - wall
    simulations = sum(one.simulations for one in found)
    nodes = sum(one.nodes for one in found)
    return SearchSpeed(
        game=name,
        player=player,
        role=mine,
        simulations_per_cpu_second=simulations / spent,
        nodes_per_cpu_second=nodes / spent,
        simulations_per_second=simulations / clock,
        simulations=simulations,
        nodes=nodes,
        searches=len(found),
        depth=max(one.depth for one in found),
        bytes=max(one.bytes for one in found),
        move=str(found[-1].move),
        value=found[-1].value,
        proved=found[-1].proved,
        threads=threads,
        cpu_seconds=spent,
        prepare_cpu_seconds=prepared or 0.0,
        peak_memory_mb=peak_memory_mb(),
    )
