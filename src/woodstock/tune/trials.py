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
LEAD = 2
"""How much likelier a change must be worthwhile when time is up before the test is."""
MOST_ROUNDS = 60
"""Rounds after which a change that is still undecided is left."""
EAGERNESS, HOPED = 0.25, 3
"""How much more than its mean a change promises after one round, and the rounds that what was hoped
for counts as. Chosen in a simulation of ten to 24 rounds with changes of all kinds: what is worth
much is found more often than by one trial after the other."""


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
    hope: float = 0.5
    """What it was expected to score."""

    @property
    def summary(self) -> Summary:
        """The scores so far."""
        return Summary.of(self.scores)

    @property
    def evidence(self) -> float:
        """The logarithm of how much likelier it is worthwhile than worth nothing."""
        return WORTHWHILE.evidence(self.summary)

    @property
    def promise(self) -> float:
        """What it may score, at best (an upper confidence bound, as in UCB1).

        >>> tries = ([0.0], [], [1.0])
        >>> [round(Trial(USUAL, scores).promise, 2) for scores in tries]
        [0.5, 0.64, 0.75]
        """
        rounds = len(self.scores) + HOPED
        mean = (math.fsum(self.scores) + HOPED * self.hope) / rounds
        return mean + EAGERNESS / math.sqrt(rounds)

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
