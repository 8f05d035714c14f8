"""Trials: a change of style, how it does, and when that is enough to say."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from woodstock.search.styles import USUAL, Style
from woodstock.tune.sequential import SequentialTest
from woodstock.tune.statistics import Summary

__all__ = ["MOST_ROUNDS", "Trial"]

WORTHWHILE = SequentialTest(better=0.65, missed=0.15, mistaken=0.02)
"""A change that scores so much should not be missed often, one that is worth nothing hardly ever
be taken."""
LEAD = 3
"""How much likelier a change must be worthwhile when time is up before the test is."""
FIRST_ROUNDS, MOST_ROUNDS = 8, 60
"""Rounds after which a change that does not promise much has to wait, and is left."""


@dataclass
class Trial:
    """A change, and how it does: scores of rounds between 0 and 1.

    >>> Trial(Style("woodstock", {"exploration": 0.8}), [1.0] * 12).verdict
    True
    >>> Trial(Style("woodstock", {"exploration": 0.8}), [0.5, 1.0, 0.0]).verdict is None
    True
    """

    change: Style
    scores: list[float] = field(default_factory=list)
    base: Style = USUAL
    """What the change is tried on top of, and against."""

    @property
    def summary(self) -> Summary:
        """The scores so far."""
        return Summary.of(self.scores)

    @property
    def evidence(self) -> float:
        """The logarithm of how much likelier it is worthwhile than worth nothing."""
        return WORTHWHILE.evidence(self.summary)

    @property
    def drags(self) -> bool:
        """Whether something else should be tried first: so far this one promises too little."""
        return len(self.scores) >= FIRST_ROUNDS and self.evidence <= 0

    @property
    def verdict(self) -> bool | None:
        """Whether the change is taken; None while nobody can say."""
        decided = WORTHWHILE.decide(self.summary)
        return False if decided is None and len(self.scores) >= MOST_ROUNDS else decided

    @property
    def leads(self) -> bool:
        """Whether it would be taken if there were no more time."""
        leads = self.evidence >= math.log(LEAD)
        return self.verdict or (self.verdict is None and leads)

    def __str__(self) -> str:
        kept = {True: ", taken", False: ", left", None: ""}[self.verdict]
        score = f"{100 * self.summary.mean:.0f} % in {len(self.scores)} rounds"
        return f"{self.change} scored {score}{kept}"
