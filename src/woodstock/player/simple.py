"""Players that do not think: the yardsticks every other player has to beat."""

from __future__ import annotations

import random

from woodstock.belief import Situation, believed
from woodstock.belief.observation_histories import belief_until
from woodstock.errors import StateError
from woodstock.game import State
from woodstock.gdl.terms import Term
from woodstock.player.contract import Player

__all__ = ["LegalPlayer", "RandomPlayer"]


class RandomPlayer(Player):
    """Draws uniformly from the legal moves.

    >>> from woodstock import Game
    >>> state = Game.from_library("nim").initial_state()
    >>> RandomPlayer(7).choose(state, "player1", 0.0) in state.legal_moves("player1")
    True
    """

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def choose(self, situation: Situation, role: str, deadline: float) -> Term:
        """Any legal move."""
        return self._rng.choice(_legal(situation, role, deadline))


class LegalPlayer(Player):
    """Plays the first legal move in the order of their texts: dull, and the same every time.

    >>> from woodstock import Game
    >>> state = Game.from_library("nim").initial_state()
    >>> print(LegalPlayer(7).choose(state, "player1", 0.0))
    (reduce a 0)
    """

    def __init__(self, seed: int) -> None:
        del seed  # there is nothing to draw

    def choose(self, situation: Situation, role: str, deadline: float) -> Term:
        """The first legal move."""
        return _legal(situation, role, deadline)[0]


def _legal(situation: Situation, role: str, deadline: float) -> tuple[Term, ...]:
    about = believed(situation, belief_until(deadline))
    legal = about.legal_moves(role) if isinstance(about, State) else about.legal_moves()
    if not legal:
        raise StateError(f"{role} has no legal move here")
    return legal
