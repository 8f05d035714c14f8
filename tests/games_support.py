"""What the tests of the game library share."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from woodstock import Game, State
from woodstock.gdl.terms import Term


@cache
def load(name: str) -> Game:
    return Game.from_library(name)


def players(game: Game) -> list[str]:
    return [role for role in game.roles if role != "random"]


def texts(terms: Collection[Term]) -> list[str]:
    return sorted(str(term) for term in terms)


def joint(state: State, moves: dict[str, str]) -> State:
    """Apply moves by role; everybody else has nothing to choose."""
    only = {role: state.legal_moves(role)[0] for role in state.roles if role not in moves}
    assert all(len(state.legal_moves(role)) == 1 for role in only)
    return state.apply({**only, **moves})
