"""The service `inside`: how WoodStock sees a position.

A request names a position (`line`, moves from the first state on, or `fluents` and then `line`)
and `what` is asked: the ``network`` of the turn, its ``symmetries``, the ``belief`` of a role,
``why`` a move is legal or not, the ``size`` of the game.

>>> from woodstock import Game
>>> game = Game.from_library("nim")
>>> found = inside(game, {"what": "why", "role": "player2", "move": "(take a 1)"})
>>> found["holds"]
False
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from woodstock.errors import ArgumentError
from woodstock.game import Game, State
from woodstock.gdl.terms import Term

__all__ = ["WHAT", "inside"]

MOST_MOVES = 5000
"""Joint moves in a line."""


def inside(
    game: Game,
    request: dict[str, Any],
    tell: Callable[[dict[str, Any]], None] | None = None,
    stopped: Callable[[], bool] | None = None,
) -> dict[str, Any]:
    """What is asked about a position, as plain JSON."""
    what = request.get("what")
    if not isinstance(what, str) or what not in WHAT:
        raise ArgumentError(f"ask for one of {', '.join(WHAT)}, not for {what!r}")
    start, line = _position(game, request)
    answer = WHAT[what](game, start, line, request)
    return {"what": what, "ply": len(line), **answer}


def _position(game: Game, request: dict[str, Any]) -> tuple[State, list[list[Term]]]:
    """The state a line begins in, and its moves as terms."""
    fluents, line = request.get("fluents"), request.get("line") or []
    start = game.initial_state() if fluents is None else game.state(_texts(fluents, "fluents"))
    if not isinstance(line, list) or len(line) > MOST_MOVES:
        raise ArgumentError(f"a line is a list of at most {MOST_MOVES} joint moves")
    return start, [[game.term(move) for move in _texts(moves, "moves")] for moves in line]


def _texts(found: object, what: str) -> list[str]:
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise ArgumentError(f"{what} are a list of texts")
    return found


def _text(request: dict[str, Any], key: str) -> str:
    found = request.get(key)
    if not isinstance(found, str) or not found.strip():
        raise ArgumentError(f"{key} is missing")
    return found


def _reached(start: State, line: list[list[Term]]) -> State:
    state = start
    for moves in line:
        state = state.apply(moves)
    return state


def _network(
    game: Game, start: State, line: list[list[Term]], request: dict[str, Any]
) -> dict[str, Any]:
    from woodstock.web.services.network import network_of

    focus, part = request.get("focus") or None, request.get("part") or None
    if not isinstance(focus, str | None) or not isinstance(part, str | None):
        raise ArgumentError("focus and part are texts")
    return network_of(_reached(start, line), focus=focus, part=part)


def _symmetries(
    game: Game, start: State, line: list[list[Term]], request: dict[str, Any]
) -> dict[str, Any]:
    from woodstock.web.services.orbits import orbits_of

    return orbits_of(_reached(start, line))


def _belief(
    game: Game, start: State, line: list[list[Term]], request: dict[str, Any]
) -> dict[str, Any]:
    from woodstock.web.services.beliefs import belief_of

    if start != game.initial_state() and game.information != "complete":
        raise ArgumentError(
            "a belief rests on all moves from the first state on; this position was made by hand"
        )
    role = request.get("role") or game.players[0]
    seed = request.get("seed") or 0
    if not isinstance(role, str) or not isinstance(seed, int):
        raise ArgumentError("role is a text and seed a number")
    if start != game.initial_state():
        return {
            "hidden": False,
            "role": role,
            "information": game.information,
            "states": 1,
            "exact": True,
            "doubts": [],
            "unsure": [],
            "sure": len(_reached(start, line).fluents),
        }
    return belief_of(game, line, role, seed=seed)


def _why(
    game: Game, start: State, line: list[list[Term]], request: dict[str, Any]
) -> dict[str, Any]:
    from woodstock.web.services.why import why_atom, why_move

    state = _reached(start, line)
    if request.get("atom"):
        return why_atom(state, _text(request, "atom"))
    return why_move(state, _text(request, "role"), _text(request, "move"))


def _size(
    game: Game, start: State, line: list[list[Term]], request: dict[str, Any]
) -> dict[str, Any]:
    from woodstock.web.services.sizes import sizes_of

    return sizes_of(_reached(start, line))


WHAT: dict[str, Callable[[Game, State, list[list[Term]], dict[str, Any]], dict[str, Any]]] = {
    "network": _network,
    "symmetries": _symmetries,
    "belief": _belief,
    "why": _why,
    "size": _size,
}
"""What may be asked."""
