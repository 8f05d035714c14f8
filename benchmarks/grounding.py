"""Ground every rulesheet of a folder, with and without splitting of rules, and compare.

``python benchmarks/grounding.py [--markdown docs/grounding-table.md] [NAME ...]`` prints one JSON
object to standard output; progress goes to standard error. Time is CPU time of the grounding
process, memory its largest resident size, so a loaded machine changes little. One sheet after the
other by default: memory limits are meant for a process that has the machine to itself.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from woodstock import WoodstockError, games
from woodstock.errors import GroundingError
from woodstock.gdl.reader import read_file
from woodstock.gdl.rules import normalise
from woodstock.ground.grounder import ground_rules
from woodstock.ground.limits import GroundingLimits

FOLDER = Path(__file__).resolve().parents[1] / ".." / "shared" / "conformance" / "games"
FIGURES = ("rules", "atoms", "fluents", "moves", "largest_recursive_component", "instances")


@dataclass(frozen=True)
class Task:
    """One rulesheet, to be grounded in one way."""

    name: str
    path: Path
    split: bool
    limits: GroundingLimits


def run(task: Task) -> dict[str, Any]:
    """Ground one sheet; a limit that is met is a result like any other."""
    try:
        rules, _ = normalise(read_file(task.path))
        grounding = ground_rules(rules, task.limits, split=task.split)
    except GroundingError as problem:
        return {"ok": False, "reason": problem.reason, "message": str(problem)}
    except WoodstockError as problem:
        return {"ok": False, "reason": "rules", "message": str(problem)}
    figures = grounding.statistics
    chosen = {name: figures[name] for name in FIGURES}
    return {"ok": True, **chosen, "seconds": figures["seconds"], "memory_mb": figures["memory_mb"]}


def sheets(options: argparse.Namespace) -> dict[str, Path]:
    """The rulesheets to look at, by name."""
    if options.library:
        found = {name: games.rules_path(name) for name in games.names()}
    else:
        found = {path.stem: path for path in sorted(options.folder.glob("*.kif"))}
    return {
        name: path for name, path in found.items() if not options.names or name in options.names
    }


def markdown(results: dict[str, dict[str, Any]]) -> str:
    """The results as a table, one game a line."""
    lines = [
        "| game | rules | atoms | CPU s | MB | rules unsplit | atoms unsplit | CPU s | MB |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, ways in results.items():
        cells = [cell for way in ("split", "unsplit") for cell in _cells(ways.get(way))]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cells(result: dict[str, Any] | None) -> list[str]:
    if result is None:
        return ["", "", "", ""]
    if not result["ok"]:
        return [f"over the limit ({result['reason']})", "", "", ""]
    return [
        f"{result['rules']:,}",
        f"{result['atoms']:,}",
        f"{result['seconds']:.2f}",
        f"{result['memory_mb']:.0f}",
    ]


def totals(results: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """How many sheets each way manages, and the rules where both do."""
    both = [
        w for w in results.values() if all(w.get(k, {}).get("ok") for k in ("split", "unsplit"))
    ]
    return {
        "sheets": len(results),
        "split_ok": sum(w.get("split", {}).get("ok", False) for w in results.values()),
        "unsplit_ok": sum(w.get("unsplit", {}).get("ok", False) for w in results.values()),
        "both_ok": len(both),
        "rules_split": sum(w["split"]["rules"] for w in both),
        "rules_unsplit": sum(w["unsplit"]["rules"] for w in both),
        "seconds_split": round(sum(w["split"]["seconds"] for w in both), 1),
        "seconds_unsplit": round(sum(w["unsplit"]["seconds"] for w in both), 1),
    }


def options_of(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="games (default: all)")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="folder with *.kif files")
    parser.add_argument("--library", action="store_true", help="take our own games instead")
    parser.add_argument("--seconds", type=float, default=60, help="CPU seconds of a grounding")
    parser.add_argument("--memory-mb", type=int, default=4096, help="megabytes of a grounding")
    parser.add_argument("--unsplit-seconds", type=float, help="CPU seconds without splitting")
    parser.add_argument("--no-unsplit", action="store_true", help="only with splitting")
    parser.add_argument("--jobs", type=int, default=1, help="sheets at a time")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also write a table")
    options = parser.parse_args(arguments)
    options.sheets = sheets(options)
    missing = sorted(set(options.names) - set(options.sheets))
    if missing or not options.sheets:
        parser.error(f"there is no sheet of {', '.join(missing) or 'any game'}")
    return options


def tasks(options: argparse.Namespace) -> list[Task]:
    """What is to be grounded."""
    split = GroundingLimits(seconds=options.seconds, memory_mb=options.memory_mb)
    unsplit = GroundingLimits(options.unsplit_seconds or options.seconds, options.memory_mb)
    ways = [(True, split)] + ([] if options.no_unsplit else [(False, unsplit)])
    return [Task(n, path, *way) for n, path in options.sheets.items() for way in ways]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns its exit code."""
    options = options_of(arguments)
    todo = tasks(options)
    results: dict[str, dict[str, Any]] = {name: {} for name in options.sheets}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True, highlight=False)
    with (
        Progress(*columns, TimeElapsedColumn(), console=console) as progress,
        # The work is done in child processes: threads are enough to wait for them.
        ThreadPoolExecutor(options.jobs) as pool,
    ):
        bar = progress.add_task("grounding", total=len(todo))
        futures = {pool.submit(run, task): task for task in todo}
        try:
            for done in as_completed(futures):
                task = futures[done]
                results[task.name]["split" if task.split else "unsplit"] = done.result()
                progress.update(bar, advance=1, description=task.name)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            return 130
    print(json.dumps({"totals": totals(results), "games": results}, indent=1))
    if options.markdown:
        options.markdown.write_text(markdown(results), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
