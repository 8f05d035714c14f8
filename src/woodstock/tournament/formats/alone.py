"""Success alone: how often everybody reaches its goal, with nobody else at the table."""

from __future__ import annotations

from collections.abc import Iterator

from woodstock.tournament.formats.contract import ListedSchedule
from woodstock.tournament.reading import DescriptionError
from woodstock.tournament.report.blocks import (
    Block,
    Heading,
    ReportTable,
    interval,
    percent,
    with_margin,
)
from woodstock.tournament.rounds import Round
from woodstock.tournament.standings import tallies

__all__ = ["AloneSchedule"]


class AloneSchedule(ListedSchedule):
    """Every participant in every game, so many times; in games of a team it has all seats."""

    def _all(self) -> Iterator[Round]:
        description = self.description
        for game in description.games:
            facts = self.facts(game)
            if not facts.shared:
                raise DescriptionError(
                    f"{game.source.name} has players who want different things: nobody can play it "
                    "alone; take it out, or choose another format"
                )
            for clock in description.clocks:
                for number in range(game.matches or description.alone.matches):
                    for name in self.present():
                        yield Round(
                            game=game.source,
                            participants=(description.participant(name),),
                            seatings=((0,) * facts.seats,),
                            clock=clock,
                            opening=game.opening or 0,
                            number=number,
                            seed=description.seed,
                        )

    def blocks(self) -> list[Block]:
        """Mean goals, and how often the best goal was reached, game by game."""
        names = [one.name for one in self.description.participants]
        rounds = list(self.counted())
        rows = []
        for game in self.description.games:
            for clock in self.description.clocks:
                here = [
                    one for one in rounds if (one[0].game, one[0].clock) == (game.source, clock)
                ]
                for one in tallies(names, here).values():
                    if one.goals:
                        rows.append(
                            (game.source.name, str(clock), one.name, str(len(one.goals)),
                             with_margin(one.goal, one.goal_margin), percent(one.full),
                             interval(one.full_interval))
                        )  # fmt: skip
        head = ("game", "clock", "participant", "seats", "goal %", "full goal %", "95 %")
        return [Heading("Success", 3), ReportTable(head, tuple(rows), words=3)] if rows else []
