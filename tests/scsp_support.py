"""Small random networks and the worth of policies by definition, for tests of `woodstock.scsp`."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import Any

from hypothesis import strategies as st

from woodstock.scsp import (
    ANY,
    Constraint,
    Distribution,
    Hard,
    Instantiation,
    Network,
    Not,
    Policy,
    Probability,
    Soft,
    UniformOver,
    Value,
    Variable,
)

DOMAINS: list[tuple[Value, ...]] = [(0, 1), (0, 1), (False, True), ("a", "b", "c"), (0,)]


def networks(
    most_policies: int = 300,
    stages: int = 2,
    recourse: bool = True,
) -> st.SearchStrategy[Network]:
    """Networks of up to five variables that have few policies; one for each of very many seeds.

    Without `recourse`, the decisions of a stage come before chance.
    """

    def network(seed: int) -> Network:
        return random_network(random.Random(seed), most_policies, stages, recourse)

    return st.integers(0, 2**40).map(network)


def random_network(
    dice: random.Random, most_policies: int = 300, stages: int = 2, recourse: bool = True
) -> Network:
    variables: list[Variable] = []
    stage, size = 1, dice.randint(2, 5)
    for place in range(size):
        stage = min(stages, stage + dice.randint(0, 1)) if place else 1
        chance = dice.random() < 0.45
        spoken = any(v.stochastic and v.stage == stage for v in variables)
        if spoken and not recourse:
            chance = True
        variable = Variable(f"v{place}", dice.choice(DOMAINS), chance, stage)
        if policies_at_most([*variables, variable]) > most_policies:
            break
        variables.append(variable)
    players = dice.choice([1, 1, 2])
    constraints: list[Constraint] = [
        hard_constraint(dice, variables) for _ in range(dice.randint(0, 3))
    ]
    if dice.random() < 0.5:
        constraints += [
            soft_constraint(dice, variables, players) for _ in range(dice.randint(1, 2))
        ]
    tables = [distribution(dice, variables, at) for at, v in enumerate(variables) if v.stochastic]
    threshold = [Fraction(dice.randint(0, 6), 6) for _ in range(players)]
    return Network(variables, constraints, tables, threshold)


def policies_at_most(variables: list[Variable]) -> int:
    """How many policies there are if no value has probability 0; cut at a large number."""
    count = 1
    for variable in reversed(variables):
        size = len(variable.domain)
        count = min(10**6, count**size if variable.stochastic else count * size)
    return count


def hard_constraint(dice: random.Random, variables: list[Variable]) -> Hard:
    """A table over up to three variables, allowed or forbidden, with any value and any but one."""
    scope = dice.sample(variables, dice.randint(1, min(3, len(variables))))
    allowed = dice.random() < 0.6
    share = dice.choice([0.3, 0.6, 0.9]) if allowed else 0.25
    rows: list[list[Value]] = [
        list(row) for row in product(*(v.domain for v in scope)) if dice.random() < share
    ]
    for row in rows:
        at = dice.randrange(len(scope))
        chance = dice.random()
        if chance < 0.1:
            row[at] = ANY
        elif chance < 0.2 and allowed:
            row[at] = Not(row[at])
    return Hard(scope, rows, allowed)


def soft_constraint(dice: random.Random, variables: list[Variable], players: int) -> Soft:
    """Utilities of quarters, for some tuples of up to three variables."""
    scope = dice.sample(variables, dice.randint(1, min(3, len(variables))))
    return Soft(
        scope,
        {
            row: [Fraction(dice.randint(0, 4), 4) for _ in range(players)]
            for row in product(*(v.domain for v in scope))
            if dice.random() < 0.6
        },
    )


def distribution(dice: random.Random, variables: list[Variable], place: int) -> Distribution:
    """A table given up to two earlier variables, or the uniform one over what is legal."""
    variable, before = variables[place], variables[:place]
    booleans = [v.name for v in before if set(v.domain) <= {False, True}]
    if len(booleans) >= len(variable.domain) and dice.random() < 0.4:
        return UniformOver(
            variable, dict(zip(variable.domain, dice.sample(booleans, len(booleans))))
        )
    given = dice.sample(before, dice.randint(0, min(2, place)))
    rows = {}
    for row in product(*(v.domain for v in given)):
        weights = [dice.randint(0, 3) for _ in variable.domain]
        weights[0] += not any(weights)
        total = sum(weights)
        rows[row] = {value: Fraction(w, total) for value, w in zip(variable.domain, weights)}
    return Probability(variable, given, rows)


# What a policy is worth by definition: a sum over all complete instantiations.


def instantiations(network: Network) -> list[dict[str, Any]]:
    names = [variable.name for variable in network.variables]
    return [dict(zip(names, row)) for row in product(*(v.domain for v in network.variables))]


def chance_of(network: Network, found: Instantiation) -> Fraction:
    result = Fraction(1)
    for table in network.probabilities:
        row = table.distribution(tuple(found[name] for name in table.given))
        result *= row.get(found[table.variable], Fraction(0))
    return result


def follows(network: Network, policy: Policy, found: Instantiation) -> bool:
    """Whether the instantiation is one that the policy may lead to."""
    return chance_of(network, found) > 0 and all(
        policy.decision(v.name, found) == found[v.name] for v in network.decisions
    )


def satisfies(constraints: list[Hard], found: Instantiation) -> bool:
    def fits(entry: object, value: object) -> bool:
        return entry is ANY or (entry.value != value if isinstance(entry, Not) else entry == value)

    return all(
        any(all(fits(e, found[n]) for e, n in zip(row, c.scope)) for row in c.rows) == c.allowed
        for c in constraints
    )


def worth(network: Network, policy: Policy) -> tuple[Fraction, ...] | None:
    """The value of the policy that is held against the threshold."""
    total = [Fraction(0)] * network.players
    chance = {variable.name for variable in network.stochastic}
    certain = [c for c in network.hard if network.soft or not chance.intersection(c.scope)]
    for found in instantiations(network):
        if not follows(network, policy, found):
            continue
        if not satisfies(certain, found):
            return None
        share = chance_of(network, found)
        if not network.soft:
            good = satisfies(list(network.hard), found)
            total = [a + share * good for a in total]
        for c in network.soft:
            row = c.rows.get(tuple(found[name] for name in c.scope))
            total = [a + share * (row[p] if row else 0) for p, a in enumerate(total)]
    return tuple(total)
