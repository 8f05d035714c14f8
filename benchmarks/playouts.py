"""Measure random playouts: against loops written by hand, on public games, on two threads.

``python benchmarks/playouts.py [--folder FOLDER] [--markdown docs/playouts-table.md]`` prints one
JSON object to standard output; progress goes to standard error. FOLDER holds public rulesheets as
``games/NAME.kif``; ``library.py table`` measures the games of the library. What needs one thread is
kept on one core and measured in CPU time, every game in a process of its own. What is compared runs
in turn, so that a loaded machine is as bad for the one as for the other.

A bar that is missed is reported, no more. The exit code is 1 when a game cannot be measured or when
its random games do not have the length they must have.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean, median
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

SOURCES = Path(__file__).resolve().parent / "sticks"
BINARIES = SOURCES.parents[1] / "build" / "sticks"
FLAGS = ("-O3", "-march=native", "-std=c++20")

# Sheets of all sizes and kinds: boards, a puzzle, simultaneous moves, one to four players.
PUBLIC = [
    "alexChess", "amazons", "amazons_10x10", "atariGo_7x7", "biddingTicTacToe", "breakthrough",
    "checkers", "chineseCheckers4", "connectFour", "hex", "kalaha_2009", "knightThrough",
    "merrills", "othello-comp2007", "pacman3p", "pentago", "quarto", "queens31lg", "reversi",
    "shogi_ctk", "skirmish", "ticTacToe", "ttcc4",
]  # fmt: skip

# What the engine is held to, on a core with AVX-512.
STICK_BARS = {"tic-tac-toe": 0.5, "connect-four": 0.6, "breakthrough": 0.5, "reversi": 0.5}
THREAD_BARS = {"tic-tac-toe": 1.8, "reversi": 1.8, "hex": 1.8}
MEMORY_BAR = 4096
PREPARE_BARS: dict[str, float] = {"ticTacToe": 0.3, "breakthrough": 1}
PREPARE_BARS |= {"reversi": 1, "hex": 5, "skirmish": 5, "amazons_10x10": 5, "alexChess": 60}
PLAYOUT_BARS = {
    "hex": 40_000,
    "checkers": 120_000,
    "amazons_10x10": 28_000,
    "skirmish": 25_000,
    "pentago": 1_000_000,
    "othello-comp2007": 30_000,
    "alexChess": 150,
}

# Mean lengths of random games on which independent programs agree, to one digit behind the point.
LENGTHS = {"tic-tac-toe": 7.6, "ticTacToe": 7.6, "connect-four": 21.3, "breakthrough": 64.1}
LENGTHS |= {"reversi": 60.4, "othello-comp2007": 60.4, "hex": 71.0}
TOLERANCE = 0.1

SPEED, CLOCK = "playouts_per_cpu_second", "playouts_per_second"
SETS = {"avx512": "AVX-512", "avx2": "AVX2", "base": "baseline instructions"}
SECONDS, ROUNDS, THREADS = 2.0, 5, 2

Row = dict[str, Any]


class Failed(Exception):
    """A measurement gave nothing; the message says why."""


@contextmanager
def one_core() -> Iterator[None]:
    """Keep the processes that are started meanwhile on one core, where the system can do that."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def answer(*command: str | Path) -> Row:
    """The JSON object that a command prints."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"it ended with code {done.returncode}"]
        raise Failed(lines[-1])
    found: Row = json.loads(done.stdout)
    return found


def play(game: str | Path, options: argparse.Namespace, seed: int, threads: int = 1) -> Row:
    """What ``woodstock bench playouts`` says of a game."""
    command = (sys.executable, "-m", "woodstock", "bench", "playouts", game, "--json")
    chosen = (f"--seconds={options.seconds}", f"--isa={options.isa}", f"--seed={seed}")
    try:
        found: Row = answer(*command, *chosen, f"--threads={threads}")["games"][0]
    except Failed as problem:
        raise Failed(str(problem).removeprefix(f"woodstock: {game}: ")) from None
    return found


def build(game: str) -> Path:
    """The loop written by hand for a game, compiled if that is not done yet."""
    source = SOURCES / f"{game.replace('-', '_')}.cpp"
    binary = BINARIES / source.stem
    changed = max(path.stat().st_mtime for path in (source, SOURCES / "stick.h"))
    if not binary.exists() or binary.stat().st_mtime < changed:
        BINARIES.mkdir(parents=True, exist_ok=True)
        compiler = shlex.split(os.environ.get("CXX") or "g++")
        try:
            subprocess.run([*compiler, *FLAGS, source, "-o", binary], check=True)
        except (OSError, subprocess.CalledProcessError) as problem:
            raise Failed(f"the loop is not compiled: {problem}") from None
    return binary


def against_stick(game: str, options: argparse.Namespace) -> Row:
    """Loop and circuit in turn; the ratio of a round is that of two neighbours in time."""
    stick = build(game)
    rounds = []
    for seed in range(1, options.rounds + 1):
        by_hand = answer(stick, "--seconds", str(options.seconds), "--seed", str(seed))
        ours = play(game, options, seed)
        rounds.append((by_hand, {**ours, "mean_goals": [*ours["mean_goals"].values()]}))
    ratios = [ours[SPEED] / by_hand[SPEED] for by_hand, ours in rounds]
    row: Row = {"game": game, **_median(ratios, STICK_BARS[game])}
    for who, found in zip(("stick", "circuit"), zip(*rounds)):
        goals = zip(*(one["mean_goals"] for one in found))
        row[who] = {
            SPEED: median(one[SPEED] for one in found),
            "mean_length": round(fmean(one["mean_length"] for one in found), 4),
            "mean_goals": [round(fmean(values), 3) for values in goals],
        }
    return {**row, **_length(game, row["stick"]["mean_length"], row["circuit"]["mean_length"])}


def by_itself(game: str, sheet: Path, options: argparse.Namespace) -> Row:
    """The figures of one game, and the bars that are meant for it."""
    found = play(sheet, options, seed=1)
    bars = {
        SPEED: PLAYOUT_BARS.get(game),
        "prepare_cpu_seconds": PREPARE_BARS.get(game),
        "peak_memory_mb": MEMORY_BAR,
    }
    return {**found, "bars": bars, **_length(game, found["mean_length"])}


def on_threads(game: str, options: argparse.Namespace) -> Row:
    """One thread and several in turn, by the clock on the wall."""
    rounds = [
        [play(game, options, seed, threads) for threads in (1, THREADS)]
        for seed in range(1, options.rounds + 1)
    ]
    row: Row = {"game": game, "threads": THREADS}
    row |= _median([many[CLOCK] / one[CLOCK] for one, many in rounds], THREAD_BARS[game])
    row["cpu_ratio"] = round(median(many[SPEED] / one[SPEED] for one, many in rounds), 3)
    # Nobody gains more than the machine had to give, and others may have been at work.
    row["cores"] = [round(median(r[CLOCK] / r[SPEED] for r in runs), 3) for runs in zip(*rounds)]
    return row


def _median(ratios: Sequence[float], bar: float) -> Row:
    return {"ratio": round(median(ratios), 3), "bar": bar, "ratios": [round(r, 3) for r in ratios]}


def _length(game: str, *measured: float) -> Row:
    if game not in LENGTHS:
        return {}
    lengths = (*measured, LENGTHS[game])
    return {"known_length": LENGTHS[game], "agrees": max(lengths) - min(lengths) <= TOLERANCE}


def missed(report: Row) -> list[str]:
    """The bars that were not reached, in words."""
    found = []
    for part in ("sticks", "threads"):
        for row in report[part]:
            if "error" not in row and row["ratio"] < row["bar"]:
                found.append(f"{part}, {row['game']}: ratio {row['ratio']}, bar {row['bar']}")
    for row in report["games"]:
        for name, bar in row.get("bars", {}).items():
            if bar and (row[name] < bar if name == SPEED else row[name] > bar):
                found.append(f"{row['game']}: {name} {row[name]}, bar {bar}")
    return found


def three_digits(figure: float) -> str:
    """A figure without the digits that would be others the next time.

    >>> three_digits(66_393_923.8), three_digits(2637.1), three_digits(151.26)
    ('66,400,000', '2,640', '151')
    """
    return f"{float(f'{figure:.3g}'):,.0f}"


def stick_cells(row: Row) -> list[str]:
    """A line of the table of sticks."""
    both = (row["stick"], row["circuit"])
    lengths = [f"{one['mean_length']:.2f}" for one in both]
    ratio = [f"{row['ratio']:.2f}", str(row["bar"])]
    return [*(three_digits(one[SPEED]) for one in both), *ratio, *lengths, str(row["known_length"])]


def game_cells(row: Row) -> list[str]:
    """A line of a table of games."""
    speed, prepare, _ = row["bars"].values()
    return [
        three_digits(row[SPEED]),
        f"{speed:,}" if speed else "",
        three_digits(row["plies_per_cpu_second"]),
        f"{row['mean_length']:.1f}",
        " / ".join(f"{goal:.1f}" for goal in row["mean_goals"].values()),
        f"{row['gates']:,}",
        f"{row['prepare_cpu_seconds']:.2f}",
        f"{prepare:g}" if prepare else "",
        f"{row['peak_memory_mb']:.0f}",
    ]


def thread_cells(row: Row) -> list[str]:
    """A line of the table of threads."""
    others = (row["cpu_ratio"], *row["cores"])
    return [f"{row['ratio']:.2f}", str(row["bar"]), *(f"{figure:.2f}" for figure in others)]


PAGE = """# Playouts, measured

