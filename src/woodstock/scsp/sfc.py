"""Stochastic forward checking: all solution policies of a small network.

Decisions are tried along V. Each one filters the domains of the variables that a constraint leaves
last without a value: a decision variable without values ends the branch, and the probability of the
values that a stochastic variable loses bounds what any policy can still reach. Meant for one-stage
networks, and right for any number of stages; the number of policies grows quickly with them.

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

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from woodstock.scsp.constraints import Hard, Number, Probability, Value
from woodstock.scsp.network import Network
from woodstock.scsp.order import Order, Placed
from woodstock.scsp.policy import Policy

__all__ = ["Found", "fc", "raise_threshold", "sfc", "solve"]

Vector: TypeAlias = tuple[Fraction, ...]


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
    r is the least of its values, and the search goes on for a policy that is above.

    >>> from woodstock.scsp import Network, Soft, Variable
    >>> x = Variable("x", range(4))
    >>> pay = Soft(["x"], {(0,): ["1/2", 0], (1,): ["1/2", "1/3"], (2,): [1, 0], (3,): [1, "1/2"]})
    >>> network = Network([x], [pay], threshold=[0, 0])
    >>> [policy.decision("x") for policy, _ in raise_threshold(network)]
    [0, 1, 3]
    """
    start_at = network.with_(threshold=[start] * network.players)
    search = _Search(start_at, strict=bool(network.soft))
    least: Fraction | None = None
    for found in search.run():
        if least is None or min(found.value) > least:
            least = min(found.value)
            search.threshold = (least,) * network.players
            yield found


