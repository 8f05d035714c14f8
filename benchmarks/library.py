"""Prove and measure the games of the library.

``python benchmarks/library.py check [NAME ...]`` plays random matches of each game on the circuit
and holds every ply against the lifted interpreter; many more playouts must end within the stated
number of plies with exactly one goal for each role.

``python benchmarks/library.py agree --folder FOLDER [NAME ...]`` compares each game with the public
rulesheet it names (``games/NAME.kif`` or ``gdl2/NAME.gdl`` in the folder): the counts of the tree
of moves, and lengths and goals of random play.

``python benchmarks/library.py table [--markdown docs/library-table.md] [NAME ...]`` measures sizes
and playouts per CPU second.

All print one JSON object to standard output and progress to standard error; the exit code is 1
when something is wrong.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from woodstock import Game, WoodstockError, games
from woodstock.gdl.checker import check as findings_of
from woodstock.gdl.keywords import players_of
from woodstock.gdl.reader import read_text
from woodstock.match import depth_counts, random_playthrough, replay
from woodstock.match.trace import parse_trace
from woodstock.playouts import Playouts

FOLDER = Path(__file__).resolve().parents[1] / ".." / "shared" / "conformance"
SPEED = "playouts_per_cpu_second"
SPEED_BARS = {"hex": 55_000, "chess": 600}
PREPARE_BAR, MEMORY_BAR = 60, 4096
ERRORS = 4.0  # standard errors within which two means agree; some hundred are compared

Row = dict[str, Any]


def check(name: str, options: argparse.Namespace) -> Row:
    """Random matches on two engines, and many playouts to the end."""
    begun = time.process_time()
    _, findings = findings_of(read_text(games.rules_text(name)))
    problems = [f"{found.line}:{found.column}: {found.message}" for found in findings]
    fast = Game.from_library(name, engine="circuit")
    slow = Game.from_library(name, engine="lifted")
    plies = 0
    for seed in range(options.matches):
        report = replay(slow, parse_trace(random_playthrough(fast, seed)))
        plies += report.plies
        if report.difference is not None or not report.complete:
            problems.append(f"match {seed}: {report.difference}")
            break
    limit = games.meta(name).max_plies
    found = fast.initial_state().playouts(options.playouts, seed=1)
    if found.stuck or found.cut or found.unclear:
        problems.append(f"{found.stuck} stuck, {found.cut} cut, {found.unclear} unclear goals")
    if limit is not None and found.longest > limit:
        problems.append(f"a match took {found.longest} plies, {limit} were promised")
    return {
        "matches": options.matches,
        "plies": plies,
        "playouts": found.count,
        "longest": found.longest,
        "max_plies": limit,
        "cpu_seconds": round(time.process_time() - begun, 1),
        "problems": problems,
    }


def public_sheet(folder: Path, name: str) -> Path | None:
    """The file of a public rulesheet."""
    tried = [folder / "games" / f"{name}.kif"]
    tried += [folder / "gdl2" / f"{name}{ending}" for ending in (".gdl", ".kif")]
    return next((path for path in tried if path.exists()), None)


def agree(name: str, options: argparse.Namespace) -> Row:
    """Counts and random play, ours against the public sheet's."""
    public = games.meta(name).agrees_with
    path = public_sheet(options.folder, public) if public else None
    if path is None:
        return {"public": public, "skipped": "no public sheet", "problems": []}
    ours, theirs = Game.from_library(name), Game.from_file(path)
    counts = [depth_counts(g.initial_state(), moves=options.moves) for g in (ours, theirs)]
    problems = []
    depth = min(map(len, counts))
    if counts[0][:depth] != counts[1][:depth]:
        problems.append(f"counts {counts[0][:depth]}, theirs {counts[1][:depth]}")
    # A sheet that only the slow engines can play gets as many playouts as they manage.
    number = options.playouts if ours.engine.name == theirs.engine.name == "circuit" else 100
    played = [g.initial_state().playouts(number, seed=s) for s, g in enumerate((ours, theirs))]
    for what, one, other in zip(("length", *ours.players), *map(means, played)):
        spread = (one[1] ** 2 + other[1] ** 2) ** 0.5
        if abs(one[0] - other[0]) > ERRORS * spread + 1e-9:
            problems.append(f"{what}: {one[0]:.3f}, theirs {other[0]:.3f}")
    figures = [[round(mean, 3) for mean, _ in means(one)] for one in played]
    return {
        "public": public,
        "depth": depth - 1,
        "counts": counts[0][:depth],
        "playouts": number,
        "means": figures,
        "problems": problems,
    }


def means(found: Playouts) -> list[tuple[float, float]]:
    """Length and goals of the players, each with its standard error."""
    goals = [
        (found.mean_goals[role], found.goal_errors[role]) for role in players_of(found.mean_goals)
    ]
    return [(found.mean_length, found.length_error), *goals]


