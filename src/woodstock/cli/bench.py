"""``woodstock bench``: how fast games are played and searched."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from woodstock import games
from woodstock.cli.guard import WRONG, UsageError, print_json
from woodstock.cli.options import (
    AsJson,
    EngineChoice,
    complete_game,
    complete_players,
    load_game,
    load_rules,
)
from woodstock.cli.progress import Working, errors
from woodstock.cli.tables import column_table
from woodstock.errors import GdlError, WoodstockError
from woodstock.lifeline import Child
from woodstock.search import UnknownSearchError

__all__ = ["playouts", "search"]


def playouts(
    game: Annotated[
        list[str],
        typer.Argument(
            metavar="GAME",
            help="Games of the library, or files.",
            autocompletion=complete_game,
        ),
    ],
    seconds: Annotated[
        float, typer.Option(min=0.01, help="CPU seconds to play each game, on each thread.")
    ] = 2.0,
    threads: Annotated[int, typer.Option(min=1, help="Threads to play on.")] = 1,
    isa: Annotated[
        str, typer.Option(help="The instructions to use: auto, avx512, avx2 or base.")
    ] = "auto",
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same games.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Measure random playouts on the circuit.

    Every game has a process of its own. Exit code 1 when one of them has no circuit; the others
    are measured all the same.
    """
    from woodstock import _core

    known = ("auto", *_core.instruction_sets())
    if isa not in known:
        raise UsageError(f"no instruction set {isa!r} here; there are {', '.join(known)}")
    for one in game:
        _must_exist(one)
    options = [f"--seconds={seconds}", f"--threads={threads}", f"--isa={isa}", f"--seed={seed}"]
    measured = _measure_all(
        game,
        lambda one: _playouts(one, seconds, threads, isa, seed),
        ["playouts", *options],
    )
    _report(measured, len(game), as_json, _show_playouts)


