"""The sequential test: when enough has been played to say that something is better.

Wald's sequential probability ratio test (SPRT) in its generalised form, in the usual approximation:
the mean score is normal, and its variance is the one that was seen.

>>> test = SequentialTest(better=0.65, missed=0.15, mistaken=0.02)
>>> test.decide(Summary.of([1.0] * 12)), test.decide(Summary.of([0.5, 1.0, 0.0]))
(True, None)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from woodstock.tune.statistics import Summary

__all__ = ["SequentialTest"]


@dataclass(frozen=True)
class SequentialTest:
    """Tests whether a score is `equal`, or as good as `better`.

    `missed` is how often something that good may be taken for equal, `mistaken` how often something
    equal may be taken for that good.
    """

    better: float
    missed: float
    mistaken: float
    equal: float = 0.5

    def evidence(self, scores: Summary) -> float:
        """The logarithm of how much likelier the scores are if it is that good."""
        middle = (self.equal + self.better) / 2
        return scores.rounds * (self.better - self.equal) * (scores.mean - middle) / scores.variance

    def decide(self, scores: Summary) -> bool | None:
        """Whether it is better; None while nobody can say."""
        evidence = self.evidence(scores)
        if evidence >= math.log((1 - self.missed) / self.mistaken):
            return True
        return False if evidence <= math.log(self.missed / (1 - self.mistaken)) else None
