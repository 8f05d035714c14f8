"""Constraints that are no tables mean what their definition says, however they are taken apart."""

from __future__ import annotations

import pytest

from effort import effort
from woodstock.scsp import Solver, best_solution, xcsp3
from woodstock.scsp.objective import optimal
from woodstock.scsp.xcsp3 import compiler, sums
from xcsp3_random import Maker


@pytest.fixture(params=["whole", "apart"])
def tables(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Constraints as one table each where they are small, or all of them taken apart."""
    if request.param == "apart":
        for module in (compiler, sums):
            monkeypatch.setattr(module, "SMALL_TABLE", 1)
        monkeypatch.setattr(sums, "_FEW", 0)
    return str(request.param)


def key(solution: object) -> list[tuple[str, object]]:
    assert isinstance(solution, dict)
    return sorted(solution.items())


SEEDS = effort(600, 6000)


def test_random_instances_have_their_solutions(tables: str) -> None:
    auxiliary = satisfiable = 0
    for seed in range(SEEDS):
        instance = Maker(seed).instance()
        network = xcsp3.read_text(instance.text)
        assert [v.name for v in network.named] == list(instance.domains)
        wanted = instance.solutions()
        names = list(instance.domains)
        found = [{n: s[n] for n in names} for s in Solver(network).solutions()]
        # As many as over the variables of the file: auxiliary ones are functions of these.
        assert sorted(map(key, found)) == sorted(map(key, wanted)), (seed, instance.text)
        auxiliary += len(network.auxiliary) > 0
        satisfiable += len(wanted) > 0
    assert satisfiable > SEEDS // 3
    assert auxiliary > SEEDS // 2 if tables == "apart" else auxiliary < SEEDS // 2


def test_random_objectives(tables: str) -> None:
    seen = 0
    for seed in range(SEEDS):
        instance = Maker(seed).instance()
        if instance.objective is None:
            continue
        network = xcsp3.read_text(instance.text)
        assert network.objective is not None
        values = [instance.value(env) for env in instance.solutions()]
        best = best_solution(network, learning=bool(seed % 2))
        if not values:
            assert best is None
            continue
        wanted = max(values) if instance.maximise else min(values)
        assert best is not None
        assert best.value == wanted, (seed, instance.text)
        assert Solver(optimal(network, best.value)).count() == values.count(wanted)
        seen += 1
    assert seen > SEEDS // 20


def test_what_is_read_is_written_as_tables(tables: str) -> None:
    for seed in range(effort(150, 1000)):
        network = xcsp3.read_text(Maker(seed).instance().text)
        text = xcsp3.write_text(network)
        assert xcsp3.read_text(text) == network
        bare = xcsp3.read_text(xcsp3.write_text(network, annotate=False))
        assert Solver(bare).count() == Solver(network).count()