def measure(name: str, options: argparse.Namespace) -> Row:
    """What ``woodstock bench playouts`` says of a game, in a process of its own."""
    command = [sys.executable, "-m", "woodstock", "bench", "playouts", name, "--json"]
    done = subprocess.run(
        [*command, f"--seconds={options.seconds}"], capture_output=True, text=True
    )
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"it ended with code {done.returncode}"]
        return {"problems": [lines[-1]]}
    row: Row = json.loads(done.stdout)["games"][0]
    sheet = read_text(games.rules_text(name))
    problems = [
        f"{what} {row[what]}, bar {bar}"
        for what, bar in (("prepare_cpu_seconds", PREPARE_BAR), ("peak_memory_mb", MEMORY_BAR))
        if row[what] > bar
    ]
    if row[SPEED] < SPEED_BARS.get(name, 0):
        problems.append(f"{SPEED} {row[SPEED]}, bar {SPEED_BARS[name]}")
    return {**row, "rules": len(sheet.clauses), "problems": problems}


PAGE = """# The library, measured

Every game of the library: its size as written, grounded and compiled, and how fast it is played at
random on the circuit, on one thread. Measured by

    python benchmarks/library.py table --markdown docs/library-table.md

*Rules* are the clauses of the rulesheet, *ground rules* those after grounding, *gates* the
instructions of the circuit. *Ready* is the CPU time from the file to the first playout: reading,
grounding in a child process, compiling; *MB* the most that this process or its child has held (bars
for all: {prepare} s, {memory:,} MB). *Length* is the mean number of plies, *goals* are the means of
the roles in their order, chance left out.

| game | rules | fluents | moves | ground rules | gates | ready, CPU s | MB | playouts / CPU s | \
plies / CPU s | length | goals |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
"""


def three_digits(figure: float) -> str:
    """A figure without the digits that would be others the next time."""
    return f"{float(f'{figure:.3g}'):,.0f}"


def markdown(rows: dict[str, Row]) -> str:
    """The measurements as a page."""
    lines = []
    for name, row in sorted(rows.items()):
        if SPEED not in row:
            lines.append(f"| {name} | not measured: {row['problems'][0]} |")
            continue
        sizes = [row[key] for key in ("rules", "fluents", "moves", "ground_rules", "gates")]
        goals = [f"{row['mean_goals'][role]:.1f}" for role in players_of(row["mean_goals"])]
        cells = [
            f"[{name}](games/{name}.md)",
            *(f"{size:,}" for size in sizes),
            f"{row['prepare_cpu_seconds']:.2f}",
            f"{row['peak_memory_mb']:.0f}",
            three_digits(row[SPEED]),
            three_digits(row["plies_per_cpu_second"]),
            f"{row['mean_length']:.1f}",
            " / ".join(goals),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return PAGE.format(prepare=PREPARE_BAR, memory=MEMORY_BAR) + "\n".join(lines) + "\n"


TASKS: dict[str, Callable[[str, argparse.Namespace], Row]] = {
    "check": check,
    "agree": agree,
    "table": measure,
}


def run(options: argparse.Namespace, name: str) -> tuple[str, Row]:
    """One game; whatever goes wrong is part of the answer."""
    try:
        return name, TASKS[options.task](name, options)
    except (WoodstockError, OSError, RecursionError) as problem:
        return name, {"problems": [f"{type(problem).__name__}: {problem}"]}


def options_of(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("task", choices=TASKS, help="what to do")
    parser.add_argument("names", nargs="*", metavar="NAME", help="games (default: all)")
    parser.add_argument("--matches", type=int, default=100, help="matches on two engines (check)")
    parser.add_argument("--playouts", type=int, default=10_000, help="playouts (check, agree)")
    parser.add_argument("--moves", type=int, default=300_000, help="moves made to count (agree)")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="public rulesheets (agree)")
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU seconds of a run (table)")
    parser.add_argument("--jobs", type=int, default=1, help="games at a time")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also write a page (table)")
    options = parser.parse_intermixed_args(arguments)
    unknown = sorted(set(options.names) - set(games.names()))
    if unknown:
        parser.error(f"the library has no {', '.join(unknown)}")
    if options.markdown and options.task != "table":
        parser.error("--markdown goes with table")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = options_of(arguments)
    names = options.names or games.names()
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    rows: dict[str, Row] = {}
    # Each game in a process of its own: memory goes back, and a crash takes nothing with it.
    with (
        Progress(*columns, TimeElapsedColumn(), console=console) as progress,
        get_context("spawn").Pool(options.jobs, maxtasksperchild=1) as pool,
    ):
        bar = progress.add_task(options.task, total=len(names))
        for name, row in pool.imap_unordered(partial(run, options), names, chunksize=1):
            rows[name] = row
            progress.advance(bar)
            if row["problems"] or not console.is_terminal:
                told = "; ".join(row["problems"]) or "fine"
                progress.print(f"{name}: {told}", markup=False)
    print(json.dumps({"task": options.task, "games": {n: rows[n] for n in sorted(rows)}}, indent=1))
    if options.markdown:
        options.markdown.write_text(markdown(rows), encoding="utf-8")
    return int(any(row["problems"] for row in rows.values()))


if __name__ == "__main__":
    sys.exit(main())
