"""What a report says about time: longest thoughts, starved players, mistakes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from woodstock.tournament.report.blocks import (
    REPLAYS,
    Block,
    Heading,
    Paragraph,
    ReportTable,
    percent,
)
from woodstock.tournament.results import STARVED_SHARE, RoundResult
from woodstock.tournament.rounds import Round

__all__ = ["time_blocks"]

SHOWN = 20


def time_blocks(rounds: Sequence[tuple[Round, RoundResult]]) -> list[Block]:
    """How everybody kept its time, and where answers did not count."""
    matches = [(round_, match) for round_, result in rounds for match in result.matches]
    means: dict[str, list[tuple[float, float, float, int]]] = {}
    starved = 0
    for round_, match in matches:
        starved += match.starved
        for seat in match.seats:
            if seat.thoughts:
                part = seat.longest / round_.clock.move
                row = (part, seat.longest, seat.share, seat.simulations)
                means.setdefault(seat.participant, []).append(row)
    timed = bool(matches) and matches[0][0].clock.kind != "simulations"
    rows = []
    for name, seats in sorted(means.items()):
        shares = [share for _, _, share, _ in seats if not math.isnan(share)]
        rows.append(
            (
                name,
                f"{sum(one[0] for one in seats) / len(seats):.2f}" if timed else "–",
                f"{max(one[0] for one in seats):.2f}" if timed else "–",
                f"{max(one[1] for one in seats):.3f}",
                percent(sum(shares) / len(shares), 0) if shares else "–",
            )
        )
    head = ("participant", "longest, mean", "longest, most", "seconds", "CPU share %")
    words = (
        "The longest thought of a match, in parts of the clock, on average and at most; the "
        "longest of all in seconds; and how much of its thinking time a player had the processor. "
        f"In {starved} of {len(matches)} matches a player had it for less than "
        f"{100 * STARVED_SHARE:.0f} %: `woodstock tournament run FILE --replay-starved` plays "
        "these rounds again, `report --without-starved` leaves them out."
    )
    blocks: list[Block] = [Heading("Thoughts"), ReportTable(head, tuple(rows)), Paragraph(words)]
    return blocks + _mistakes(rounds)


def _mistakes(rounds: Sequence[tuple[Round, RoundResult]]) -> list[Block]:
    rows = []
    number = 0
    for round_, result in rounds:
        for match in result.matches:
            number += 1
            for seat in match.seats:
                if seat.mistakes:
                    rows.append(
                        (_link(number), round_.game.name, seat.role, seat.participant,
                         str(seat.late), str(seat.illegal), str(seat.failed))
                    )  # fmt: skip
    if not rows:
        return [Paragraph("Nobody was late, moved illegally or failed.")]
    head = ("match", "game", "role", "participant", "late", "illegal", "failed")
    more = [Paragraph(f"{len(rows) - SHOWN} more.")] if len(rows) > SHOWN else []
    return [Heading("Mistakes"), ReportTable(head, tuple(rows[:SHOWN]), words=4), *more]


def _link(number: int) -> str:
    return f"#m{number}" if number <= REPLAYS else f"match {number}"
