"""The microstructure complement of a network, whose automorphisms are its symmetries.

A graph with a vertex for each literal (a variable and one of its values) and one for each forbidden
tuple, joined to the literals in it (Koriche, Lagrue, Piette and Tabary, IJCAI 2017, section 4.2, in
the bipartite form of JFPC 2016). Literals of one variable are joined to a vertex of the variable,
or to each other where there are two; so a variable is taken to a variable.

Three things are more general than in the papers, and none of them makes a wrong symmetry:

* Tuples are as short as they can be: (x = 1, y = 0) where that is forbidden whatever z is. They are
  the minimal nogoods of a constraint, which follow from what it allows, not from how it is written;
  constraints over the same variables count as one. Nogoods of several constraints that are equal
  are one vertex. Instantiations that hold a nogood are those that hold a forbidden tuple, so an
  automorphism, which takes nogoods to nogoods, takes solutions to solutions.
* An entry of a tuple can be a set of values: a vertex for the set is joined to its values, or to
  those that are not in it where they are fewer. It is taken to a set of as many values.
* Where a constraint has far fewer boxes of allowed tuples than nogoods, a vertex for it is joined
  to vertices for those: the constraint holds where one of them does, here and in the image. The
  numbers decide, so constraints that can be exchanged are treated alike.

Symmetries keep probabilities and utilities too: rows of these tables are vertices with the number
as their colour. Variables with one value are left out.

>>> from woodstock.scsp import Hard, Network, Variable
>>> queens = [Variable(f"q{i}", range(4)) for i in range(4)]
>>> apart = [
...     Hard.where([a, b], lambda p, q, d=j - i: p != q and abs(p - q) != d)
...     for j, b in enumerate(queens) for i, a in enumerate(queens[:j])
... ]
>>> found = symmetries_of(microstructure(Network(queens, apart)))
>>> found.order  # left and right, up and down; a row is no variable
4
>>> found.orbits("q0")
[[0, 3], [1, 2]]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from woodstock.scsp import ANY, Hard, Network, Not, Probability, UniformOver, Value, Variable
from woodstock.symmetry.literal_graph import (
    MAX_VERTICES,
    Literal,
    LiteralGraph,
    Microstructure,
    MicrostructureError,
)
from woodstock.symmetry.relation import Part

__all__ = [
    "ConstraintSymmetries",
    "Literal",
    "Microstructure",
    "MicrostructureError",
    "microstructure",
    "symmetries_of",
]


@dataclass(frozen=True)
class ConstraintSymmetries:
    """A group of permutations of literals, by generators that hold the literals they move.

    `order` is that of the graph's group. Where `complete` is false there may be more.
    """

    literals: Sequence[Literal]
    generators: Sequence[Mapping[Literal, Literal]]
    order: int
    complete: bool

    def words(self) -> list[dict[str, str]]:
        """The generators as one reads them.

        >>> from woodstock.scsp import Network, Variable
        >>> symmetries_of(microstructure(Network([Variable("x", "ab")]))).words()
        [{'x=a': 'x=b', 'x=b': 'x=a'}]
        """

        def word(literal: Literal) -> str:
            return f"{literal[0]}={literal[1]}"

        return [{word(a): word(b) for a, b in found.items()} for found in self.generators]

    def orbits(self, variable: str) -> list[list[Value]]:
        """The values of a variable, those together that some symmetry takes to each other."""
        root: dict[Literal, Literal] = {}

        def find(literal: Literal) -> Literal:
            while literal in root:
                literal = root[literal]
            return literal

        for generator in self.generators:
            for literal, image in generator.items():
                a, b = find(literal), find(image)
                if a != b:
                    root[a] = b
        found: dict[Literal, list[Value]] = {}
        for literal in self.literals:
            if literal[0] == variable:
                found.setdefault(find(literal), []).append(literal[1])
        return list(found.values())


def symmetries_of(
    found: Microstructure, *, seconds: float = math.inf, engine: str = "auto"
) -> ConstraintSymmetries:
    """The symmetries of a network, or those that are found in so many seconds."""
    automorphisms = found.graph.automorphisms(seconds=seconds, engine=engine)
    literals = found.literals
    generators = []
    for generator in automorphisms.generators:
        moved = {literals[v]: literals[w] for v, w in generator.items() if v < len(literals)}
        if moved:
            generators.append(moved)
    return ConstraintSymmetries(literals, generators, automorphisms.order, automorphisms.complete)


def microstructure(
    network: Network,
    color: Callable[[Variable, Value], Hashable] = lambda variable, value: None,
    *,
    max_vertices: int = MAX_VERTICES,
) -> Microstructure:
    """The microstructure complement of a network.

    Literals of different `color` are never exchanged, nor those of different stages, nor those of
    decisions with chance between them. Raises `MicrostructureError` where there are more than
    `max_vertices`.
    """
    graph = LiteralGraph(max_vertices)
    blocks = groupby(network.variables, lambda variable: (variable.stage, variable.stochastic))
    for block, (_, variables) in enumerate(blocks):
        for variable in variables:
            colors = [(block, color(variable, value)) for value in variable.domain]
            graph.variable(network.index(variable.name), variable.name, variable.domain, colors)
    sheet = _Sheet(network, graph)
    graph.relations(map(sheet.part, network.hard))
    sheet.utilities()
    for chance in network.probabilities:
        if isinstance(chance, UniformOver):
            sheet.uniform(chance)
        elif not _is_uniform(chance, network.variable(chance.variable)):
            sheet.table(chance)
    return graph.done()


def _is_uniform(chance: Probability, variable: Variable) -> bool:
    share = Fraction(1, len(variable.domain))
    return all(
        len(row) == len(variable.domain) and all(found == share for found in row.values())
        for row in chance.rows.values()
    )


class _Sheet:
    """A graph on which the tables of a network are drawn."""

    def __init__(self, network: Network, graph: LiteralGraph) -> None:
        self.network = network
        self.graph = graph
        self.places = [
            {value: place for place, value in enumerate(variable.domain)}
            for variable in network.variables
        ]

    def part(self, hard: Hard) -> Part:
        """A hard constraint with variables and values by number."""
        scope = [self.network.index(name) for name in hard.scope]
        rows = [
            {
                variable: (False, frozenset((self.places[variable][entry.value],)))
                if isinstance(entry, Not)
                else (True, frozenset((self.places[variable][entry],)))
                for variable, entry in zip(scope, row)
                if entry is not ANY
            }
            for row in hard.rows
        ]
        return Part("allowed" if hard.allowed else "forbidden", rows, None, scope)

    def utilities(self) -> None:
        """A tuple adds to the utilities what all soft constraints give it."""
        found: dict[frozenset[int], list[Fraction]] = {}
        for soft in self.network.soft:
            for row, worth in soft.rows.items():
                literals = self._literals(zip(soft.scope, row))
                total = found.get(literals, [Fraction(0)] * self.network.players)
                found[literals] = [a + b for a, b in zip(total, worth)]
        for literals, total in found.items():
            if any(total):
                self.graph.vertex(("utility", *total), literals)

    def uniform(self, chance: UniformOver) -> None:
        """A value goes with the truth of the variable that says whether it is legal."""
        for value, boolean in chance.legal.items():
            possible = True in self.network.variable(boolean).domain
            pair = [(chance.variable, value), *([(boolean, True)] if possible else [])]
            self.graph.vertex("legal" if possible else "never", self._literals(pair))

    def table(self, chance: Probability) -> None:
        """A tuple multiplies the probability of what it is in."""
        scope = (*chance.given, chance.variable)
        for row, distribution in chance.rows.items():
            for value, share in distribution.items():
                literals = self._literals(zip(scope, (*row, value)))
                self.graph.vertex(("probability", share), literals)

    def _literals(self, found: Iterable[Literal]) -> frozenset[int]:
        """The vertices of some literals, without those that always hold."""
        numbers = [(self.network.index(name), value) for name, value in found]
        return self.graph.box(
            {
                variable: (True, frozenset((self.places[variable][value],)))
                for variable, value in numbers
                if len(self.places[variable]) > 1
            }
        )
