"""All matches of a small game as a tree, and what its players can tell apart in it.

States are opened turn by turn, hundreds in one call of the circuit. Players who choose in the same
turn are asked one after the other, chance last, and do not know of each other. Who has no choice is
not asked.

>>> from woodstock import Game
>>> tree = GameTree(Game.from_library("hidden-matching-pennies"), limit=1000)
>>> tree.nodes, sorted(str(move) for move in tree.sets[0].moves)
(13, ['(play heads)', '(play tails)'])
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from woodstock import _core
from woodstock.errors import WoodstockError
from woodstock.game import Game
from woodstock.gdl.keywords import RANDOM
from woodstock.gdl.terms import Term

__all__ = ["CHANCE", "Choice", "GameTree", "InformationSet", "TooLargeError", "Utilities"]

STATES = 512
"""How many states are looked at in one call."""

CHANCE = -1
"""In place of an information set where chance decides."""

Utilities: TypeAlias = Callable[[Sequence[float]], Sequence[float]]
"""What goals of the players, as parts of the highest, are worth to them."""


class TooLargeError(WoodstockError):
    """A game whose tree has too many nodes."""


class _Past(NamedTuple):
    """What a player remembers: the last turn, and what it remembered before that."""

    before: _Past | None
    turn: tuple[object, ...]


@dataclass(frozen=True, eq=False)
class InformationSet:
    """Decisions of a role that it cannot tell from each other, with their moves.

    `key` is the number that stands for the role's memory in a `woodstock.belief.Belief`; in games
    of complete information, one that stands for all moves so far.
    """

    number: int
    role: str
    moves: tuple[Term, ...]
    key: int
    _past: _Past | None = field(repr=False)

    @property
    def memory(self) -> tuple[object, ...]:
        """Turn by turn the role's move and the set of its percepts, or joint moves."""
        turns, past = [], self._past
        while past is not None:
            turns.append(past.turn)
            past = past.before
        return tuple(itertools.chain(*reversed(turns)))


class Choice(NamedTuple):
    """A decision in an information set, or of `CHANCE`: moves lead to nodes from first to last."""

    node: int
    where: int
    first: int
    last: int


class _Lane(NamedTuple):
    """A state that a node stands for, and what each player remembers there."""

    node: int
    position: bytes
    keys: tuple[int, ...]
    pasts: tuple[_Past | None, ...]


class _Branch(NamedTuple):
    """A node within a turn, and the moves that roles have made by then."""

    node: int
    lane: _Lane
    legal: Sequence[Sequence[int]]
    made: tuple[int, ...]


