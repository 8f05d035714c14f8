"""Policies: what to decide, whatever chance does; their probability, utility and satisfaction.

>>> from woodstock.scsp import Hard, Network, Probability, Variable
>>> x, y = Variable("x", range(3)), Variable("y", range(3), stochastic=True)
>>> constraint = Hard.where([x, y], lambda a, b: a + b > 1)
>>> network = Network([x, y], [constraint], [Probability.uniform(y)], threshold="1/3")
>>> policy = Policy.of(network, {"x": 1})
>>> print(policy)
x = 1
└─ y
   ├─ 0
   ├─ 1
   └─ 2
>>> satisfaction(network, policy), is_solution(network, policy)
(Fraction(2, 3), True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from woodstock.errors import NetworkError
from woodstock.scsp.constraints import Constraint, Value, Variable
from woodstock.scsp.network import Instantiation, Network
from woodstock.scsp.order import Order
from woodstock.scsp.values import printable

__all__ = [
    "Leaf",
    "Policy",
    "expected_utility",
    "is_feasible",
    "is_globally_consistent",
    "is_locally_consistent",
    "is_solution",
    "leaves",
    "probability",
    "satisfaction",
    "utility",
    "value_of",
]


def probability(network: Network, instantiation: Instantiation) -> Fraction:
    """P(I): the product over the stochastic variables that I fixes, with all they depend on.

    >>> y = Variable("y", "HT", stochastic=True)
    >>> from woodstock.scsp import Probability
    >>> probability(Network([y], [], [Probability.uniform(y)]), {"y": "H"})
    Fraction(1, 2)
    """
    found = Fraction(1)
    for table in network.probabilities:
        if table.variable in instantiation and all(name in instantiation for name in table.given):
            row = table.distribution(tuple(instantiation[name] for name in table.given))
            found *= row.get(instantiation[table.variable], Fraction(0))
    return found


def is_locally_consistent(network: Network, instantiation: Instantiation) -> bool:
    """Whether every hard constraint whose variables all have values is satisfied."""
    return all(
        constraint.permits(_project(constraint, instantiation))
        for constraint in network.hard
        if _covers(instantiation, constraint)
    )


def is_globally_consistent(network: Network, instantiation: Instantiation) -> bool:
    """Whether it can be extended to a complete instantiation that is locally consistent.

    >>> from woodstock.scsp import Hard
    >>> x, z = Variable("x", range(2)), Variable("z", range(2))
    >>> network = Network([x, z], [Hard.where([x, z], lambda a, b: a < b)])
    >>> is_globally_consistent(network, {"x": 0}), is_globally_consistent(network, {"x": 1})
    (True, False)
    """
    from woodstock.scsp.solver import Solver

    return Solver(network).first(given=instantiation) is not None


def utility(network: Network, instantiation: Instantiation) -> tuple[Fraction, ...] | None:
    """val(I), one number a player; `None` is the papers' −∞: a hard constraint forbids I."""
    if not is_locally_consistent(network, instantiation):
        return None
    total = [Fraction(0)] * network.players
    for constraint in network.soft:
        if constraint.rows and _covers(instantiation, constraint):
            found = constraint.utility(_project(constraint, instantiation))
            total = [a + b for a, b in zip(total, found)]
    return tuple(total)


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy tree, in which a run of decisions is one node.

    `decisions` are taken one after another along V; then the variable `chance`, if there is one,
    takes its value, and the branch of this value goes on. Values of probability 0 have no branch:
    a policy need not say what to do where nobody can get.
    """

    decisions: tuple[tuple[str, Value], ...]
    chance: str | None = None
    branches: tuple[tuple[Value, Policy], ...] = ()

    @classmethod
    def of(
        cls,
        network: Network,
        decide: Mapping[str, Value] | Callable[[Variable, Instantiation], Value],
    ) -> Policy:
        """The policy that always decides as the mapping says, or as the function finds.

        The function gets the variable and the values of all variables that come before it.
        """
        if isinstance(decide, Mapping):
            chosen = decide
            missing = [v.name for v in network.decisions if v.name not in chosen]
            if missing:
                raise NetworkError(f"the policy lacks variable {missing[0]!r}; give it a value")
            for name in chosen:
                if network.variable(name).stochastic:
                    raise NetworkError(f"the policy decides {name!r}, which is left to chance")
            return cls.of(network, lambda variable, _: chosen[variable.name])
        return _grow(Order(network), [], decide)

    def paths(self) -> Iterator[dict[str, Value]]:
        """L(π): the complete instantiations that it may lead to, from left to right."""
        decisions = dict(self.decisions)
        if self.chance is None:
            yield decisions
        for value, below in self.branches:
            for path in below.paths():
                yield {**decisions, str(self.chance): value, **path}

    def decision(self, name: str, seen: Instantiation | None = None) -> Value:
        """What it decides for this variable, once chance has done what `seen` says."""
        node = self
        while True:
            for decided, value in node.decisions:
                if decided == name:
                    return value
            below = dict(node.branches)
            if node.chance is None or node.chance not in (seen or {}):
                raise NetworkError(
                    f"the policy does not decide {name!r} here; say what chance did before"
                )
            value = (seen or {})[node.chance]
            if value not in below:
                raise NetworkError(f"{node.chance!r} cannot become {value!r} in this policy")
            node = below[value]

    def __str__(self) -> str:
        return "\n".join(_draw(self))

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


class Leaf(NamedTuple):
    """The end of a path of a policy: what happened, how likely it is, what it is worth.

    `utility` is `None` where a hard constraint is violated.
    """

    path: dict[str, Value]
    probability: Fraction
    utility: tuple[Fraction, ...] | None


def leaves(network: Network, policy: Policy) -> Iterator[Leaf]:
    """The leaves of the policy, from left to right."""
    for path in policy.paths():
        yield Leaf(path, probability(network, path), utility(network, path))


def expected_utility(network: Network, policy: Policy) -> tuple[Fraction, ...] | None:
    """val(π): the utilities of the leaves weighted by their probabilities, one number a player.

    `None` where the policy is not feasible: the papers' −∞.
    """
    total = [Fraction(0)] * network.players
    for _, share, found in leaves(network, policy):
        if found is None:
            return None
        total = [a + share * b for a, b in zip(total, found)]
    return tuple(total)


def satisfaction(network: Network, policy: Policy) -> Fraction:
    """The probability that all hard constraints are satisfied."""
    return sum(
        (leaf.probability for leaf in leaves(network, policy) if leaf.utility is not None),
        Fraction(0),
    )


def is_feasible(network: Network, policy: Policy) -> bool:
    """Whether all its paths satisfy all hard constraints."""
    return all(leaf.utility is not None for leaf in leaves(network, policy))


def value_of(network: Network, policy: Policy) -> tuple[Fraction, ...] | None:
    """What is held against the threshold, one number a player; `None` if it cannot be a solution.

    In a network with soft constraints it is the expected utility. In one without, hard constraints
    on stochastic variables are chance constraints, and it is the satisfaction; the others, the
    decision constraints, have to hold on every path.
    """
    if network.soft:
        return expected_utility(network, policy)
    decided = [c for c in network.hard if not network.is_stochastic(c)]
    for path in policy.paths():
        if not all(c.permits(_project(c, path)) for c in decided):
            return None
    return (satisfaction(network, policy),) * network.players


def is_solution(network: Network, policy: Policy) -> bool:
    """Whether its value reaches the threshold for every player."""
    found = value_of(network, policy)
    return found is not None and all(a >= b for a, b in zip(found, network.threshold))


def _covers(instantiation: Instantiation, constraint: Constraint) -> bool:
    return all(name in instantiation for name in constraint.scope)


def _project(constraint: Constraint, instantiation: Instantiation) -> tuple[Value, ...]:
    return tuple(instantiation[name] for name in constraint.scope)


def _grow(
    order: Order, values: list[Value], decide: Callable[[Variable, Instantiation], Value]
) -> Policy:
    decisions: list[tuple[str, Value]] = []
    values = list(values)
    for variable in order.variables[len(values) :]:
        before = {v.name: value for v, value in zip(order.variables, values)}
        if variable.stochastic:
            return Policy(
                tuple(decisions),
                variable.name,
                tuple(
                    (value, _grow(order, [*values, value], decide))
                    for value, _ in order.branches(len(values), values)
                ),
            )
        value = decide(variable, before)
        if value not in variable.domain:
            raise NetworkError(
                f"{value!r} is not in the domain of {variable.name!r}; choose one of "
                f"{', '.join(map(repr, variable.domain[:5]))}"
            )
        decisions.append((variable.name, value))
        values.append(value)
    return Policy(tuple(decisions))


def _draw(policy: Policy) -> Iterator[str]:
    if policy.decisions:
        yield ", ".join(printable(f"{name} = {value}") for name, value in policy.decisions)
    if policy.chance is None:
        return
    chance = printable(policy.chance)
    yield f"└─ {chance}" if policy.decisions else chance
    indent = "   " if policy.decisions else ""
    for place, (value, below) in enumerate(policy.branches):
        last = place == len(policy.branches) - 1
        lines = list(_draw(below))
        shown = printable(str(value))
        text = f"{shown}: {lines[0]}" if lines else shown
        yield f"{indent}{'└─' if last else '├─'} {text}"
        for line in lines[1:]:
            yield f"{indent}{'  ' if last else '│ '} {line}"
