"""What a role gets to know of a match: its own moves and its percepts, turn by turn.

States that are reached by matches with the same history are in the same information set: the role
cannot tell them apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection

from woodstock.belief.belief import Belief
from woodstock.belief.observation import Observation
from woodstock.belief.tracking import Tracker, make_tracker
from woodstock.errors import StateError
from woodstock.game import Game, State
from woodstock.gdl.terms import Compound, Term

__all__ = ["Observation", "ObservationHistory"]


class ObservationHistory:
    """A match as one role sees it.

    `record` is cheap and only writes down; what may be the state by now is worked out when `belief`
    is asked for, in the time of whoever asks. `make` makes the tracker that does it.

    >>> game = Game.from_library("monty-hall")
    >>> history = ObservationHistory(game, "candidate", seed=1)
    >>> history.belief().exact
    True
    >>> history.record("(choose 1)", [])
    >>> len(history.belief().states), history.surprised
    (3, False)
    >>> history.go_back(0)
    >>> len(history.belief().states)
    1
    """

    def __init__(
        self, game: Game, role: str, *, seed: int, make: Callable[..., Tracker] = make_tracker
    ) -> None:
        if role not in game.roles:
            raise StateError(f"no role {role!r}; this game has {', '.join(game.roles)}")
        self.game = game
        self.role = role
        self.observations: list[Observation] = []
        """All turns so far."""
        self.surprised = False
        """Whether nothing that seemed possible led to the last turn that was worked out."""
        self._seed = seed
        self._make = make
        self._tracker: Tracker | None = None

    @property
    def turn(self) -> int:
        """How many turns have gone by."""
        return len(self.observations)

    def record(self, move: Term | None, percepts: Collection[Term] | None) -> None:
        """A turn has gone by. Moves and percepts are terms or KIF texts; None: not known.

        What is no term raises `IllegalMoveError` for a move and `StateError` for a percept. One
        that these rules never lead to is taken down: it may be somebody else's mistake, and the
        belief makes the best of it.
        """
        if isinstance(percepts, str | Compound):
            # Both can be iterated over, so that the parts would silently pass for percepts.
            raise StateError(f"{percepts} is no collection; give a list of percepts")
        seen = None
        if percepts is not None:
            seen = frozenset(self.game.term(percept, StateError) for percept in percepts)
        self._append(move, seen)

    def see(self, move: Term, after: State) -> None:
        """The same, of a state that a joint move with this one led to."""
        self._append(move, frozenset(after.percepts(self.role)))

    def _append(self, move: Term | None, percepts: frozenset[Term] | None) -> None:
        own = None if move is None else self.game.term(move)
        self.observations.append(Observation(own, percepts))

    def go_back(self, turn: int) -> None:
        """Forget all that came after so many turns; what is left is worked out again."""
        del self.observations[turn:]
        if self._tracker is not None and self._tracker.belief.turn > turn:
            self._tracker, self.surprised = None, False

    def belief(self, until: float = math.inf) -> Belief:
        """What may be the state, worked out until then (a reading of `time.monotonic`) at best.

        There is always an answer, though one that had no time may have to guess.
        """
        if self._tracker is None:
            self._tracker = self._make(self.game, self.role, seed=self._seed)
        for observation in self.observations[self._tracker.belief.turn :]:
            self.surprised = not self._tracker.advance(
                observation.move, observation.percepts, until
            )
        return self._tracker.belief
