"""Success alone: how often everybody reaches its goal, with nobody else at the table."""

from __future__ import annotations

from collections.abc import Iterator

from woodstock.tournament.formats.contract import ListedSchedule
from woodstock.tournament.reading import DescriptionError
from woodstock.tournament.rounds import Round

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
