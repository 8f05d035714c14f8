"""A walk along V with arc consistency: what the exact solvers go on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

from woodstock.scsp.constraints import Value
from woodstock.scsp.network import Instantiation, Network
from woodstock.scsp.order import Order
from woodstock.scsp.solver import Solver

__all__ = ["Walk"]


class Walk:
    """A walk along V: the values so far, and what arc consistency leaves to choose from."""

    def __init__(self, network: Network, given: Instantiation, strict: bool) -> None:
        self.order = Order(network)
        self.variables = network.variables
        self.given = given
        self.values: list[Value] = []
        self.frontiers: dict[int, tuple[int, ...]] = {}
        # A chance constraint may be violated: it must not remove anything.
        certain = [c for c in network.hard if strict or not network.is_stochastic(c)]
        self.solver = Solver(Network.unchecked(network.variables, certain))
        fixed = (self.solver.restrict(name, [value]) for name, value in given.items())
        self.possible = all(fixed) and self.solver.propagate()

    def choices(self, place: int) -> tuple[Value, ...]:
        """The values that are left for the variable."""
        return self.solver.domain(self.variables[place].name)

    @contextmanager
    def step(self, place: int, value: Value) -> Iterator[bool]:
        """A level in which the variable has the value; tells whether that is consistent."""
        self.solver.push()
        self.values.append(value)
        try:
            yield self.solver.restrict(self.variables[place].name, [value]) and (
                self.solver.propagate()
            )
        finally:
            del self.values[place:]
            self.solver.pop()

    def chances(self, place: int) -> list[tuple[Value, Fraction]]:
        """What chance may do here, with probabilities; what is given has happened."""
        name = self.variables[place].name
        if name in self.given:
            return [(self.given[name], Fraction(1))]
        return self.order.branches(place, self.values)

    def key(self, place: int) -> tuple[Value, ...]:
        """The part of the past that matters from here on."""
        if place not in self.frontiers:
            self.frontiers[place] = self.order.frontier(place)
        return tuple([self.values[p] for p in self.frontiers[place]])
