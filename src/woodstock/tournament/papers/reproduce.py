"""Playing what a table of the papers needs, as far as time allows, and showing it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from woodstock.tournament.clocks import MoveClock
from woodstock.tournament.description import Description
from woodstock.tournament.driver import Progress, collect, run_tournament
from woodstock.tournament.engines.contract import RoundEngine
from woodstock.tournament.papers.measures import measured, network_sizes, symmetry_count
from woodstock.tournament.papers.plan import PlannedGroup, ReproductionScale, plan_table
from woodstock.tournament.papers.show import show_table
from woodstock.tournament.papers.tables import PaperTable
from woodstock.tournament.participants import Participant
from woodstock.tournament.report.blocks import Block, Heading, Paragraph, ReportTable
from woodstock.tournament.report.build import build_report
from woodstock.tournament.store import ResultStore

__all__ = ["play_table", "reproduced", "tournament_of"]


def tournament_of(table: PaperTable, scale: ReproductionScale) -> Description:
    """The tournament of a table that is one, among our players and rivals with an address."""
    clock = MoveClock(scale.kind, scale.clocks[-1], scale.start)
    found = Description.parse(table.description, table.id)
    rivals = tuple(Participant(name, "address", address) for name, address in scale.rivals.items())
    kind = "real" if rivals else clock.kind
    games = found.games
    if scale.games:
        games = tuple(one for one in games if one.source.name in scale.games)
    continuous = found.continuous
    if scale.scale is not None:
        continuous = replace(continuous, matches=max(2, round(scale.scale * continuous.matches)))
    elif scale.matches is not None:
        continuous = replace(continuous, matches=scale.matches)
    return replace(
        found,
        name=table.title,
        participants=(*found.participants, *rivals),
        games=games,
        clocks=tuple(
            MoveClock(kind, move, clock.start)
            for move in (scale.clocks if found.format == "continuous" else scale.clocks[-1:])
        ),
        seed=scale.seed,
        continuous=continuous,
    )


def play_table(
    table: PaperTable,
    scale: ReproductionScale,
    store: ResultStore,
    engine: RoundEngine,
    *,
    seconds: float | None = None,
    on_progress: Callable[[Progress], None] = lambda progress: None,
    on_measure: Callable[[str], None] = lambda words: None,
) -> bool:
    """Play and measure what is missing; False where time was up before all was there."""
    until = None if seconds is None else time.monotonic() + seconds

    def left() -> float | None:
        return None if until is None else max(0.0, until - time.monotonic())

    if table.description:
        descriptions: Sequence[Description] = (tournament_of(table, scale),)
    else:
        planned = plan_table(table, scale)
        descriptions = [one for group in planned for one in group.descriptions]
    for description in descriptions:
        run_tournament(description, store, engine, seconds=left(), on_progress=on_progress)
    for group in table.groups:
        for row in group.rows:
            wanted = not scale.games or row.game in scale.games
            if not wanted or (until is not None and time.monotonic() >= until):
                continue
            if group.kind == "networks":
                on_measure(f"network of {row.game}")
                measured(store, "network", network_sizes, row.game, play=True)
            if group.symmetry:
                on_measure(f"symmetries of {row.game}")
                measured(store, "symmetries", symmetry_count, row.game, play=True)
    return until is None or time.monotonic() < until


def reproduced(table: PaperTable, scale: ReproductionScale, store: ResultStore) -> list[Block]:
    """The table with what the store has of it."""
    if not table.description:
        planned: list[PlannedGroup] = list(plan_table(table, scale))
        return show_table(table, scale, planned, store)
    description = tournament_of(table, scale)
    schedule = collect(description, store)
    blocks: list[Block] = [
        Heading(f"{table.id}: {table.title}"),
        Paragraph(f"{table.paper}. {table.note}".strip()),
        Heading("Theirs", 3),
        ReportTable(("", "paper"), table.theirs),
        Heading("Ours", 3),
    ]
    return [*blocks, *_short(build_report(schedule))]


def _short(blocks: Sequence[Block]) -> list[Block]:
    """Of a report only standings and stages: the table has no room for more."""
    kept: list[Block] = []
    wanted = True
    for block in blocks:
        if isinstance(block, Heading) and block.level == 2:
            wanted = block.text in ("Standings", "Stages")
            if wanted:
                kept.append(Heading(block.text, 4))
        elif wanted:
            kept.append(replace(block, level=5) if isinstance(block, Heading) else block)
    return kept
