"""A network read along V: what becomes known when each variable takes its value.

Searches that give the variables their values in the order V use it: a constraint can be judged once
the last variable of its scope is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import itemgetter
from typing import Generic, TypeAlias, TypeVar

from woodstock.scsp.constraints import Distribution, Hard, Soft, Value
from woodstock.scsp.network import Network

__all__ = ["Order", "Placed"]

T = TypeVar("T")
Row: TypeAlias = tuple[Value, ...]
Utilities: TypeAlias = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Placed(Generic[T]):
    """A part of a network with the places in V of the variables that it looks at."""

    part: T
    places: tuple[int, ...]

    def read(self, values: Sequence[Value]) -> tuple[Value, ...]:
        """The values it looks at."""
        return tuple([values[place] for place in self.places])


class Order:
    """The constraints and distributions of a network, each at the place where it can be judged.

    `values` always holds the values of the variables from the first of V on, at least up to the
    place that is asked about.

    >>> from woodstock.scsp import Hard, Network, Probability, Variable
    >>> x, y = Variable("x", range(3)), Variable("y", range(3), stochastic=True)
    >>> order = Order(Network([x, y], [Hard.where([x, y], max)], [Probability.uniform(y)]))
    >>> order.succeeds(1, [0, 0]), order.succeeds(1, [0, 1])
    (False, True)
    >>> order.branches(1, [0])
    [(0, Fraction(1, 3)), (1, Fraction(1, 3)), (2, Fraction(1, 3))]
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        self.variables = network.variables
        size = len(network.variables)
        self.decision: list[list[Placed[Hard]]] = [[] for _ in range(size)]
        self.chance: list[list[Placed[Hard]]] = [[] for _ in range(size)]
        self.soft: list[list[Placed[Soft]]] = [[] for _ in range(size)]
        self.given: dict[int, Placed[Distribution]] = {}
        for constraint in network.constraints:
            places = tuple(map(network.index, constraint.scope))
            if isinstance(constraint, Soft):
                # Without rows it gives nothing, and does not say for how many players.
                if constraint.rows:
                    self.soft[max(places)].append(Placed(constraint, places))
            elif network.is_stochastic(constraint):
                self.chance[max(places)].append(Placed(constraint, places))
            else:
                self.decision[max(places)].append(Placed(constraint, places))
        for found in network.probabilities:
            places = tuple(map(network.index, found.given))
            self.given[network.index(found.variable)] = Placed(found, places)

    def succeeds(self, place: int, values: Sequence[Value]) -> bool:
        """Whether the hard constraints on stochastic variables that can be judged here hold."""
        return all(found.part.permits(found.read(values)) for found in self.chance[place])

    def gain(self, place: int, values: Sequence[Value]) -> tuple[Fraction, ...]:
        """The utilities of the soft constraints that can be judged here, summed."""
        found = [soft.part.utility(soft.read(values)) for soft in self.soft[place]]
        nothing = (Fraction(0),) * self.network.players
        return tuple(sum(column, Fraction(0)) for column in zip(nothing, *found))

    def promise(self, place: int, values: Sequence[Value]) -> tuple[Fraction, ...]:
        """The most that soft constraints judged after `place` can give, with values up to there."""
        free, begun = self._ceilings[place + 1]
        found = [ceiling.part.get(ceiling.read(values)) for ceiling in begun]
        return tuple(sum(column, Fraction(0)) for column in zip(free, *filter(None, found)))

    def branches(self, place: int, values: Sequence[Value]) -> list[tuple[Value, Fraction]]:
        """The values that chance may give the variable here, with their probabilities above 0."""
        found = self.given[place]
        distribution = found.part.distribution(found.read(values))
        domain = self.variables[place].domain
        every = ((value, distribution.get(value, Fraction(0))) for value in domain)
        return list(filter(itemgetter(1), every))

    def frontier(self, place: int) -> tuple[int, ...]:
        """The places before this one that something judged here or later still looks at."""
        return tuple(p for p, last in enumerate(self._last_looks[:place]) if last >= place)

    @cached_property
    def _ceilings(self) -> list[tuple[Utilities, list[Placed[Mapping[Row, Utilities]]]]]:
        """By place + 1: the most of soft constraints without values, and of those with some."""
        size = len(self.variables)
        free = [[Fraction(0)] * self.network.players for _ in range(size + 1)]
        begun: list[list[Placed[Mapping[Row, Utilities]]]] = [[] for _ in range(size + 1)]
        for soft in (soft for group in self.soft for soft in group):
            ordered = sorted(range(len(soft.places)), key=soft.places.__getitem__)
            for known, at in enumerate(ordered):
                columns = ordered[:known]
                most: dict[Row, Utilities] = {}
                for row, utilities in soft.part.rows.items():
                    key = tuple([row[column] for column in columns])
                    most[key] = tuple(map(max, utilities, most.get(key, utilities)))
                # From the place of the last known variable up to that of the next one.
                begin = soft.places[columns[-1]] + 1 if columns else 0
                for place in range(begin, soft.places[at] + 1):
                    if columns:
                        found = tuple(soft.places[column] for column in columns)
                        begun[place].append(Placed(most, found))
                    else:
                        free[place] = [a + b for a, b in zip(free[place], most[()])]
        return [(tuple(most), tables) for most, tables in zip(free, begun)]

    @cached_property
    def _last_looks(self) -> list[int]:
        last = [-1] * len(self.variables)
        for at in range(len(self.variables)):
            groups = (self.decision[at], self.chance[at], self.soft[at])
            looked = {p for group in groups for found in group for p in found.places}
            if at in self.given:
                looked.update(self.given[at].places)
            for p in looked:
                last[p] = at
        return last
