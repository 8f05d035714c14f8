"""Cells of a table: what was played for them, found by game and players, and how it is written."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from woodstock.tournament.driver import collect
from woodstock.tournament.formats import Schedule
from woodstock.tournament.formats.ring import Pairing, RingSchedule
from woodstock.tournament.papers.plan import PlannedGroup, Variant
from woodstock.tournament.papers.tables import PaperGroup
from woodstock.tournament.report.blocks import with_margin
from woodstock.tournament.report.ring_tables import mean_goals
from woodstock.tournament.standings import tallies
from woodstock.tournament.store import ResultStore

__all__ = ["CellText", "TableResults", "pair_text"]


@dataclass(frozen=True)
class CellText:
    """A cell: what stands in it, whether it is a figure, and what it is worth in a mean."""

    text: str
    filled: bool = False
    value: float = math.nan
    margin: float = math.nan


class TableResults:
    """What was played of a table, found by game and players."""

    def __init__(self, store: ResultStore, planned: Sequence[PlannedGroup]) -> None:
        self.schedules: list[tuple[PlannedGroup, Schedule]] = [
            (one, collect(description, store))
            for one in planned
            for description in one.descriptions
        ]

    def pairing(
        self, group: PaperGroup, variant: Variant, game: str, names: tuple[str, str], clock: float
    ) -> Pairing | None:
        """The pair of these names in a game."""
        for planned, schedule in self.schedules:
            if planned.group is group and planned.variant == variant:
                assert isinstance(schedule, RingSchedule)
                for one in schedule.pairings:
                    found = (one.game.source.name, (one.first, one.second), one.clock.move)
                    if found == (game, names, clock):
                        return one
        return None

    def alone(self, group: PaperGroup, variant: Variant, game: str, name: str) -> CellText:
        """The mean goal of somebody alone."""
        for planned, schedule in self.schedules:
            if planned.group is group and planned.variant == variant:
                if name in schedule.missing:
                    return CellText(schedule.missing[name])
                rounds = [one for one in schedule.counted() if one[0].game.name == game]
                own = tallies([name], rounds)[name]
                if own.goals:
                    text = f"{with_margin(own.goal, own.goal_margin)} ({len(own.goals)})"
                    return CellText(text, True, own.goal, own.goal_margin)
                problems = [why for what, why in schedule.reasons() if what.startswith(f"{game}@")]
                return CellText(problems[0] if problems else "not played yet")
        return CellText("not planned")


def pair_text(pairing: Pairing | None) -> CellText:
    """The cell of a pair: its score, goals where both do not meet, or why there is neither."""
    if pairing is None:
        return CellText("not planned")
    counted = pairing.counted()
    if not counted:
        return CellText(pairing.problem or "not played yet")
    size = len(counted[0][0].seatings)
    found = pairing.summary(size)
    matches = len(counted) * size
    goals = mean_goals(pairing)
    if goals is not None:
        text = f"goals {goals[0]:.1f} : {goals[1]:.1f} ({matches})"
        return CellText(text, True, found.mean, found.margin)
    text = f"{with_margin(found.mean, found.margin)} ({matches})"
    return CellText(text, True, found.mean, found.margin)
