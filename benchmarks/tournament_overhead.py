"""What a tournament costs beyond its matches: the driver's CPU time for each of many short ones.

``python benchmarks/tournament_overhead.py [--matches 10000] [--jobs 2] [--engine local|dask]``

plays tic-tac-toe between two random players, in rounds of two, with a store in a temporary folder.
One JSON object goes to standard output: CPU milliseconds of the driver and milliseconds of the
clock for each match, the CPU milliseconds that playing a match takes alone, and the size of the
store. The driver of Dask has the scheduler in it, as a cluster on one machine has.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from woodstock.tournament import Description, ResultStore, make_engine, run_tournament
from woodstock.tournament.clocks import MoveClock
from woodstock.tournament.facts import GameSource
from woodstock.tournament.participants import Participant
from woodstock.tournament.playing import play_round
from woodstock.tournament.rounds import Round

TEXT = """
format = "ring"
participants = ["random"]
games = ["tic-tac-toe"]
[[participant]]
name = "other"
player = "random"
[clock]
kind = "simulations"
move = 1
[ring]
stop = "never"
matches = """


def playing(rounds: int) -> float:
    """The CPU milliseconds of playing a match, in this process."""
    both = (Participant.of("random"), Participant("other", "player", "random"))
    source = GameSource.find("tic-tac-toe")
    clock = MoveClock("simulations", 1)
    wanted = [Round(source, both, ((0, 1), (1, 0)), clock, 2, k) for k in range(rounds + 1)]
    play_round(wanted[-1])  # the game is made ready
    begun = time.process_time()
    for one in wanted[:-1]:
        play_round(one)
    return 1000 * (time.process_time() - begun) / (2 * rounds)


def measure(matches: int, jobs: int, engine: str) -> dict[str, Any]:
    """Play so many matches and see what that took."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.sqlite"
        description = Description.parse(f"{TEXT}{matches}")
        with ResultStore(path) as store, make_engine(engine, jobs) as hands:
            begun, cpu = time.perf_counter(), time.process_time()
            progress = run_tournament(description, store, hands)
            spent, wall = time.process_time() - cpu, time.perf_counter() - begun
            count = store.counts()[0]
        size = path.stat().st_size
    assert progress.matches == count == matches
    return {
        "engine": engine,
        "jobs": jobs,
        "matches": count,
        "driver_cpu_ms_a_match": round(1000 * spent / count, 3),
        "clock_ms_a_match": round(1000 * wall / count, 3),
        "playing_cpu_ms_a_match": round(playing(200), 3),
        "store_bytes_a_match": round(size / count),
    }


def main() -> int:
    """Measure, and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--engine", default="local")
    given = parser.parse_args()
    print(json.dumps(measure(given.matches, given.jobs, given.engine)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
