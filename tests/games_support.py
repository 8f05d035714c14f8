"""What the tests of the game library share."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from woodstock import Game, State, games
from woodstock.gdl.terms import Term
from woodstock.match.trace import parse_trace


@cache
def load(name: str) -> Game:
    """A game of the library on the circuit, the same one for all tests."""
    return Game.from_library(name, engine="circuit")


def texts(terms: Collection[Term]) -> list[str]:
    return sorted(str(term) for term in terms)


def joint(state: State, moves: dict[str, str]) -> State:
    """Apply moves by role; everybody else has nothing to choose."""
    only = {role: state.legal_moves(role)[0] for role in state.roles if role not in moves}
    assert all(len(state.legal_moves(role)) == 1 for role in only)
    return state.apply({**only, **moves})


def recorded_states(name: str) -> list[list[str]]:
    """The fluents of each state of a game's recorded match, sorted."""
    plies = parse_trace(games.playthrough(name)).matches[0]
    return [sorted(ply.state.texts or ()) for ply in plies if ply.state is not None]
