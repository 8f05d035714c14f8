"""Never an illegal move, never late: many fast matches, and what went wrong in them.

``python benchmarks/fast_matches.py --folder FOLDER --out fast.jsonl`` plays matches with short play
clocks between all players of the registry, over all games of the library and a sample of the
rulesheets in FOLDER (``*.kif``, ``*.gdl``, also in folders below). Some matches begin with random
moves, so that positions from all over a game are met, and all are cut after some seconds.

Every finished match is a line of the file; run the command again and it goes on where it stopped.
One JSON object with the figures goes to standard output, progress to standard error. Lateness is
measured as a match does it, by the wall clock: on a machine that has other work to do, an answer
can be late through no fault of the player. `starved` counts the late answers for which the process
had the processor for less than `SHARE` of the clock. The exit code is 1 when an answer was late,
illegal or failed, or a match took its process with it (`crashed`).
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from fast_match import Plan, play
from result_lines import Record, ResultLines
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from woodstock import Game, WoodstockError, games
from woodstock.ground.limits import GroundingLimits
from woodstock.player import player_names
from woodstock.player.question import THREAD_NAME

CLOCKS = (0.05, 0.1, 0.2, 0.5, 1.0)
# The parts of a random game's length that are played at random before the players begin to think.
OPENINGS = (0.0, 0.0, 0.3, 0.6, 0.9)
SHARE = 0.8
# Seconds that a search may take to stop once its match is over.
PATIENCE = 10.0


def play_all(plans: Sequence[Plan], options: argparse.Namespace) -> str:
    """The matches of one game, each kept as soon as it is over; what is wrong with the game.

    Ends early when a match has left a search behind that does not stop: it would take the processor
    from the next matches.
    """
    source = plans[0].game
    limits = GroundingLimits(seconds=options.grounding)
    try:
        game = Game.load(source, limits=limits)
    except (WoodstockError, OSError) as problem:
        return f"{type(problem).__name__}: {str(problem).splitlines()[0]}"
    results = ResultLines(options.out)
    for plan in plans:
        row = play(
            plan,
            game,
            options.players,
            seconds=options.seconds,
            memory_mb=options.memory_mb,
        )
        results.add(row)
        gc.collect()
        searches = [one for one in threading.enumerate() if one.name == THREAD_NAME]
        until = time.monotonic() + PATIENCE
        for thread in searches:
            thread.join(max(0.0, until - time.monotonic()))
        if any(thread.is_alive() for thread in searches):
            break
    return ""


def _child(plans: Sequence[Plan], options: argparse.Namespace, answer: Connection) -> None:
    answer.send(play_all(plans, options))
    answer.close()
    os._exit(0)  # whatever searches are still at it


def play_apart(options: argparse.Namespace, plans: Sequence[Plan]) -> tuple[str, str]:
    """The matches of one game in processes of their own; the game and what is wrong with it.

    A match that takes its process with it is kept as crashed, and the others go on without it.
    """
    context = get_context("spawn")
    left = list(plans)
    while left:
        ours, theirs = context.Pipe(duplex=False)
        child = context.Process(target=_child, args=(left, options, theirs), daemon=True)
        child.start()
        theirs.close()
        try:
            problem = ours.recv()
        except EOFError:
            problem = None
        child.join()
        if problem:
            return plans[0].game, problem
        done = ResultLines(options.out)
        left = [plan for plan in left if plan.id not in done.records]
        if problem is None and left:
            done.add({**asdict(left.pop(0)), "crashed": child.exitcode})
    return plans[0].game, ""


def all_plans(options: argparse.Namespace) -> list[Plan]:
    """What is to be played in all, the same for the same options."""
    sources = [name for name in games.names() if not options.names or name in options.names]
    if options.folder is not None:
        sheets = sorted(
            path for end in ("kif", "gdl") for path in options.folder.glob(f"**/*.{end}")
        )
        chosen = random.Random(options.seed).sample(sheets, min(options.sheets, len(sheets)))
        sources += [str(path) for path in sorted(chosen)]
    plans = []
    for number in range(options.matches):
        rng = random.Random(f"plan/{options.seed}/{number}")
        source = sources[number % len(sources)]
        # Not in step with the games: each of them meets all clocks in the end.
        clock = options.clocks[(number // len(sources) + number) % len(options.clocks)]
        plans.append(
            Plan(
                id=f"{options.seed}/{number}/{Path(source).name}",
                game=source,
                play_clock=clock,
                opening=rng.choice(OPENINGS),
                seed=options.seed * 1_000_000 + number,
            )
        )
    return plans


def summary(rows: Iterable[Record]) -> Record:
    """The figures of all matches."""
    rows = list(rows)
    crashed = {row["id"]: row["crashed"] for row in rows if "crashed" in row}
    rows = [row for row in rows if "crashed" not in row]
    by_player: dict[str, Counter[str]] = defaultdict(Counter)
    by_clock: dict[float, Record] = {}
    reasons: Counter[str] = Counter()
    kinds = {"TO": "late", "IL": "illegal", "EX": "failed"}
    for row in rows:
        clock = by_clock.setdefault(
            row["play_clock"], {"matches": 0, "answers": 0, "late": 0, "starved": 0, "slowest": 0.0}
        )
        clock["matches"] += 1
        for seat in row["seats"]:
            one = by_player[seat["player"]]
            one["answers"] += seat["answers"]
            one["late_start"] += seat["late_start"]
            clock["answers"] += seat["answers"]
            clock["slowest"] = max(clock["slowest"], seat["slowest"])
            starved = sum(cpu < SHARE * row["play_clock"] for _, cpu in seat["late"])
            one["starved"] += starved
            clock["starved"] += starved
            reasons.update(seat["reasons"])
        for player, error in row["errors"]:
            by_player[player][kinds[error[:2]]] += 1
            clock["late"] += error[:2] == "TO"
    totals: Counter[str] = Counter()
    for one in by_player.values():
        totals.update(one)
    columns = ("answers", "late", "starved", "illegal", "failed", "late_start")
    return {
        "matches": len(rows),
        "completed": sum(row["completed"] for row in rows),
        "games": len({row["game"] for row in rows}),
        "engines": dict(Counter(row["engine"] for row in rows)),
        "moves": sum(row["moves"] for row in rows),
        **{name: totals[name] for name in columns},
        "reasons": dict(reasons),
        "by_player": {
            name: {column: one[column] for column in columns}
            for name, one in sorted(by_player.items())
        },
        "by_clock": {str(clock): by_clock[clock] for clock in sorted(by_clock)},
        "broken_rules": sorted({row["game"] for row in rows if row["problem"]}),
        "wrong": [[row["id"], *error] for row in rows for error in row["errors"]],
        "crashed": crashed,
    }


def options_of(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="library games (default: all)")
    parser.add_argument("--matches", type=int, default=1_000, help="how many in all")
    parser.add_argument("--out", type=Path, required=True, help="file of finished matches (JSONL)")
    parser.add_argument("--folder", type=Path, help="folder of public rulesheets")
    parser.add_argument("--sheets", type=int, default=50, help="sheets to take of the folder")
    parser.add_argument("--players", default=",".join(player_names()), help="names, with commas")
    parser.add_argument("--clocks", default=",".join(map(str, CLOCKS)), help="seconds, with commas")
    parser.add_argument("--seconds", type=float, default=2.0, help="thinking time of a match")
    parser.add_argument("--memory-mb", type=int, default=64, help="of each search")
    parser.add_argument("--grounding", type=float, default=20.0, help="CPU seconds for each game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_intermixed_args(arguments)
    options.players = options.players.split(",")
    options.clocks = [float(clock) for clock in options.clocks.split(",")]
    if unknown := sorted(set(options.names) - set(games.names())):
        parser.error(f"the library has no {', '.join(unknown)}")
    if options.folder is not None and not options.folder.is_dir():
        parser.error(f"{options.folder} is no folder")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = options_of(arguments)
    plans = all_plans(options)
    done = ResultLines(options.out).records
    todo: dict[str, list[Plan]] = defaultdict(list)
    for plan in plans:
        if plan.id not in done:
            todo[plan.game].append(plan)
    not_loaded: dict[str, str] = {}
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with (
        Progress(*columns, TimeElapsedColumn(), console=console) as progress,
        ThreadPoolExecutor(options.jobs) as pool,
    ):
        left = sum(map(len, todo.values()))
        bar = progress.add_task("playing", total=len(plans), completed=len(plans) - left)
        for source, problem in pool.map(partial(play_apart, options), todo.values()):
            progress.advance(bar, len(todo[source]))
            if problem:
                not_loaded[source] = problem
            if problem or not console.is_terminal:
                progress.print(f"{Path(source).name}: {problem or 'played'}", markup=False)
    wanted = {plan.id for plan in plans}
    rows = [row for key, row in ResultLines(options.out).records.items() if key in wanted]
    found = {**summary(rows), "not_loaded": not_loaded}
    print(json.dumps(found, indent=1))
    return int(any(found[name] for name in ("late", "illegal", "failed", "crashed")))


if __name__ == "__main__":
    sys.exit(main())
