"""``woodstock reproduce``: the papers' tables, theirs and ours."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from woodstock.cli.guard import UsageError, print_json
from woodstock.cli.options import AsJson
from woodstock.cli.progress import errors
from woodstock.cli.tables import column_table
from woodstock.cli.targets import ForceOption
from woodstock.cli.tournament import EngineOption, HoursOption, JobsOption
from woodstock.cli.tournament_view import LiveStandings
from woodstock.files import check_target, write_whole
from woodstock.protocol.hosted_players import Address
from woodstock.tournament import ResultStore, make_engine
from woodstock.tournament.papers.page import check_page, write_page
from woodstock.tournament.papers.plan import VARIANTS, ReproductionScale, Variant
from woodstock.tournament.papers.reproduce import play_table, reproduced
from woodstock.tournament.papers.tables import PaperTable, paper_table, table_ids
from woodstock.tournament.report.blocks import Block, ReportTable
from woodstock.tournament.report.html import html_page, is_page
from woodstock.tournament.report.markdown import markdown_blocks

__all__ = ["command"]


def command(
    table: Annotated[
        list[str],
        typer.Argument(
            metavar="TABLE", help="002-T3 and others; LIST lists them, ALL takes all of them."
        ),
    ],
    scale: Annotated[
        float | None,
        typer.Option(min=0, help="Part of the papers' matches a cell.", show_default="20 matches"),
    ] = None,
    matches: Annotated[
        int | None, typer.Option(min=2, help="Matches a cell, instead.", show_default=False)
    ] = None,
    clock: Annotated[
        str, typer.Option(metavar="S[,S]", help="Seconds for a move; several for curves.")
    ] = "0.05",
    start: Annotated[float, typer.Option(min=0, help="Seconds to prepare.")] = 10.0,
    real: Annotated[
        bool, typer.Option("--real", help="By the clock, instead of equal CPU time.")
    ] = False,
    hours: HoursOption = None,
    players: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="paper: presets that follow the papers to the letter; ours: our searches of the "
            "same names; best: woodstock in their place.",
        ),
    ] = "paper,ours",
    games: Annotated[
        str, typer.Option(metavar="NAMES", help="Only these games.", show_default="all")
    ] = "",
    rival: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=HOST:PORT", help="Where a program of the papers listens, as Sancho."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of openings, luck and players.")] = 1,
    engine: EngineOption = "local",
    jobs: JobsOption = 1,
    store: Annotated[Path, typer.Option(metavar="FILE", help="Where results are kept.")] = Path(
        "papers.sqlite"
    ),
    markdown: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write to a page of Markdown; other tables in it stay."),
    ] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write one HTML file.")] = None,
    force: ForceOption = False,
    as_json: AsJson = False,
) -> None:
    """Fill tables of the papers with matches of ours, and show both beside each other.

    What is there already is not played again: with --hours 0 nothing is, and the tables are shown
    as they are.
    """
    if [name.upper() for name in table] == ["LIST"]:
        _list(as_json)
        return
    names = table_ids() if [name.upper() for name in table] == ["ALL"] else table
    chosen = [paper_table(name) for name in names]
    wanted = ReproductionScale(
        clocks=_clocks(clock),
        kind="real" if real else "cpu",
        start=start,
        matches=matches,
        scale=scale,
        variants=_variants(players),
        games=tuple(name for name in games.split(",") if name),
        rivals=_rivals(rival or []),
        seed=seed,
    )
    if markdown is not None:
        check_page(markdown, force=force)
    if html is not None:
        check_target(html, "report of ours", is_page, force=force)
    with ResultStore(store) as kept:
        if hours != 0:
            _play(chosen, wanted, kept, engine, jobs, hours)
        parts = [(one, reproduced(one, wanted, kept)) for one in chosen]
    blocks: list[Block] = [block for _, part in parts for block in part]
    if markdown is not None:
        write_page(markdown, {one.id: part for one, part in parts})
    if html is not None:
        write_whole(html, html_page("The papers' tables", blocks))
    if as_json:
        print_json({"tables": [_data(one, part) for one, part in parts]})
    elif markdown is None and html is None:
        typer.echo("\n".join(markdown_blocks(blocks)))


def _play(
    chosen: list[PaperTable],
    wanted: ReproductionScale,
    kept: ResultStore,
    engine: str,
    jobs: int,
    hours: float | None,
) -> None:
    until = None if hours is None else time.monotonic() + 3600 * hours
    try:
        hands = make_engine(engine, jobs)
    except ValueError as problem:
        raise UsageError(str(problem)) from None
    with hands as playing:
        for number, one in enumerate(chosen):
            # Tables share the time: what one does not need is there for those that follow.
            whole = None if until is None else max(0.0, until - time.monotonic())
            left = None if whole is None else whole / (len(chosen) - number)
            with LiveStandings(one.id) as live:
                play_table(
                    one,
                    wanted,
                    kept,
                    playing,
                    seconds=left,
                    on_progress=live.update,
                    on_measure=lambda words: errors.print(f"Measuring the {words}", markup=False),
                )


def _list(as_json: bool) -> None:
    tables = [paper_table(name) for name in table_ids()]
    if as_json:
        rows = [
            {"id": one.id, "title": one.title, "paper": one.paper, "cells": one.cells,
             "matches": one.matches, "seconds": one.seconds}
            for one in tables
        ]  # fmt: skip
        print_json({"tables": rows})
        return
    shown = column_table("table", "cells", "matches a cell", "s a move")
    shown.add_column("what")
    for one in tables:
        figures = [str(value) if value else "" for value in (one.cells, one.matches)]
        shown.add_row(one.id, *figures, f"{one.seconds:g}", f"{one.title} ({one.paper})")
    Console().print(shown)


def _clocks(text: str) -> tuple[float, ...]:
    try:
        found = tuple(float(part) for part in text.split(","))
    except ValueError:
        found = ()
    if not found or any(not one > 0 for one in found):
        raise UsageError(f"--clock {text}: this is no time; write seconds, as in 0.05 or 0.02,0.1")
    return found


def _variants(text: str) -> tuple[Variant, ...]:
    found: list[Variant] = []
    for part in text.split(","):
        known = next((one for one in VARIANTS if one == part.strip()), None)
        if known is None:
            raise UsageError(f"--players {part}: there are {', '.join(VARIANTS)}")
        found.append(known)
    return tuple(found)


def _rivals(given: list[str]) -> dict[str, str]:
    found = {}
    for text in given:
        name, _, address = text.partition("=")
        try:
            found[name] = str(Address.parse(address))
        except ValueError as problem:
            raise UsageError(f"--rival {text}: {problem}") from None
    return found


def _data(table: PaperTable, blocks: list[Block]) -> dict[str, Any]:
    shown = [block for block in blocks if isinstance(block, ReportTable)]
    return {
        "id": table.id,
        "title": table.title,
        "paper": table.paper,
        "parts": [
            {"head": list(one.head), "rows": [list(row) for row in one.rows]} for one in shown
        ],
    }
