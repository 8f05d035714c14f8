"""The belief of the paper on hidden information, beside the exact one.

Koriche, Lagrue, Piette and Tabary (IJCAI 2016, section 2.2) define the belief of a player after a
turn as a product over all fluents: P(f) = 1 if the player perceives f, and 1/2 otherwise. So every
fluent that is not perceived is the toss of a coin of its own. Of that only `mac-ucb-ii-paper` makes
use; it is here to be compared.

In hidden matching pennies chance lays two coins and alice perceives the first. She knows that one
of two states has come about:

>>> game = Game.from_library("hidden-matching-pennies")
>>> history = ObservationHistory(game, "alice", seed=1)
>>> history.record("noop", ["(coins heads)"])
>>> both = paper_belief(history)
>>> for state in sorted(both.states, key=lambda state: sorted(map(str, state.fluents))):
...     paper, exact = both.states[state]
...     print(*sorted(map(str, state.fluents)), paper, exact)
(coin unset) (coins heads heads) (control alice) 1/1024 0.5
(coin unset) (coins heads tails) (control alice) 1/1024 0.5

The product gives almost everything to states that cannot be: no coins at all, or several pairs of
them at once, are as likely as what may be, and so are coins that alice would have seen.

>>> pairs = [fluent for fluent in both.product.open if fluent[0] == "coins"]
>>> print(both.elsewhere, both.product.chance([]), both.product.chance(pairs))
511/512 1/1024 1/1024
>>> print(both.product.fluent(game.term("(coins tails tails)")))
1/2

What she perceives, ``(coins heads)``, is part of a fluent and no fluent itself, so by the letter it
makes nothing certain. To take all fluents that it is a part of for perceived would be worse: two
pairs would be certain at a time. The paper's figure 2 has a better table, in which the halves are
those of the values of one variable given the percept; `woodstock.scsp.encode.observed` works that
one out from the rules.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from woodstock.belief.belief import Belief
from woodstock.belief.observation_history import ObservationHistory
from woodstock.game import Game, State
from woodstock.gdl.terms import Term

__all__ = ["PaperBelief", "ProductOfHalves", "paper_belief", "product_of_halves"]

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class ProductOfHalves:
    """A distribution over sets of fluents: some are certain, all others are open, 1/2 each.

    >>> coins = ProductOfHalves(frozenset({"control"}), frozenset({"heads", "tails"}))
    >>> coins.chance(["control", "heads"]), coins.chance(["heads"])
    (Fraction(1, 4), Fraction(0, 1))
    """

    certain: frozenset[Term]
    open: frozenset[Term]

    def fluent(self, fluent: Term) -> Fraction:
        """How likely a fluent is."""
        if fluent in self.certain:
            return Fraction(1)
        return HALF if fluent in self.open else Fraction(0)

    def chance(self, fluents: Iterable[Term]) -> Fraction:
        """How likely it is that exactly these fluents hold."""
        held = frozenset(fluents)
        if not self.certain <= held <= self.certain | self.open:
            return Fraction(0)
        return HALF ** len(self.open)


def product_of_halves(game: Game, percepts: Collection[Term]) -> ProductOfHalves:
    """The paper's belief of who perceives this, over all fluents of the ground rules.

    Percepts that are no fluents make nothing certain. `GroundingError` where the rules cannot be
    grounded.

    >>> game = Game.from_library("monty-hall")
    >>> belief = product_of_halves(game, [game.term("(open 3)")])
    >>> print(*belief.certain, len(belief.open))
    (open 3) 12
    """
    # The native core is only loaded when it is wanted.
    from woodstock.scsp.encode.ground_rules import grounding_of

    fluents = frozenset(grounding_of(game).fluents)
    certain = fluents.intersection(percepts)
    return ProductOfHalves(certain, fluents - certain)


@dataclass(frozen=True)
class PaperBelief:
    """The paper's belief of a role, and the one by all that it knows."""

    product: ProductOfHalves
    exact: Belief

    @cached_property
    def states(self) -> Mapping[State, tuple[Fraction, float]]:
        """For each state that may be: how likely by the paper, and how likely it is."""
        return {
            state: (self.product.chance(state.fluents), chance)
            for state, chance in self.exact.chances.items()
        }

    @property
    def elsewhere(self) -> Fraction:
        """What the product gives to states that cannot be."""
        return 1 - sum((paper for paper, _ in self.states.values()), Fraction(0))


def paper_belief(history: ObservationHistory, until: float = math.inf) -> PaperBelief:
    """Both beliefs of a role after the last turn of what it saw.

    The paper's looks at the percepts of that turn alone; before the first, nothing is perceived.
    """
    percepts = history.observations[-1].percepts if history.observations else None
    return PaperBelief(product_of_halves(history.game, percepts or ()), history.belief(until))
