"""Agon: the rating of the Tiltyard server, of players and of the seats of games.

It is Elo's rating with every seat of every game as one more player: who solves a puzzle has beaten
the puzzle, and two who play are also each playing against their seat. So games for one, for many,
and games with unequal seats can all be rated, and seats get a difficulty. As Tiltyard's database
computed it (Sam Schreiber 2011; ``AgonRank`` and ``EloRank`` of the project ggp-org/ggp-database,
explained at http://www.ggp.org/researchers/analysis_agonRating.html):

* matches count in the order in which they began; those that were broken off, or in which anybody
  made a mistake, do not count;
* for each seat in order: first its player against the seat, with its goal and 100 minus its goal;
  then the player against each of the later seats' players, but only where both goals add up to 100;
* everybody starts at 0, and a result moves both by the score less the expected one,
  1 / (1 + 10^(difference / 400)): the constant is 1, so that ratings grow slowly and without end.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from woodstock.tournament.results import MatchResult

__all__ = ["AgonRating", "agon_intervals", "rate_agon"]

RESAMPLES, MOST_WORK = 100, 400_000
"""How often the bootstrap rates, and how many rounds it looks at in all."""


@dataclass
class AgonRating:
    """Skills of players by name, and difficulties of seats by game and role.

    >>> rating = AgonRating()
    >>> rating.add("nim", ["player1", "player2"], ["good", "bad"], [100, 0])
    >>> rating.skills["good"], rating.difficulties["nim", "player1"]
    (0.9992..., -0.5)
    """

    skills: dict[str, float] = field(default_factory=dict)
    difficulties: dict[tuple[str, str], float] = field(default_factory=dict)

    def add(
        self,
        game: str,
        roles: Sequence[str],
        players: Sequence[str],
        goals: Sequence[float],
        scale: int = 100,
    ) -> None:
        """Note a match; goals are of `scale`."""
        parts = [goal / scale for goal in goals]
        for seat, (player, own) in enumerate(zip(players, parts)):
            self._meet(player, (game, roles[seat]), own)
            for other, theirs in zip(players[seat + 1 :], parts[seat + 1 :]):
                if abs(own + theirs - 1) < 1e-9:
                    self._between(player, other, own)

    def _meet(self, player: str, seat: tuple[str, str], score: float) -> None:
        skill = self.skills.setdefault(player, 0.0)
        difficulty = self.difficulties.setdefault(seat, 0.0)
        change = score - _expected(skill, difficulty)
        self.skills[player] = skill + change
        self.difficulties[seat] = difficulty - change

    def _between(self, player: str, other: str, score: float) -> None:
        own, theirs = self.skills.setdefault(player, 0.0), self.skills.setdefault(other, 0.0)
        change = score - _expected(own, theirs)
        self.skills[player] += change
        self.skills[other] -= change


def rate_agon(matches: Iterable[tuple[str, MatchResult]]) -> AgonRating:
    """The rating after some matches in their order, each with the name of its game."""
    rating = AgonRating()
    for game, match in matches:
        if match.mistakes:
            continue
        roles = [seat.role for seat in match.seats]
        players = [seat.participant for seat in match.seats]
        rating.add(game, roles, players, match.goals, match.scale)
    return rating


def agon_intervals(
    rounds: Sequence[tuple[str, Sequence[MatchResult]]], *, seed: int = 0
) -> dict[str, tuple[float, float]]:
    """The 95 % intervals of skills, by the bootstrap over rounds, which keep their order.

    A rating that never stops growing has no true value: the interval says how much of it is owed
    to which matches there happened to be.
    """
    rng = random.Random(f"agon/{seed}")
    times = max(10, min(RESAMPLES, MOST_WORK // max(1, len(rounds))))
    found: dict[str, list[float]] = {}
    for _ in range(times):
        chosen = sorted(rng.choices(range(len(rounds)), k=len(rounds)))
        drawn = ((rounds[one][0], match) for one in chosen for match in rounds[one][1])
        for name, skill in rate_agon(drawn).skills.items():
            found.setdefault(name, []).append(skill)
    cut = round(0.025 * (times - 1))
    ordered = {name: sorted(skills) for name, skills in found.items()}
    return {name: (skills[cut], skills[-1 - cut]) for name, skills in ordered.items()}


def _expected(own: float, other: float) -> float:
    return 1.0 / (1.0 + math.pow(10.0, (other - own) / 400.0))
