"""Random coloured graphs, and what a permutation of their vertices does."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from hypothesis import strategies as st

Edges = list[tuple[int, int]]
Graph = tuple[list[int], Edges]


@st.composite
def graphs(draw: st.DrawFn, most: int) -> Graph:
    """Coloured graphs, some of them with like pieces so that there is something to find."""
    size = draw(st.integers(1, most))
    colors = draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
    if draw(st.booleans()):
        colors = [0] * size
    pairs = list(combinations(range(size), 2))
    kept = draw(st.sets(st.sampled_from(pairs), max_size=3 * size)) if pairs else set()
    edges = sorted(kept)
    for _ in range(draw(st.integers(0, 3))):
        if 2 * len(colors) > most:
            break
        edges += [(a + len(colors), b + len(colors)) for a, b in edges]
        colors += colors
    names = draw(st.permutations(range(len(colors))))
    renamed = [0] * len(colors)
    for vertex, color in enumerate(colors):
        renamed[names[vertex]] = color
    return renamed, [(names[a], names[b]) for a, b in edges]


def images(size: int, generator: tuple[memoryview, memoryview]) -> list[int]:
    """A generator in full."""
    out = list(range(size))
    for point, image in zip(*generator):
        out[point] = image
    return out


def is_automorphism(graph: Graph, images: Sequence[int]) -> bool:
    colors, edges = graph
    joined = {frozenset(edge) for edge in edges}
    moved = {frozenset((images[a], images[b])) for a, b in edges}
    return joined == moved and all(colors[i] == colors[v] for v, i in enumerate(images))


def smallest_of_orbits(size: int, all_images: Sequence[Sequence[int]]) -> list[int]:
    orbits = list(range(size))
    for _ in range(size):
        for images in all_images:
            for v, i in enumerate(images):
                orbits[v] = orbits[i] = min(orbits[v], orbits[i])
    return orbits
