"""Matches at equal CPU time, in one thread: what rehearsals and rings of players are made of.

Nobody is asked about a move that is the only one, nobody thinks while others think, and what is
hidden is shown to nobody. Luck comes from one source, so that matches can be made to differ in
nothing but who sits where.

>>> from woodstock import Game
>>> game = Game.from_library("nim")
>>> first = lambda situation: Thought(situation.legal_moves(situation.turn[0])[0])
>>> match = EqualMatch(game, random.Random(1), seed=1)
>>> match.play({role: first for role in game.players}).goals
[0, 100]
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from woodstock.belief import ObservationHistories, Situation
from woodstock.errors import WoodstockError
from woodstock.game import Game
from woodstock.gdl.keywords import RANDOM
from woodstock.gdl.terms import Term
from woodstock.solve.concepts import concept_of

__all__ = ["OPENING_PLIES", "EqualMatch", "Outcome", "Spent", "Think", "Thought", "shares_goal"]

MAX_PLIES = 20_000
"""A match that is still going on after so many moves is given up as faulty."""
OPENING_PLIES = 2
"""Random moves at the beginning of a game without chance in it, unless something else is said."""


class Thought(NamedTuple):
    """A move, and how many simulations it took to find."""

    move: Term
    simulations: int = 0


Think = Callable[[Situation], Thought]
"""Asks who sits in a seat for its move."""


@dataclass
class Spent:
    """What a role has spent on its thoughts. CPU times are those of the process.

    `longest` is the CPU time of the longest thought, `seconds` the time of the clock of all.
    """

    thoughts: int = 0
    simulations: int = 0
    cpu_seconds: float = 0.0
    seconds: float = 0.0
    longest: float = 0.0
    illegal: int = 0


@dataclass
class Outcome:
    """The goals of the players, in their order, and what each role has spent."""

    goals: list[int]
    plies: int
    spent: dict[str, Spent] = field(default_factory=dict)


def shares_goal(game: Game) -> bool:
    """Whether the players are a team, or there is but one: then each style plays for itself.

    >>> shares_goal(Game.from_library("nim")), shares_goal(Game.from_library("orchard"))
    (False, True)
    """
    return len(game.players) == 1 or concept_of(game) == "team"


class EqualMatch:
    """One match: its state, its luck, and what the roles have seen of it.

    `seed` is that of what the roles make of what they see.
    """

    def __init__(self, game: Game, luck: random.Random, *, seed: int) -> None:
        self._game = game
        self._luck = luck
        self._histories = ObservationHistories(game, seed=seed)
        self.state = game.initial_state()
        """Where the match is."""
        self.moves: list[tuple[Term, ...]] = []
        """All joint moves so far, those of the opening among them."""

    @property
    def plies(self) -> int:
        """How many joint moves there were."""
        return len(self.moves)

    def open(self, plies: int, rng: random.Random, tries: int) -> bool:
        """Begin with some random moves; False, and where it begins, if these always end it."""
        for _ in range(tries):
            self._begin()
            while self.plies < plies and not self.state.is_terminal:
                self._make(self.state.random_joint_move(rng))
            if not self.state.is_terminal:
                return True
        self._begin()
        return False

    def _begin(self) -> None:
        self._histories.go_back(0)
        self.state = self._game.initial_state()
        self.moves.clear()

    def _make(self, joint: tuple[Term, ...]) -> None:
        self.state = self.state.apply(joint)
        self._histories.see(joint, self.state)
        self.moves.append(joint)

    def play(
        self,
        players: Mapping[str, Think],
        until: float | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Outcome | None:
        """Play to the end; None if it is not reached at that reading of `time.monotonic`.

        Or if somebody has stopped it.
        """
        spent = {role: Spent() for role in players}
        while not self.state.is_terminal:
            if self.plies == MAX_PLIES:
                raise WoodstockError(f"{self._game.name}: no end after {self.plies} moves")
            joint: list[Term] = []
            for role in self._game.roles:
                if stopped() or (until is not None and time.monotonic() >= until):
                    return None
                joint.append(self._move(role, players, spent))
            self._make(tuple(joint))
        goals = [self.state.goal(role) or 0 for role in self._game.players]
        return Outcome(goals, self.plies, spent)

    def _move(self, role: str, players: Mapping[str, Think], spent: Mapping[str, Spent]) -> Term:
        legal = self.state.legal_moves(role)
        if len(legal) == 1:
            return legal[0]
        if role == RANDOM:
            return self._luck.choice(legal)
        mine, begun, clock = spent[role], time.process_time(), time.perf_counter()
        try:
            found = players[role](self._histories.situation(role, self.state))
        except ValueError:
            # A belief that was lost for lack of time may say that the match is over.
            found = Thought("")
        took = time.process_time() - begun
        mine.thoughts += 1
        mine.simulations += found.simulations
        mine.cpu_seconds += took
        mine.seconds += time.perf_counter() - clock
        mine.longest = max(mine.longest, took)
        if found.move in legal:
            return found.move
        # Nor may who believes what is wrong know what is legal.
        mine.illegal += 1
        return self._luck.choice(legal)
