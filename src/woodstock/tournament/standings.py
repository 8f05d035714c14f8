"""Standings: what everybody has got out of the rounds that count."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from woodstock.tournament.ratings.bradley_terry import comparisons
from woodstock.tournament.results import MatchResult, RoundResult
from woodstock.tournament.rounds import Round
from woodstock.tune import NORMAL_95, wilson

__all__ = ["CrossTable", "SeatTally", "tallies"]


@dataclass
class SeatTally:
    """One participant's results.

    Wins, draws and losses are of matches against others: a win is more than everybody else has, a
    draw as much as the best of them.
    """

    name: str
    matches: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    goals: list[float] = field(default_factory=list)
    late: int = 0
    illegal: int = 0
    failed: int = 0
    starved: int = 0
    thoughts: int = 0
    simulations: int = 0
    cpu: float = 0.0
    wall: float = 0.0

    @property
    def rated(self) -> int:
        """Matches against others."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Wins and half of the draws, of all matches against others; nan of none."""
        return (self.wins + self.draws / 2) / self.rated if self.rated else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the score."""
        return wilson(self.score, self.rated)

    @property
    def goal(self) -> float:
        """The mean goal, in parts of the best possible one; nan of none."""
        return math.fsum(self.goals) / len(self.goals) if self.goals else math.nan

    @property
    def goal_margin(self) -> float:
        """Half of the 95 % interval of the mean goal."""
        count = len(self.goals)
        if count < 2:
            return math.nan
        mean = self.goal
        squares = math.fsum((goal - mean) ** 2 for goal in self.goals)
        return NORMAL_95 * math.sqrt(squares / (count - 1) / count)

    @property
    def full(self) -> float:
        """The share of matches with the best goal there is."""
        return sum(goal >= 1 for goal in self.goals) / len(self.goals) if self.goals else math.nan

    @property
    def full_interval(self) -> tuple[float, float]:
        """Its 95 % interval."""
        return wilson(self.full, len(self.goals))

    @property
    def mistakes(self) -> int:
        """Answers that did not count."""
        return self.late + self.illegal + self.failed

    def add(self, match: MatchResult) -> None:
        """Note a match, for each seat that it sat in."""
        self.matches += 1
        names = {seat.participant for seat in match.seats}
        for seat in match.seats:
            if seat.participant != self.name:
                continue
            self.goals.append(seat.goal / match.scale)
            self.late += seat.late
            self.illegal += seat.illegal
            self.failed += seat.failed
            self.starved += seat.starved
            self.thoughts += seat.thoughts
            self.simulations += seat.simulations
            self.cpu += 0.0 if math.isnan(seat.cpu) else seat.cpu
            self.wall += seat.wall
        if len(names) > 1:
            own = [seat.goal for seat in match.seats if seat.participant == self.name]
            best = max(seat.goal for seat in match.seats if seat.participant != self.name)
            mine = max(own)
            self.wins += mine > best
            self.draws += mine == best
            self.losses += mine < best


def tallies(
    names: Sequence[str], rounds: Iterable[tuple[Round, RoundResult]]
) -> dict[str, SeatTally]:
    """The results of all participants, by name."""
    found = {name: SeatTally(name) for name in names}
    for _, result in rounds:
        for match in result.matches:
            for name in {seat.participant for seat in match.seats}:
                if name in found:
                    found[name].add(match)
    return found


class CrossTable:
    """What everybody took from everybody else: points and comparisons.

    >>> table = CrossTable()
    >>> table.points, table.games
    ({}, {})
    """

    def __init__(self, matches: Iterable[MatchResult] = ()) -> None:
        self.points: dict[tuple[str, str], float] = {}
        self.games: dict[tuple[str, str], int] = {}
        for match in matches:
            for one, other, score in comparisons(match):
                self._add(one, other, score)
                self._add(other, one, 1 - score)

    def _add(self, one: str, other: str, score: float) -> None:
        self.points[one, other] = self.points.get((one, other), 0.0) + score
        self.games[one, other] = self.games.get((one, other), 0) + 1

    def score(self, one: str, other: str) -> float:
        """The share that one took from another; nan where they never met."""
        games = self.games.get((one, other), 0)
        return self.points[one, other] / games if games else math.nan
