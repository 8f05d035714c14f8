"""A match between two sides: what it depends on, and who sits where in it.

Rounds, seats, openings and scores are those of tournaments (`woodstock.tournament`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from woodstock import Game
from woodstock.tournament.facts import GameFacts
from woodstock.tournament.rounds import Seating, pair_seatings
from woodstock.tune import shares_goal

OPENING_TRIES = 1000


@dataclass(frozen=True)
class Match:
    """What a match depends on. `first` is the player whose score is kept, `second` the other."""

    game: str
    first: str
    second: str
    cpu: float
    opening: int
    round: int
    seating: int

    @property
    def id(self) -> str:
        """A name that no other match has, under which its result is kept."""
        setting = f"cpu={self.cpu:g}|opening={self.opening}"
        place = f"round={self.round}|seating={self.seating}"
        return f"{self.game}|{self.first}|{self.second}|{setting}|{place}"


@lru_cache(maxsize=2)
def load(name: str) -> Game:
    """A game of the library, or of a file; the last ones are kept."""
    return Game.load(name)


def facts(game: Game) -> GameFacts:
    """What a game that is loaded is like."""
    return GameFacts(game.players, game.has_chance, shares_goal(game))


def default_opening(game: Game) -> int:
    """Random moves to begin with: none where luck already makes matches differ, or one plays."""
    return facts(game).opening


def seatings(game: Game) -> tuple[Seating, ...]:
    """The distributions of the seats in a round: 0 is the first player, 1 the second."""
    return pair_seatings(facts(game))
