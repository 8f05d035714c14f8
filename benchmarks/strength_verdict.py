"""When a pairing of the ring has been played long enough.

The score is that of `woodstock.tune.statistics`, the test that of `woodstock.tune.sequential`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from woodstock.tune import SequentialTest, Summary

TEST = SequentialTest(better=0.55, missed=0.05, mistaken=0.05)
"""Is the score that of equal players, or (about 35 Elo) better than that?"""

FEWEST_ROUNDS = 10
"""Before so many rounds the spread is not known well enough to stop."""

CLEAR_ROUNDS, CLEAR_MARGIN = 20, 0.05
"""From so many rounds on it is also enough when the whole interval is that far from equality."""

Verdict = Literal["better", "not better", "clearly better", "clearly worse", "limit"]


def verdict(scores: Sequence[float], size: int, max_matches: int) -> Verdict | None:
    """Why a pairing with these rounds of `size` matches is over; None if it is not."""
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
