"""Automorphisms of the native core, held against trying all permutations, BLISS and nauty."""

from __future__ import annotations

from array import array
from itertools import permutations
from math import factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from automorphism_support import Edges, Graph, graphs, images, is_automorphism, smallest_of_orbits
from effort import effort
from woodstock._core import (
    Automorphisms,
    PermutationGroup,
    automorphism_engines,
    automorphisms,
)

ENGINES = automorphism_engines()

repeatable = settings(max_examples=effort(40, 80), derandomize=True, database=None)


def checked(graph: Graph, engine: str) -> Automorphisms:
    """What was found, after looking at what must be true of it in any case."""
    colors, edges = graph
    found = automorphisms(colors, edges, engine=engine)
    generators = [images(len(colors), generator) for generator in found.generators]
    assert all(is_automorphism(graph, generator) for generator in generators)
    assert list(found.orbits) == smallest_of_orbits(len(colors), generators)
    for points, _ in found.generators:
        assert list(points) == sorted(points)
    return found


@pytest.mark.parametrize("engine", ENGINES)
@settings(repeatable, max_examples=effort(30, 60))
@given(graph=graphs(most=7))
def test_small_graphs_have_the_automorphisms_that_trying_finds(graph: Graph, engine: str) -> None:
    size = len(graph[0])
    all_of_them = [p for p in permutations(range(size)) if is_automorphism(graph, p)]
    found = checked(graph, engine)
    assert found.complete
    assert found.order == len(all_of_them)
    assert list(found.orbits) == smallest_of_orbits(size, all_of_them)


@repeatable
@given(graph=graphs(most=60))
def test_bliss_counts_the_same_automorphisms(graph: Graph) -> None:
    igraph = pytest.importorskip("igraph")
    colors, edges = graph
    other = igraph.Graph(n=len(colors), edges=edges)
    other.simplify()
    expected = other.count_automorphisms(color=colors)
    found = checked(graph, "own")
    assert found.complete
    assert found.order == int(expected)
    known = [list(p) for p in other.automorphism_group(color=colors)]
    assert list(found.orbits) == smallest_of_orbits(len(colors), known)


@pytest.mark.skipif("nauty" not in ENGINES, reason="the build has found no nauty")
@repeatable
@given(graph=graphs(most=60))
def test_nauty_finds_the_same_group(graph: Graph) -> None:
    ours, other = checked(graph, "own"), checked(graph, "nauty")
    assert ours.complete
    assert other.complete
    assert ours.order == other.order
    assert list(ours.orbits) == list(other.orbits)


@repeatable
@given(graph=graphs(most=24), limit=st.integers(0, 40))
def test_what_is_found_within_a_limit_is_a_subgroup_of_this_order(graph: Graph, limit: int) -> None:
    colors, edges = graph
    whole = automorphisms(colors, edges)
    found = automorphisms(colors, edges, nodes=limit)
    generators = [images(len(colors), generator) for generator in found.generators]
    assert found.nodes <= limit
    assert all(is_automorphism(graph, generator) for generator in generators)
    assert found.order == PermutationGroup(len(colors), generators).order
    assert whole.order % found.order == 0
    assert found.complete == (whole.nodes <= limit)


def test_an_order_is_as_large_as_it_is() -> None:
    found = automorphisms([0] * 1000, [])
    assert found.order == factorial(1000)
    assert set(found.orbits) == {0}


def test_no_time_leaves_the_identity() -> None:
    square = [(0, 1), (1, 2), (2, 3), (3, 0)]
    for engine in ENGINES:
        found = automorphisms([0] * 4, square, seconds=0, engine=engine)
        assert (found.order, found.complete, found.generators) == (1, False, [])
        assert list(found.orbits) == [0, 1, 2, 3]


def test_arrays_and_sequences_are_read_alike() -> None:
    flat = array("I", [0, 1, 1, 2])
    pairs = memoryview(flat).cast("B").cast("I", [2, 2])
    for edges in (flat, pairs):
        found = automorphisms(array("I", [0, 0, 0]), edges)
        assert found.order == 2
        assert [tuple(map(list, g)) for g in found.generators] == [([0, 2], [2, 0])]
    assert automorphisms((0, 0, 0), ((0, 1), [2, 1])).order == 2


@pytest.mark.parametrize(
    ("colors", "edges", "says"),
    [
        ([0, 0], [(0, 2)], "edge 0: there is no vertex 2 among 2"),
        ([0, 0], [(0, 1), (1, 1)], "edge 1 joins vertex 1 to itself"),
    ],
)
def test_what_is_no_graph_is_a_value_error(colors: list[int], edges: Edges, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        automorphisms(colors, edges)


def test_an_engine_that_is_not_there_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="choose one of auto, own, nauty"):
        automorphisms([0], [], engine="bliss")
    if "nauty" not in ENGINES:
        with pytest.raises(ValueError, match="libnauty-dev"):
            automorphisms([0], [], engine="nauty")
