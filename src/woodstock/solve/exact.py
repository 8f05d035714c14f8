"""Exact values of small games, worked out from the ends: what every search is held against.

Slow, without any cleverness, and meant to stay so. A goal is worth a hundredth of it, or, in
rules that know higher ones than 100, its part of the highest.

>>> from woodstock import Game
>>> solution = solve(Game.from_library("tic-tac-toe"), "x")
>>> solution.value(), len(solution.graph)
(0.5, 5478)
>>> state = solution.graph.game.initial_state().apply(["(mark 1 1)", "noop"])
>>> answers = solve(state.game, "o", graph=solution.graph)
>>> print(*answers.best_moves(state))
(mark 2 2)
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Generic, Literal, TypeVar, get_args

from woodstock.errors import WoodstockError
from woodstock.game import Game, State
from woodstock.gdl.keywords import players_of
from woodstock.gdl.terms import Term
from woodstock.solve.concepts import ahead
from woodstock.solve.graph import StateGraph, explore
from woodstock.solve.matrix import Equilibrium, matrix_game

__all__ = ["Concept", "Solution", "SolveError", "solve"]

Concept = Literal["maximin", "difference", "maxn", "team", "matrix"]
"""Who wants what, see `solve`."""

V = TypeVar("V")


class SolveError(WoodstockError, ValueError):
    """A question that the concept does not answer for this game."""


class _Backup(ABC, Generic[V]):
    """How the value of a state comes from the values of those that follow it.

    `sizes` are the numbers of moves of the roles; `below` has a value for each joint move, those of
    the last role changing fastest.
    """

    def __init__(self, roles: Sequence[str], role: int) -> None:
        self.role = role
        self.players = [roles.index(player) for player in players_of(roles)]
        self.chance = next((n for n in range(len(roles)) if n not in self.players), None)

    @abstractmethod
    def end(self, goals: Sequence[float]) -> V:
        """The value of an end with these utilities of the roles."""

    @abstractmethod
    def moves(self, sizes: tuple[int, ...], below: list[V]) -> list[V]:
        """The value of each of our moves."""

    @abstractmethod
    def own(self, value: V) -> float:
        """What a value means to us."""

    def state(self, sizes: tuple[int, ...], below: list[V]) -> V:
        """The value of a state: that of the best of our moves."""
        return max(self.moves(sizes, below), key=self.own)


class _Scalar(_Backup[float]):
    """One number says it all."""

    def own(self, value: float) -> float:
        return value

    def expect(self, sizes: tuple[int, ...], below: list[float]) -> tuple[list[int], list[float]]:
        """Chance taken out: the mean over its moves, which are equally likely."""
        left = list(sizes)
        if self.chance is not None:
            below = _fold(below, left, self.chance, lambda values: sum(values) / len(values))
        return left, below


class _Maximin(_Scalar):
    def end(self, goals: Sequence[float]) -> float:
        return goals[self.role]

    def moves(self, sizes: tuple[int, ...], below: list[float]) -> list[float]:
        left, values = self.expect(sizes, below)
        for other in self.players:
            if other != self.role:
                values = _fold(values, left, other, min)
        return values


class _Difference(_Maximin):
    def end(self, goals: Sequence[float]) -> float:
        return ahead([goals[player] for player in self.players], self.players.index(self.role))


class _Team(_Scalar):
    def end(self, goals: Sequence[float]) -> float:
        return sum(goals[player] for player in self.players) / len(self.players)

    def moves(self, sizes: tuple[int, ...], below: list[float]) -> list[float]:
        left, values = self.expect(sizes, below)
        for other in self.players:
            if other != self.role:
                values = _fold(values, left, other, max)
        return values


class _Matrix(_Scalar):
    def end(self, goals: Sequence[float]) -> float:
        return goals[self.role]

    def equilibrium(self, sizes: tuple[int, ...], below: list[float]) -> Equilibrium:
        return matrix_game(self._payoffs(sizes, below))

    def moves(self, sizes: tuple[int, ...], below: list[float]) -> list[float]:
        payoffs = self._payoffs(sizes, below)
        answer = matrix_game(payoffs).columns
        return [sum(map(float.__mul__, row, answer)) for row in payoffs]

    def state(self, sizes: tuple[int, ...], below: list[float]) -> float:
        return self.equilibrium(sizes, below).value

    def _payoffs(self, sizes: tuple[int, ...], below: list[float]) -> list[list[float]]:
        """A row for each of our moves, a column for each combination of the others' moves."""
        left, values = self.expect(sizes, below)
        ours, inner = left[self.role], math.prod(left[self.role + 1 :])
        return [
            [
                value
                for begin in range(own * inner, len(values), ours * inner)
                for value in values[begin : begin + inner]
            ]
            for own in range(ours)
        ]


