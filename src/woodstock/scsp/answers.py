"""The best policy of a network with chance, held against its threshold.

>>> from woodstock.scsp import Hard, Network, Probability, Variable
>>> x, y = Variable("x", range(3)), Variable("y", range(3), stochastic=True)
>>> network = Network(
...     [x, y], [Hard.where([x, y], lambda a, b: a + b > 1)], [Probability.uniform(y)], "1/2"
... )
>>> answer = answer_of(network)
>>> answer.measure, [str(value) for value in answer.value], answer.reached
('satisfaction', ['1'], True)
>>> print(answer.policy)
x = 2
└─ y
   ├─ 0
   ├─ 1
   └─ 2
>>> print(shortened(answer.policy))
x = 2
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Final

from woodstock.errors import NetworkError
from woodstock.scsp.constraints import Value
from woodstock.scsp.exact import best
from woodstock.scsp.network import Network
from woodstock.scsp.policy import Policy
from woodstock.scsp.sfc import raise_threshold, solve

__all__ = ["MOST_LEAVES", "PolicyAnswer", "answer_of", "shortened"]

MOST_LEAVES: Final = 100_000
"""The most ways in which chance may answer, all its variables together."""


@dataclass(frozen=True)
class PolicyAnswer:
    """A policy with its value, one number a player, and whether that reaches the threshold.

    `measure` is what the value is: ``"satisfaction"`` or ``"expected utility"``.
    """

    policy: Policy
    value: tuple[Fraction, ...]
    reached: bool
    measure: str


def answer_of(network: Network) -> PolicyAnswer | None:
    """The best policy: of the highest satisfaction, or of the highest expected utility.

    With several players and soft constraints it is best for the player who gets least; where that
    one does not reach the threshold and another one does, it is the other one. `None` where no
    policy satisfies the hard constraints that have to hold. Exact, for small networks:
    `NetworkError` where chance has more than `MOST_LEAVES` ways.
    """
    size = prod(len(variable.domain) for variable in network.stochastic)
    if size > MOST_LEAVES:
        raise NetworkError(
            f"chance has {size:,} ways, too many for a policy; {MOST_LEAVES:,} are the most"
        )
    measure = "expected utility" if network.soft else "satisfaction"
    found: tuple[Policy, tuple[Fraction, ...]] | None = None
    if network.players == 1 or not network.soft:
        one = best(network)
        if one is not None:
            found = one.policy, (one.value,) * network.players
    else:
        *_, found = None, *raise_threshold(network)
        if found is not None and not _reaches(network, found[1]):
            found = next(solve(network), found)
    if found is None:
        return None
    return PolicyAnswer(*found, _reaches(network, found[1]), measure)


def _reaches(network: Network, value: tuple[Fraction, ...]) -> bool:
    return all(a >= b for a, b in zip(value, network.threshold))


def shortened(policy: Policy, hidden: Collection[str] = ()) -> Policy:
    """The policy as one would tell it: values of chance after which one decides alike are one.

    Chance that no decision follows is left out, and so are the decisions of `hidden` variables.

    >>> extra = [(d, Policy((("extra", d > 1), ("aux1", d)))) for d in range(3)]
    >>> print(shortened(Policy((("machines", 1),), "demand", tuple(extra)), ["aux1"]))
    machines = 1
    └─ demand
       ├─ 0, 1: extra = False
       └─ 2: extra = True
    """
    known: dict[int, Policy] = {}

    def walk(found: Policy) -> Policy:
        if id(found) not in known:  # parts of a policy are shared
            known[id(found)] = visit(found)
        return known[id(found)]

    def visit(found: Policy) -> Policy:
        decisions = tuple(pair for pair in found.decisions if pair[0] not in hidden)
        alike: dict[Policy, list[Value]] = {}
        for value, below in found.branches:
            alike.setdefault(walk(below), []).append(value)
        if not any(below.decisions or below.chance for below in alike):
            return Policy(decisions)
        if len(alike) == 1:
            (below,) = alike
            return Policy(decisions, found.chance, (("whatever it is", below),))
        branches = tuple((", ".join(map(str, v)), below) for below, v in alike.items())
        return Policy(decisions, found.chance, branches)

    return walk(policy)