Random games from the first position to the end on the circuit engine, every role choosing evenly
among its legal moves. Measured by

    {command}

on one core{instructions}, in CPU time. *Bar* is what the engine is held to.
"""
STICKS = """
## Against loops written by hand

`benchmarks/sticks` holds for four games the loop that one would write in C++ for that game alone,
playing one game after the other. Loop and circuit took turns, {rounds} rounds of {seconds:g} CPU
seconds each, and both are given in playouts per CPU second; *ratio* is circuit to loop, the median
of the rounds. Lengths are means, in plies; *known* is what independent programs agree on.

| game | loop | circuit | ratio | bar | length, loop | length, circuit | length, known |
"""
SHEETS = f"""
## Public rulesheets

*Length* is the mean number of plies, *goals* are the means of the roles in their order. *Ready* is
the way from the file to the first playout: reading, grounding in a child process, compiling. *MB*
is the most that this process or its child has held; the bar for all is {MEMORY_BAR:,}. The games of
the library have [a table of their own](library-table.md).

| game | playouts / CPU s | bar | plies / CPU s | length | goals | gates | ready, CPU s | bar | MB |
"""
SCALING = """
## Two threads

Playouts a second by the clock on the wall, two threads against one, in turn; *ratio* is the median
of {rounds} rounds. *Per CPU s* is the same ratio in CPU time: below 1, the second thread costs the
first one something. *Cores* are the seconds of CPU time that a second on the clock gave to one
thread and to two: where a thread got less than one, others were at work.

