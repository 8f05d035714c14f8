"""Symmetries of a game: permutations of its fluents, moves and percepts that change nothing.

>>> from woodstock import Game
>>> from woodstock.symmetry import rule_symmetries
>>> game = Game.from_library("tic-tac-toe")
>>> found = rule_symmetries(game)
>>> found.order, found.complete
(8, True)
>>> start = game.initial_state()
>>> [len(orbit) for orbit in found.orbits("x", start.legal_moves("x"))]
[4, 4, 1]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from woodstock import _core
from woodstock.game import Game, State
from woodstock.gdl.terms import Compound, Term
from woodstock.ground.engine import PackedEngine

__all__ = ["Point", "Points", "Symmetries", "Symmetry"]


@dataclass(frozen=True)
class Point:
    """What a symmetry moves: a fluent, or a move or a percept of a role.

    >>> print(Point("move", "x", "noop"))
    (does x noop)
    """

    kind: str
    role: str | None
    term: Term

    def __str__(self) -> str:
        if self.role is None:
            return str(self.term)
        return str(Compound(({"move": "does"}.get(self.kind, "sees"), self.role, self.term)))


class Points:
    """All points of a game in the order of its ground program, with their numbers."""

    def __init__(self, engine: PackedEngine) -> None:
        grounding = engine.grounding
        self.fluents = len(grounding.fluents)
        self.moves = len(grounding.moves)
        self.points = [
            *(Point("fluent", None, fluent) for fluent in grounding.fluents),
            *(Point("move", role, move) for role, move in grounding.moves),
            *(Point("percept", role, percept) for role, percept in grounding.percepts),
        ]

    @cached_property
    def number(self) -> dict[Point, int]:
        """The number of each point."""
        return {point: number for number, point in enumerate(self.points)}

    def __len__(self) -> int:
        return len(self.points)


class Symmetry:
    """A symmetry: says where everything goes.

    `moved` has the numbers of the points that it moves, and where to.
    """

    def __init__(self, points: Points, moved: Mapping[int, int]) -> None:
        self._points = points
        self.moved = dict(moved)

    def point(self, point: Point) -> Point:
        """Where a point goes."""
        number = self._points.number.get(point)
        if number is None:
            return point  # what can never be
        return self._points.points[self.moved.get(number, number)]

    def move(self, role: str, move: Term) -> Term:
        """Where a move of a role goes."""
        return self.point(Point("move", role, move)).term

    def state(self, state: State) -> State:
        """Where a state goes, with what was perceived."""
        position = self.position(state.position)
        percepts = tuple(
            tuple(self.point(Point("percept", role, seen)).term for seen in state.percepts(role))
            for role in state.roles
        )
        return State(state.game, position, percepts)

    def position(self, position: bytes) -> bytes:
        """Where the packed bits of a state go."""
        value = int.from_bytes(position, "little")
        after = 0
        while value:
            low = value & -value
            value ^= low
            place = low.bit_length() - 1
            after |= 1 << self.moved.get(place, place)
        return after.to_bytes(len(position), "little")

    def cycles(self) -> Iterator[tuple[Point, ...]]:
        """The cycles of more than one point: each goes to the next, the last to the first."""
        left = dict(self.moved)
        while left:
            first = here = min(left)
            cycle = []
            while here in left:
                cycle.append(self._points.points[here])
                here = left.pop(here)
            assert here == first
            yield tuple(cycle)

    def __str__(self) -> str:
        return " ".join(f"({' '.join(map(str, cycle))})" for cycle in self.cycles())


class Symmetries:
    """A group of symmetries. `complete` is false where there was no time to find all.

    `idle` are fluents that nothing depends on. Symmetries leave them where they are: what they
    promise, they promise but for these.
    """

    def __init__(
        self,
        game: Game,
        points: Points,
        generators: Iterable[Symmetry],
        complete: bool,
        idle: Iterable[Term] = (),
    ) -> None:
        self.idle = frozenset(idle)
        self.game = game
        self.points = points
        self.generators = tuple(generators)
        self.complete = complete

    @cached_property
    def group(self) -> _core.PermutationGroup:
        """The group of permutations of the points."""
        rows = []
        for generator in self.generators:
            row = list(range(len(self.points)))
            for point, image in generator.moved.items():
                row[point] = image
            rows.append(row)
        return _core.PermutationGroup(len(self.points), rows)

    @property
    def order(self) -> int:
        """How many symmetries there are, the one that moves nothing included."""
        return int(self.group.order)

    @cached_property
    def _orbit(self) -> Sequence[int]:
        return list(self.group.orbits)

    def orbits(self, role: str, moves: Iterable[Term]) -> list[list[Term]]:
        """Moves of a role, those together that some symmetry takes to each other."""
        found: dict[int, list[Term]] = {}
        for move in moves:
            number = self.points.number[Point("move", role, move)]
            found.setdefault(self._orbit[number], []).append(move)
        return list(found.values())

    def quotient(self, limit: int = 64, *, idle: bool = True) -> _core.Quotient:
        """What searches fold states with; of a larger group than `limit`, a part is used.

        Fluents that nothing depends on are left out of states, but without `idle`.

        >>> from woodstock import Game
        >>> from woodstock.symmetry import rule_symmetries
        >>> game = Game.from_library("tic-tac-toe")
        >>> fold = rule_symmetries(game).quotient()
        >>> start = game.initial_state()
        >>> corners = [start.apply([f"(mark {i} {j})", "noop"]) for i in (1, 3) for j in (1, 3)]
        >>> fold.size, len({fold.representative(state.position) for state in corners})
        (8, 1)
        """
        number = self.points.number
        left_out = [number[Point("fluent", None, fluent)] for fluent in self.idle if idle]
        return _core.Quotient(self.points.fluents, self.points.moves, self.group, limit, left_out)

    def elements(self, limit: int) -> list[Symmetry]:
        """All of them; `ValueError` where there are more than `limit`."""
        rows: Any = self.group.elements(limit).tolist()  # a list of lists
        moved = ({p: image for p, image in enumerate(row) if p != image} for row in rows)
        return [Symmetry(self.points, one) for one in moved]
