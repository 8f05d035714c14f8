"""How fast values are learned, on one thread and on two.

``python benchmarks/training_speed.py [--seconds 5] [--rounds 3] [--threads 2] [GAME ...]``

Trainings on one thread and on several take turns, so that a loaded machine is as bad for the one as
for the other; a round's ratio is that of two neighbours in time. `positions_per_second` are those
learned from by the clock. `by_cpu` is what the ratio would be on idle cores: positions per CPU
second of the whole process on several threads, times the threads, against those on one; waiting
for each other is not in it, what threads do twice is. `others` are the cores that other processes
took meanwhile, round by round: where that is not about 0, the ratio by the clock says nothing.
Prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console

from woodstock import Game
from woodstock.learn import Training

GAMES = ("breakthrough", "reversi", "connect-four", "oware")
SPEEDS = (
    "positions_per_second",
    "positions_per_cpu_second",
    "successors_per_cpu_second",
    "games_per_cpu_second",
)
BAR = 1.8
"""How much faster two threads should be."""


def busy_seconds() -> float:
    """CPU seconds that all processes have spent since the machine began; 0 where nobody tells."""
    try:
        words = Path("/proc/stat").read_text(encoding="ascii").split()
        user, nice, system = map(int, words[1:4])
    except OSError:
        return 0.0
    return (user + nice + system) / os.sysconf("SC_CLK_TCK")


def speed(game: Game, threads: int, seconds: float, seed: int) -> dict[str, float]:
    """Positions, and successors that were valued, per second of the clock and of the processor."""
    training = Training(game, seed=seed, threads=threads)
    training.go_on(seconds=seconds / 10)  # the first fit is to random games
    before, busy = training.progress, busy_seconds()
    begun, cpu = time.perf_counter(), time.process_time()
    after = training.go_on(seconds=seconds)
    clock, spent = time.perf_counter() - begun, time.process_time() - cpu
    others = (busy_seconds() - busy - spent) / clock
    positions = after.positions - before.positions
    return {
        "positions_per_second": positions / clock,
        "positions_per_cpu_second": positions / spent,
        "successors_per_cpu_second": (after.successors - before.successors) / spent,
        "games_per_cpu_second": (after.games - before.games) / spent,
        "others": max(0.0, others),
    }


def compare(game: str, threads: int, seconds: float, rounds: int) -> dict[str, Any]:
    """One thread and several in turn."""
    loaded = Game.load(game)
    pairs = [
        (speed(loaded, 1, seconds, seed), speed(loaded, threads, seconds, seed))
        for seed in range(rounds)
    ]
    clock = [more["positions_per_second"] / one["positions_per_second"] for one, more in pairs]
    cpu = [
        threads * more["positions_per_cpu_second"] / one["positions_per_cpu_second"]
        for one, more in pairs
    ]
    return {
        "game": game,
        "threads": threads,
        "ratio": round(median(clock), 3),
        "ratios": [round(ratio, 3) for ratio in clock],
        "by_cpu": round(median(cpu), 3),
        "bar": BAR if threads == 2 else None,
        "others": [round(max(one["others"], more["others"]), 2) for one, more in pairs],
        **{name: round(median(one[name] for one, _ in pairs)) for name in SPEEDS},
    }


def main(arguments: Sequence[str]) -> int:
    """Measure the games that are named."""
    parser = argparse.ArgumentParser(description="Training on one thread and on several.")
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--seconds", type=float, default=5.0, help="of every training")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args(arguments)
    console = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
    found = []
    for game in options.games:
        found.append(compare(game, options.threads, options.seconds, options.rounds))
        console.print(json.dumps(found[-1]))
    print(json.dumps({"games": found}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
