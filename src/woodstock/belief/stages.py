"""Through a match turn by turn, by what follows on each state and agrees with what a role saw."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from itertools import product
from time import monotonic
from typing import Any, TypeAlias

from woodstock.belief.evidence import Seeing
from woodstock.belief.observation import Observation
from woodstock.game import Game
from woodstock.gdl.terms import Term

__all__ = ["StageWalk"]

JOINT_MOVES = 4_096
"""Joint moves of a state that are tried; of more, so many are drawn."""
TRIED = 300_000
"""Joint moves that are tried in all."""
TOGETHER = 8
"""How many joint moves, all at once, cost as much as one alone on the circuit."""

Joint: TypeAlias = tuple[Term, ...]
Step: TypeAlias = tuple[Joint, Any]
"""A joint move and the position it leads to."""


class StageWalk:
    """A walk in the tree of the matches that agree with observations; see `walks.Walk`.

    >>> game = Game.from_library("monty-hall")
    >>> observations = [Observation(game.term("(choose 1)"), frozenset())]
    >>> walk = StageWalk(game, "candidate", observations, Seeing(game.rules), random.Random(1))
    >>> sorted(str(joint[1]) for joint, _ in walk.options())
    ['(hide 1)', '(hide 2)', '(hide 3)']
    """

    def __init__(
        self,
        game: Game,
        role: str,
        observations: Sequence[Observation],
        seeing: Seeing,
        rng: random.Random,
        until: float = math.inf,
    ) -> None:
        self._engine = game.engine
        self._roles = game.roles
        self._role = game.roles.index(role)
        self._observations = observations
        self._evidence = [seeing.of(role, tuple(percepts or ())) for _, percepts in observations]
        self._rng = rng
        self._until = until
        self._path: list[Step] = [((), self._engine.initial())]
        self._barren: set[tuple[int, Any]] = set()
        self._tried = 0
        self.thorough = True
        """Whether no joint move was left out for want of time."""

    @property
    def exhausted(self) -> bool:
        """Whether enough was tried."""
        return self._tried >= TRIED

    def options(self) -> Sequence[Step] | None:
        """What follows and agrees with the percepts of the turn."""
        turn = len(self._path) - 1
        if turn == len(self._observations):
            return None
        position = self._path[-1][1]
        if self._engine.terminal(position):
            return ()
        wanted = self._observations[turn].percepts
        return [
            (joint, after)
            for joint, after, seen in self._successors(position, turn)
            if wanted is None or frozenset(seen[self._role]) == wanted
        ]

    def enter(self, choice: Step) -> bool:
        """Play on, unless that is known to lead nowhere."""
        if (len(self._path), choice[1]) in self._barren:
            return False
        self._path.append(choice)
        return True

    def leave(self, barren: bool) -> None:
        """Take a turn back."""
        if barren:
            self._barren.add((len(self._path) - 1, self._path[-1][1]))
        self._path.pop()

    def moves(self) -> list[Joint]:
        """The joint moves so far."""
        return [joint for joint, _ in self._path[1:]]

    def _successors(self, position: Any, turn: int) -> Iterator[tuple[Joint, Any, Any]]:
        """What may follow, as far as moves alone can tell."""
        own, evidence = self._observations[turn].move, self._evidence[turn]
        legal = [self._engine.legal(position, number) for number in range(len(self._roles))]
        options: list[Sequence[Term]] = [
            [move for move in moves if evidence.allows(role, move)]
            for role, moves in zip(self._roles, legal)
        ]
        if own is not None:
            options[self._role] = [own] if own in legal[self._role] else []
        count, everything = (math.prod(map(len, moves)) for moves in (options, legal))
        self._tried += 1 + min(count, JOINT_MOVES)
        together = TOGETHER if self._engine.name == "circuit" else 0
        if count and everything <= min(JOINT_MOVES, together * count):
            fitting = [set(moves) for moves in options]
            for joint, after, seen in self._engine.successors(position):
                if all(map(set.__contains__, fitting, joint)):
                    yield joint, after, seen
            return
        for joint in self._joint_moves(options, count):
            if monotonic() > self._until:
                self.thorough = False
                return
            yield joint, *self._engine.next(position, joint)

    def _joint_moves(self, options: Sequence[Sequence[Term]], count: int) -> Iterator[Joint]:
        if count <= JOINT_MOVES:
            yield from product(*options)
            return
        self.thorough = False
        for _ in range(JOINT_MOVES):
            yield tuple(map(self._rng.choice, options))
