"""Stochastic forward checking: all solution policies of a small network.

Decisions are tried along V. Forward checking filters the domains of what follows, and bounds what
any policy can still reach: by the probability of the values that chance has lost, or by the most
that soft constraints can still give. Meant for one-stage networks, and right for any number of
stages; the number of policies grows quickly with them.

>>> from woodstock.scsp import Hard, Network, Probability, Variable
>>> x, y = Variable("x", range(3)), Variable("y", range(3), stochastic=True)
>>> constraint = Hard.where([x, y], lambda a, b: a + b > 1)
>>> network = Network([x, y], [constraint], [Probability.uniform(y)], threshold="2/3")
>>> [policy.decision("x") for policy in sfc(network)]
[1, 2]
>>> [policy.decision("x") for policy in fc(network)]
[2]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from woodstock.scsp.constraints import Number, Value
from woodstock.scsp.forward import ForwardChecking
from woodstock.scsp.network import Network
from woodstock.scsp.policy import Policy

__all__ = ["Found", "fc", "raise_threshold", "sfc", "solve"]

Vector: TypeAlias = tuple[Fraction, ...]
Need: TypeAlias = Callable[[], Vector]  # asked again and again: it may grow meanwhile


class Found(NamedTuple):
    """A policy and its value, one number a player."""

    policy: Policy
    value: Vector


def sfc(network: Network) -> Iterator[Policy]:
    """All solution policies: those whose value reaches the network's threshold."""
    return (found.policy for found in solve(network))


def fc(network: Network) -> Iterator[Policy]:
    """All feasible policies: every path satisfies every hard constraint; the threshold is not used.

    This is forward checking alone, as FC-UCB uses it.
    """
    search = _Search(network.with_(constraints=network.hard), strict=True)
    search.threshold = (Fraction(0),) * network.players
    return (found.policy for found in search.run())


def solve(network: Network) -> Iterator[Found]:
    """All solution policies with their values."""
    return _Search(network, strict=bool(network.soft)).run()


def raise_threshold(network: Network, start: Number = 0) -> Iterator[Found]:
    """Policies one better than the other, the last one best for the player who gets least.

    The threshold goes up from (start, ..., start): each policy found sets it to (r, ..., r), where
    r is the least of its values, and the search goes on for a policy that is above. What cannot
    be above is left out at once: the higher the threshold, the less is searched.

    >>> from woodstock.scsp import Network, Soft, Variable
    >>> x = Variable("x", range(4))
    >>> pay = Soft(["x"], {(0,): ["1/2", 0], (1,): ["1/2", "1/3"], (2,): [1, 0], (3,): [1, "1/2"]})
    >>> network = Network([x], [pay], threshold=[0, 0])
    >>> [policy.decision("x") for policy, _ in raise_threshold(network)]
    [0, 1, 3]
    """
    start_at = network.with_(threshold=[start] * network.players)
    search = _Search(start_at, strict=bool(network.soft))
    for found in search.run():
        search.threshold = (min(found.value),) * network.players
        search.above = True
        yield found