class _MaxN(_Backup[tuple[float, ...]]):
    def end(self, goals: Sequence[float]) -> tuple[float, ...]:
        return tuple(goals)

    def own(self, value: tuple[float, ...]) -> float:
        return value[self.role]

    def moves(
        self, sizes: tuple[int, ...], below: list[tuple[float, ...]]
    ) -> list[tuple[float, ...]]:
        mover, values = self._expect(sizes, below)
        return values if mover == self.role else [self._choice(mover, values)]

    def state(self, sizes: tuple[int, ...], below: list[tuple[float, ...]]) -> tuple[float, ...]:
        return self._choice(*self._expect(sizes, below))

    def _expect(
        self, sizes: tuple[int, ...], below: list[tuple[float, ...]]
    ) -> tuple[int, list[tuple[float, ...]]]:
        """Whose choice it is, and the expected values of its moves."""
        movers = [player for player in self.players if sizes[player] > 1]
        if len(movers) > 1:
            raise SolveError("maxn has an answer where one role at a time can choose, not here")
        left = list(sizes)
        if self.chance is not None:
            below = _fold(below, left, self.chance, _mean_of_tuples)
        return movers[0] if movers else self.role, below

    def _choice(self, mover: int, values: list[tuple[float, ...]]) -> tuple[float, ...]:
        best = max(value[mover] for value in values)
        return min((v for v in values if v[mover] == best), key=self.own)


_BACKUPS: dict[str, type[_Backup[Any]]] = {
    "maximin": _Maximin,
    "difference": _Difference,
    "maxn": _MaxN,
    "team": _Team,
    "matrix": _Matrix,
}


class Solution:
    """The values of all states of a graph to one role; `solve` makes it.

    A state is one of the graph; where none is given, the one in which the graph begins.
    """

    def __init__(
        self, graph: StateGraph, role: str, concept: Concept, backup: _Backup[Any]
    ) -> None:
        self.graph = graph
        self.role = role
        self.concept = concept
        self._backup = backup
        self._utility = graph.game.engine.utility
        self._values: list[Any] = [None] * len(graph)
        for number in graph.order:
            self._values[number] = self._of(number)

    def _of(self, number: int) -> Any:
        sizes = self.graph.sizes[number]
        if sizes is None:
            return self._backup.end([*map(self._utility, self.graph.ends[number])])
        return self._backup.state(sizes, self._below(number))

    def _below(self, number: int) -> list[Any]:
        values = self._values
        return [values[after] for after in self.graph.after(number)]

    def value(self, state: State | None = None) -> float:
        """The utility that the role can reckon with."""
        return self._backup.own(self._values[self._number(state)])

    def values(self, state: State | None = None) -> dict[str, float]:
        """The utility of every player; `maxn` alone has one for each.

        >>> from woodstock import Game
        >>> solve(Game.from_library("tic-tac-toe"), "o", "maxn").values()
        {'x': 0.5, 'o': 0.5}
        """
        value = self._values[self._number(state)]
        if not isinstance(value, tuple):
            return {self.role: self._backup.own(value)}
        game = self.graph.game
        return {role: value[game.roles.index(role)] for role in game.players}

    def move_values(self, state: State | None = None) -> dict[Term, float]:
        """What each of the role's moves is worth if all play on as the concept says.

        Empty where play has ended. With `matrix` a move is measured against the others' part of
        an equilibrium.

        >>> from woodstock import Game
        >>> values = solve(Game.from_library("nim"), "player1").move_values()
        >>> [str(move) for move, value in values.items() if value == 1]
        ['(reduce d 0)']
        """
        state = state or self.graph.root
        number = self.graph.number(state)
        sizes = self.graph.sizes[number]
        if sizes is None:
            return {}
        found = self._backup.moves(sizes, self._below(number))
        moves = self.graph.moves(state, self._backup.role)
        return dict(zip(moves, map(self._backup.own, found), strict=True))

    def best_moves(self, state: State | None = None, within: float = 1e-9) -> tuple[Term, ...]:
        """The moves whose value is that of the best, or less by no more than `within`."""
        values = self.move_values(state)
        best = max(values.values(), default=0.0)
        return tuple(move for move, value in values.items() if value >= best - within)

    def strategy(self, state: State | None = None) -> dict[Term, float]:
        """How often the role plays each move in an equilibrium; for `matrix` alone.

        >>> from woodstock import Game
        >>> pennies = solve(Game.from_library("matching-pennies"), "j1", "matrix")
        >>> sorted((str(move), often) for move, often in pennies.strategy().items())
        [('(retourne face)', 0.5), ('(retourne pile)', 0.5)]
        """
        state = state or self.graph.root
        number = self.graph.number(state)
        sizes = self.graph.sizes[number]
        if not isinstance(self._backup, _Matrix):
            raise SolveError(f"{self.concept} has pure strategies: ask for best_moves")
        if sizes is None:
            return {}
        often = self._backup.equilibrium(sizes, self._below(number)).rows
        return dict(zip(self.graph.moves(state, self._backup.role), often, strict=True))

    def _number(self, state: State | None) -> int:
        return 0 if state is None else self.graph.number(state)


