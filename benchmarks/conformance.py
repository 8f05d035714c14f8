"""Replay every trace of a conformance folder and say which engines agree with it.

``python benchmarks/conformance.py [--engine circuit|ground|lifted|all] [NAME ...]`` wants a folder
with ``games/NAME.kif`` and ``traces/NAME.json``. Progress goes to standard error, one JSON object
to standard output; the exit code is 1 when anything differs.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from woodstock import Game, WoodstockError
from woodstock.errors import CircuitError, GroundingError
from woodstock.game import EngineName
from woodstock.ground.limits import GroundingLimits
from woodstock.match import read_trace, replay

ENGINES: tuple[EngineName, ...] = ("circuit", "ground", "lifted")
FOLDER = Path(__file__).resolve().parents[1] / ".." / "shared" / "conformance"


@dataclass(frozen=True)
class Task:
    """One trace on one engine."""

    name: str
    rules: Path
    trace: Path
    engine: EngineName
    plies: int | None
    budget: float | None
    limits: GroundingLimits


def run(task: Task) -> dict[str, Any]:
    """Replay one trace; whatever goes wrong is part of the answer."""
    begun = time.perf_counter()
    result: dict[str, Any] = {"game": task.name, "wanted": task.engine, "fallback": None}
    try:
        trace = read_trace(task.trace)
        try:
            game = Game.from_file(task.rules, engine=task.engine, limits=task.limits)
        except (GroundingError, CircuitError) as problem:
            result["fallback"] = str(problem)
            next_best: EngineName = "ground" if isinstance(problem, CircuitError) else "lifted"
            game = Game.from_file(task.rules, engine=next_best, limits=task.limits)
        loaded = time.perf_counter()
        report = replay(game, trace, plies=task.plies, seconds=task.budget)
    except (WoodstockError, OSError, RecursionError) as problem:
        return {**result, "ok": False, "error": f"{type(problem).__name__}: {problem}"}
    return {
        **result,
        **report.to_json(),
        "of": trace.plies,
        "load_seconds": round(loaded - begun, 3),
    }


def tasks(options: argparse.Namespace) -> Iterator[Task]:
    """What is to be done, one trace after the other."""
    limits = GroundingLimits(seconds=options.seconds, memory_mb=options.memory_mb)
    engines = ENGINES if options.engine == "all" else (options.engine,)
    for trace in sorted((options.folder / "traces").glob("*.json")):
        if options.names and trace.stem not in options.names:
            continue
        rules = options.folder / "games" / f"{trace.stem}.kif"
        for engine in engines:
            yield Task(trace.stem, rules, trace, engine, options.plies, options.budget, limits)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="games (default: all)")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="folder of games and traces")
    parser.add_argument("--engine", choices=(*ENGINES, "all"), default="circuit")
    parser.add_argument("--plies", type=int, help="look at so many plies of each match only")
    parser.add_argument("--budget", type=float, help="CPU seconds for the replay of one trace")
    parser.add_argument("--seconds", type=float, default=60, help="CPU seconds of grounding")
    parser.add_argument("--memory-mb", type=int, default=4096, help="megabytes of grounding")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    options = parser.parse_args(arguments)
    todo = list(tasks(options))
    missing = sorted(set(options.names) - {task.name for task in todo})
    if missing or not todo:
        parser.error(f"no trace of {', '.join(missing) or 'any game'} in {options.folder}")

    results: list[dict[str, Any]] = []
    console = Console(stderr=True, highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with (
        Progress(*columns, TimeElapsedColumn(), console=console) as progress,
        ProcessPoolExecutor(options.jobs) as pool,
    ):
        bar = progress.add_task("replaying", total=len(todo))
        try:
            for done in as_completed([pool.submit(run, task) for task in todo]):
                result = done.result()
                results.append(result)
                progress.update(bar, advance=1, description=result["game"])
                if not result["ok"] or not console.is_terminal:  # a log has no moving bar
                    progress.print(f"{result['game']} ({result['wanted']}): {_outcome(result)}")
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            return 130
    results.sort(key=lambda result: (result["game"], result["wanted"]))
    print(json.dumps({"totals": totals(results), "games": results}, indent=1))
    return 0 if all(result["ok"] for result in results) else 1


def _outcome(result: dict[str, Any]) -> str:
    if result["ok"]:
        return f"{result['plies']} of {result['of']} plies agree ({result['engine']} engine)"
    return result.get("error") or "{what} at ply {ply}: {message}".format(**result["difference"])


def totals(results: Sequence[dict[str, Any]]) -> dict[str, int | float]:
    """The figures of all replays together."""
    played = [result for result in results if "plies" in result]
    return {
        "replays": len(results),
        "agree": sum(result["ok"] for result in results),
        "differ": sum(not result["ok"] for result in results),
        "plies": sum(result["plies"] for result in played),
        "incomplete": sum(not result["complete"] for result in played),
        "fell_back": sum(result["fallback"] is not None for result in results),
        "seconds": round(sum(r["seconds"] + r["load_seconds"] for r in played), 1),
    }


if __name__ == "__main__":
    sys.exit(main())
