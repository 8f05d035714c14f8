"""What a ring has to tell: pair by pair, game by game."""

from __future__ import annotations

import math
from typing import Any

from woodstock.tournament.formats.ring import Pairing, RingSchedule
from woodstock.tournament.ratings import normalised_elo
from woodstock.tournament.report.blocks import (
    Block,
    Heading,
    Paragraph,
    ReportTable,
    with_margin,
)
from woodstock.tournament.results import SeatResult
from woodstock.tournament.verdicts import pentanomial

__all__ = ["mean_goals", "pair_cell", "ring_blocks", "ring_data"]


def ring_blocks(schedule: RingSchedule) -> list[Block]:
    """A row for each pair, game and clock, and the mean of each pair over all games."""
    rows = [_row(schedule, one) for one in schedule.pairings]
    head = (
        "game", "clock", "first", "second", "score %", "pairs: 0, ¼, ½, ¾, 1", "nElo", "matches",
        "verdict",
    )  # fmt: skip
    words = (
        "Score of the first, in per cent, with its 95 % interval over rounds. Pairs: how many "
        "pairs of matches with swapped seats were worth so much. nElo: normalised Elo. A pair "
        "that the sequential test has stopped is a little flattered in the direction in which it "
        "was stopped. Where players do not meet, alone or as a team, goals stand in the score."
    )
    return [
        Heading("Pairs"),
        ReportTable(head, tuple(rows), words=4),
        Paragraph(words),
        *_means(schedule),
    ]


def _size(schedule: RingSchedule, pairing: Pairing) -> int:
    counted = pairing.counted()
    return len(counted[0][0].seatings) if counted else 2


def _row(schedule: RingSchedule, pairing: Pairing) -> tuple[str, ...]:
    size = _size(schedule, pairing)
    scores = pairing.scores
    counts = ", ".join(map(str, pentanomial(scores))) if size == 2 and scores else ""
    elo, margin = normalised_elo(scores, size)
    return (
        pairing.game.source.name,
        str(pairing.clock),
        pairing.first,
        pairing.second,
        pair_cell(pairing),
        counts,
        "" if math.isnan(elo) else f"{elo:+.0f} ± {margin:.0f}",
        str(len(scores) * size),
        pairing.problem or pairing.verdict or "goes on",
    )


def pair_cell(pairing: Pairing) -> str:
    """The score of a pair as tables have it; the reason where there is none."""
    counted = pairing.counted()
    if not counted:
        return "–"
    size = len(counted[0][0].seatings)
    goals = mean_goals(pairing)
    if goals is not None:
        return f"goals {goals[0]:.1f} : {goals[1]:.1f}"
    found = pairing.summary(size)
    return with_margin(found.mean, found.margin)


def mean_goals(pairing: Pairing) -> tuple[float, float] | None:
    """The mean goals of both, in per cent, where they do not meet; else None."""
    own: tuple[list[float], list[float]] = ([], [])
    for round_, result in pairing.counted():
        for seating, match in zip(round_.seatings, result.matches):
            if len(set(seating)) > 1:
                return None
            seats: tuple[SeatResult, ...] = match.seats
            mean = sum(seat.goal for seat in seats) / len(seats)
            own[seating[0]].append(100 * mean / match.scale)
    if not own[0] or not own[1]:
        return None
    return sum(own[0]) / len(own[0]), sum(own[1]) / len(own[1])


def _means(schedule: RingSchedule) -> list[Block]:
    """The mean over games, each as heavy as the other, where there are several."""
    groups: dict[tuple[str, str, str], list[Pairing]] = {}
    for one in schedule.pairings:
        if one.scores:
            groups.setdefault((one.first, one.second, str(one.clock)), []).append(one)
    rows = []
    for (first, second, clock), members in groups.items():
        if len(members) < 2:
            continue
        found = [one.summary(_size(schedule, one)) for one in members]
        mean = sum(one.mean for one in found) / len(found)
        margin = math.sqrt(sum(one.margin**2 for one in found)) / len(found)
        ahead = sum(one.mean > 0.5 for one in found)
        rows.append((first, second, clock, with_margin(mean, margin), f"{ahead} of {len(found)}"))
    if not rows:
        return []
    head = ("first", "second", "clock", "score %", "ahead in")
    return [Heading("Over all games", 3), ReportTable(head, tuple(rows), words=3)]


def ring_data(schedule: RingSchedule) -> list[dict[str, Any]]:
    """The pairs as JSON objects."""
    found = []
    for one in schedule.pairings:
        size = _size(schedule, one)
        summary = one.summary(size)
        played = bool(one.scores)
        found.append(
            {
                "game": one.game.source.name,
                "first": one.first,
                "second": one.second,
                "clock": one.clock.key,
                "matches": len(one.scores) * size,
                "score": round(summary.mean, 6) if played else None,
                "margin": round(summary.margin, 6) if played else None,
                "pentanomial": list(pentanomial(one.scores)) if size == 2 else None,
                "verdict": one.verdict,
                "problem": one.problem or None,
            }
        )
    return found
