"""A walk along V with arc consistency: what the exact solvers go on.

The solvers recur from variable to variable. They are written as generators that yield the call they
need the result of, and `finish` keeps the calls in a list: networks may be longer than the stack of
Python is deep.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

from woodstock.scsp.constraints import Value
from woodstock.scsp.network import Instantiation, Network
from woodstock.scsp.order import Order
from woodstock.scsp.solver import Solver

__all__ = ["Call", "MacWalk", "finish"]

T = TypeVar("T")
Call: TypeAlias = Generator[Any, Any, T]
"""A call that yields other calls, gets their results, and returns its own."""


def finish(call: Call[T]) -> T:
    """The result of the call.

    >>> def total(number):
    ...     return number + (yield total(number - 1)) if number else 0
    >>> finish(total(10_000))
    50005000
    """
    calls: list[Call[Any]] = [call]
    result: Any = None
    try:
        while calls:
            try:
                calls.append(calls[-1].send(result))
                result = None
            except StopIteration as done:
                calls.pop()
                result = done.value
    finally:
        # After an error: the inner calls first, as if they had been left one by one.
        while calls:
            calls.pop().close()
    found: T = result
    return found


class MacWalk:
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