def search(
    game: Annotated[
        list[str],
        typer.Argument(
            metavar="GAME",
            help="Games of the library, or files.",
            autocompletion=complete_game,
        ),
    ],
    player: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="The search to measure; 'woodstock players' lists them.",
            autocompletion=complete_players,
        ),
    ] = "uct",
    seconds: Annotated[
        float, typer.Option(min=0.01, help="CPU seconds to search each game, on each thread.")
    ] = 2.0,
    threads: Annotated[int, typer.Option(min=1, help="Threads to search on.")] = 1,
    memory: Annotated[int, typer.Option(min=1, help="Megabytes that a search may use.")] = 1024,
    seed: Annotated[int, typer.Option(min=0, help="What random numbers begin with.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Measure a search from the first position of a game: simulations and nodes per CPU second.

    Every game has a process of its own. Exit code 1 when one of them cannot be searched; the others
    are measured all the same.
    """
    for one in game:
        _must_exist(one)
    options = [f"--player={player}", f"--seconds={seconds}", f"--threads={threads}"]
    measured = _measure_all(
        game,
        lambda one: _search(one, player, seconds, threads, memory, seed),
        ["search", *options, f"--memory={memory}", f"--seed={seed}"],
    )
    _report(measured, len(game), as_json, _show_searches)


def _measure_all(
    games: list[str], here: Callable[[str], list[dict[str, Any]]], elsewhere: list[str]
) -> list[dict[str, Any]]:
    """The figures of all games: of one in this process, of many in processes of their own."""
    if len(games) == 1:
        return here(games[0])
    return [row for one in games for row in _measure_elsewhere(one, elsewhere)]


def _report(
    measured: list[dict[str, Any]],
    wanted: int,
    as_json: bool,
    show: Callable[[list[dict[str, Any]]], None],
) -> None:
    if as_json:
        print_json({"games": measured})
    elif measured:
        show(measured)
    if len(measured) < wanted:
        raise typer.Exit(WRONG)


def _must_exist(game: str) -> None:
    try:
        games.read_sheet(game)
    except GdlError:
        return  # it is there, and wrong: said when its turn comes


def _playouts(game: str, seconds: float, threads: int, isa: str, seed: int) -> list[dict[str, Any]]:
    from woodstock.circuit.bench import measure_playouts
    from woodstock.circuit.engine import CircuitEngine

    def prepare() -> tuple[str, CircuitEngine]:
        name, rules = load_rules(game)
        return name, CircuitEngine.from_rules(rules)

    try:
        with Working(f"Preparing {game}") as line:
            found = measure_playouts(
                prepare,
                seconds=seconds,
                threads=threads,
                isa=isa,
                seed=seed,
                on_progress=lambda done, total: line.update(f"Playing {game}", done, total),
            )
    except WoodstockError as problem:
        errors.print(f"woodstock: {game}: {problem}", markup=False, soft_wrap=True)
        return []
    return [found.to_json()]


def _search(
    game: str, player: str, seconds: float, threads: int, memory: int, seed: int
) -> list[dict[str, Any]]:
    from woodstock.search.bench import measure_search

    try:
        with Working(f"Preparing {game}") as line:
            found = measure_search(
                lambda: (Path(game).stem, load_game(game, EngineChoice.CIRCUIT)),
                player=player,
                seconds=seconds,
                threads=threads,
                memory_mb=memory,
                seed=seed,
                on_progress=lambda done, total: line.update(f"Searching {game}", done, total),
            )
    except UnknownSearchError:
        raise
    except WoodstockError as problem:
        errors.print(f"woodstock: {game}: {problem}", markup=False, soft_wrap=True)
        return []
    return [found.to_json()]


def _measure_elsewhere(game: str, options: list[str]) -> list[dict[str, Any]]:
    """Measure in a process that no other game has left its memory in."""
    name = game if game in games.names() else str(Path(game).resolve())
    what, *more = options
    command = ("woodstock", "bench", what, name, "--json", *more)
    with Child(*command, stdout=subprocess.PIPE) as child:
        try:
            answer, _ = child.communicate()
        finally:
            child.kill()
    try:
        found: list[dict[str, Any]] = json.loads(answer)["games"]
    except (ValueError, KeyError):
        errors.print(
            f"woodstock: {game}: measuring it ended with code {child.returncode}", markup=False
        )
        return []
    return found


def _show_searches(measured: list[dict[str, Any]]) -> None:
    titles = ("sims/CPU s", "sims/s", "nodes/CPU s", "depth", "value", "ready", "tree MB")
    table = column_table("game", *titles)
    for row in measured:
        proved = " proved" if row["proved"] else ""
        table.add_row(
            row["game"],
            _short(row["simulations_per_cpu_second"]),
            _short(row["simulations_per_second"]),
            _short(row["nodes_per_cpu_second"]),
            f"{row['depth']}",
            f"{100 * row['value']:.1f}{proved}",
            f"{row['prepare_cpu_seconds']:.2f} s",
            f"{row['bytes'] / 1e6:,.0f}",
        )
    first = measured[0]
    _print(table, f"{first['player']}, {_threads(first)}, from the first position")


def _show_playouts(measured: list[dict[str, Any]]) -> None:
    rates = ("playouts/s", "per CPU s", "plies/CPU s")
    table = column_table("game", *rates, "length", "goals", "gates", "ready", "MB")
    for row in measured:
        table.add_row(
            row["game"],
            _short(row["playouts_per_second"]),
            _short(row["playouts_per_cpu_second"]),
            _short(row["plies_per_cpu_second"]),
            f"{row['mean_length']:.1f}",
            " ".join(f"{goal:.1f}" for goal in row["mean_goals"].values()),
            f"{row['gates']:,}",
            f"{row['prepare_cpu_seconds']:.2f} s",
            f"{row['peak_memory_mb']:,.0f}",
        )
    first = measured[0]
    _print(table, f"{first['isa']}, {_threads(first)}")


def _print(table: Table, how: str) -> None:
    # Rather a long line than half a figure.
    console = Console(highlight=False, width=200)
    console.print(table)
    console.print(how, markup=False, style="dim")


def _threads(row: dict[str, Any]) -> str:
    return f"{row['threads']} thread{'s' if row['threads'] != 1 else ''}"


def _short(figure: float) -> str:
    """Four digits of a figure.

    >>> _short(57_984_412.3), _short(240_100.4), _short(151.26)
    ('57.98 M', '240.1 k', '151.3')
    """
    sizes = (("G", 1e9), ("M", 1e6), ("k", 1e3))
    unit, size = next(((unit, size) for unit, size in sizes if figure >= size), ("", 1.0))
    scaled = figure / size
    digits = max(0, 4 - len(str(int(scaled))))
    return f"{scaled:.{digits}f} {unit}".strip()
