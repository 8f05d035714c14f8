"""Playthroughs: random matches with all that can be said of them, to hold engines against.

Every game of the library keeps one; `woodstock.match.trace` reads them back.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from woodstock.game import Game, State
from woodstock.gdl.terms import Term
from woodstock.match.trace import digest

__all__ = ["random_playthrough"]

_MOST_SPELLED = 24
"""Moves of one role that are spelled out; of more the playthrough keeps number and digest."""


def random_playthrough(game: Game, seed: int) -> dict[str, Any]:
    """Play a random match and note every state, all legal moves, the moves made and the goals.

    The first state is spelled out, the others by the fluents that are `new` and those `gone`;
    of many legal moves only the number and the digest are kept.

    >>> match = random_playthrough(Game.from_library("matching-pennies"), seed=1)
    >>> match["plies"][0]["legal"]["j1"]
    ['(retourne face)', '(retourne pile)']
    >>> match["plies"][1]["gone"]
    ['(piece j1 inconnue)', '(piece j2 inconnue)']
    """
    rng = random.Random(seed)
    before, state = None, game.initial_state()
    plies: list[dict[str, Any]] = []
    while not state.is_terminal:
        moves = state.random_joint_move(rng)
        legal = {role: _recorded(_texts(state.legal_moves(role))) for role in state.roles}
        joint = [str(move) for move in moves]
        plies.append({**_situation(before, state), "legal": legal, "moves": joint})
        before, state = state, state.apply(moves)
    goals = {role: state.goal(role) for role in state.roles}
    plies.append({**_situation(before, state), "terminal": True, "goals": goals})
    return {"game": game.name, "seed": seed, "plies": plies}


def _texts(terms: Iterable[Term]) -> list[str]:
    return sorted(str(term) for term in terms)


def _situation(before: State | None, state: State) -> dict[str, Any]:
    found: dict[str, Any] = {"state": _texts(state.fluents)}
    if before is not None:
        old, now = set(before.fluents), set(state.fluents)
        found = {"gone": _texts(old - now), "new": _texts(now - old)}
    seen = {role: _texts(state.percepts(role)) for role in state.roles}
    if any(seen.values()):
        found["percepts"] = seen
    return found


def _recorded(texts: list[str]) -> list[str] | dict[str, Any]:
    if len(texts) <= _MOST_SPELLED:
        return texts
    return {"n": len(texts), "sha256": digest(texts)}
