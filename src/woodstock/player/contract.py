"""The contract of a player, and what it answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal

from woodstock.belief import Situation
from woodstock.game import Game
from woodstock.gdl.terms import Term
from woodstock.search import Decision

__all__ = ["Answer", "Player", "Reason"]

Reason = Literal["search", "plain search", "only move", "best so far", "fallback"]


@dataclass(frozen=True)
class Answer:
    """A move and why it was made.

    `reason` is ``search`` (the search's answer), ``plain search`` (the fast search could not, the
    slow one did), ``only move``, ``best so far`` (the search did not come back in time; what it
    last told of) or ``fallback`` (nothing was known but that the move is legal). `seconds` is the
    time from the question to the answer.

    >>> print(Answer("noop", "only move", None, 0.0004))
    noop (only move), 0.000 s
    """

    move: Term
    reason: Reason
    decision: Decision | None
    seconds: float

    def __str__(self) -> str:
        parts = [f"{self.move} ({self.reason})"]
        found = self.decision
        if found is not None:
            visits = next((one.visits for one in found.moves if one.move == self.move), 0)
            parts.append(f"value {found.value:.3f}{' proved' if found.proved else ''}")
            parts.append(f"{visits:,} visits, {found.simulations:,} simulations")
            parts.append(f"{found.nodes:,} nodes, depth {found.depth}")
        return ", ".join([*parts, f"{self.seconds:.3f} s"])


class Player(ABC):
    """Somebody who plays one role of one match; inherit from it to write your own.

    Deadlines are readings of `time.monotonic`; an answer that comes later does not count. Equal
    seeds and equal questions give equal answers as long as no deadline cuts the thinking short.

    >>> class Last(Player):
    ...     def choose(self, situation: Situation, role: str, deadline: float) -> Term:
    ...         return situation.legal_moves(role)[-1]
    >>> state = Game.from_library("nim").initial_state()
    >>> print(Last().choose(state, "player1", deadline=0.0))
    (reduce d 1)
    """

    last_answer: Answer | None = None
    """The last move and why it was made, if the player tells."""

    @abstractmethod
    def choose(self, situation: Situation, role: str, deadline: float) -> Term:
        """A legal move of `role` now; the match is not over.

        The situation is the state in games of complete information. In others it is what the role
        has seen of the match, a `woodstock.belief.ObservationHistory`.
        """

    def prepare(self, game: Game, role: str, deadline: float) -> None:  # noqa: B027
        """Get ready to play `role`; called once, in the start clock."""

    def close(self) -> None:  # noqa: B027
        """End what is still being thought; also called from other threads."""

    @property
    def last_decision(self) -> Decision | None:
        """What a search found for the last move; None where it was not needed or said nothing."""
        return self.last_answer.decision if self.last_answer is not None else None
