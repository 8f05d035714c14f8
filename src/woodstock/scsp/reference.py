"""Slow, obviously right: the solutions and policies of a network by plain enumeration.

What the solvers find is held equal to this by tests.

>>> from woodstock.scsp import Hard, Network, Variable
>>> x, z = Variable("x", range(2)), Variable("z", range(2))
>>> list(solutions(Network([x, z], [Hard.where([x, z], lambda a, b: a != b)])))
[{'x': 0, 'z': 1}, {'x': 1, 'z': 0}]
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product, takewhile

from woodstock.scsp.constraints import Value
from woodstock.scsp.network import Network
from woodstock.scsp.policy import (
    Policy,
    is_feasible,
    is_locally_consistent,
    is_solution,
    probability,
)

__all__ = ["feasible_policies", "policies", "solution_policies", "solutions"]


def solutions(network: Network) -> Iterator[dict[str, Value]]:
    """The complete instantiations that satisfy every hard constraint, by backtracking along V.

    Stochastic variables count as ordinary ones; the order is that of the domains.
    """
    names = [variable.name for variable in network.variables]
    if not names:
        # A solution of nothing is a solution.
        yield {}
    choices = [iter(variable.domain) for variable in network.variables[:1]]
    found: dict[str, Value] = {}
    while choices:
        found = dict(list(found.items())[: len(choices) - 1])
        for value in choices[-1]:
            found[names[len(choices) - 1]] = value
            if is_locally_consistent(network, found):
                break
        else:
            choices.pop()
            continue
        if len(found) == len(names):
            yield dict(found)
        else:
            choices.append(iter(network.variables[len(found)].domain))


def policies(network: Network) -> Iterator[Policy]:
    """All policies of the network, consistent or not; there are very many."""
    yield from _policies(network, {})


def feasible_policies(network: Network) -> Iterator[Policy]:
    """The policies all of whose paths are consistent."""
    return (policy for policy in policies(network) if is_feasible(network, policy))


def solution_policies(network: Network) -> Iterator[Policy]:
    """The policies that reach the threshold."""
    return (policy for policy in policies(network) if is_solution(network, policy))


def _policies(network: Network, before: dict[str, Value]) -> Iterator[Policy]:
    """The policies for what follows when these variables, the first of V, have values."""
    rest = network.variables[len(before) :]
    run = list(takewhile(lambda variable: not variable.stochastic, rest))
    for values in product(*(variable.domain for variable in run)):
        decisions = {variable.name: value for variable, value in zip(run, values)}
        here = before | decisions
        if len(run) == len(rest):
            yield Policy(tuple(decisions.items()))
            continue
        chance = rest[len(run)]
        possible = [
            value for value in chance.domain if probability(network, here | {chance.name: value})
        ]
        below = [list(_policies(network, here | {chance.name: value})) for value in possible]
        for subtrees in product(*below):
            yield Policy(tuple(decisions.items()), chance.name, tuple(zip(possible, subtrees)))
