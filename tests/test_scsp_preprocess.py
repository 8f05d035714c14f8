"""Preprocessing keeps the solutions, and what policies are worth."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings

from effort import effort
from scsp_support import networks
from woodstock.scsp import (
    ANY,
    Hard,
    Network,
    Not,
    Policy,
    Probability,
    UniformOver,
    Value,
    Variable,
    reference,
)
from woodstock.scsp.exact import best
from woodstock.scsp.policy import probability, value_of
from woodstock.scsp.preprocess import (
    consistent,
    drop_universal,
    merge_scopes,
    preprocess,
    project_unary,
)
from woodstock.scsp.solver import Solver

STEPS: list[Callable[[Network], Network]] = [
    merge_scopes,
    project_unary,
    drop_universal,
    consistent,
    lambda network: consistent(network, "ac"),
    preprocess,
    lambda network: preprocess(network, "none"),
    lambda network: drop_universal(project_unary(consistent(merge_scopes(network)))),
]
NAMES = ["merge", "unary", "universal", "sac", "ac", "all", "no consistency", "another order"]
random_networks = settings(
    max_examples=effort(30, 60),
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def solutions(network: Network) -> set[tuple[tuple[str, Value], ...]]:
    return {tuple(found.items()) for found in reference.solutions(network)}


@pytest.mark.parametrize("step", STEPS, ids=NAMES)
@random_networks
@given(networks())
def test_solutions_and_values_are_kept(
    step: Callable[[Network], Network], network: Network
) -> None:
    small = step(network)
    small.with_()  # It passes the check of a network.
    assert [v.name for v in small.variables] == [v.name for v in network.variables]
    found = solutions(network)
    assert solutions(small) == found
    for solution in map(dict, found):
        assert probability(small, solution) == probability(network, solution)
    for player in range(network.players):
        before, after = best(network, player=player), best(small, player=player)
        if after is None and not found:
            # Without any solution no policy may be left, where one worth nothing was.
            assert before is None or before.value == 0
        else:
            assert after is not None or before is None
            assert (before and before.value) == (after and after.value)


def admissible(network: Network) -> dict[Policy, tuple[Fraction, ...]]:
    values = ((policy, value_of(network, policy)) for policy in reference.policies(network))
    return {policy: value for policy, value in values if value is not None}


@pytest.mark.parametrize("step", STEPS, ids=NAMES)
@random_networks
@given(networks(most_policies=120, stages=3))
def test_policies_that_go_take_a_decision_that_no_solution_takes(
    step: Callable[[Network], Network], network: Network
) -> None:
    before, after = admissible(network), admissible(step(network))
    assert after.items() <= before.items()
    gone = before.keys() - after.keys()
    assert not (gone and network.soft)
    found = list(reference.solutions(network))
    for policy in gone:
        assert any(path not in found for path in policy.paths())
    if len(network.stages) == 1 and not network.recourse:
        # All is decided beforehand: such a policy fails whatever chance does.
        assert all(not any(before[policy]) for policy in gone)


@random_networks
@given(networks())
def test_nothing_grows(network: Network) -> None:
    small = preprocess(network)
    assert len(small.constraints) <= len(network.constraints) + 1
    for old, new in zip(network.variables, small.variables):
        assert set(new.domain) <= set(old.domain)
        assert (new.stochastic, new.stage) == (old.stochastic, old.stage)


def test_without_a_solution_the_best_of_nothing_is_nothing() -> None:
    x, y = Variable("x", range(2)), Variable("y", range(2), stochastic=True)
    network = Network([x, y], [Hard([x, y], [])], [Probability.uniform(y)], 0)
    found = best(network)
    assert found is not None
    assert found.value == 0
    assert best(preprocess(network)) is None


def test_equal_scopes_are_merged() -> None:
    x, y = Variable("x", range(4)), Variable("y", range(4))
    merged = merge_scopes(
        Network(
            [x, y],
            [
                Hard([x, y], [(Not(1), ANY), (1, 2)], name="legal"),
                Hard([y, x], [(3, 1), (ANY, Not(2)), (1, 2)], name="legal"),
                Hard([x, y], [(ANY, Not(0))]),
            ],
        )
    )
    (hard,) = merged.hard
    assert hard.scope == ("x", "y")
    assert set(_tuples(hard)) == {
        (a, b)
        for a in range(4)
        for b in range(4)
        if (a != 1 or b == 2) and (a != 2 or b == 1) and b != 0
    }


def test_large_tables_are_left_alone() -> None:
    x, y = Variable("x", range(20)), Variable("y", range(20))
    less = Hard.where([x, y], lambda a, b: a < b)
    network = Network([x, y], [less, Hard.where([x, y], lambda a, b: (a + b) % 2 == 0)])
    assert merge_scopes(network).constraints == network.constraints
    assert len(merge_scopes(network, max_rows=400).constraints) == 1
    forbidden = Network([x, y], [Hard.forbid([x, y], [(1, 1)]), Hard.forbid([y, x], [(2, 3)])])
    (hard,) = merge_scopes(forbidden).hard
    assert (hard.rows, hard.allowed) == (((1, 1), (3, 2)), False)


def _tuples(hard: Hard) -> list[tuple[int, int]]:
    return [(a, b) for a in range(4) for b in range(4) if hard.permits((a, b))]


def test_a_universal_variable_leaves() -> None:
    x, y, z = (Variable(name, "ab") for name in "xyz")
    network = Network(
        [x, y, z],
        [
            Hard([x, y, z], [("a", ANY, "a"), ("a", "a", "b"), ("a", "b", "b"), ("b", ANY, "a")]),
            Hard([x, y], [("a", ANY), (Not("a"), ANY)]),
            Hard.forbid([y, z], [("a", "a"), ("a", "b")]),
        ],
    )
    small = drop_universal(network)
    assert [hard.scope for hard in small.hard] == [("x", "z"), ("y",)]
    assert solutions(small) == solutions(network)


def test_what_cannot_be_stays_visible() -> None:
    """There are no empty domains: a constraint that allows nothing says it."""
    x, y = Variable("x", range(3)), Variable("y", range(3))
    empty = Network([x, y], [Hard([x], [(0,)]), Hard([x], [(1,)])])
    triangle = Network(
        [Variable(name, range(2)) for name in "xyz"],
        [
            Hard.where([Variable(a, range(2)), Variable(b, range(2))], lambda a, b: a != b)
            for a, b in ("xy", "yz", "xz")
        ],
    )
    for network in (empty, triangle):
        small = preprocess(network)
        assert Solver(small).count() == Solver(network).count() == 0
        assert all(variable.domain for variable in small.variables)
    # Arc consistency alone does not see the triangle.
    assert Solver(consistent(triangle, "ac")).propagate()


def test_chance_keeps_what_it_may_do() -> None:
    """A constraint on chance is no reason to take values from it, impossibility is."""
    x = Variable("x", (False, True))
    y = Variable("y", "HT", stochastic=True)
    fair = Network([x, y], [Hard([y], [("H",)])], [Probability.uniform(y)])
    assert preprocess(fair).variable("y").domain == ("H", "T")
    sure = Network([x, y], [Hard([y], [("H",)])], [Probability.of(y, {"H": 1})])
    assert preprocess(sure).variable("y").domain == ("H",)
    z = Variable("z", (False, True))
    legal = UniformOver(y, {"H": "x", "T": "z"})
    both = [Hard([x], [(True,)]), Hard([y, x, z], [("H", True, ANY), ("T", ANY, True)])]
    assert preprocess(Network([x, z, y], both, [legal])).variable("y").domain == ("H", "T")
    one = preprocess(Network([x, z, y], [*both, Hard([z], [(False,)])], [legal]))
    assert one.variable("y").domain == ("H",)
    assert one.probability("y").distribution((True,)) == {"H": 1}
