"""Normalised Elo: how clear a difference is, whatever the share of draws.

Elo says how many points one takes from another; where most matches are drawn, a small score may
still be a sure one. Normalised Elo divides by the spread of a match instead (Michel Van den Bergh,
as in fishtest and fastchess): 800 / ln 10 times (score - 1/2) / standard deviation. In pairs with
swapped seats the spread is taken between pairs (the pentanomial model), and that of a match is the
square root of two times as large.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from woodstock.tune import NORMAL_95

__all__ = ["normalised_elo"]

SCALE = 800 / math.log(10)


def normalised_elo(scores: Sequence[float], size: int = 2) -> tuple[float, float]:
    """Normalised Elo of the scores of rounds of `size` matches, and half its 95 % interval.

    >>> found, margin = normalised_elo([0.75] * 40 + [0.5] * 40 + [0.25] * 20)
    >>> round(found, 1), round(margin, 1)
    (65.7, 48.2)
    >>> normalised_elo([0.5])
    (nan, nan)
    """
    count = len(scores)
    mean = math.fsum(scores) / count if count else math.nan
    variance = math.fsum((score - mean) ** 2 for score in scores) / count if count else 0.0
    if count < 2 or variance == 0:
        return math.nan, math.nan
    spread = math.sqrt(size * variance)
    margin = NORMAL_95 * math.sqrt(variance / count)
    return SCALE * (mean - 0.5) / spread, SCALE * margin / spread
