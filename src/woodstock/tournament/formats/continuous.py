"""The continuous ring: random games, clocks and opponents, as on the Tiltyard server."""

from __future__ import annotations

import random
from collections.abc import Iterator

from woodstock.tournament.formats.contract import ListedSchedule
from woodstock.tournament.rounds import Round

__all__ = ["ContinuousSchedule"]


class ContinuousSchedule(ListedSchedule):
    """One match after the other, each drawn by its number and the seed alone.

    A game is drawn by the weights of games, a clock evenly. Seats go to those who have played least
    so far, so that all play about as much; among equals they are drawn.
    """

    def _all(self) -> Iterator[Round]:
        description = self.description
        present = [description.participant(name) for name in self.present()]
        played = {one.name: 0 for one in present}
        weights = [game.weight for game in description.games]
        for number in range(description.continuous.matches if present else 0):
            rng = random.Random(f"continuous/{description.seed}/{number}")
            game = rng.choices(description.games, weights)[0]
            clock = rng.choice(description.clocks)
            facts = self.facts(game)
            size = 1 if facts.shared else min(facts.seats, len(present))
            order = sorted(present, key=lambda one: (played[one.name], rng.random()))
            table = order[:size]
            for one in table:
                played[one.name] += 1
            rng.shuffle(table)
            yield Round(
                game=game.source,
                participants=tuple(table),
                seatings=(tuple(seat % size for seat in range(facts.seats)),),
                clock=clock,
                opening=self.opening(game, clock),
                number=number,
                seed=description.seed,
            )

    @property
    def expected(self) -> int | None:
        """What the description says; an hour's worth is not known beforehand."""
        matches = self.description.continuous.matches
        return matches if matches < 1_000_000 else None