class _Search:
    """The search; `threshold` may be raised while it runs.

    `strict`: a hard constraint on stochastic variables has to hold on every path, as in networks
    with soft constraints. Otherwise it is a chance constraint, and what counts is the probability
    that all of them hold.
    """

    def __init__(self, network: Network, strict: bool) -> None:
        self.order = Order(network)
        self.threshold = network.threshold
        self.strict = strict
        self.utilities = bool(network.soft)
        self.players = network.players
        self.variables = network.variables
        self.values: list[Value] = []
        self.live = [variable.domain for variable in network.variables]
        self.trail: list[tuple[int, tuple[Value, ...]]] = []
        self.filters: list[list[tuple[Placed[Hard], int]]] = [[] for _ in self.variables]
        self.possible = self._prepare()
        self.caps = self._caps()

    def run(self) -> Iterator[Found]:
        if not self.possible or not self.variables:
            return
        for found in self._policies(0, False, self.threshold):
            if _reaches(found.value, self.threshold):
                yield found

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
                        self.filters[max(before)].append((found, last))
                    elif not self._filter(found, last):
                        return False
        return not self._hopeless(-1, False, (Fraction(0),) * self.players)

    def _caps(self) -> list[Vector]:
        """For each place, the most that the constraints judged there or later can give."""
        caps = [(Fraction(0),) * self.players]
        for group in reversed(self.order.soft):
            best = caps[-1]
            for soft in group:
                best = _sum(best, tuple(map(max, zip(*soft.part.rows.values()))))
            caps.append(best)
        return caps[::-1]

    # Forward checking

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

    def _assign(self, place: int, value: Value) -> bool:
        self.values.append(value)
        return all(self._filter(found, last) for found, last in self.filters[place])

    def _undo(self, place: int, mark: int) -> None:
        del self.values[place:]
        while len(self.trail) > mark:
            last, domain = self.trail.pop()
            self.live[last] = domain

    def _hopeless(self, place: int, failed: bool, need: Vector) -> bool:
        """Whether chance variables after this place have lost too much for `need`."""
        promise = Fraction(0) if failed else Fraction(1)
        for later, given in self.order.given.items():
            if later > place and len(self.live[later]) < len(self.variables[later].domain):
                lost = self._lost(later, given.places, place)
                if self.strict and lost:
                    return True
                promise *= 1 - lost
        return not self.utilities and not self.strict and any(promise < least for least in need)

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

    # The tree

    def _runs(self, start: int, stop: int, failed: bool, need: Vector) -> Iterator[None]:
        """All ways to decide the variables from `start` to `stop`; at each, `values` hold it."""
        if start == stop:
            yield
            return
        base = len(self.trail)
        stack = [(iter(self.live[start]), base)]
        while stack:
            place = start + len(stack) - 1
            choices, mark = stack[-1]
            self._undo(place, mark)
            for value in choices:
                if self._assign(place, value) and not self._hopeless(place, failed, need):
                    break
                self._undo(place, mark)
            else:
                stack.pop()
                continue
            if place + 1 == stop:
                yield
            else:
                stack.append((iter(self.live[place + 1]), len(self.trail)))
        self._undo(start, base)

    def _policies(self, start: int, failed: bool, need: Vector) -> Iterator[Found]:
        """The policies from `start` on that reach `need`, with what they add."""
        stop = start
        while stop < len(self.variables) and not self.variables[stop].stochastic:
            stop += 1
        for _ in self._runs(start, stop, failed, need):
            run = range(start, stop)
            lost = failed or not all(self.order.succeeds(at, self.values) for at in run)
            gained = (Fraction(0),) * self.players
            for at in run:
                if self.order.soft[at]:
                    gained = _sum(gained, self.order.gain(at, self.values))
            decisions = tuple((self.variables[at].name, self.values[at]) for at in run)
            if stop == len(self.variables):
                value = gained if self.utilities else (Fraction(not lost),) * self.players
                if _reaches(value, need):
                    yield Found(Policy(decisions), value)
                continue
            below = _difference(need, gained)
            for branches, value in self._branches(stop, lost, below):
                policy = Policy(decisions, self.variables[stop].name, branches)
                yield Found(policy, _sum(gained, value))

    def _branches(
        self, place: int, failed: bool, need: Vector
    ) -> Iterator[tuple[tuple[tuple[Value, Policy], ...], Vector]]:
        """The ways to go on after each value of the stochastic variable at `place`."""
        chances = self.order.branches(place, self.values)
        cap = self._cap(place, failed)
        pools: list[list[Found]] = []
        # What the branches can reach together: first at most, then what was found.
        hope = _sum(*(_scale(cap, p) for _, p in chances)) if chances else _scale(cap, Fraction(0))
        mark = len(self.trail)
        for value, p in chances:
            others = _difference(hope, _scale(cap, p))
            least = _scale(_difference(need, others), 1 / p)
            pool = self._pool(place, value, failed, least)
            self._undo(place, mark)
            if not pool:
                return
            pools.append([Found(found.policy, _scale(found.value, p)) for found in pool])
            hope = _sum(others, _best(pools[-1]))
        rests = [_scale(cap, Fraction(0))]
        for pool in reversed(pools):
            rests.append(_sum(rests[-1], _best(pool)))
        names = [value for value, _ in chances]
        for chosen, total in _combine(pools, rests[::-1], need):
            yield tuple(zip(names, chosen)), total

    def _pool(self, place: int, value: Value, failed: bool, need: Vector) -> list[Found]:
        if self.strict and value not in self.live[place]:
            return []
        if not self._assign(place, value):
            return []
        lost = failed or not self.order.succeeds(place, self.values)
        gained = self.order.gain(place, self.values)
        if place + 1 == len(self.variables):
            total = gained if self.utilities else (Fraction(not lost),) * self.players
            return [Found(Policy(()), total)] if _reaches(total, need) else []
        below = self._policies(place + 1, lost, _difference(need, gained))
        return [Found(found.policy, _sum(gained, found.value)) for found in below]

    def _cap(self, place: int, failed: bool) -> Vector:
        return self.caps[place] if self.utilities else (Fraction(not failed),) * self.players


def _combine(
    pools: Sequence[Sequence[Found]], rests: Sequence[Vector], need: Vector
) -> Iterator[tuple[tuple[Policy, ...], Vector]]:
    """One of each pool, so that the values sum to `need`; `rests`: the most from there on."""
    if not pools:
        if _reaches(rests[0], need):
            yield (), rests[0]
        return
    for found in pools[0]:
        if _reaches(_sum(found.value, rests[1]), need):
            for chosen, total in _combine(pools[1:], rests[1:], _difference(need, found.value)):
                yield (found.policy, *chosen), _sum(found.value, total)


def _reaches(value: Vector, need: Vector) -> bool:
    return all(a >= b for a, b in zip(value, need))


def _sum(*vectors: Vector) -> Vector:
    return tuple(sum(column, Fraction(0)) for column in zip(*vectors))


def _difference(left: Vector, right: Vector) -> Vector:
    return tuple(a - b for a, b in zip(left, right))


def _scale(vector: Vector, factor: Fraction) -> Vector:
    return tuple(a * factor for a in vector)


def _best(pool: Sequence[Found]) -> Vector:
    return tuple(map(max, zip(*(found.value for found in pool))))