| game | ratio | bar | per CPU s | cores, one thread | cores, two threads |
"""


def table(head: str, rows: Sequence[Row], cells: Callable[[Row], list[str]], **figures: Any) -> str:
    """A part of the page: what is said first, and a line for each row; nothing without rows."""
    if not rows:
        return ""
    columns = head.splitlines()[-1].count("|") - 1
    lines = ["|---" + "|--:" * (columns - 1) + "|"]
    for row in rows:
        failure = [f"not measured: {row.get('error')}", *[""] * (columns - 2)]
        lines.append(
            f"| {' | '.join([row['game'], *(failure if 'error' in row else cells(row))])} |"
        )
    return head.format(**figures) + "\n".join(lines) + "\n"


def markdown(report: Row, options: argparse.Namespace) -> str:
    """The report as a page, with a command that names none of this machine's folders."""
    given = {"folder": "FOLDER" if options.folder else "", "games": " ".join(options.games)}
    given["isa"] = options.isa.replace("auto", "")
    given["seconds"] = f"{options.seconds:g}" if options.seconds != SECONDS else ""
    given["rounds"] = f"{options.rounds}" if options.rounds != ROUNDS else ""
    said = "".join(f" --{name} {value}" for name, value in given.items() if value)
    command = f"python benchmarks/playouts.py{said} --markdown FILE"
    instructions = {SETS.get(row["isa"], row["isa"]) for row in report["games"] if "isa" in row}
    run = {"rounds": options.rounds, "seconds": options.seconds}
    return (
        PAGE.format(command=command, instructions="".join(f", {i}" for i in sorted(instructions)))
        + table(STICKS, report["sticks"], stick_cells, **run)
        + table(SHEETS, report["games"], game_cells)
        + table(SCALING, report["threads"], thread_cells, **run)
    )


