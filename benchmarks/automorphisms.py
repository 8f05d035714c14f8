"""Automorphisms of coloured graphs: our engine beside sparse nauty and BLISS.

``python benchmarks/automorphisms.py [--seconds S] [--repeat N] [KIND:SIZE ...]`` makes the graphs,
gives their vertices random numbers (``--seed``), lets every engine that is there find the group,
and prints one JSON object: CPU seconds (the least of N runs) and orders. nauty is there when the
build has found it, BLISS when python-igraph is installed. The exit code is 1 when two orders
differ, or one from what is known.

Kinds of graphs:

* ``board``: a network of table constraints. A cell of the SIZE x SIZE board is a variable with
  three values; its literals are joined to it. On every line of four cells, the six tuples with two
  of the second value and two of the third are forbidden; each is joined to its four literals. The
  board turns, and the two values change places: 16 automorphisms.
* ``pieces``: SIZE hexagons.  * ``points``: SIZE vertices.  * ``cube``: a hypercube.
* ``torus``: a SIZE x SIZE grid without borders.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from math import factorial
from typing import Any

from woodstock._core import automorphism_engines, automorphisms

DEFAULT = (
    *("board:30", "board:66", "board:145"),
    *("pieces:300", "pieces:20000", "points:100000", "cube:14", "torus:200"),
)


@dataclass
class Graph:
    """Colours of the vertices, edges one after the other, and the known order of the group."""

    order: int
    colors: array[int] = field(default_factory=lambda: array("I"))
    edges: array[int] = field(default_factory=lambda: array("I"))

    def add(self, color: int, neighbours: Sequence[int] = ()) -> int:
        """A new vertex, joined to older ones."""
        vertex = len(self.colors)
        self.colors.append(color)
        for neighbour in neighbours:
            self.edges.extend((vertex, neighbour))
        return vertex

    def shuffled(self, seed: int) -> Graph:
        """The same graph with random numbers for the vertices, and the edges in random order."""
        dice = random.Random(seed)
        names = list(range(len(self.colors)))
        dice.shuffle(names)
        colors = array("I", bytes(4 * len(names)))
        for vertex, color in enumerate(self.colors):
            colors[names[vertex]] = color
        rows = list(range(0, len(self.edges), 2))
        dice.shuffle(rows)
        ends = (end for row in rows for end in self.edges[row : row + 2])
        return Graph(self.order, colors, array("I", (names[end] for end in ends)))


def lines(size: int, length: int) -> Iterator[list[tuple[int, int]]]:
    """All straight lines of so many cells, in rows, columns and diagonals."""
    for row, column in product(range(size), repeat=2):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            line = [(row + down * i, column + right * i) for i in range(length)]
            if all(0 <= x < size for x in line[-1]):
                yield line


def board(size: int) -> Graph:
    """Table constraints over the lines of a board."""
    graph = Graph(order=16)
    literals = {}
    for cell in product(range(size), repeat=2):
        literals[cell] = [graph.add(0) for _ in range(3)]
        graph.add(1, literals[cell])
    forbidden = [t for t in product((1, 2), repeat=4) if t.count(1) == 2]
    for line in lines(size, 4):
        for values in forbidden:
            graph.add(2, [literals[cell][value] for cell, value in zip(line, values)])
    return graph


def pieces(size: int) -> Graph:
    """Hexagons."""
    graph = Graph(order=12**size * factorial(size))
    for _ in range(size):
        first = last = graph.add(0)
        for _ in range(5):
            last = graph.add(0, [last])
        graph.edges.extend((first, last))
    return graph


def points(size: int) -> Graph:
    """Vertices without edges."""
    return Graph(factorial(size), array("I", bytes(4 * size)))


def cube(size: int) -> Graph:
    """A hypercube."""
    graph = Graph(order=2**size * factorial(size))
    for vertex in range(2**size):
        graph.add(0, [vertex ^ (1 << i) for i in range(size) if vertex >> i & 1])
    return graph


def torus(size: int) -> Graph:
    """A square grid whose borders are joined, with five rows at least."""
    graph = Graph(8 * size**2, array("I", bytes(4 * size**2)))
    for row, column in product(range(size), repeat=2):
        for below in ((row + 1) % size * size + column, row * size + (column + 1) % size):
            graph.edges.extend((row * size + column, below))
    return graph


KINDS: dict[str, Callable[[int], Graph]] = {
    "board": board,
    "pieces": pieces,
    "points": points,
    "cube": cube,
    "torus": torus,
}


def by_core(graph: Graph, engine: str, seconds: float) -> dict[str, Any]:
    """One of the engines of the native core."""
    found = automorphisms(graph.colors, graph.edges, seconds=seconds, engine=engine)
    return {
        "seconds": round(found.seconds, 4),
        "agrees": found.order == graph.order if found.complete else None,
        "generators": len(found.generators),
        "nodes": found.nodes,
    }


def by_bliss(graph: Graph) -> dict[str, Any]:
    """BLISS, through python-igraph; making its graph does not count."""
    igraph = import_module("igraph")
    pairs = list(zip(graph.edges[::2], graph.edges[1::2]))
    other = igraph.Graph(n=len(graph.colors), edges=pairs)
    colors = list(graph.colors)
    begun = time.process_time()
    order = other.count_automorphisms(color=colors)
    return {
        "seconds": round(time.process_time() - begun, 4),
        "agrees": int(order) == graph.order,
    }


def has_bliss() -> bool:
    """Whether python-igraph is installed."""
    return find_spec("igraph") is not None


def measure(graph: Graph, options: argparse.Namespace) -> dict[str, Any]:
    """All engines on one graph; BLISS has no limit of time, so not where it would take too long."""
    engines: dict[str, Callable[[], dict[str, Any]]] = {
        name: lambda name=name: by_core(graph, name, options.seconds)  # type: ignore[misc]
        for name in automorphism_engines()
    }
    if has_bliss() and graph.order < 10**options.bliss_digits:
        engines["bliss"] = lambda: by_bliss(graph)
    out: dict[str, Any] = {"vertices": len(graph.colors), "edges": len(graph.edges) // 2}
    for name, run in engines.items():
        runs = [run() for _ in range(options.repeat)]
        out[name] = min(runs, key=lambda result: result["seconds"])
    return out


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "graphs", nargs="*", metavar="KIND:SIZE", help=f"default: {' '.join(DEFAULT)}"
    )
    parser.add_argument("--seconds", type=float, default=60, help="limit for our engine and nauty")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each engine")
    parser.add_argument("--seed", type=int, default=1, help="of the vertices' numbers")
    parser.add_argument(
        "--bliss-digits", type=int, default=1000, help="BLISS only for orders with fewer digits"
    )
    options = parser.parse_args(arguments)
    results = {}
    for name in options.graphs or DEFAULT:
        kind, _, size = name.partition(":")
        if kind not in KINDS or not size.isdecimal():
            parser.error(f"no graph {name}: KIND is one of {', '.join(KINDS)}, SIZE a number")
        results[name] = measure(KINDS[kind](int(size)).shuffled(options.seed), options)
        print(name, json.dumps(results[name]), file=sys.stderr)
    print(json.dumps(results, indent=1))
    wrong = [
        engine
        for result in results.values()
        for engine in result.values()
        if isinstance(engine, dict) and engine["agrees"] is False
    ]
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
