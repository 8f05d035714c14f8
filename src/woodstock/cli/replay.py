"""``woodstock replay``: an engine held against a recorded match."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from woodstock.cli.guard import WRONG, print_json
from woodstock.cli.options import (
    AsJson,
    EngineChoice,
    MemoryOption,
    SecondsOption,
    limits,
    load_game_somehow,
)
from woodstock.cli.progress import Working
from woodstock.match import read_trace, replay

__all__ = ["command"]


def command(
    trace: Annotated[Path, typer.Argument(metavar="TRACE", help="The recorded matches, JSON.")],
    rules: Annotated[
        str, typer.Option("--rules", metavar="FILE", help="The rules: a file or a library name.")
    ],
    engine: Annotated[
        EngineChoice,
        typer.Option(help="Where the engine asked for is impossible, the next best one replays."),
    ] = EngineChoice.AUTO,
    plies: Annotated[
        int | None, typer.Option(min=1, help="Look only at so many plies of each match.")
    ] = None,
    seconds: SecondsOption = limits.seconds,
    memory_mb: MemoryOption = limits.memory_mb,
    as_json: AsJson = False,
) -> None:
    """Replay recorded matches and compare every state, move and goal.

    Takes conformance traces, playthroughs of the library and match records. Exit code 1 on the
    first difference, which is printed.
    """
    recorded = read_trace(trace)
    with Working(f"Preparing {rules}") as line:
        bounds = replace(limits, seconds=seconds, memory_mb=memory_mb)
        game, notes = load_game_somehow(rules, engine, bounds)
        report = replay(
            game,
            recorded,
            plies=plies,
            on_progress=lambda done, total: line.update(f"Replaying {trace.name}", done, total),
        )
    if recorded.rules_sha256 and not _same_rules(rules, recorded.rules_sha256):
        notes.append("the trace was recorded with another version of the rules")
    if as_json:
        print_json({"trace": str(trace), "game": game.name, **report.to_json(), "notes": notes})
    else:
        console = Console(highlight=False, soft_wrap=True)
        for note in notes:
            console.print(f"Note: {note}", markup=False, style="yellow")
        if report.difference is not None:
            console.print(f"{trace}: {report.difference}", markup=False, style="red")
        else:
            part = "" if report.complete else f" of {recorded.plies}"
            console.print(
                f"{trace}: {report.plies}{part} plies of {_matches(len(recorded.matches))} agree "
                f"({report.engine} engine, {report.seconds:.2f} s)",
                markup=False,
            )
    if not report.ok:
        raise typer.Exit(WRONG)


def _matches(number: int) -> str:
    return f"{number} match{'es' if number != 1 else ''}"


def _same_rules(rules: str, sha256: str) -> bool:
    path = Path(rules)
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == sha256
