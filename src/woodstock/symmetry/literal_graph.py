"""The graph of a microstructure while it is drawn: literals, sets of them, and what they rule out.

Which vertices there are and why an automorphism is a symmetry: `woodstock.symmetry.microstructure`.

>>> graph = LiteralGraph()
>>> for number, name in enumerate("xyz"):
...     graph.variable(number, name, (False, True), ["fluent", "fluent"])
>>> graph.relations([Part("forbidden", [{number: (True, frozenset({1})) for number in range(3)}])])
>>> graph.done().graph.automorphisms().order
6
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from woodstock.errors import WoodstockError
from woodstock.scsp.values import Value
from woodstock.symmetry.graph import ColoredGraph
from woodstock.symmetry.relation import (
    Box,
    Part,
    Values,
    conjoin,
    largest_boxes,
    restrict,
    size_of,
)

__all__ = ["MAX_VERTICES", "Literal", "LiteralGraph", "Microstructure", "MicrostructureError"]

Literal: TypeAlias = tuple[str, Value]
"""A variable, by name, and one of its values."""

MAX_VERTICES = 2_000_000
"""No graph has more, unless one asks for it."""


class MicrostructureError(WoodstockError, ValueError):
    """A graph that would be too large, or a state that has none."""


@dataclass(frozen=True)
class Microstructure:
    """A graph whose first vertices are the `literals`, in their order."""

    graph: ColoredGraph
    literals: Sequence[Literal]


class LiteralGraph:
    """Draws a microstructure: first all variables, then what is said about them, then `done`."""

    def __init__(self, max_vertices: int = MAX_VERTICES) -> None:
        self.max_vertices = max_vertices
        self.domains: dict[int, Collection[int]] = {}
        """The places that are left of each variable's domain."""
        self._colors: list[Hashable] = []
        self._edges: list[tuple[int, int]] = []
        self._names: list[Literal] = []
        self._literals: dict[int, dict[int, int]] = {}
        self._sets: dict[tuple[int, bool, frozenset[int]], int] = {}
        self._known: dict[Hashable, int] = {}

    def variable(
        self,
        number: int,
        name: str,
        values: Sequence[Value],
        colors: Sequence[Hashable],
        left: Sequence[int] | None = None,
    ) -> None:
        """A variable by number, a colour for each value, and the places of those that are left."""
        assert len(self._colors) == len(self._names), "literals come first"
        places = range(len(values)) if left is None else left
        self.domains[number] = places if isinstance(places, range) else frozenset(places)
        if len(places) == 1:
            return
        self._literals[number] = found = {}
        for place in places:
            self._names.append((name, values[place]))
            found[place] = self.vertex(("literal", colors[place]), ())

    def vertex(self, color: Hashable, neighbours: Iterable[int]) -> int:
        """A new vertex."""
        number = len(self._colors)
        if number >= self.max_vertices:
            raise MicrostructureError(
                f"the graph has more than {self.max_vertices:,} vertices; "
                "look at a stage of the game, or allow more by max_vertices"
            )
        self._colors.append(color)
        self._edges.extend((number, other) for other in neighbours)
        return number

    def known(self, color: Hashable, neighbours: frozenset[int]) -> int:
        """The vertex of this colour with these neighbours: two of them would mean the same."""
        key = (color, neighbours)
        if key not in self._known:
            self._known[key] = self.vertex(color, neighbours)
        return self._known[key]

    # Entries and boxes

    def entry(self, variable: int, values: Values) -> int:
        """The vertex of a literal, or of a set of values that is neither empty nor everything."""
        domain, literals = self.domains[variable], self._literals[variable]
        named, places = values[0], values[1].intersection(literals)
        size = size_of(values, domain)
        if size == 1:
            if named:
                (place,) = places
            else:
                (place,) = literals.keys() - places
            return literals[place]
        inside = 2 * size <= len(literals)
        if named != inside:
            places = frozenset(literals.keys() - places)
        key = (variable, inside, places)
        if key not in self._sets:
            neighbours = [literals[place] for place in places]
            self._sets[key] = self.vertex("one of" if inside else "none of", neighbours)
        return self._sets[key]

    def box(self, box: Box) -> frozenset[int]:
        """The vertices of the entries of a box."""
        return frozenset([self.entry(variable, values) for variable, values in box.items()])

    # Constraints

    def nogood(self, box: Box) -> None:
        """Not all of these entries hold."""
        small = restrict(box, self.domains)
        if small is not None:
            self.known("tuple", self.box(small))

    def relations(self, parts: Iterable[Part]) -> None:
        """All of the parts hold."""
        groups: dict[frozenset[int], list[Part]] = {}
        for part in parts:
            small = self._restricted(part)
            if small is not None:
                groups.setdefault(frozenset(small.variables), []).append(small)
        for group in groups.values():
            found = largest_boxes(group, self.domains)
            for part in group if found is None else [found]:
                self._part(part)

    def _restricted(self, part: Part) -> Part | None:
        """The part over what is left of the domains; None where it always holds."""
        rows = [row for box in part.rows if (row := restrict(box, self.domains)) is not None]
        kind, head = part.kind, part.head
        if head is not None:
            size = size_of(head[1], self.domains[head[0]])
            if {} in rows:
                kind, rows, head = "allowed", [dict([head])], None
            elif not rows:
                kind, rows, head = "forbidden", [dict([head])], None
            elif size in (0, len(self.domains[head[0]])):
                kind, head = "allowed" if size else "forbidden", None
            if head is None:
                return self._restricted(Part(kind, rows, None, part.scope))
        if kind == "allowed" and {} in rows:
            return None
        if kind == "forbidden" and not rows:
            return None
        scope = [variable for variable in part.scope if len(self.domains[variable]) > 1]
        return Part(kind, rows, head, scope)

    def _part(self, part: Part) -> None:
        """A part as it is written."""
        if part.kind == "forbidden":
            for row in part.rows:
                self.known("tuple", self.box(row))
        elif part.head is None:
            self._one_of(part.rows)
        else:
            self._definition(part.head, part.rows)

    def _definition(self, head: tuple[int, Values], rows: Sequence[Box]) -> None:
        variable, values = head
        if all(len(row) == 1 for row in rows):
            # p or q is not (not p and not q): there is one way to write it, the second.
            values = _others(values)
            body: dict[int, Values] = {}
            for row in rows:
                body = conjoin(body, {other: _others(found) for other, found in row.items()})
            small = restrict(body, self.domains)
            if small is None:
                self.nogood({variable: values})
                return
            rows = [small]
        bodies = frozenset(self.known("body", self.box(row)) for row in rows)
        self.known("defined", bodies | {self.entry(variable, values)})

    def _one_of(self, boxes: Iterable[Box]) -> None:
        rows = frozenset(self.known("body", self.box(box)) for box in boxes)
        self.known("any", rows)

    def done(self) -> Microstructure:
        """The graph."""
        for literals in self._literals.values():
            if len(literals) == 2:
                self._edges.append(tuple(literals.values()))  # type: ignore[arg-type]
            else:
                self.vertex("variable", literals.values())
        numbers: dict[Hashable, int] = {}
        colors = [numbers.setdefault(color, len(numbers)) for color in self._colors]
        return Microstructure(ColoredGraph(colors, self._edges), tuple(self._names))


def _others(values: Values) -> Values:
    return not values[0], values[1]
