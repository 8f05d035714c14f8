"""``woodstock perft``: how many lines of play there are."""

from __future__ import annotations

import time
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from woodstock.cli.guard import print_json
from woodstock.cli.options import AsJson, EngineChoice, EngineOption, GameArgument, load_game
from woodstock.cli.progress import Working
from woodstock.match import Level, divide, perft

__all__ = ["command"]


def command(
    game: GameArgument,
    depth: Annotated[int, typer.Option(min=0, help="Count up to this number of joint moves.")],
    engine: EngineOption = EngineChoice.AUTO,
    split: Annotated[
        bool, typer.Option("--divide", help="Also count behind each first joint move.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Count the joint-move sequences of each length, and how many of them end the game."""
    with Working(f"Preparing {game}") as line:
        loaded = load_game(game, engine)
        start = loaded.initial_state()
        begun = time.perf_counter()

        def progress(level: int, done: int, total: int) -> None:
            line.update(f"Opening {total:,} states for depth {level}", done, total)

        levels = list(perft(start, depth, progress))
        seconds = time.perf_counter() - begun
        parts = {}
        if split:
            for moves, count in divide(
                start, depth, lambda n, total: line.update("Dividing", n, total)
            ):
                parts[" ".join(map(str, moves))] = count
    if as_json:
        found = {
            "game": loaded.name,
            "engine": loaded.engine.name,
            "notes": list(loaded.notes),
            "depth_counts": [level.sequences for level in levels],
            "levels": [level.to_json() for level in levels],
            "seconds": round(seconds, 3),
        }
        print_json({**found, "divide": parts} if split else found)
        return
    console = Console(highlight=False, soft_wrap=True)
    for note in loaded.notes:
        console.print(f"Note: {note}", markup=False, style="yellow")
    for text, count in parts.items():
        console.print(f"{text}: {count:,}", markup=False)
    console.print(_table(levels))
    reached = levels[-1].depth
    ended = "" if reached == depth else ", where every line of play has ended"
    how = f"{loaded.engine.name} engine, {seconds:.2f} s"
    console.print(f"{loaded.name} to depth {reached}{ended} ({how})", markup=False)


def _table(levels: list[Level]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("depth", "sequences", "of them over", "states"):
        table.add_column(title, justify="right")
    for level in levels:
        figures = (level.depth, level.sequences, level.terminal, level.states)
        table.add_row(*(f"{figure:,}" for figure in figures))
    return table
