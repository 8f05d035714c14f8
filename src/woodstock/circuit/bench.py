"""How fast random games are played, measured so that figures can be compared.

Time is taken over whole calls of a fixed number of playouts. A clock that ended a call would end it
while the long games are still going on, and the figures would be those of the short ones.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from woodstock.circuit.engine import CircuitEngine
from woodstock.ground.child import peak_memory_mb
from woodstock.playouts import MAX_PLIES, Playouts

__all__ = ["PlayoutSpeed", "cpu_seconds", "measure_playouts"]

SHARE = 1 / 8
"""The part of the time that one call should take: long enough to be measured, short enough to be
repeated."""


@dataclass(frozen=True)
class PlayoutSpeed:
    """What a measurement found.

    `prepare_cpu_seconds` is the CPU time from the rules in their file to a circuit that is ready to
    play, the grounding child included; `peak_memory_mb` the most that this process or that child
    has held. Means are over all playouts that were timed.
    """

    game: str
    playouts_per_second: float
    playouts_per_cpu_second: float
    plies_per_cpu_second: float
    mean_length: float
    mean_goals: dict[str, float]
    fluents: int
    moves: int
    ground_rules: int
    gates: int
    isa: str
    threads: int
    prepare_cpu_seconds: float
    peak_memory_mb: float

    def to_json(self) -> dict[str, Any]:
        """The figures as a JSON object, with no more digits than mean something."""
        found = asdict(self)
        for name in ("playouts_per_second", "playouts_per_cpu_second", "plies_per_cpu_second"):
            found[name] = round(found[name], 1)
        for name in ("mean_length", "prepare_cpu_seconds"):
            found[name] = round(found[name], 4)
        found["mean_goals"] = {role: round(goal, 4) for role, goal in self.mean_goals.items()}
        found["peak_memory_mb"] = round(self.peak_memory_mb, 1)
        return found


def cpu_seconds() -> float:
    """CPU time of this process, its threads and the children it has waited for."""
    try:
        import resource
    except ImportError:  # pragma: no cover - not a Unix
        return time.process_time()
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def measure_playouts(
    prepare: Callable[[], tuple[str, CircuitEngine]],
    *,
    seconds: float = 2.0,
    threads: int = 1,
    isa: str = "auto",
    seed: int = 1,
    on_progress: Callable[[float, float], None] | None = None,
) -> PlayoutSpeed:
    """Prepare a game and play it at random for about `seconds` CPU seconds on each thread.

    `prepare` gives the name of the game and its engine, and is timed as well. The number of
    playouts in a call grows until a call takes a fair share of the time; the calls of that size are
    the measurement. `on_progress` hears how many CPU seconds of how many are done. The peak of the
    memory is that of the process's whole life: measure one game in a process.
    """
    begun = cpu_seconds()
    name, engine = prepare()
    simulator = engine.simulator(isa, threads)
    prepared = cpu_seconds() - begun
    start = engine.initial()
    seeds = random.Random(f"bench/{seed}")

    def play(count: int) -> tuple[float, float, Playouts]:
        wall, cpu = time.perf_counter(), time.process_time()
        (tally,) = simulator.playouts(start, [count], seeds.getrandbits(64), MAX_PLIES)
        spent = time.process_time() - cpu, time.perf_counter() - wall
        return *spent, Playouts.of(engine.roles, tally)

    budget = seconds * threads
    count = engine.circuit.lanes * threads
    call = play(count)
    while call[0] < budget * SHARE:
        # Not too bold: the first calls are short, and what they say about speed is vague.
        count *= min(16, max(2, int(1.2 * budget * SHARE / max(call[0], 1e-6))))
        call = play(count)
    # A call that was chosen for being slow does not count, unless it takes all the time there is.
    calls = [call] if call[0] >= budget else []
    while (done := sum(cpu for cpu, _, _ in calls)) < budget:
        if on_progress is not None:
            on_progress(done, budget)
        calls.append(play(count))
    total = count * len(calls)
    wall = sum(clock for _, clock, _ in calls)
    found = [one for _, _, one in calls]
    length = sum(one.mean_length for one in found) / len(found)
    return PlayoutSpeed(
        game=name,
        playouts_per_second=total / wall,
        playouts_per_cpu_second=total / done,
        plies_per_cpu_second=total * length / done,
        mean_length=length,
        mean_goals={
            role: sum(one.mean_goals[role] for one in found) / len(found) for role in engine.roles
        },
        fluents=int(engine.grounding.statistics["fluents"]),
        moves=int(engine.grounding.statistics["moves"]),
        ground_rules=int(engine.grounding.statistics["rules"]),
        gates=engine.circuit.statistics().gates,
        isa=simulator.isa,
        threads=simulator.threads,
        prepare_cpu_seconds=prepared,
        peak_memory_mb=max(peak_memory_mb(), engine.grounding.memory_mb),
    )
