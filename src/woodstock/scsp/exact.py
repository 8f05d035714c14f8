"""Exact solving of small networks of any number of stages, by dynamic programming along V.

Slow and sure: what searches find for a game or a problem can be held against it. Values are known
exactly, as fractions. The state of the programming is the part of the past that later constraints
and probabilities still look at; arc consistency removes decisions that lead nowhere.

>>> from woodstock.scsp import Hard, Network, Probability, Variable
>>> x, y = Variable("x", range(3)), Variable("y", range(3), stochastic=True)
>>> z = Variable("z", range(5), stage=2)
>>> network = Network(
...     [x, y, z],
...     [Hard.where([x, y, z], lambda a, b, c: a + b == c), Hard.where([z], lambda c: c < 4)],
...     [Probability.uniform(y)],
... )
>>> best(network).value
Fraction(1, 1)
>>> best(network).policy.decision("z", {"y": 2})
2
>>> best(network, given={"x": 2}).value
Fraction(2, 3)
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple, TypeAlias

from woodstock.errors import NetworkError
from woodstock.scsp.constraints import Value
from woodstock.scsp.mac_walk import Call, MacWalk, finish
from woodstock.scsp.network import Instantiation, Network
from woodstock.scsp.policy import Policy

__all__ = ["Best", "best"]

Plan: TypeAlias = tuple[Fraction, Policy]


class Best(NamedTuple):
    """The most that a policy can reach, and a policy that reaches it."""

    value: Fraction
    policy: Policy


def best(network: Network, *, player: int = 0, given: Instantiation | None = None) -> Best | None:
    """The best policy for a player: the highest expected utility, or satisfaction.

    As everywhere, a network with soft constraints is about expected utility and one without about
    satisfaction. `given` fixes variables, decision and stochastic ones: what is left is solved as
    if that had happened. Of equally good policies, it is the one with earlier values of the
    domains. `None` where no policy is feasible.
    """
    if not 0 <= player < network.players:
        raise NetworkError(f"there is no player {player}; they are numbered from 0")
    found = finish(_Planner(network, given or {}, player).below(0, False))
    return None if found is None else Best(*found)


class _Planner(MacWalk):
    """The best policy for one player."""

    def __init__(self, network: Network, given: Instantiation, player: int) -> None:
        self.utilities = bool(network.soft)
        super().__init__(network, given, strict=self.utilities)
        self.player = player
        self.known: dict[object, Plan | None] = {}

    def below(self, place: int, failed: bool) -> Call[Plan | None]:
        """The best of what follows; `failed`: a chance constraint is violated already."""
        if not self.possible:
            return None
        key = (place, failed, self.key(place))
        if key not in self.known:
            self.known[key] = yield from self._below(place, failed)
        return self.known[key]

    def _below(self, place: int, failed: bool) -> Call[Plan | None]:
        decisions: list[tuple[str, Value]] = []
        start, gained = place, Fraction(0)
        # What is determined is no choice: a loop here spares steps of the solver.
        while place < len(self.variables) and not self.variables[place].stochastic:
            choices = self.choices(place)
            if len(choices) != 1:
                break
            self.values.append(choices[0])
            decisions.append((self.variables[place].name, choices[0]))
            gained += self._gain(place)
            failed = failed or not self.order.succeeds(place, self.values)
            place += 1
        found = yield from self._end(place, failed)
        del self.values[start:]
        if found is None:
            return None
        value, policy = found
        joined = Policy((*decisions, *policy.decisions), policy.chance, policy.branches)
        return gained + value, joined

    def _end(self, place: int, failed: bool) -> Call[Plan | None]:
        if place == len(self.variables):
            return Fraction(0 if self.utilities else not failed), Policy(())
        if self.variables[place].stochastic:
            return (yield from self._chance(place, failed))
        return (yield from self._decision(place, failed))

    def _decision(self, place: int, failed: bool) -> Call[Plan | None]:
        name = self.variables[place].name
        chosen: Plan | None = None
        for value in self.choices(place):
            found = yield from self._after(place, value, failed)
            if found is not None and (chosen is None or found[0] > chosen[0]):
                below = found[1]
                decisions = ((name, value), *below.decisions)
                chosen = found[0], Policy(decisions, below.chance, below.branches)
        return chosen

    def _chance(self, place: int, failed: bool) -> Call[Plan | None]:
        total, branches = Fraction(0), []
        for value, share in self.chances(place):
            found = yield from self._after(place, value, failed)
            if found is None:
                return None
            total += share * found[0]
            branches.append((value, found[1]))
        return total, Policy((), self.variables[place].name, tuple(branches))

    def _after(self, place: int, value: Value, failed: bool) -> Call[Plan | None]:
        with self.step(place, value) as consistent:
            if not consistent:
                return None
            lost = failed or not self.order.succeeds(place, self.values)
            found: Plan | None = yield self.below(place + 1, lost)
            return None if found is None else (found[0] + self._gain(place), found[1])

    def _gain(self, place: int) -> Fraction:
        return self.order.gain(place, self.values)[self.player]
