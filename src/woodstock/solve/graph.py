"""All states that can be reached from one, as a graph: the ground on which small games are solved.

States are opened level by level, thousands in one call of the circuit, and each is kept once. A
million of them take some seconds and some hundred megabytes.

>>> from woodstock import Game
>>> graph = explore(Game.from_library("nim").initial_state())
>>> len(graph), len(graph.ends)
(344, 2)
"""

from __future__ import annotations

import itertools
import math
from array import array
from collections.abc import Sequence

from woodstock.errors import WoodstockError
from woodstock.game import Game, State
from woodstock.gdl.terms import Term

__all__ = ["CyclicGameError", "StateGraph", "TooManyStatesError", "explore"]

STATES, STEPS = 8192, 65536
"""How many states are asked about, and how many joint moves are made, in one call."""


class TooManyStatesError(WoodstockError, ValueError):
    """More states can be reached than were allowed."""


class CyclicGameError(WoodstockError, ValueError):
    """A state can come back, so that its value is not given by those below it."""


class StateGraph:
    """The states reachable from one state by joint moves, which must not run in circles.

    States are numbered; 0 is the first one, `root`. `sizes[n]` says how many moves each role has
    in state n, or is None where play ends: the game is over, or some role has no legal move. `ends`
    holds what each role has got there: the highest goal that holds, 0 without one, as in playouts.
    `order` lists all states so that each
    comes after those that follow on it.
    """

    def __init__(self, game: Game, root: bytes, max_states: int) -> None:
        engine = game.circuit()
        self.game = game
        self.root = State(game, root)
        self.sizes: list[tuple[int, ...] | None] = []
        self.ends: dict[int, tuple[int, ...]] = {}
        self._simulator = engine.simulator()
        self._numbering = engine.numbering
        self._index = {root: 0}
        self._first = array("Q", [0])
        self._edges = array("I")
        self._explore(root, max_states)
        self.order = self._sort()

    def __len__(self) -> int:
        return len(self.sizes)

    @property
    def joint_moves(self) -> int:
        """How many joint moves lead from state to state."""
        return len(self._edges)

    def number(self, state: State) -> int:
        """The number of a state; `WoodstockError` when it is not in the graph."""
        found = self._index.get(self.game.position_of(state))
        if found is None:
            raise WoodstockError("this state cannot be reached from where the graph begins")
        return found

    def after(self, number: int) -> Sequence[int]:
        """Where the joint moves of a state lead: the moves of the last role change fastest."""
        return self._edges[self._first[number] : self._first[number + 1]]

    def moves(self, state: State, role: int) -> list[Term]:
        """The legal moves of a role, in the order that `after` keeps."""
        ((_, legal, _),) = self._simulator.analyse(self.game.position_of(state))
        return [self._numbering.move(move) for move in self._numbering.by_role(legal)[role]]

    def _explore(self, root: bytes, max_states: int) -> None:
        positions = [root]
        seen_sizes: dict[tuple[int, ...], tuple[int, ...]] = {}
        while len(self.sizes) < len(positions):
            before: list[bytes] = []
            flat: list[int] = []
            done = len(self.sizes)
            chunk = positions[done : done + STATES]
            for position, (terminal, legal, goals) in zip(
                chunk, self._simulator.analyse(b"".join(chunk))
            ):
                options = self._numbering.by_role(legal)
                width = 0 if terminal else math.prod(map(len, options))
                if width:
                    sizes = tuple(map(len, options))
                    self.sizes.append(seen_sizes.setdefault(sizes, sizes))
                    before.extend([position] * width)
                    flat.extend(itertools.chain.from_iterable(itertools.product(*options)))
                else:
                    self.ends[len(self.sizes)] = tuple(self._numbering.best_goals(goals))
                    self.sizes.append(None)
                self._first.append(self._first[-1] + width)
                if len(before) >= STEPS:
                    self._follow(before, flat, positions, max_states)
            self._follow(before, flat, positions, max_states)

    def _follow(
        self, before: list[bytes], flat: list[int], positions: list[bytes], max_states: int
    ) -> None:
        """Make the joint moves that have been collected, and empty the lists."""
        roles, size = len(self.game.roles), len(positions[0])
        for begin in range(0, len(before), STEPS):
            states = b"".join(before[begin : begin + STEPS])
            moves = flat[begin * roles : (begin + STEPS) * roles]
            reached, _ = self._simulator.next(states, moves, False)
            for place in range(0, len(reached), size):
                position = reached[place : place + size]
                number = self._index.setdefault(position, len(positions))
                if number == len(positions):
                    positions.append(position)
                self._edges.append(number)
            if len(positions) > max_states:
                name = self.game.name
                raise TooManyStatesError(f"{name} has more than {max_states} states to solve")
        before.clear()
        flat.clear()

    def _sort(self) -> array[int]:
        """A depth-first walk that puts a state down when all below it have been."""
        first, edges = self._first, self._edges
        unseen, open_, closed = 0, 1, 2
        mark = bytearray(len(self.sizes))
        at = array("Q", first)
        order = array("I")
        path = [0]
        mark[0] = open_
        while path:
            state = path[-1]
            edge = at[state]
            if edge == first[state + 1]:
                mark[state] = closed
                order.append(state)
                path.pop()
                continue
            at[state] = edge + 1
            below = edges[edge]
            if mark[below] == unseen:
                mark[below] = open_
                path.append(below)
            elif mark[below] == open_:
                length = len(path) - path.index(below)
                raise CyclicGameError(
                    f"a state of {self.game.name} comes back after {length} joint moves; only "
                    "games in which none does can be solved"
                )
        return order


def explore(state: State, max_states: int = 2_000_000) -> StateGraph:
    """The graph of all states that can be reached from `state`, itself included.

    Raises `TooManyStatesError` beyond `max_states`, `CyclicGameError` where a state can come back.
    """
    return StateGraph(state.game, state.game.position_of(state), max_states)
