"""A table of the papers with ours beside it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from woodstock.tournament.papers.cells import CellText, TableResults, pair_text
from woodstock.tournament.papers.measures import measured, network_sizes, symmetry_count
from woodstock.tournament.papers.plan import (
    PlannedGroup,
    ReproductionScale,
    Variant,
    pair_of,
    player_of,
    shared_option,
)
from woodstock.tournament.papers.tables import PaperColumn, PaperGroup, PaperRow, PaperTable
from woodstock.tournament.report.blocks import (
    Block,
    Heading,
    Paragraph,
    Picture,
    ReportTable,
    with_margin,
)
from woodstock.tournament.report.line_plot import CurvePoint, line_plot
from woodstock.tournament.store import ResultStore
from woodstock.tune import Summary

__all__ = ["VARIANT_TITLES", "show_table"]

VARIANT_TITLES: Mapping[Variant, str] = {
    "paper": "to the letter",
    "ours": "ours",
    "best": "woodstock",
}


def show_table(
    table: PaperTable, scale: ReproductionScale, planned: Sequence[PlannedGroup], store: ResultStore
) -> list[Block]:
    """The blocks of a table: theirs, ours, and what was scaled."""
    blocks: list[Block] = [Heading(f"{table.id}: {table.title}")]
    blocks.append(Paragraph(f"{table.paper}. {table.note}".strip()))
    results = TableResults(store, planned)
    for group in table.groups:
        rows = [row for row in group.rows if not scale.games or row.game in scale.games]
        if not rows:
            continue
        if group.title:
            blocks.append(Heading(group.title.capitalize(), 3))
        if group.kind == "networks":
            blocks += _networks(group, rows, store)
        elif group.kind == "alone":
            blocks += _alone(group, rows, scale, results)
        elif group.kind == "ring":
            blocks += _ring(group, rows, scale, results)
        elif group.kind == "clocks":
            blocks += _clocks(group, rows, scale, results)
        elif group.kind == "plays":
            blocks += _plays(group, rows, scale, results)
        else:
            blocks += _shares(group, rows, scale, results)
        if group.symmetry:
            blocks += _symmetry(group, rows, store)
    if table.groups and table.matches:
        blocks.append(Paragraph(_scaled(table, scale, results)))
    return blocks


def _theirs(row: PaperRow, place: int) -> str:
    if place >= len(row.theirs) or math.isnan(row.theirs[place]):
        return "–"
    margin = f" ± {row.margins[place]:g}" if row.margins else ""
    return f"{row.theirs[place]:g}{margin}"


def _mean(cells: Sequence[CellText]) -> str:
    values = [one for one in cells if one.filled]
    if not values:
        return ""
    middle = sum(one.value for one in values) / len(values)
    margins = [one.margin for one in values if not math.isnan(one.margin)]
    margin = math.sqrt(sum(one**2 for one in margins)) / len(values) if margins else math.nan
    return with_margin(middle, margin)


def _their_mean(rows: Sequence[PaperRow], place: int) -> str:
    values = [row.theirs[place] for row in rows if not math.isnan(row.theirs[place])]
    return f"{sum(values) / len(values):.1f}" if values else ""


def _titles(scale: ReproductionScale) -> list[str]:
    return [VARIANT_TITLES[variant] for variant in scale.variants]


def _ring(
    group: PaperGroup, rows: Sequence[PaperRow], scale: ReproductionScale, results: TableResults
) -> Iterator[Block]:
    """A table for each column of theirs."""
    for place, column in enumerate(group.columns):
        lines = []
        columns: list[list[CellText]] = [[] for _ in scale.variants]
        for row in rows:
            cells = []
            for number, variant in enumerate(scale.variants):
                cell = _pair_cell(group, column, variant, row.game, scale, results)
                columns[number].append(cell)
                cells.append(cell.text)
            lines.append((row.title, row.game, _theirs(row, place), *cells))
        means = [_mean(cells) for cells in columns]
        lines.append(("mean", "", _their_mean(rows, place), *means))
        yield Heading(column.title, 4)
        yield ReportTable(("theirs", "game", "paper", *_titles(scale)), tuple(lines), words=2)


def _pair_cell(
    group: PaperGroup,
    column: PaperColumn,
    variant: Variant,
    game: str,
    scale: ReproductionScale,
    results: TableResults,
) -> CellText:
    first, second = pair_of(column.first, column.second, variant, scale)
    for one in (first, second):
        if one.missing is not None:
            return CellText(one.missing)
    pairing = results.pairing(group, variant, game, (first.name, second.name), scale.clocks[-1])
    return pair_text(pairing)


def _alone(
    group: PaperGroup, rows: Sequence[PaperRow], scale: ReproductionScale, results: TableResults
) -> Iterator[Block]:
    for place, column in enumerate(group.columns):
        lines = []
        for row in rows:
            cells = []
            for variant in scale.variants:
                who = player_of(column.first, variant, scale, own=True)
                cells.append(results.alone(group, variant, row.game, who.name).text)
            lines.append((row.title, row.game, _theirs(row, place), *cells))
        yield Heading(column.title, 4)
        yield ReportTable(("theirs", "game", "paper", *_titles(scale)), tuple(lines), words=2)


def _clocks(
    group: PaperGroup, rows: Sequence[PaperRow], scale: ReproductionScale, results: TableResults
) -> Iterator[Block]:
    for variant in scale.variants:
        first, second = pair_of(group.first, group.second, variant, scale)
        lines = []
        columns: list[list[CellText]] = [[] for _ in scale.clocks]
        curves: dict[str, list[CurvePoint]] = {}
        for row in rows:
            cells = []
            for number, clock in enumerate(scale.clocks):
                if first.missing is not None:
                    cell = CellText(first.missing)
                else:
                    names = (first.name, second.name)
                    cell = pair_text(results.pairing(group, variant, row.game, names, clock))
                columns[number].append(cell)
                cells.append(cell.text)
                if cell.filled:
                    point = CurvePoint(math.log10(clock), 100 * cell.value, 100 * cell.margin)
                    curves.setdefault(row.game, []).append(point)
            theirs = [_theirs(row, place) for place in range(len(group.seconds))]
            lines.append((row.title, row.game, *cells, *theirs))
        means = [_mean(cells) for cells in columns]
        their = [_their_mean(rows, place) for place in range(len(group.seconds))]
        lines.append(("mean", "", *means, *their))
        ours = [f"{clock:g} s {scale.kind}" for clock in scale.clocks]
        head = ("theirs", "game", *ours, *(f"paper, {one:g} s" for one in group.seconds))
        yield Heading(f"{first.name} against {second.name}", 4)
        yield ReportTable(head, tuple(lines), words=2)
        if curves and len(scale.clocks) > 1:
            yield _curve(curves, scale)


def _curve(curves: Mapping[str, list[CurvePoint]], scale: ReproductionScale) -> Picture:
    logs = [math.log10(clock) for clock in scale.clocks]
    svg = line_plot(
        curves,
        title="score over the clock",
        x_label=f"seconds for a move ({scale.kind})",
        y_label="score, %",
        x_range=(min(logs), max(logs)),
        level=50,
        x_marks={log: f"{clock:g}" for log, clock in zip(logs, scale.clocks)},
    )
    return Picture(svg, "Score over the time for a move.")


def _plays(
    group: PaperGroup, rows: Sequence[PaperRow], scale: ReproductionScale, results: TableResults
) -> Iterator[Block]:
    for variant in scale.variants:
        first, second = pair_of(group.first, group.second, variant, scale)
        curves: dict[str, list[CurvePoint]] = {}
        lines: list[tuple[str, ...]] = []
        for row in rows:
            names = (first.name, second.name)
            pairing = (
                None
                if first.missing
                else results.pairing(group, variant, row.game, names, scale.clocks[-1])
            )
            scores = pairing.scores if pairing is not None else []
            half = len(scores) // 2
            if pairing is None or half < 1:
                reason = first.missing or (pairing.problem if pairing else "") or "not played yet"
                lines.append((row.title, reason, "", ""))
                continue
            size = len(pairing.counted()[0][0].seatings)
            curves[row.game] = [
                CurvePoint(end * size, 100 * Summary.of(scores[:end], size).mean)
                for end in range(1, len(scores) + 1)
            ]
            parts = [Summary.of(scores[:end], size) for end in (half, len(scores))]
            told = [f"{with_margin(one.mean, one.margin)} ({one.rounds * size})" for one in parts]
            change = 100 * (parts[1].mean - parts[0].mean)
            lines.append((row.title, *told, f"{change:+.1f}"))
        yield Heading(f"{first.name} against {second.name}", 4)
        yield ReportTable(("game", "after half", "after all", "change"), tuple(lines))
        if curves:
            most = max(point.x for points in curves.values() for point in points)
            svg = line_plot(
                curves, title="score over the number of plays", x_label="matches",
                y_label="score, %", x_range=(0, most), level=50,
            )  # fmt: skip
            yield Picture(svg, "Score after so many matches.")


def _shares(
    group: PaperGroup, rows: Sequence[PaperRow], scale: ReproductionScale, results: TableResults
) -> Iterator[Block]:
    for variant in scale.variants:
        first, second = pair_of(group.first, group.second, variant, scale)
        lines = []
        columns: list[list[CellText]] = [[] for _ in group.shares]
        curves: dict[str, list[CurvePoint]] = {}
        for row in rows:
            cells = []
            for number, share in enumerate(group.shares):
                if first.missing is not None:
                    cell = CellText(first.missing)
                else:
                    names = (f"{first.text}:{shared_option(group, share)}", second.name)
                    pairing = results.pairing(group, variant, row.game, names, scale.clocks[-1])
                    cell = pair_text(pairing)
                columns[number].append(cell)
                cells.append(cell.text)
                if cell.filled:
                    point = CurvePoint(share, 100 * cell.value, 100 * cell.margin)
                    curves.setdefault(row.game, []).append(point)
            lines.append((row.title, *cells))
        lines.append(("mean", *(_mean(cells) for cells in columns)))
        yield Heading(f"{first.name} against {second.name}", 4)
        head = ("game", *(f"{share:g} %" for share in group.shares))
        yield ReportTable(head, tuple(lines))
        if curves:
            svg = line_plot(
                curves, title=f"{first.name} against {second.name}", x_label="share, %",
                y_label="score, %", level=50,
            )  # fmt: skip
            yield Picture(svg, "Score over the share.")


def _networks(group: PaperGroup, rows: Sequence[PaperRow], store: ResultStore) -> Iterator[Block]:
    lines = []
    for row in rows:
        found = measured(store, "network", network_sizes, row.game, play=False)
        ours = [f"{value:g}" for value in found] if isinstance(found, list) else []
        if not ours:
            ours = [str(found or "not measured yet"), *[""] * (len(group.columns) - 1)]
        pairs = zip((_theirs(row, place) for place in range(len(group.columns))), ours)
        lines.append((row.title, row.game, *(cell for pair in pairs for cell in pair)))
    head = ("theirs", "game")
    for column in group.columns:
        head += (f"{column.title}, paper", "ours")  # type: ignore[assignment]
    yield ReportTable(head, tuple(lines), words=2)


def _symmetry(group: PaperGroup, rows: Sequence[PaperRow], store: ResultStore) -> Iterator[Block]:
    lines = []
    for row in rows:
        found = measured(store, "symmetries", symmetry_count, row.game, play=False)
        ours = f"{found[0]:g}" if isinstance(found, list) else str(found or "not measured yet")
        theirs = [f"{value:g}" for value in row.symmetry]
        lines.append((row.title, row.game, *theirs, ours))
    head = ("theirs", "game", *(f"{name}, paper" for name in group.symmetry), "symmetries, ours")
    yield Heading("Symmetries", 4)
    yield ReportTable(head, tuple(lines), words=2)
    yield Paragraph(
        "Ours are those of the rules, but for the identity. Our searches count no nogoods, and "
        "their trees are compared in docs/symmetry-table.md."
    )


def _scaled(table: PaperTable, scale: ReproductionScale, results: TableResults) -> str:
    """What was scaled, and what the papers' protocol would take."""
    thoughts = matches = 0
    seen: set[str] = set()  # variants share what is not theirs
    cells: dict[tuple[str, ...], float] = {}
    for planned, schedule in results.schedules:
        pairs = schedule.description.ring.pairs
        names = [(one.name,) for one in schedule.description.participants]
        for game in schedule.description.games:
            for who in names if planned.group.kind == "alone" else pairs:
                seconds = sum(planned.group.seconds) or table.seconds
                cell = (game.source.name, *who)
                cells[cell] = seconds
        for round_, result in schedule.counted():
            if round_.id in seen:
                continue
            seen.add(round_.id)
            for match in result.matches:
                matches += 1
                thoughts += sum(seat.thoughts for seat in match.seats)
    clocks = ", ".join(f"{clock:g}" for clock in scale.clocks)
    text = (
        f"Theirs: {table.matches:,} matches a cell at {table.seconds:g} s a move. Ours: "
        f"{scale.matches_of(table):,} matches a cell at most, {clocks} s "
        f"({scale.kind}) a move, seed {scale.seed}; {matches:,} matches played."
    )
    if matches:
        mean = thoughts / matches
        hours = sum(cells.values()) * table.matches * mean / 3600
        text += (
            f" A match has {mean:.1f} thoughts: the papers' protocol for these {len(cells)} cells "
            f"would take about {hours:,.0f} hours on one core, and an nth of that on n."
        )
    return text
