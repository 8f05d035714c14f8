"""The services of a match on the page: ``table``, what the referee must know, and ``record``."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from woodstock.game import Game, State
from woodstock.gdl.keywords import RANDOM
from woodstock.match import MatchRecord
from woodstock.web.services.contract import ServiceError, Stopped, Tell

__all__ = ["record", "state_after", "states_along", "table"]

KEPT = 2000
"""States that are remembered by the line that led to them."""
_MEMO = "web.table.states"


def state_after(game: Game, line: Sequence[Sequence[str]]) -> State:
    """The state after these joint moves; quick where one a few moves before is known.

    Raises `IllegalMoveError` for moves that are not legal.

    >>> game = Game.from_library("tic-tac-toe")
    >>> state_after(game, [["(mark 2 2)", "noop"]]).turn
    ('o',)
    """
    known: OrderedDict[tuple[tuple[str, ...], ...], State] = game.memo.setdefault(
        _MEMO, OrderedDict()
    )
    moves = _line(line)
    begin = len(moves)
    while begin and moves[:begin] not in known:
        begin -= 1
    state = known[moves[:begin]] if begin else game.initial_state()
    for count in range(begin, len(moves)):
        state = state.apply(moves[count])
        known[moves[: count + 1]] = state
    if moves:
        known.move_to_end(moves)
    while len(known) > KEPT:
        known.popitem(last=False)
    return state


def states_along(game: Game, line: Sequence[Sequence[str]]) -> list[State]:
    """All states from the first one on."""
    states = [game.initial_state()]
    for joint in _line(line):
        states.append(states[-1].apply(joint))
    return states


def table(game: Game, request: dict[str, Any], tell: Tell, stopped: Stopped) -> dict[str, Any]:
    """What a referee must know after ``line``: who may do what, and whether it is over.

    With ``choices``, also who had one before each joint move.

    >>> game = Game.from_library("tic-tac-toe")
    >>> found = table(game, {"line": []}, print, bool)
    >>> found["roles"], found["legal"]["o"], len(found["legal"]["x"]), found["terminal"]
    (['x', 'o'], ['noop'], 9, False)
    """
    del tell, stopped
    state = state_after(game, request.get("line", []))
    over = state.is_terminal
    legal = {role: [] if over else [str(m) for m in state.legal_moves(role)] for role in game.roles}
    found: dict[str, Any] = {
        "roles": list(game.roles),
        "players": list(game.players),
        "chance": RANDOM if game.has_chance else None,
        "terminal": over,
        "legal": legal,
        "goals": state.goals() if over else None,
        "hidden": game.information != "complete",
        "engine": game.engine.name,
    }
    if request.get("choices"):
        before = states_along(game, request.get("line", []))[:-1]
        found["choices"] = [list(state.turn) for state in before]
    return found


def record(game: Game, request: dict[str, Any], tell: Tell, stopped: Stopped) -> dict[str, Any]:
    """The match as a record with the names of the ggp.org servers.

    >>> game = Game.from_library("tic-tac-toe")
    >>> asked = {"line": [["(mark 2 2)", "noop"]], "names": ["Ann", "uct"], "seed": 1}
    >>> made = record(game, asked, print, bool)
    >>> made["moves"], made["isPlayerHuman"], len(made["states"])
    ([['(mark 2 2)', 'noop']], [False, False], 2)
    """
    del tell, stopped
    line, names = request.get("line", []), request["names"]
    states = states_along(game, line)
    times = [*request.get("times", []), *[0] * len(states)][: len(states)]
    errors = request.get("errors", [])
    made = MatchRecord.begin(
        game,
        [str(name) for name in names],
        seed=int(request.get("seed", 0)),
        start_clock=float(request.get("start_clock", 0)),
        play_clock=float(request.get("play_clock", 0)),
        milliseconds=int(times[0]),
    )
    made.match_id = str(request.get("match", made.match_id))
    made.add_state(states[0], int(times[0]))
    for number, joint in enumerate(_line(line)):
        wrong = errors[number] if number < len(errors) else [""] * len(game.roles)
        moves = [game.term(move) for move in joint]
        made.add_moves(moves, [str(one) for one in wrong])
        made.add_state(states[number + 1], int(times[number + 1]))
    resigned = request.get("resigned")
    if not made.is_completed:
        made.is_aborted = True
        made.problem = f"{resigned} resigned" if resigned else str(request.get("problem", ""))
    data = made.to_json()
    data["isPlayerHuman"] = [bool(one) for one in request.get("people", [False] * len(names))]
    return data


def _line(line: object) -> tuple[tuple[str, ...], ...]:
    try:
        moves = tuple(tuple(joint) for joint in line)  # type: ignore[attr-defined]
    except TypeError:
        raise ServiceError("a line is a list of joint moves") from None
    if not all(isinstance(move, str) for joint in moves for move in joint):
        raise ServiceError("moves are texts")
    return moves