class GameTree:
    """The tree of a game with a circuit; the root is node 0.

    Utilities are goals divided by 100, or, in rules that know higher ones, by the highest; with
    `utilities`, what that makes of them. Raises `TooLargeError` beyond `limit` nodes.
    """

    def __init__(
        self, game: Game, *, limit: int, utilities: Utilities = lambda goals: goals
    ) -> None:
        engine = game.circuit()
        self.game = game
        self.players = game.players
        self.sets: list[InformationSet] = []
        self.nodes = 0
        """How many nodes the tree has."""
        self.turns = 0
        """How many turns the longest match has."""
        self.owners: list[int] = []
        """For each information set the place of its role among the players."""
        self.members: list[list[Choice]] = []
        """For each information set its decisions."""
        self.choices: list[Choice] = []
        """All decisions. Whatever follows on one of a set comes after all of that set."""
        self.ends: list[tuple[int, Sequence[float]]] = []
        """Where matches end, with the utilities of the players."""
        self._known: dict[tuple[int, int], int] = {}
        self._at: dict[tuple[int, bytes, int], dict[int, None]] = {}
        self._limit = limit
        self._utilities = utilities
        self._open = game.information == "complete"
        number = {role: place for place, role in enumerate(game.roles)}
        self._order = [number[role] for role in (*self.players, RANDOM) if role in number]
        self._engine, self._numbering = engine, engine.numbering
        self._simulator = engine.simulator()
        self._unfold(engine.initial())

    def find(self, role: str, position: bytes, key: int = 0) -> list[InformationSet]:
        """The information sets in which a role decides in a state.

        `key` is that of its memory. In games of complete information there is none to give, and
        there is a set for each way that leads to the state.
        """
        place = self.players.index(role)
        found = self._at.get((place, position, 0 if self._open else key), ())
        return [self.sets[number] for number in found]

    def _unfold(self, start: bytes) -> None:
        nobody = len(self.players)
        lanes = [_Lane(self._more(1), start, (0,) * nobody, (None,) * nobody)]
        while lanes:
            lanes = self._turn(lanes)
            self.turns += bool(lanes)
            if self.turns > self._limit:  # nobody chooses, and still it does not end
                raise self._too_large()

    def _too_large(self) -> TooLargeError:
        return TooLargeError(f"{self.game.name} has more than {self._limit:,} nodes")

    def _more(self, count: int) -> int:
        """Room for some nodes; the first of them."""
        first = self.nodes
        self.nodes += count
        if self.nodes > self._limit:
            raise self._too_large()
        return first

    def _turn(self, lanes: Sequence[_Lane]) -> list[_Lane]:
        """What follows on the states of a turn."""
        branches = []
        needed = 0
        for lane, legal in self._going_on(lanes):
            branches.append(_Branch(lane.node, lane, legal, ()))
            width = math.prod(map(len, legal))
            needed += width if width > 1 else 0
            if self.nodes + needed > self._limit:
                raise self._too_large()
        # One role in all states, then the next: so sets come before what follows on them.
        for place, role in enumerate(self._order):
            branches = [
                _Branch(node, branch.lane, branch.legal, (*branch.made, move))
                for branch in branches
                for node, move in self._choose(place, branch, branch.legal[role])
            ]
        joints = [[move for _, move in sorted(zip(self._order, one.made))] for one in branches]
        before = b"".join(branch.lane.position for branch in branches)
        after, seen = self._simulator.next(before, [*itertools.chain(*joints)])
        size = len(lanes[0].position)
        return [
            self._after(branch, after[i * size : (i + 1) * size], joints[i], seen[i])
            for i, branch in enumerate(branches)
        ]

    def _going_on(self, lanes: Sequence[_Lane]) -> Iterator[tuple[_Lane, list[list[int]]]]:
        """The states that are not the end, with the legal moves of each role."""
        for begin in range(0, len(lanes), STATES):
            chunk = lanes[begin : begin + STATES]
            found = self._simulator.analyse(b"".join(lane.position for lane in chunk))
            for lane, (terminal, legal, goals) in zip(chunk, found):
                moves = self._numbering.by_role(legal)
                if terminal or not all(moves):
                    self.ends.append((lane.node, self._utilities(self._score(goals))))
                else:
                    yield lane, moves

    def _score(self, goals: Sequence[int]) -> list[float]:
        best = self._numbering.best_goals(goals)
        return [self._engine.utility(best[number]) for number in self._order[: len(self.players)]]

    def _choose(
        self, place: int, branch: _Branch, moves: Sequence[int]
    ) -> Iterator[tuple[int, int]]:
        """The moves of a role and the nodes they lead to."""
        if len(moves) == 1:
            yield branch.node, moves[0]
            return
        where = CHANCE if place == len(self.players) else self._set(place, branch.lane, moves)
        first = self._more(len(moves))
        choice = Choice(branch.node, where, first, first + len(moves))
        self.choices.append(choice)
        if where != CHANCE:
            self.members[where].append(choice)
        yield from enumerate(moves, first)

    def _set(self, place: int, lane: _Lane, moves: Sequence[int]) -> int:
        role, key = self.players[place], lane.keys[place]
        number = self._known.setdefault((place, key), len(self.sets))
        names = tuple(self._numbering.move(move) for move in moves)
        if number == len(self.sets):
            self.sets.append(InformationSet(number, role, names, key, lane.pasts[place]))
            self.owners.append(place)
            self.members.append([])
        elif self.sets[number].moves != names:
            raise WoodstockError(f"{role} cannot know which moves it has in {self.game.name}")
        here = place, lane.position, 0 if self._open else key
        self._at.setdefault(here, {})[number] = None
        return number

    def _after(
        self, branch: _Branch, position: bytes, joint: Sequence[int], seen: Sequence[int]
    ) -> _Lane:
        """What players remember after a joint move."""
        lane = branch.lane
        keys, pasts = list(lane.keys), []
        for place, number in enumerate(self._order[: len(self.players)]):
            if self._open:
                for move in joint:
                    keys[place] = _core.remember(keys[place], move, 0)
                turn: tuple[object, ...] = (tuple(self._numbering.move(move) for move in joint),)
            else:
                move = branch.made[place]
                percepts = self._numbering.percepts
                mine = [percept for percept in seen if percepts[percept][0] == number]
                keys[place] = _core.remember(keys[place], move, _core.percept_key(mine))
                turn = self._numbering.move(move), frozenset(percepts[one][1] for one in mine)
            pasts.append(_Past(lane.pasts[place], turn))
        return _Lane(branch.node, position, tuple(keys), tuple(pasts))
