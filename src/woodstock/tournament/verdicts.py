"""When a pair of the ring has been played long enough, and in which pairs of matches.

The score is that of `woodstock.tune.statistics`, the test that of `woodstock.tune.sequential`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from woodstock.tune import SequentialTest, Summary

__all__ = ["Verdict", "pentanomial", "verdict"]

TEST = SequentialTest(better=0.55, missed=0.05, mistaken=0.05)
"""Is the score that of equal players, or (about 35 Elo) better than that?"""

FEWEST_ROUNDS = 10
"""Before so many rounds the spread is not known well enough to stop."""

CLEAR_ROUNDS, CLEAR_MARGIN = 20, 0.05
"""From so many rounds on it is also enough when the whole interval is that far from equality."""

Verdict = Literal["better", "not better", "clearly better", "clearly worse", "limit"]


def verdict(scores: Sequence[float], size: int, max_matches: int) -> Verdict | None:
    """Why a pair with these rounds of `size` matches is over; None if it is not.

    >>> verdict([1.0] * 12, 2, 200), verdict([0.5, 1.0] * 3, 2, 200), verdict([0.5] * 4, 2, 8)
    ('better', None, 'limit')
    """
    if len(scores) * size >= max_matches:
        return "limit"
    if len(scores) < FEWEST_ROUNDS:
        return None
    found = Summary.of(scores, size)
    decided = TEST.decide(found)
    if decided is not None:
        return "better" if decided else "not better"
    if found.rounds >= CLEAR_ROUNDS:
        if found.mean - found.margin > TEST.equal + CLEAR_MARGIN:
            return "clearly better"
        if found.mean + found.margin < TEST.equal - CLEAR_MARGIN:
            return "clearly worse"
    return None


def pentanomial(scores: Sequence[float]) -> tuple[int, int, int, int, int]:
    """How many pairs of matches with swapped seats were worth 0, 1/4, 1/2, 3/4 and 1 each.

    >>> pentanomial([1.0, 0.5, 0.5, 0.75])
    (0, 0, 2, 1, 1)
    """
    counts = [0] * 5
    for score in scores:
        counts[round(4 * score)] += 1
    return counts[0], counts[1], counts[2], counts[3], counts[4]
