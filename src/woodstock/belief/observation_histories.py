"""What the roles of a match are shown: the state where everybody knows it, else their histories."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from typing import TypeAlias

from woodstock.belief.belief import Belief
from woodstock.belief.observation_history import ObservationHistory
from woodstock.game import Game, State
from woodstock.gdl.terms import Term

__all__ = ["ObservationHistories", "Situation", "belief_until", "believed", "history_seed"]

Situation: TypeAlias = State | ObservationHistory
"""What a player is asked about: a state, or, where something is hidden, what its role has seen."""

BELIEF_SHARE = 0.15
"""The part of a clock in which a belief is worked out; where that is hard, it takes up to four."""


class ObservationHistories:
    """What the manager of a match shows to each player, so that none sees what is hidden from it.

    >>> game = Game.from_library("monty-hall")
    >>> histories, state = ObservationHistories(game, seed=1), game.initial_state()
    >>> joint = game.term("(choose 1)"), game.term("(hide 2)")
    >>> state = state.apply(joint)
    >>> histories.see(joint, state)
    >>> histories.situation("candidate", state).observations[-1].move
    Compound(('choose', '1'))
    >>> histories.believed("candidate", state)
    <Belief of candidate in monty-hall: 3 states, exact>
    """

    def __init__(self, game: Game, *, seed: int) -> None:
        self._histories: dict[str, ObservationHistory] | None = None
        if game.information != "complete":
            self._histories = {
                role: ObservationHistory(game, role, seed=history_seed(role, seed))
                for role in game.players
            }

    def situation(self, role: str, state: State) -> Situation:
        """What a player is asked about: the state, or the role's history."""
        return state if self._histories is None else self._histories[role]

    def believed(self, role: str, state: State, until: float = math.inf) -> State | Belief:
        """What a search is asked about: the state, or the role's belief, worked out until then."""
        return believed(self.situation(role, state), until)

    def see(self, moves: Sequence[Term], after: State) -> None:
        """A joint move was made; it led to this state."""
        made = dict(zip(after.roles, moves, strict=True))
        for role, history in (self._histories or {}).items():
            history.see(made[role], after)

    def go_back(self, turn: int) -> None:
        """Forget all that came after so many turns."""
        for history in (self._histories or {}).values():
            history.go_back(turn)


def history_seed(role: str, seed: int) -> int:
    """The seed of what a role makes of a match with this seed.

    >>> history_seed("x", 1) == history_seed("o", 1)
    False
    """
    # The word keeps this apart from what else draws by the same seed; it stays, or matches
    # with recorded seeds would go another way.
    return random.Random(f"sight/{role}/{seed}").getrandbits(63)


def believed(situation: Situation, until: float = math.inf) -> State | Belief:
    """The state, or the belief of who is still playing, worked out until then.

    >>> believed(ObservationHistory(Game.from_library("monty-hall"), "candidate", seed=1)).exact
    True
    """
    return situation if isinstance(situation, State) else situation.belief(until).going_on()


def belief_until(deadline: float) -> float:
    """When the belief should be worked out, so that there is time to think before a deadline.

    >>> belief_until(math.inf)
    inf
    """
    now = time.monotonic()
    return now + BELIEF_SHARE * max(0.0, deadline - now)
