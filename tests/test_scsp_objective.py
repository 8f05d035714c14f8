"""Objectives of networks that are made by hand."""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import Any

import pytest

from woodstock.errors import NetworkError
from woodstock.scsp import (
    Hard,
    Network,
    Objective,
    Probability,
    Soft,
    Variable,
    best_solution,
    xcsp3,
)
from woodstock.scsp.preprocess import preprocess
from woodstock.scsp.xcsp3 import Xcsp3Error

X, Y = Variable("x", range(5)), Variable("y", [Fraction(1, 2), 1, 2])
SUM = Hard.where([X, Y], lambda x, y: x * y >= 2)


@pytest.mark.parametrize("learning", [False, True])
def test_each_is_better_than_the_last(learning: bool) -> None:
    seen: list[Any] = []
    for objective in (Objective("x", False), Objective("x", True), Objective("y", False)):
        network = Network([X, Y], [SUM], objective=objective)
        seen.clear()
        found = best_solution(
            network, on_better=lambda one: seen.append(one.value), learning=learning
        )
        assert found is not None
        assert seen[-1] == found.value == found.solution[objective.variable]
        assert seen == sorted(seen, reverse=not objective.maximise)
        assert (
            found.value
            == {("x", False): 1, ("x", True): 4, ("y", False): Fraction(1, 2)}[
                objective.variable, objective.maximise
            ]
        )


def test_without_a_solution_or_an_objective() -> None:
    assert best_solution(Network([X], [Hard([X], [])], objective=Objective("x", True))) is None
    with pytest.raises(NetworkError, match="has no objective"):
        best_solution(Network([X]))


def test_a_network_keeps_its_objective() -> None:
    network = Network([X, Y], [SUM], objective=Objective("y", True))
    assert network.with_(threshold=0).objective == Objective("y", True)
    assert pickle.loads(pickle.dumps(network)) == network
    assert network != Network([X, Y], [SUM])
    assert preprocess(network).objective == network.objective
    assert str(network).endswith("maximise y")
    assert xcsp3.read_text(xcsp3.write_text(network)) == network
    assert "<maximize> y </maximize>" in xcsp3.write_text(network)


def test_wrong_objectives() -> None:
    with pytest.raises(NetworkError, match="the objective: no variable is called 'z'"):
        Network([X], objective=Objective("z", True))
    with pytest.raises(NetworkError, match="is no number"):
        Network([Variable("a", "ab")], objective=Objective("a", True))
    with pytest.raises(NetworkError, match="soft constraint"):
        Network([X], [Soft([X], {(1,): 1})], objective=Objective("x", True))
    chance = Variable("c", (0, 1), stochastic=True)
    with pytest.raises(NetworkError, match="without chance"):
        Network([chance], [], [Probability.uniform(chance)], objective=Objective("c", True))
    falling = Network([Variable("f", (2, 1))], objective=Objective("f", True))
    with pytest.raises(Xcsp3Error, match="do not rise"):
        xcsp3.write_text(falling)
