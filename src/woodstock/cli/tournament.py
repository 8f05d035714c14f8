"""``woodstock tournament``: many matches from a description, and what came of them."""

from __future__ import annotations

import time
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from woodstock.cli.guard import WRONG, UsageError, print_json
from woodstock.cli.options import AsJson
from woodstock.cli.progress import Working
from woodstock.cli.targets import ForceOption
from woodstock.cli.tournament_view import LiveStandings, standings_table
from woodstock.files import check_target, write_whole
from woodstock.tournament import (
    Description,
    ResultStore,
    collect,
    make_engine,
    run_tournament,
)
from woodstock.tournament.engines import RoundEngine
from woodstock.tournament.export import export_records, export_tables
from woodstock.tournament.report.build import build_report, report_data
from woodstock.tournament.report.html import html_page, is_page
from woodstock.tournament.report.markdown import markdown_page

__all__ = ["export", "report", "run", "status", "watch"]

FileArgument = Annotated[
    Path, typer.Argument(metavar="FILE", help="The description of the tournament, TOML.")
]
StoreOption = Annotated[
    Path | None,
    typer.Option(
        "--store",
        metavar="FILE",
        help="Where results are kept.",
        show_default="what the description says, or its name with .sqlite",
    ),
]
EngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="ENGINE",
        help="local: processes here; dask: a Dask cluster here; dask=ADDRESS: the one there.",
    ),
]
JobsOption = Annotated[int, typer.Option(min=1, help="Rounds at a time.")]
HoursOption = Annotated[
    float | None,
    typer.Option(min=0, help="Begin nothing after so many hours.", show_default=False),
]
StarvedOption = Annotated[
    bool,
    typer.Option(
        "--without-starved", help="Leave out rounds in which a player lacked the processor."
    ),
]


class TableFormat(str, Enum):
    """How tables are written."""

    CSV = "csv"
    PARQUET = "parquet"


def run(
    file: FileArgument,
    engine: EngineOption = "local",
    jobs: JobsOption = 1,
    hours: HoursOption = None,
    replay_starved: Annotated[
        bool,
        typer.Option(
            "--replay-starved", help="First forget rounds in which a player lacked the processor."
        ),
    ] = False,
    store: StoreOption = None,
    as_json: AsJson = False,
) -> None:
    """Play a tournament, or go on with it: whatever ended the last run, nothing is played twice.

    Exit code 1 when something could not be played.
    """
    description = Description.load(file)
    with _store(description, store) as kept:
        if replay_starved:
            kept.forget(kept.starved_rounds())
        with _engine(engine, jobs) as playing, LiveStandings(description.name) as live:
            progress = run_tournament(
                description,
                kept,
                playing,
                seconds=None if hours is None else 3600 * hours,
                on_progress=live.update,
            )
        if as_json:
            seconds = round(time.monotonic() - progress.begun, 3)
            played = {"played": progress.matches, "lost": progress.lost, "seconds": seconds}
            print_json({**report_data(collect(description, kept)), **played})
        else:
            Console().print(standings_table(progress.schedule))
    if progress.problems:
        raise typer.Exit(WRONG)


def status(file: FileArgument, store: StoreOption = None, as_json: AsJson = False) -> None:
    """Say how far a tournament is, while it runs or not."""
    description = Description.load(file)
    with _store(description, store) as kept, Working("Reading") as _:
        schedule = collect(description, kept)
        data = report_data(schedule)
    if as_json:
        print_json(data)
        return
    console = Console()
    of = f" of at most {data['expected_rounds']:,}" if data["expected_rounds"] else ""
    console.print(f"{data['rounds']:,}{of} rounds, {data['matches']:,} matches", highlight=False)
    console.print(standings_table(schedule))
    for what, why in schedule.reasons():
        console.print(f"{what}: {why}", markup=False, highlight=False, soft_wrap=True)


def watch(
    file: FileArgument,
    every: Annotated[float, typer.Option(min=0.1, help="Seconds between looks.")] = 2.0,
    store: StoreOption = None,
) -> None:
    """Show the standings of a tournament that another process runs (Ctrl-C ends it)."""
    description = Description.load(file)
    with _store(description, store) as kept, LiveStandings(description.name) as live:
        while True:
            schedule = collect(description, kept)
            live.show(schedule)
            expected = schedule.expected
            if expected is not None and sum(1 for _ in schedule.counted()) >= expected:
                break
            time.sleep(every)


def export(
    file: FileArgument,
    out: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Where the tables go.")] = None,
    form: Annotated[
        TableFormat, typer.Option("--format", help="parquet needs pyarrow or duckdb.")
    ] = TableFormat.CSV,
    records: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where records of matches go, a file each."),
    ] = None,
    force: ForceOption = False,
    store: StoreOption = None,
    as_json: AsJson = False,
) -> None:
    """Write the results for other programs: tables of matches and seats, and records."""
    if out is None and records is None:
        raise UsageError("nothing to write; add --out FOLDER or --records FOLDER")
    description = Description.load(file)
    with _store(description, store) as kept, Working("Writing"):
        tables = [] if out is None else export_tables(kept, out, form.value, force=force)
        count = 0
        if records is not None:
            count = export_records(collect(description, kept), records, force=force)
    if as_json:
        print_json({"tables": [str(table) for table in tables], "records": count})
        return
    for table in tables:
        typer.echo(f"wrote {table}")
    if records is not None:
        typer.echo(f"wrote {count:,} records to {records}")


def report(
    file: FileArgument,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write one HTML file with everything.")
    ] = None,
    markdown: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write Markdown, its curves to the folder FILE.pictures; - is standard output.",
        ),
    ] = None,
    force: ForceOption = False,
    without_starved: StarvedOption = False,
    store: StoreOption = None,
    as_json: AsJson = False,
) -> None:
    """Report what came of a tournament: standings, cross table, games, curves, thoughts, moves."""
    description = Description.load(file)
    if html is not None:
        check_target(html, "report of ours", is_page, force=force)
    if markdown is not None and str(markdown) != "-":
        title = f"# {description.name}\n".encode()
        check_target(markdown, "report of it", lambda head: head.startswith(title), force=force)
    with _store(description, store) as kept, Working("Reading"):
        schedule = collect(description, kept)
        data = report_data(schedule, starved=not without_starved)
        blocks = build_report(schedule, starved=not without_starved)
    if html is not None:
        write_whole(html, html_page(description.name, blocks))
    text = ""
    if markdown is not None and str(markdown) != "-":
        folder = markdown.with_suffix(".pictures")
        text = markdown_page(description.name, blocks, folder)
        write_whole(markdown, text)
    if as_json:
        print_json(data)
    elif html is None and (markdown is None or str(markdown) == "-"):
        typer.echo(markdown_page(description.name, blocks), nl=False)


def _store(description: Description, path: Path | None) -> ResultStore:
    chosen = path or description.store
    if chosen is None:
        raise UsageError("the description does not say where results are kept; add --store FILE")
    return ResultStore(chosen)


def _engine(text: str, jobs: int) -> RoundEngine:
    try:
        return make_engine(text, jobs)
    except ValueError as problem:
        raise UsageError(str(problem)) from None