class _Search(ForwardChecking):
    """The search; `threshold` may be raised while it runs.

    `above`: policies have to be above the threshold; to reach it is not enough.
    """

    def __init__(self, network: Network, strict: bool) -> None:
        super().__init__(network, strict)
        self.threshold = network.threshold
        self.above = False
        self.utilities = bool(network.soft)
        self.players = network.players
        self.nothing = (Fraction(0),) * self.players

    def run(self) -> Iterator[Found]:
        if self.possible:
            yield from self._policies(0, False, lambda: self.threshold)

    def _runs(self, start: int, stop: int, failed: bool, need: Need) -> Iterator[Vector]:
        """All ways to decide the variables from `start` to `stop`, with what they gain.

        At each, `values` hold it.
        """
        if start == stop:
            yield self.nothing
            return
        base = len(self.trail)
        stack = [(iter(self.live[start]), base, self.nothing)]
        while stack:
            place = start + len(stack) - 1
            choices, mark, before = stack[-1]
            self.undo(place, mark)
            for value in choices:
                possible = self.assign(place, value)
                gained = _sum(before, self.order.gain(place, self.values))
                if possible and self._may_reach(place, failed, gained, need()):
                    break
                self.undo(place, mark)
            else:
                stack.pop()
                continue
            if place + 1 == stop:
                yield gained
            else:
                stack.append((iter(self.live[place + 1]), len(self.trail), gained))
        self.undo(start, base)

    def _may_reach(self, place: int, failed: bool, gained: Vector, need: Vector) -> bool:
        """Whether what follows this place can still lead to `need`."""
        bound = self.bound(place)
        if self.strict and not bound:
            return False
        if self.utilities:
            return self._reaches(_sum(gained, self.order.promise(place, self.values)), need)
        return self._reaches((Fraction(0) if failed else bound,) * self.players, need)

    def _policies(self, start: int, failed: bool, need: Need) -> Iterator[Found]:
        """The policies from `start` on that reach `need`, with what they add."""
        stop = start
        while stop < len(self.variables) and not self.variables[stop].stochastic:
            stop += 1
        for gained in self._runs(start, stop, failed, need):
            run = range(start, stop)
            lost = failed or not all(self.order.succeeds(at, self.values) for at in run)
            decisions = tuple((self.variables[at].name, self.values[at]) for at in run)
            if stop == len(self.variables):
                value = gained if self.utilities else (Fraction(not lost),) * self.players
                if self._reaches(value, need()):
                    yield Found(Policy(decisions), value)
                continue
            for branches, value in self._branches(stop, lost, gained, need):
                yield Found(Policy(decisions, self.variables[stop].name, branches), value)

    def _branches(
        self, place: int, failed: bool, gained: Vector, need: Need
    ) -> Iterator[tuple[tuple[tuple[Value, Policy], ...], Vector]]:
        """The ways to go on after each value of the stochastic variable at `place`.

        With each comes what it is worth together with what was gained before.
        """
        chances = self.order.branches(place, self.values)
        cap = (Fraction(not failed),) * self.players
        if self.utilities:
            cap = self.order.promise(place - 1, self.values)
        pools: list[list[Found]] = []
        # What can be reached in all: first at most, then by what was found.
        hope = _sum(gained, cap)
        mark = len(self.trail)
        for value, p in chances:
            others = _difference(hope, _scale(cap, p))
            least = _scale(_difference(need(), others), 1 / p)
            pool = self._pool(place, value, failed, least)
            self.undo(place, mark)
            if not pool:
                return
            pools.append([Found(found.policy, _scale(found.value, p)) for found in pool])
            hope = _sum(others, _best(pools[-1]))
        names = [value for value, _ in chances]
        for chosen, total in self._combine(pools, gained, need):
            yield tuple(zip(names, chosen)), total

    def _pool(self, place: int, value: Value, failed: bool, need: Vector) -> list[Found]:
        if self.strict and value not in self.live[place]:
            return []
        if not self.assign(place, value):
            return []
        lost = failed or not self.order.succeeds(place, self.values)
        gained = self.order.gain(place, self.values)
        below = _difference(need, gained)
        found = self._policies(place + 1, lost, lambda: below)
        return [Found(policy, _sum(gained, worth)) for policy, worth in found]

    def _combine(
        self, pools: Sequence[Sequence[Found]], gained: Vector, need: Need
    ) -> Iterator[tuple[tuple[Policy, ...], Vector]]:
        """One of each pool, so that together with what was gained they reach `need`."""
        rests = [self.nothing]
        for pool in reversed(pools):
            rests.append(_sum(rests[-1], _best(pool)))
        rests.reverse()  # the most that the pools from there on can add
        chosen: list[Policy] = []
        totals = [gained]
        stack = [iter(pools[0])]
        while stack:
            for found in stack[-1]:
                total = _sum(totals[-1], found.value)
                if self._reaches(_sum(total, rests[len(stack)]), need()):
                    break
            else:
                stack.pop()
                totals.pop()
                del chosen[-1:]
                continue
            if len(stack) == len(pools):
                yield (*chosen, found.policy), total
                continue
            chosen.append(found.policy)
            totals.append(total)
            stack.append(iter(pools[len(stack)]))

    def _reaches(self, value: Vector, need: Vector) -> bool:
        if self.above:
            return all(a > b for a, b in zip(value, need))
        return all(a >= b for a, b in zip(value, need))


def _sum(*vectors: Vector) -> Vector:
    return tuple(sum(column, Fraction(0)) for column in zip(*vectors))


def _difference(left: Vector, right: Vector) -> Vector:
    return tuple(a - b for a, b in zip(left, right))


def _scale(vector: Vector, factor: Fraction) -> Vector:
    return tuple(a * factor for a in vector)


def _best(pool: Sequence[Found]) -> Vector:
    return tuple(map(max, zip(*(found.value for found in pool))))
