"""Forward checking along V: what constraints leave to the variables that have no value yet.

Each value filters the domain of the variable that a constraint leaves last without one. A decision
variable without values ends a branch; the probability of what a stochastic variable has lost bounds
the satisfaction that any policy can still reach.
"""

from __future__ import annotations

from fractions import Fraction

from woodstock.scsp.constraints import Hard, Probability, Value
from woodstock.scsp.network import Network
from woodstock.scsp.order import Order, Placed

__all__ = ["ForwardChecking"]


class ForwardChecking:
    """The values so far, in the order V, and the domains that are left.

    `strict`: a hard constraint on stochastic variables has to hold on every path, as in networks
    with soft constraints. Otherwise it is a chance constraint, and what counts is the probability
    that all of them hold. `possible` tells whether the constraints on one variable can hold.

    >>> from woodstock.scsp import Hard, Network, Probability, Variable
    >>> x, y = Variable("x", range(3)), Variable("y", range(3), stochastic=True)
    >>> less = Hard.where([x, y], lambda a, b: a < b)
    >>> search = ForwardChecking(Network([x, y], [less], [Probability.uniform(y)]), strict=False)
    >>> search.assign(0, 1), search.live[1], search.bound(0)
    (True, (2,), Fraction(1, 3))
    """

    def __init__(self, network: Network, strict: bool) -> None:
        self.order = Order(network)
        self.strict = strict
        self.variables = network.variables
        self.values: list[Value] = []
        self.live = [variable.domain for variable in network.variables]
        self.trail: list[tuple[int, tuple[Value, ...]]] = []
        self._filters: list[list[tuple[Placed[Hard], int]]] = [[] for _ in self.variables]
        self.possible = self._prepare()

    def assign(self, place: int, value: Value) -> bool:
        """Give the variable, the next of V, its value; `False` where a decision has none left."""
        self.values.append(value)
        return all(self._filter(found, last) for found, last in self._filters[place])

    def undo(self, place: int, mark: int) -> None:
        """Take back the values from `place` on; `mark` is the length `trail` had before."""
        del self.values[place:]
        while len(self.trail) > mark:
            last, domain = self.trail.pop()
            self.live[last] = domain

    def bound(self, place: int) -> Fraction:
        """The satisfaction that is left at most, with values up to `place`; strict: 1 or 0."""
        bound = Fraction(1)
        for later, given in self.order.given.items():
            if later > place and len(self.live[later]) < len(self.variables[later].domain):
                lost = self._lost(later, given.places, place)
                if self.strict and lost:
                    return Fraction(0)
                bound *= 1 - lost
        return bound

    def _prepare(self) -> bool:
        """Sort the constraints by the place of the last variable but one; apply unary ones."""
        for judged in (self.order.decision, self.order.chance):
            for last, group in enumerate(judged):
                chance = judged is self.order.chance
                if chance and not self.strict and not self.variables[last].stochastic:
                    continue
                for found in group:
                    before = [place for place in found.places if place != last]
                    if before:
                        self._filters[max(before)].append((found, last))
                    elif not self._filter(found, last):
                        return False
        return not self.strict or self.bound(-1) > 0

    def _filter(self, found: Placed[Hard], last: int) -> bool:
        row = [None if place == last else self.values[place] for place in found.places]
        at = found.places.index(last)
        kept = []
        for value in self.live[last]:
            row[at] = value
            if found.part.permits(tuple(row)):
                kept.append(value)
        if len(kept) < len(self.live[last]):
            self.trail.append((last, self.live[last]))
            self.live[last] = tuple(kept)
        return bool(kept) or self.variables[last].stochastic

    def _lost(self, later: int, places: tuple[int, ...], place: int) -> Fraction:
        """The least probability of the values that the variable at `later` has lost."""
        part = self.order.given[later].part
        known = [(at, self.values[p]) for at, p in enumerate(places) if p <= place]
        live = set(self.live[later])
        if isinstance(part, Probability):
            rows = [
                row
                for given, row in part.rows.items()
                if all(given[at] == value for at, value in known)
            ]
        elif len(known) == len(places):
            rows = [part.distribution(tuple(value for _, value in known))]
        else:
            return Fraction(0)
        return min(
            sum((p for value, p in row.items() if value not in live), Fraction(0)) for row in rows
        )
