"""Curves of a report: over clocks where there are several, and over the number of plays."""

from __future__ import annotations

import math
from collections.abc import Sequence

from woodstock.tournament.formats import Schedule
from woodstock.tournament.formats.ring import RingSchedule
from woodstock.tournament.ratings.agon import AgonRating
from woodstock.tournament.report.blocks import Block, Heading, Picture
from woodstock.tournament.report.line_plot import CurvePoint, line_plot
from woodstock.tournament.results import RoundResult
from woodstock.tournament.rounds import Round
from woodstock.tune import Summary

__all__ = ["curves_of", "over_clocks", "over_plays"]

MOST_CURVES, MOST_POINTS = 8, 60


def curves_of(schedule: Schedule, rounds: Sequence[tuple[Round, RoundResult]]) -> list[Block]:
    """The pictures that a tournament has something to show on."""
    pictures: list[Picture | None] = []
    if isinstance(schedule, RingSchedule):
        pictures = [over_clocks(schedule), over_plays(schedule)]
    elif schedule.description.format == "continuous":
        pictures = [_ratings(schedule, rounds)]
    found = [one for one in pictures if one is not None]
    return [Heading("Curves"), *found] if found else []


def over_clocks(schedule: RingSchedule) -> Picture | None:
    """The score of each pair over the time for a move; None with one clock."""
    if len(schedule.description.clocks) < 2:
        return None
    curves: dict[str, list[CurvePoint]] = {}
    for one in schedule.pairings:
        if one.scores:
            found = one.summary(len(one.counted()[0][0].seatings))
            name = f"{one.game.source.name}: {one.first} v {one.second}"
            point = CurvePoint(math.log10(one.clock.move), 100 * found.mean, 100 * found.margin)
            curves.setdefault(name, []).append(point)
    moves = sorted({clock.move for clock in schedule.description.clocks})
    marks = {math.log10(move): f"{move:g}" for move in moves}
    svg = line_plot(
        dict(list(curves.items())[:MOST_CURVES]),
        title="score over the clock",
        x_label=f"for a move ({schedule.description.clocks[0].kind})",
        y_label="score, %",
        x_range=(math.log10(moves[0]), math.log10(moves[-1])),
        level=50,
        x_marks=marks,
    )
    return Picture(svg, "The first one's score over what both have for a move.")


def over_plays(schedule: RingSchedule) -> Picture | None:
    """The mean score of each pair after so many rounds; None where none has many."""
    curves: dict[str, list[CurvePoint]] = {}
    most = 0
    for one in schedule.pairings:
        scores = one.scores
        if len(scores) < 4:
            continue
        size = len(one.counted()[0][0].seatings)
        step = max(1, len(scores) // MOST_POINTS)
        ends = list(range(step, len(scores) + 1, step))
        most = max(most, len(scores) * size)
        curves[f"{one.game.source.name}: {one.first} v {one.second}"] = [
            CurvePoint(end * size, 100 * Summary.of(scores[:end], size).mean) for end in ends
        ]
    if not curves:
        return None
    svg = line_plot(
        dict(list(curves.items())[:MOST_CURVES]),
        title="score over the number of plays",
        x_label="matches",
        y_label="score, %",
        x_range=(0, most),
        level=50,
    )
    return Picture(svg, "The first one's score after so many matches.")


def _ratings(schedule: Schedule, rounds: Sequence[tuple[Round, RoundResult]]) -> Picture | None:
    """Agon's rating of everybody after so many matches."""
    rating = AgonRating()
    curves: dict[str, list[CurvePoint]] = {name: [] for name in schedule.present()}
    step = max(1, len(rounds) // MOST_POINTS)
    for number, (round_, result) in enumerate(rounds, 1):
        for match in result.matches:
            if not match.mistakes:
                roles = [seat.role for seat in match.seats]
                players = [seat.participant for seat in match.seats]
                rating.add(round_.game.name, roles, players, match.goals, match.scale)
        if number % step == 0 or number == len(rounds):
            for name, points in curves.items():
                points.append(CurvePoint(number, rating.skills.get(name, 0.0)))
    values = [point.y for points in curves.values() for point in points]
    if len(rounds) < 2 or not values:
        return None
    svg = line_plot(
        curves,
        title="Agon over the number of matches",
        x_label="matches",
        y_label="rating",
        x_range=(0, len(rounds)),
        y_range=(math.floor(min(values)) - 1, math.ceil(max(values)) + 1),
        level=0,
    )
    return Picture(svg, "Everybody's rating after so many matches.")
