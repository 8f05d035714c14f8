"""Graphs with coloured vertices, and their automorphisms.

>>> square = ColoredGraph([0, 0, 0, 0], [(0, 1), (1, 2), (2, 3), (3, 0)])
>>> square.automorphisms().order
8
>>> ColoredGraph([0, 0, 0, 1], square.edges).automorphisms().order
2
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from woodstock import _core

__all__ = ["Automorphisms", "ColoredGraph"]


@dataclass(frozen=True)
class Automorphisms:
    """Automorphisms of a graph, by generators: each says where the vertices go that it moves.

    All of them are automorphisms; where `complete` is false there may be others. `order` is that
    of the group they generate.
    """

    generators: tuple[Mapping[int, int], ...]
    order: int
    complete: bool


@dataclass(frozen=True)
class ColoredGraph:
    """An undirected graph; automorphisms keep the colours of the vertices, which are 0, 1, ..."""

    colors: Sequence[int]
    edges: Sequence[tuple[int, int]]

    def automorphisms(self, *, seconds: float = math.inf, engine: str = "auto") -> Automorphisms:
        """All automorphisms, or those that are found in so many seconds."""
        return find_automorphisms(
            array("I", self.colors), array("I", chain.from_iterable(self.edges)), seconds, engine
        )


def find_automorphisms(
    colors: Sequence[int], edges: Sequence[int], seconds: float, engine: str = "auto"
) -> Automorphisms:
    """The same for edges one after the other, two vertices each."""
    found = _core.automorphisms(colors, edges, seconds=seconds, engine=engine)
    generators = tuple(dict(zip(points, images)) for points, images in found.generators)
    return Automorphisms(generators, found.order, found.complete)
