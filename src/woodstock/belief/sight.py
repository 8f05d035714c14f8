"""What a role gets to know of a match: its own moves and its percepts, turn by turn."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import NamedTuple

from woodstock.belief.belief import Belief
from woodstock.belief.tracking import Tracker, make_tracker
from woodstock.game import Game, State
from woodstock.gdl.terms import Term

__all__ = ["Glimpse", "Sight"]


class Glimpse(NamedTuple):
    """A turn as a role saw it: the move it made, and what it perceived of what followed.

    None stands for what the role was not told, since a message was lost.
    """

    move: Term | None
    percepts: frozenset[Term] | None


class Sight:
    """A match as one role sees it.

    `note` is cheap and only writes down; what may be the state by now is worked out when `belief`
    is asked for, in the time of whoever asks.

    >>> game = Game.from_library("monty-hall")
    >>> sight = Sight(game, "candidate", seed=1)
    >>> sight.belief().exact
    True
    """

    def __init__(self, game: Game, role: str, *, seed: int, tracker: Tracker | None = None) -> None:
        self.game = game
        self.role = role
        self.history: list[Glimpse] = []
        """All turns so far."""
        self._seed = seed
        self._tracker = tracker

    @property
    def turn(self) -> int:
        """How many turns have gone by."""
        return len(self.history)

    def note(self, move: Term | None, percepts: Collection[Term] | None) -> None:
        """A turn has gone by."""
        self.history.append(Glimpse(move, None if percepts is None else frozenset(percepts)))

    def see(self, move: Term, after: State) -> None:
        """The same, of a state that a joint move with this one led to."""
        self.note(move, after.percepts(self.role))

    def belief(self, until: float = math.inf) -> Belief:
        """What may be the state, worked out until then (a reading of `time.monotonic`) at best.

        There is always an answer, though one that had no time may have to guess.
        """
        if self._tracker is None:
            self._tracker = make_tracker(self.game, self.role, seed=self._seed)
        for glimpse in self.history[self._tracker.belief.turn :]:
            self._tracker.advance(glimpse.move, glimpse.percepts, until)
        return self._tracker.belief
