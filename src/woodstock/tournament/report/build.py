"""Building a report: from the rounds that count to what is said about them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from woodstock.tournament.description import Description
from woodstock.tournament.formats import Schedule
from woodstock.tournament.formats.ring import RingSchedule
from woodstock.tournament.ratings import agon_intervals, rate_agon, rate_elo
from woodstock.tournament.report.blocks import (
    REPLAYS,
    Block,
    Heading,
    Paragraph,
    ReplayEntry,
    Replays,
    ReportTable,
    interval,
    percent,
    with_margin,
)
from woodstock.tournament.report.curves import curves_of
from woodstock.tournament.report.ring_tables import ring_blocks, ring_data
from woodstock.tournament.report.times import time_blocks
from woodstock.tournament.results import RoundResult
from woodstock.tournament.rounds import Round
from woodstock.tournament.standings import CrossTable, SeatTally, tallies

__all__ = ["build_report", "report_data"]

Rounds = Sequence[tuple[Round, RoundResult]]


def counted_rounds(schedule: Schedule, *, starved: bool) -> list[tuple[Round, RoundResult]]:
    """The rounds that count; without those in which a player was starved, if these are not to."""
    rounds = list(schedule.counted())
    return rounds if starved else [one for one in rounds if not one[1].starved]


def build_report(schedule: Schedule, *, starved: bool = True) -> list[Block]:
    """All parts of the report of a tournament, as far as it has been played."""
    description = schedule.description
    rounds = counted_rounds(schedule, starved=starved)
    matches = [match for _, result in rounds for match in result.matches]
    blocks: list[Block] = [Paragraph(_about(description, rounds, schedule))]
    if not matches:
        return [*blocks, Paragraph("Nothing has been played yet."), *_reasons(schedule)]
    names = [one.name for one in description.participants]
    found = tallies(names, rounds)
    blocks += [Heading("Standings"), *_standings(description, found, rounds)]
    if isinstance(schedule, RingSchedule):
        blocks += ring_blocks(schedule)
    own = schedule.blocks()
    if own:
        blocks += [Heading("Stages"), *own]
    cross = CrossTable(matches)
    if cross.games:
        blocks += [Heading("Cross table"), *_cross(names, cross)]
    blocks += [Heading("Games"), *_games(names, description, rounds)]
    blocks += curves_of(schedule, rounds)
    blocks += _seats(rounds)
    blocks += time_blocks(rounds)
    blocks += _reasons(schedule)
    blocks += [Heading("Matches"), *_replays(rounds)]
    return blocks


def _about(description: Description, rounds: Rounds, schedule: Schedule) -> str:
    matches = sum(len(result.matches) for _, result in rounds)
    clocks = ", ".join(str(clock) for clock in description.clocks)
    expected = schedule.expected
    of = f" of at most {expected:,}" if expected is not None else ""
    return (
        f"Format `{description.format}`, {len(description.participants)} participants, "
        f"{len(description.games)} games, for a move {clocks}; seed {description.seed}. "
        f"{matches:,} matches in {len(rounds):,}{of} rounds count."
    )


def _standings(
    description: Description, found: dict[str, SeatTally], rounds: Rounds
) -> list[Block]:
    matches = [(round_.game.name, match) for round_, result in rounds for match in result.matches]
    agon = rate_agon(matches)
    rated = rate_elo([result.matches for _, result in rounds], seed=description.seed)
    elo = {one.name: one for one in rated}
    skills = agon_intervals([(one.game.name, result.matches) for one, result in rounds])
    order = sorted(
        (one for one in found.values() if one.matches),
        key=lambda one: (-elo[one.name].elo if one.name in elo else 0.0, -one.goal, one.name),
    )
    rows = []
    for place, one in enumerate(order, 1):
        own = elo.get(one.name)
        rating = f"{own.elo:+.0f}" if own else "–"
        bounds = f"{own.low:+.0f} to {own.high:+.0f}" if own else "–"
        low, high = skills.get(one.name, (math.nan, math.nan))
        skill = "–" if math.isnan(low) else f"{low:.1f} to {high:.1f}"
        rows.append(
            (
                str(place), one.name, str(one.matches), str(one.wins), str(one.draws),
                str(one.losses), percent(one.score), interval(one.interval),
                with_margin(one.goal, one.goal_margin), rating, bounds,
                f"{agon.skills.get(one.name, 0.0):.2f}", skill, str(one.mistakes),
            )
        )  # fmt: skip
    head = (
        "", "participant", "matches", "won", "drawn", "lost", "score %", "95 %", "goal %", "Elo",
        "95 %", "Agon", "95 %", "mistakes",
    )  # fmt: skip
    words = (
        "Score: wins and half of the draws against others, with Wilson's interval. Goal: its mean "
        "over all matches, in per cent of the best. Elo: likeliest ratings (Bradley and Terry), "
        "with an interval by the bootstrap over rounds. Agon: the rating of the Tiltyard server, "
        "with such an interval; it begins at 0 and grows with the number of matches."
    )
    return [ReportTable(head, tuple(rows), words=2), Paragraph(words)]


def _cross(names: Sequence[str], cross: CrossTable) -> list[Block]:
    met = [name for name in names if any(name in pair for pair in cross.games)]
    rows = []
    for one in met:
        cells = []
        for other in met:
            games = cross.games.get((one, other), 0)
            cells.append(f"{percent(cross.score(one, other), 0)} ({games})" if games else "")
        rows.append((one, *cells))
    return [
        ReportTable(("", *met), tuple(rows)),
        Paragraph("What the row took from the column, in per cent, and of how many meetings."),
    ]


def _games(names: Sequence[str], description: Description, rounds: Rounds) -> list[Block]:
    """Mean goals by game and participant."""
    rows: list[tuple[str, ...]] = []
    marks = set()
    for entry in description.games:
        here = [one for one in rounds if one[0].game == entry.source]
        if not here:
            continue
        found = tallies(names, here)
        best = max((one.goal for one in found.values() if one.goals), default=math.nan)
        for column, one in enumerate(found.values(), 2):
            if one.goals and one.goal == best:
                marks.add((len(rows), column))
        cells = [
            f"{with_margin(one.goal, one.goal_margin)} ({len(one.goals)})" if one.goals else ""
            for one in found.values()
        ]
        plies = [len(match.moves) for _, result in here for match in result.matches]
        rows.append((entry.source.name, f"{sum(plies) / len(plies):.1f}", *cells))
    head = ("game", "moves", *names)
    words = "Mean goal in per cent with its 95 % interval, and how many seats that are."
    return [ReportTable(head, tuple(rows), marks=frozenset(marks)), Paragraph(words)]


def _seats(rounds: Rounds) -> list[Block]:
    """How hard the seats of games are, as Agon has it."""
    matches = [(round_.game.name, match) for round_, result in rounds for match in result.matches]
    agon = rate_agon(matches)
    means: dict[tuple[str, str], list[float]] = {}
    for game, match in matches:
        for seat in match.seats:
            means.setdefault((game, seat.role), []).append(seat.goal / match.scale)
    rows = tuple(
        (game, role, percent(sum(goals) / len(goals)), str(len(goals)),
         f"{agon.difficulties.get((game, role), 0.0):+.2f}")
        for (game, role), goals in sorted(means.items())
    )  # fmt: skip
    head = ("game", "seat", "goal %", "matches", "Agon difficulty")
    return [Heading("Seats"), ReportTable(head, rows, words=2)]


def _reasons(schedule: Schedule) -> list[Block]:
    reasons = schedule.reasons()
    if not reasons:
        return []
    rows = tuple((what, why) for what, why in reasons)
    return [Heading("What is missing"), ReportTable(("what", "why"), rows, words=2)]


def _replays(rounds: Rounds) -> list[Block]:
    entries: list[ReplayEntry] = []
    total = 0
    for round_, result in rounds:
        for match in result.matches:
            total += 1
            if len(entries) >= REPLAYS:
                continue
            who = ", ".join(f"{seat.role} = {seat.participant} {seat.goal}" for seat in match.seats)
            notes = list(match.notes)
            if match.mistakes:
                notes.append(f"{match.mistakes} mistakes")
            roles = tuple(seat.role for seat in match.seats)
            if match.moves and len(match.moves[0]) > len(roles):
                roles = (*roles, "random")
            entries.append(
                ReplayEntry(
                    id=round_.match_id(match.number),
                    title=f"{round_.game.name}: {who} ({len(match.moves)} moves)",
                    roles=roles,
                    moves=match.moves,
                    notes=tuple(notes),
                )
            )
    words = (
        "`woodstock tournament export FILE --records FOLDER` writes every match as a record that "
        "`woodstock replay` reads, under these ids."
    )
    return [Paragraph(words), Replays(tuple(entries), total - len(entries))]


def report_data(schedule: Schedule, *, starved: bool = True) -> dict[str, Any]:
    """What came of a tournament, as one JSON object; nothing in it depends on time."""
    description = schedule.description
    rounds = counted_rounds(schedule, starved=starved)
    matches = [(round_.game.name, match) for round_, result in rounds for match in result.matches]
    agon = rate_agon(matches)
    rated = {
        one.name: one
        for one in rate_elo([result.matches for _, result in rounds], seed=description.seed)
    }
    found = tallies([one.name for one in description.participants], rounds)
    data: dict[str, Any] = {
        "name": description.name,
        "format": description.format,
        "rounds": len(rounds),
        "expected_rounds": schedule.expected,
        "matches": len(matches),
        "standings": [
            {
                "participant": one.name,
                "matches": one.matches,
                "wins": one.wins,
                "draws": one.draws,
                "losses": one.losses,
                "score": _number(one.score),
                "score_95": [_number(bound) for bound in one.interval],
                "mean_goal": _number(one.goal),
                "full_goal": _number(one.full),
                "elo": _number(rated[one.name].elo) if one.name in rated else None,
                "elo_95": [_number(rated[one.name].low), _number(rated[one.name].high)]
                if one.name in rated
                else None,
                "agon": _number(agon.skills.get(one.name, math.nan)),
                "mistakes": {"late": one.late, "illegal": one.illegal, "failed": one.failed},
            }
            for one in found.values()
        ],
        "missing": dict(schedule.reasons()),
    }
    if isinstance(schedule, RingSchedule):
        data["pairs"] = ring_data(schedule)
    ranking = getattr(schedule, "ranking", None)
    if ranking:
        data["ranking"] = list(ranking)
    return data


def _number(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 6)
