"""How far a mean of samples can be trusted."""

from __future__ import annotations

import math

__all__ = ["NORMAL_95", "wilson"]

NORMAL_95 = 1.959964
"""Between minus and plus so many standard deviations lie 95 % of a normal distribution."""


def wilson(mean: float, count: int) -> tuple[float, float]:
    """The 95 % interval of a mean of `count` results between 0 and 1 (Wilson's score interval).

    For wins and losses it is Wilson's interval of a proportion. Draws count as halves; the results
    then vary less than the formula takes them to, and the interval is rather too wide.

    >>> [round(bound, 3) for bound in wilson(0.5, 100)]
    [0.404, 0.596]
    >>> [round(bound, 3) for bound in wilson(1.0, 10)]
    [0.722, 1.0]
    >>> wilson(0.5, 0)
    (nan, nan)
    """
    if count == 0 or math.isnan(mean):
        return math.nan, math.nan
    square = NORMAL_95**2
    middle = (mean + square / (2 * count)) / (1 + square / count)
    spread = math.sqrt(mean * (1 - mean) / count + square / (4 * count**2))
    half = NORMAL_95 * spread / (1 + square / count)
    return max(0.0, middle - half), min(1.0, middle + half)