def solve(
    game: Game,
    role: str,
    concept: Concept = "maximin",
    *,
    max_states: int = 2_000_000,
    graph: StateGraph | None = None,
) -> Solution:
    """Exact values of a game to one role, by looking at every state there is.

    * ``maximin``: all others are against us and know our move: max over our moves of the min over
      the others' joint moves of the expected value after chance.
    * ``difference``: the same where we want to be ahead: an end is worth one half if our utility is
      the mean of the others', one if it is 1 and theirs are 0.
    * ``maxn``: every role wants the most for itself. One role at a time can choose (`SolveError`
      otherwise). Of moves equally good for whoever chooses, it makes the one worst for `role`; of
      those, the first.
    * ``team``: all roles but chance want the mean of their utilities, and can agree on moves.
    * ``matrix``: as maximin, but moves made at once are hidden from each other and may be drawn by
      lot: the value of the equilibrium of a matrix game in every state.

    Who plays several concepts or roles explores once and hands over the `graph`, which may begin
    anywhere; without one, the game is explored from its beginning. Raises what `explore` raises.

    >>> from woodstock import Game
    >>> game = Game.from_library("cooperative-matching-pennies")
    >>> solve(game, "alice").value(), solve(game, "alice", "team").value()
    (0.0, 0.5)
    """
    if role not in game.players:
        raise SolveError(f"no player {role!r}; this game has {', '.join(game.players)}")
    if concept not in _BACKUPS:
        raise ValueError(f"no concept {concept!r}; there are {', '.join(get_args(Concept))}")
    if graph is None:
        graph = explore(game.initial_state(), max_states)
    backup = _BACKUPS[concept](game.roles, game.roles.index(role))
    return Solution(graph, role, concept, backup)


def _fold(values: list[V], left: list[int], role: int, combine: Callable[[list[V]], V]) -> list[V]:
    """The values with the moves of one role combined; `left` is told that one is left of them."""
    count = left[role]
    if count == 1:
        return values
    left[role] = 1
    inner = math.prod(left[role + 1 :])
    if inner == 1 and count == len(values):
        return [combine(values)]
    block = count * inner
    return [
        combine(values[begin + place : begin + block : inner])
        for begin in range(0, len(values), block)
        for place in range(inner)
    ]


def _mean_of_tuples(values: list[tuple[float, ...]]) -> tuple[float, ...]:
    return tuple(sum(parts) / len(values) for parts in zip(*values))
