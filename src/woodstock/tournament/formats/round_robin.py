"""Round robin: everybody with everybody, at tables of as many as a game has roles."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from woodstock.tournament.formats.contract import ListedSchedule
from woodstock.tournament.rounds import Round, rotations

__all__ = ["RoundRobinSchedule"]


class RoundRobinSchedule(ListedSchedule):
    """Every game, every table, every round; in a round everybody sits once in every seat.

    Where fewer take part than a game has roles, some sit in two seats. Who shares a goal with all
    others plays all seats alone.
    """

    def _all(self) -> Iterator[Round]:
        description = self.description
        present = [description.participant(name) for name in self.present()]
        for number in range(description.round_robin.rounds):
            for game in description.games:
                facts = self.facts(game)
                seats = facts.seats
                for clock in description.clocks:
                    size = 1 if facts.shared else min(seats, len(present))
                    turns = rotations(seats)[: 1 if facts.shared else seats]
                    seatings = tuple(tuple(who % size for who in one) for one in turns)
                    for table in itertools.combinations(present, size):
                        yield Round(
                            game=game.source,
                            participants=table,
                            seatings=seatings,
                            clock=clock,
                            opening=self.opening(game, clock),
                            number=number,
                            seed=description.seed,
                        )