def options_of(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of the command line, the sheets they ask for, and the names that are missing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, help="folder with public sheets, games/NAME.kif")
    parser.add_argument("--games", nargs="+", default=[], metavar="NAME", help="only these games")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="CPU seconds of a run")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="runs of what is compared")
    parser.add_argument("--isa", choices=("auto", *SETS), default="auto", help="instruction set")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also write the tables")
    options = parser.parse_args(arguments)
    if not (options.seconds > 0 and options.rounds > 0):
        parser.error("--seconds and --rounds must be more than 0")
    wanted = options.games
    options.sheets, options.notes = [], []
    if options.folder:
        for name in wanted or PUBLIC:
            path = options.folder / "games" / f"{name}.kif"
            if path.exists():
                options.sheets.append((name, path))
            elif not wanted:
                options.notes.append(f"there is no sheet of {name} in the folder")
    options.compared = [n for n in STICK_BARS if not wanted or n in wanted]
    options.threaded = [n for n in THREAD_BARS if not wanted or n in wanted]
    known = {*options.compared, *options.threaded, *(name for name, _ in options.sheets)}
    if unknown := set(wanted) - known:
        parser.error(f"there is no sheet of {', '.join(sorted(unknown))}")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns its exit code."""
    options = options_of(arguments)
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    report: Row = {"seconds": options.seconds, "rounds": options.rounds}
    report |= {"sticks": [], "games": [], "threads": [], "notes": options.notes}
    sticks, threads = options.compared, options.threaded
    if hasattr(os, "sched_getaffinity") and len(os.sched_getaffinity(0)) < THREADS:
        threads.clear()
        report["notes"].append(f"no cores to be had for {THREADS} threads")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    total = len(sticks) + len(options.sheets) + len(threads)
    with Progress(*columns, TimeElapsedColumn(), console=console) as progress:
        bar = progress.add_task("measuring", total=total)

        def measure(part: str, row: Row, run: Callable[..., Row], *what: Any) -> None:
            progress.update(bar, description=f"{row['game']} ({part})")
            try:
                row = {**row, **run(*what, options)}
            except Failed as problem:
                row["error"] = str(problem)
            report[part].append(row)
            progress.advance(bar)
            if "error" in row or not console.is_terminal:  # a log has no moving bar
                figure = row.get("error") or row.get("ratio") or three_digits(row[SPEED])
                progress.print(f"{part}, {row['game']}: {figure}", markup=False)

        try:
            with one_core():
                for game in sticks:
                    measure("sticks", {"game": game}, against_stick, game)
                for game, sheet in options.sheets:
                    measure("games", {"game": game}, by_itself, game, sheet)
            for game in threads:
                measure("threads", {"game": game}, on_threads, game)
        except KeyboardInterrupt:
            return 130
    report["missed"] = missed(report)
    for line in (*report["notes"], *report["missed"]):
        console.print(line, markup=False)
    print(json.dumps(report, indent=1))
    if options.markdown:
        options.markdown.write_text(markdown(report, options), encoding="utf-8")
    rows = [*report["sticks"], *report["games"], *report["threads"]]
    return int(any("error" in row or not row.get("agrees", True) for row in rows))


if __name__ == "__main__":
    sys.exit(main())
