"""Bradley and Terry's model, in Elo: the ratings under which the results are likeliest.

The chance of one against another is 1 / (1 + 10^(-difference / 400)), a draw is half a win. In
matches of more than two, everybody is compared with everybody else of them; who plays alone, or in
a team that shares its goal, is compared with nobody. Intervals come from the bootstrap over rounds:
matches of one round hang together, rounds do not.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from woodstock.tournament.results import MatchResult

__all__ = ["Rated", "comparisons", "elo_of_score", "rate_elo"]

ELO = 400 / math.log(10)
PRIOR = 1.0
"""So many draws against an average player are added for everybody, so that a clean sweep, or two
circles that never met, do not lead to infinite ratings."""
RESAMPLES = 200
STEPS, ENOUGH = 50, 1e-9

Comparisons = Mapping[tuple[int, int], float]
"""How much of a point one took from another."""


class Rated(NamedTuple):
    """A rating with its 95 % interval; the mean of all is 0."""

    name: str
    elo: float
    low: float
    high: float
    games: int


def elo_of_score(score: float) -> float:
    """The difference in Elo that a score between 0 and 1 stands for.

    >>> round(elo_of_score(0.75)), elo_of_score(0.5), elo_of_score(1.0)
    (191, 0.0, inf)
    """
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return ELO * math.log(score / (1 - score))


def comparisons(match: MatchResult) -> list[tuple[str, str, float]]:
    """Who took how much of a point from whom in a match."""
    seats = [(seat.participant, seat.goal) for seat in match.seats]
    return [
        (one, other, 1.0 if goal > theirs else 0.5 if goal == theirs else 0.0)
        for number, (one, goal) in enumerate(seats)
        for other, theirs in seats[number + 1 :]
        if one != other
    ]


def rate_elo(
    rounds: Iterable[Sequence[MatchResult]], *, seed: int = 0, resamples: int = RESAMPLES
) -> list[Rated]:
    """The ratings of all who met somebody, best first; each round is the matches of it.

    >>> from woodstock.tournament.results import SeatResult
    >>> def match(one, other, goal):
    ...     seats = (SeatResult("x", one, goal), SeatResult("o", other, 100 - goal))
    ...     return [MatchResult(0, seats)]
    >>> rated = rate_elo([match("a", "b", goal) for goal in [100, 100, 100, 0] * 25])
    >>> [(one.name, round(one.elo), one.games) for one in rated]
    [('a', 95, 100), ('b', -95, 100)]
    """
    told = [[part for match in one for part in comparisons(match)] for one in rounds]
    told = [one for one in told if one]
    names = sorted({name for one in told for part in one for name in part[:2]})
    number = {name: place for place, name in enumerate(names)}
    sums = [_sum(number, one) for one in told]
    games = [0.0] * len(names)
    for one in sums:
        for (winner, loser), points in one.items():
            games[winner] += points
            games[loser] += points
    found = _likeliest(_total(sums), len(names))
    rng = random.Random(f"bootstrap/{seed}")
    many = [
        _likeliest(_total(rng.choices(sums, k=len(sums))), len(names)) for _ in range(resamples)
    ]
    rated = []
    for place, name in enumerate(names):
        low, high = _middle([one[place] for one in many], found[place])
        rated.append(Rated(name, found[place], low, high, round(games[place])))
    return sorted(rated, key=lambda one: (-one.elo, one.name))


def _sum(
    number: Mapping[str, int], parts: Iterable[tuple[str, str, float]]
) -> dict[tuple[int, int], float]:
    found: dict[tuple[int, int], float] = {}
    for one, other, score in parts:
        for pair, points in (
            ((number[one], number[other]), score),
            ((number[other], number[one]), 1 - score),
        ):
            if points:
                found[pair] = found.get(pair, 0.0) + points
    return found


def _total(sums: Iterable[Comparisons]) -> dict[tuple[int, int], float]:
    found: dict[tuple[int, int], float] = {}
    for one in sums:
        for pair, points in one.items():
            found[pair] = found.get(pair, 0.0) + points
    return found


def _likeliest(points: Comparisons, count: int) -> list[float]:
    """The maximum of the likelihood by Newton's method, in Elo, the mean 0.

    The logarithm of the likelihood is concave, and strictly so with the draws that are added.
    """
    ratings = [0.0] * count
    for _ in range(STEPS):
        slope = [PRIOR / 2 - PRIOR * _logistic(rating) for rating in ratings]
        bend = [[0.0] * count for _ in range(count)]
        for place, rating in enumerate(ratings):
            bend[place][place] = PRIOR * _logistic(rating) * _logistic(-rating)
        for (one, other), won in points.items():
            chance = _logistic(ratings[one] - ratings[other])
            slope[one] += won * (1 - chance)
            slope[other] -= won * (1 - chance)
            weight = won * chance * (1 - chance)
            bend[one][one] += weight
            bend[other][other] += weight
            bend[one][other] -= weight
            bend[other][one] -= weight
        step = _solve(bend, slope)
        largest = max(map(abs, step), default=0.0)
        # Far from the maximum Newton's steps are too long.
        short = min(1.0, 2.0 / largest) if largest else 1.0
        ratings = [rating + short * change for rating, change in zip(ratings, step)]
        if largest < ENOUGH:
            break
    mean = math.fsum(ratings) / count if count else 0.0
    return [ELO * (rating - mean) for rating in ratings]


def _solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """The solution of a symmetric, positive definite system (Gauss, without pivots)."""
    rows = [[*row, value] for row, value in zip(matrix, right)]
    count = len(rows)
    for place in range(count):
        pivot = rows[place][place] or 1e-12
        for below in range(place + 1, count):
            factor = rows[below][place] / pivot
            if factor:
                for column in range(place, count + 1):
                    rows[below][column] -= factor * rows[place][column]
    found = [0.0] * count
    for place in reversed(range(count)):
        known = math.fsum(rows[place][column] * found[column] for column in range(place + 1, count))
        found[place] = (rows[place][count] - known) / (rows[place][place] or 1e-12)
    return found


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-value)) if value > -700 else 0.0


def _middle(values: list[float], alone: float) -> tuple[float, float]:
    """What 95 % of the values lie between."""
    if not values:
        return alone, alone
    ordered = sorted(values)
    cut = round(0.025 * (len(ordered) - 1))
    return ordered[cut], ordered[-1 - cut]
