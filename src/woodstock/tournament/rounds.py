"""Rounds: one opening and one series of luck, played once with every distribution of the seats.

A round is what is handed out to be played, and its id says all that it depends on.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property

from woodstock.tournament.clocks import MoveClock
from woodstock.tournament.facts import GameFacts, GameSource
from woodstock.tournament.participants import Participant

__all__ = ["Round", "Seating", "pair_seatings", "rotations"]

Seating = tuple[int, ...]
"""For each seat, in the order of the roles, the number of the participant who sits there."""


@dataclass(frozen=True)
class Round:
    """Some matches that differ in nothing but who sits where.

    `stage` names the part of the tournament it belongs to, where there are several.

    >>> nim = GameSource("nim", "d1")
    >>> both = (Participant.of("uct"), Participant.of("random"))
    >>> one = Round(nim, both, ((0, 1), (1, 0)), MoveClock("cpu", 0.05), opening=2, number=7)
    >>> one.id
    'nim@d1|uct|random|01/10|cpu=0.05+0|opening=2|seed=0|round=7'
    >>> one.match_id(1)
    'nim@d1|uct|random|01/10|cpu=0.05+0|opening=2|seed=0|round=7|match=1'
    """

    game: GameSource
    participants: tuple[Participant, ...]
    seatings: tuple[Seating, ...]
    clock: MoveClock
    opening: int = 0
    number: int = 0
    seed: int = 0
    stage: str = ""

    @cached_property
    def id(self) -> str:
        """What no other round has."""
        seats = "/".join("".join(_digit(who) for who in seating) for seating in self.seatings)
        parts = [self.game.key, *(one.key for one in self.participants), seats, self.clock.key]
        parts += [f"opening={self.opening}", f"seed={self.seed}", f"round={self.number}"]
        if self.stage:
            parts.append(f"stage={self.stage}")
        return "|".join(parts)

    def match_id(self, number: int) -> str:
        """What no other match has."""
        return f"{self.id}|match={number}"

    def luck(self) -> random.Random:
        """The luck of all matches of the round, which everybody shares."""
        return random.Random(f"luck/{self.seed}/{self.game.name}/{self.number}/{self.stage}")

    def beginning(self) -> random.Random:
        """What draws the opening."""
        where = f"{self.game.name}/{self.opening}/{self.number}/{self.stage}"
        return random.Random(f"opening/{self.seed}/{where}")

    def seeds(self, number: int) -> random.Random:
        """What the seeds of the players of a match come from."""
        return random.Random(f"seeds/{self.match_id(number)}")


def _digit(who: int) -> str:
    return str(who) if who < 10 else f"({who})"


def pair_seatings(facts: GameFacts) -> tuple[Seating, ...]:
    """The distributions of the seats between two: 0 is the first of them, 1 the second.

    Where the goal is shared, or one plays alone, each plays for itself. Two players change places.
    Among three and more, everybody is once in every seat alone against the other.

    >>> pair_seatings(GameFacts(("x", "o"), False, False))
    ((0, 1), (1, 0))
    >>> len(pair_seatings(GameFacts(("a", "b", "c"), False, False)))
    6
    """
    count = facts.seats
    if facts.shared:
        return (0,) * count, (1,) * count
    alone = [tuple(int(seat != one) for seat in range(count)) for one in range(count)]
    if count == 2:
        return tuple(alone)
    return (*alone, *(tuple(1 - who for who in seats) for seats in alone))


def rotations(count: int) -> tuple[Seating, ...]:
    """Everybody once in every seat, moving on together.

    >>> rotations(3)
    ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    """
    return tuple(tuple((seat + k) % count for seat in range(count)) for k in range(count))
