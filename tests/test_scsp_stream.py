"""Solutions one by one, however many there are."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import scsp_support as support
from effort import effort
from woodstock.errors import NetworkError
from woodstock.scsp import Hard, Network, Variable
from woodstock.scsp.solver import Solver

FREE = Network([Variable(f"x{place}", range(4)) for place in range(30)])


@settings(
    max_examples=effort(60, 150),
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(support.networks(stages=3), st.integers(0, 5), st.data())
def test_a_stream_has_the_same_solutions(network: Network, limit: int, data: st.DataObject) -> None:
    names = [variable.name for variable in network.variables]
    project = data.draw(st.none() | st.lists(st.sampled_from(names), unique=True))
    solver, other = Solver(network), Solver(network)
    wanted = list(solver.solutions(limit=limit, project=project))
    assert list(other.stream(limit=limit, project=project)) == wanted
    # Again with the same solver: the first stream has ended.
    assert list(other.stream(project=project)) == list(solver.solutions(project=project))


def test_a_stream_begins_at_once_and_ends_at_its_limit() -> None:
    found = list(islice(Solver(FREE).stream(), 5000))
    assert len({tuple(solution.values()) for solution in found}) == 5000
    assert list(Solver(FREE).stream(limit=4999)) == found[:-1]
    assert list(Solver(FREE).stream(limit=5000)) == list(Solver(FREE).solutions(limit=5000))


def test_a_stream_does_not_share_its_solver() -> None:
    solver = Solver(FREE)
    first = solver.stream()
    next(first)
    assert solver.count(limit=3) == 3
    with pytest.raises(NetworkError, match="used for something else"):
        next(first)
    one, two = solver.stream(), solver.stream()
    next(one)
    next(two)
    with pytest.raises(NetworkError, match="used for something else"):
        next(one)
    assert len(list(islice(two, 10))) == 10


def test_a_stream_keeps_to_the_domains() -> None:
    x, z = Variable("x", range(3)), Variable("z", range(3))
    solver = Solver(Network([x, z], [Hard.where([x, z], lambda a, b: a < b)]))
    assert solver.restrict("x", [1])
    assert list(solver.stream()) == [{"x": 1, "z": 2}]


class Full:
    """A native solver without memory for solutions."""

    def __init__(self, core: object) -> None:
        self._within = core

    def __getattr__(self, name: str) -> object:
        return getattr(self._within, name)

    def solve(self, *_: object) -> None:
        raise MemoryError


def test_too_many_solutions_to_be_held(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = Solver(FREE)
    monkeypatch.setattr(solver, "_core", Full(solver._core))
    with pytest.raises(NetworkError, match=r"too many .* give a limit, count\(\) them"):
        next(solver.solutions())
    assert solver.count(limit=2) == 2
