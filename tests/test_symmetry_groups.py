"""Permutation groups of the native core, held against products of generators and known orders."""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from itertools import pairwise
from math import factorial, prod
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from automorphism_support import Graph, graphs, images, smallest_of_orbits
from effort import effort
from woodstock._core import PermutationGroup, automorphisms

repeatable = settings(max_examples=effort(80, 200), derandomize=True, database=None)


def products(degree: int, generators: Sequence[Sequence[int]]) -> set[tuple[int, ...]]:
    known = {tuple(range(degree))}
    open_ = list(known)
    while open_:
        p = open_.pop()
        for g in generators:
            q = tuple(g[i] for i in p)
            if q not in known:
                known.add(q)
                open_.append(q)
    return known


def rows(table: memoryview) -> list[tuple[int, ...]]:
    return [tuple(row) for row in cast("list[list[int]]", table.tolist())]


@st.composite
def generators(draw: st.DrawFn) -> list[list[int]]:
    """Of groups on up to seven points; a part of the points may stay where it is."""
    degree = draw(st.integers(1, 7))
    out = []
    for _ in range(draw(st.integers(0, 3))):
        moved = draw(st.lists(st.integers(0, degree - 1), unique=True))
        p = list(range(degree))
        for point, image in zip(moved, draw(st.permutations(moved))):
            p[point] = image
        out.append(p)
    return out or [list(range(degree))]


@repeatable
@given(given_=generators(), data=st.data())
def test_groups_are_what_products_of_their_generators_give(
    given_: list[list[int]], data: st.DataObject
) -> None:
    degree = len(given_[0])
    expected = products(degree, given_)
    group = PermutationGroup(degree, given_)
    assert group.order == len(expected)
    assert group.proven
    assert set(rows(group.elements(5040))) == expected
    assert list(group.orbits) == smallest_of_orbits(degree, sorted(expected))
    any_ = data.draw(st.permutations(range(degree)))
    assert group.contains(any_) == (tuple(any_) in expected)

    kept = data.draw(st.lists(st.integers(0, degree - 1)))
    stabiliser = group.stabiliser(kept)
    keeping = {p for p in expected if all(p[k] == k for k in kept)}
    assert set(rows(stabiliser.elements(5040))) == keeping
    assert products(degree, [list(g) for g in stabiliser.generators]) == keeping


def cycles(degree: int, *written: str) -> list[int]:
    """A permutation as books write it: cycles of the points 1 to degree."""
    out = list(range(degree))
    for cycle in written:
        points = [int(point) - 1 for point in cycle.split()]
        for point, image in zip(points, points[1:] + points[:1]):
            out[point] = image
    return out


# The six faces of the cube, with the stickers numbered face by face.
CUBE = [
    cycles(48, "1 3 8 6", "2 5 7 4", "9 33 25 17", "10 34 26 18", "11 35 27 19"),
    cycles(48, "9 11 16 14", "10 13 15 12", "1 17 41 40", "4 20 44 37", "6 22 46 35"),
    cycles(48, "17 19 24 22", "18 21 23 20", "6 25 43 16", "7 28 42 13", "8 30 41 11"),
    cycles(48, "25 27 32 30", "26 29 31 28", "3 38 43 19", "5 36 45 21", "8 33 48 24"),
    cycles(48, "33 35 40 38", "34 37 39 36", "3 9 46 32", "2 12 47 29", "1 14 48 27"),
    cycles(48, "41 43 48 46", "42 45 47 44", "14 22 30 38", "15 23 31 39", "16 24 32 40"),
]


def test_the_cube_has_its_famous_order() -> None:
    cube = PermutationGroup(48, CUBE)
    assert cube.order == 43252003274489856000
    assert cube.proven
    assert len(set(cube.orbits)) == 2
    corner, edge = cube.stabiliser([0]), cube.stabiliser([1])
    assert corner.order * 24 == edge.order * 24 == cube.order
    assert not cube.contains(cycles(48, "1 3"))
    assert cube.contains([CUBE[1][CUBE[0][i]] for i in range(48)])


def test_the_small_cube_is_the_corners_of_the_large_one() -> None:
    corners = [i for i in range(48) if PermutationGroup(48, CUBE).orbits[i] == 0]
    turns = [[corners.index(face[i]) for i in corners] for face in CUBE]
    assert PermutationGroup(24, turns).order == 24 * 3674160


@pytest.mark.parametrize(("block", "blocks"), [(2, 5), (3, 4), (4, 3)])
def test_wreath_products_have_their_orders(block: int, blocks: int) -> None:
    degree = block * blocks
    inside = [cycles(degree, "1 2"), cycles(degree, " ".join(str(i + 1) for i in range(block)))]
    shift = [(i + block) % degree for i in range(degree)]
    swap = cycles(degree, *(f"{i + 1} {i + 1 + block}" for i in range(block)))
    group = PermutationGroup(degree, [*inside, shift, swap])
    assert group.order == factorial(block) ** blocks * factorial(blocks)
    kept = group.stabiliser([0])
    assert kept.order * degree == group.order


@repeatable
@given(graph=graphs(most=24))
def test_the_group_of_a_graph_has_the_order_that_the_search_tells(graph: Graph) -> None:
    colors, edges = graph
    found = automorphisms(colors, edges)
    generators = [array("I", images(len(colors), g)) for g in found.generators]
    group = PermutationGroup(len(colors), generators)
    assert group.order == found.order
    assert list(group.orbits) == list(found.orbits)


def test_independent_groups_multiply() -> None:
    sizes = [2, 3, 4, 5]
    degree = sum(sizes)
    given_, first = [], 1
    for size in sizes:
        given_ += [cycles(degree, f"{first} {first + 1}")]
        given_ += [cycles(degree, " ".join(str(first + i) for i in range(size)))]
        first += size
    group = PermutationGroup(degree, given_)
    assert group.order == prod(map(factorial, sizes))
    assert len(group.elements(group.order)) == group.order
    with pytest.raises(ValueError, match="more than"):
        group.elements(group.order - 1)


@pytest.mark.parametrize("wrong", [[0], [0, 0], [0, 2], [0, 1, 2]])
def test_what_is_no_permutation_is_a_value_error(wrong: list[int]) -> None:
    with pytest.raises(ValueError, match="permutation"):
        PermutationGroup(2, [wrong])
    with pytest.raises(ValueError, match="permutation"):
        PermutationGroup(2, [[1, 0]]).contains(wrong)


def test_a_group_that_takes_too_long_is_a_timeout() -> None:
    with pytest.raises(TimeoutError):
        PermutationGroup(3, [[1, 2, 0]], seconds=0)
    with pytest.raises(ValueError, match="no point 3"):
        PermutationGroup(3, [[1, 2, 0]]).stabiliser([3])


def test_all_permutations_from_neighbours_in_any_order() -> None:
    """Their trees are high, and elements that make them lower must not count as known."""
    rng = random.Random(1)
    for degree in (20, 60, 100):
        order = rng.sample(range(degree), degree)
        swaps = []
        for a, b in pairwise(order):
            swap = list(range(degree))
            swap[a], swap[b] = b, a
            swaps.append(swap)
        assert PermutationGroup(degree, swaps).order == factorial(degree)
        with_others = [[*swap, *(degree + i for i in swap)] for swap in swaps]
        assert PermutationGroup(2 * degree, with_others).order == factorial(degree)
