"""The service ``choose``: a player's move at a table, or a hint for a person.

Players stay in their process between two moves, so that a search goes on from what it knows; when
there are too many, the one that nobody has asked for longest goes. One that is asked elsewhere the
next time begins anew: the request says everything that is needed.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from woodstock.belief import ObservationHistory, Situation
from woodstock.belief.observation_histories import history_seed
from woodstock.game import Game
from woodstock.match.local import seat_seed
from woodstock.player import Player, make_player
from woodstock.web.services.contract import ServiceError, Stopped, Tell
from woodstock.web.services.table import state_after, states_along

__all__ = ["choose"]

KEPT = 4
"""Players that are kept: each may hold the whole memory of a search."""
LOOK_SECONDS = 0.05
"""How often somebody looks whether the move is still wanted."""


class _Seat:
    """A player of a role at a table, and what the role has seen."""

    def __init__(self, game: Game, request: dict[str, Any]) -> None:
        self.role: str = request["role"]
        seed = int(request.get("seed", 0))
        self.player: Player = make_player(
            str(request.get("player", "woodstock")),
            seat_seed(self.role, seed),
            threads=int(request.get("threads", 1)),
            memory_mb=int(request.get("search_mb", 256)),
        )
        self.prepared = False
        self._game = game
        self._seen: list[tuple[str, ...]] = []
        self._history: ObservationHistory | None = None
        if game.information != "complete":
            self._history = ObservationHistory(game, self.role, seed=history_seed(self.role, seed))

    def situation(self, line: list[tuple[str, ...]]) -> Situation:
        """What the role knows after a line: the state, or what it has seen of the match."""
        if self._history is None:
            return state_after(self._game, line)
        same = 0
        while same < min(len(line), len(self._seen)) and line[same] == self._seen[same]:
            same += 1
        self._history.go_back(same)
        place = self._game.roles.index(self.role)
        if same < len(line):
            states = states_along(self._game, line)
            for joint, after in list(zip(line, states[1:]))[same:]:
                self._history.see(self._game.term(joint[place]), after)
        self._seen = list(line)
        return self._history


def choose(game: Game, request: dict[str, Any], tell: Tell, stopped: Stopped) -> dict[str, Any]:
    """A move of ``role`` after ``line``, by ``player`` within ``seconds``.

    The first time, the player may get ready for ``start_seconds`` before. The result has the
    ``move``, its ``value`` to the role from 0 to 1 (or None), the ``decision`` of the search (or
    None), and why the move was made.

    >>> game = Game.from_library("nim")
    >>> asked = {"role": "player1", "player": "legal", "seconds": 1, "line": [], "table": "t"}
    >>> choose(game, asked, print, bool)["move"]
    '(reduce a 0)'
    """
    role = request.get("role")
    if role not in game.players:
        raise ServiceError(f"no player {role!r} in this game")
    line = [tuple(joint) for joint in request.get("line", [])]
    if state_after(game, line).is_terminal:
        raise ServiceError("the game is over; there is nothing to decide")
    seat = _seat(game, request)
    begun = time.monotonic()
    with _closed_when(stopped, seat.player):
        start_seconds = float(request.get("start_seconds", 0))
        if not seat.prepared and start_seconds > 0:
            tell({"role": role, "preparing": start_seconds})
            seat.player.prepare(game, seat.role, time.monotonic() + start_seconds)
        seat.prepared = True
        situation = seat.situation(line)
        begun = time.monotonic()
        seconds = float(request.get("seconds", 1))
        move = seat.player.choose(situation, seat.role, begun + seconds)
    answer = seat.player.last_answer
    decision = seat.player.last_decision
    return {
        "role": role,
        "move": str(game.term(move)),
        "value": None if decision is None else round(decision.value, 6),
        "reason": None if answer is None else answer.reason,
        "decision": None if decision is None else decision.to_json(),
        "seconds": round(time.monotonic() - begun, 3),
    }


def _seat(game: Game, request: dict[str, Any]) -> _Seat:
    seats: OrderedDict[tuple[str, ...], _Seat] = game.memo.setdefault("web.choose", OrderedDict())
    key = tuple(
        str(request.get(name, "")) for name in ("table", "role", "player", "seed", "purpose")
    )
    if key not in seats:
        while len(seats) >= KEPT:
            seats.popitem(last=False)[1].player.close()
        seats[key] = _Seat(game, request)
    seats.move_to_end(key)
    return seats[key]


@contextmanager
def _closed_when(stopped: Stopped, player: Player) -> Iterator[None]:
    """Let a player come back soon when nobody wants its move any more."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(LOOK_SECONDS):
            if stopped():
                player.close()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
