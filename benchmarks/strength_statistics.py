"""Scores of matches: their mean with an interval, and when enough have been played.

The unit is a *round*: the same opening and the same luck, once with every distribution of the
seats. Its score is the mean of its matches, between 0 and 1, and 1/2 is what equal players get. The
matches of one round hang together, rounds do not, so spread is taken between rounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

NORMAL_95 = 1.96
EQUAL, BETTER = 0.5, 0.55
"""The sequential test: is the score that of equal players, or (about 35 Elo) better than that?"""

ERROR = 0.05
"""How often the sequential test may say the wrong thing, either way."""

COINS = 4
"""Rounds decided by coins whose spread is added to the one that was seen."""

FEWEST_ROUNDS = 10
"""Before so many rounds the spread is not known well enough to stop."""

CLEAR_ROUNDS, CLEAR_MARGIN = 20, 0.05
"""From so many rounds on it is also enough when the whole interval is that far from equality."""

Verdict = Literal["better", "not better", "clearly better", "clearly worse", "limit"]


@dataclass(frozen=True)
class Summary:
    """The mean of the scores of some rounds and half the width of its 95 % interval."""

    rounds: int
    mean: float
    margin: float
    variance: float

    @classmethod
    def of(cls, scores: Sequence[float], size: int) -> Summary:
        """Sum up the scores of rounds of `size` matches.

        The margin is 1.96 standard errors. To the squares of the deviations those of four rounds
        of tossed coins are added, so that a clean sweep is not taken for certainty: the interval
        then holds the truth in 93 to 99 % of all cases, from ten rounds on.
        """
        count = len(scores)
        mean = math.fsum(scores) / count if count else 0.5
        squares = math.fsum((score - mean) ** 2 for score in scores)
        variance = (squares + COINS * 0.25 / size) / (count + COINS)
        margin = NORMAL_95 * math.sqrt(variance / count) if count else 0.5
        return cls(count, mean, margin, variance)

    @property
    def ratio(self) -> float:
        """The logarithm of how much likelier these scores are if the player is better.

        That of the generalised sequential probability ratio test, in the usual approximation: the
        mean is normal, its variance the one that was seen.
        """
        middle = (EQUAL + BETTER) / 2
        return self.rounds * (BETTER - EQUAL) * (self.mean - middle) / self.variance


def verdict(scores: Sequence[float], size: int, max_matches: int) -> Verdict | None:
    """Why a pairing with these rounds of `size` matches is over; None if it is not."""
    if len(scores) * size >= max_matches:
        return "limit"
    if len(scores) < FEWEST_ROUNDS:
        return None
    found = Summary.of(scores, size)
    bound = math.log((1 - ERROR) / ERROR)
    if found.ratio >= bound:
        return "better"
    if found.ratio <= -bound:
        return "not better"
    if found.rounds >= CLEAR_ROUNDS:
        if found.mean - found.margin > EQUAL + CLEAR_MARGIN:
            return "clearly better"
        if found.mean + found.margin < EQUAL - CLEAR_MARGIN:
            return "clearly worse"
    return None
