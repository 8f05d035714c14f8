"""Who sits at a table, and all that has happened there: a match as its journal tells it.

Everything that changes a match is an entry of its journal, and `MatchState.take` is all that
changes the state: a match that is read again is the same as the one that was played.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from woodstock.errors import WoodstockError
from woodstock.gdl.keywords import RANDOM
from woodstock.player import make_player
from woodstock.web.options import PageLimits
from woodstock.web.services.contract import ServiceError

__all__ = ["PERSON", "MatchState", "new_key", "read_seats", "seat_name", "seconds_of"]

PERSON, PLAYER = "person", "player"
LONGEST_NAME = 40
LEAST_SECONDS = 0.05

_PLAYER = re.compile(r"[A-Za-z0-9_.+:=,\- ]{1,200}")


def new_key() -> str:
    """Something that nobody can guess, fit for an address: 192 random bits."""
    return secrets.token_urlsafe(24)


def read_seats(
    data: object, players: Sequence[str], limits: PageLimits
) -> dict[str, dict[str, Any]]:
    """The seats of a request, checked; whoever is not named is a person.

    >>> read_seats({"x": {"kind": "player", "player": "uct"}}, ["x", "o"], PageLimits())
    {'x': {'kind': 'player', 'player': 'uct', 'seconds': 1.0}, 'o': {'kind': 'person'}}
    >>> read_seats({"z": {"kind": "person"}}, ["x", "o"], PageLimits())
    Traceback (most recent call last):
    ...
    woodstock.web.services.contract.ServiceError: nobody plays 'z' here; the seats are x, o
    """
    given = {} if data is None else data
    if not isinstance(given, Mapping):
        raise ServiceError("seats are an object: a seat for each role")
    for role in given:
        if role not in players:
            known = ", ".join(players)
            raise ServiceError(f"nobody plays {str(role)[:80]!r} here; the seats are {known}")
    return {role: _seat(given.get(role), limits) for role in players}


def _seat(data: object, limits: PageLimits) -> dict[str, Any]:
    if data is None:
        return {"kind": PERSON}
    if not isinstance(data, Mapping) or data.get("kind") not in (PERSON, PLAYER):
        raise ServiceError("a seat is of kind 'person' or 'player'")
    if data["kind"] == PERSON:
        name = data.get("name")
        named = isinstance(name, str) and name.strip()
        return {"kind": PERSON, **({"name": str(name).strip()[:LONGEST_NAME]} if named else {})}
    player = str(data.get("player", "woodstock"))
    # Options may name files: from a page, none may be opened.
    if not _PLAYER.fullmatch(player) or "values" in player.lower():
        raise ServiceError(f"no player {player[:80]!r}")
    try:
        make_player(player)
    except (WoodstockError, ValueError) as problem:
        raise ServiceError(str(problem)) from None
    return {"kind": PLAYER, "player": player, "seconds": seconds_of(data, "seconds", 1.0, limits)}


def seat_name(seat: Mapping[str, Any] | None) -> str:
    """Who sits there, as a record says it.

    >>> seat_name({"kind": "person", "name": "Ann"}), seat_name(None)
    ('Ann', 'random')
    """
    if seat is None:
        return RANDOM
    return str(seat.get("name", PERSON) if seat["kind"] == PERSON else seat["player"])


def seconds_of(data: Mapping[str, Any], name: str, usual: float, limits: PageLimits) -> float:
    """A number of seconds of a request, within the limits."""
    try:
        seconds = float(data.get(name, usual))
    except (TypeError, ValueError, OverflowError):
        raise ServiceError(f"{name} is a number") from None
    if not 0 <= seconds <= limits.move_seconds:
        raise ServiceError(f"{name} is a number from 0 to {limits.move_seconds:g}")
    return max(LEAST_SECONDS, seconds)


@dataclass
class MatchState:
    """A match so far; `line` has the joint moves in role order.

    `keys` are those of the persons' links by role, `claimed` are the roles whose link was used,
    `pending` the choices of persons that wait for others. `choices` has for each joint move who had
    one, `errors` and `values` what was wrong with it and what players thought of it, by role.
    """

    table: str = ""
    game: str = ""
    digest: str = ""
    seed: int = 0
    start_seconds: float = 2.0
    owner: str = ""
    watch: str = ""
    roles: list[str] = field(default_factory=list)
    seats: dict[str, dict[str, Any]] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    claimed: set[str] = field(default_factory=set)
    had_people: bool = False
    line: list[list[str]] = field(default_factory=list)
    choices: list[list[str]] = field(default_factory=list)
    errors: list[dict[str, str]] = field(default_factory=list)
    values: list[dict[str, float]] = field(default_factory=list)
    times: list[int] = field(default_factory=list)
    pending: dict[str, str] = field(default_factory=dict)
    resigned: str | None = None
    rules: str | None = None
    """The text of pasted rules, which others may have crowded out since."""

    def take(self, entry: Mapping[str, Any]) -> None:
        """Let happen what an entry of the journal says."""
        if "start" in entry:
            self._start(entry["start"])
        elif "move" in entry:
            self.pending[entry["role"]] = entry["move"]
        elif "back" in entry:
            self.pending.pop(entry["back"], None)
        elif "joint" in entry:
            self.line.append(list(entry["joint"]))
            self.choices.append(list(entry.get("choices", [])))
            self.errors.append(dict(entry.get("errors", {})))
            self.values.append(dict(entry.get("values", {})))
            self.times.append(int(entry.get("time", 0)))
            self.pending.clear()
        elif "undo" in entry:
            count = int(entry["undo"])
            for part in (self.line, self.choices, self.errors, self.values):
                del part[count:]
            del self.times[count + 1 :]
            self.pending.clear()
            self.resigned = None
        elif "seats" in entry:
            self._sit(entry["seats"], entry["keys"])
        elif "claim" in entry:
            self.claimed.add(entry["claim"])
        elif "resign" in entry:
            self.resigned = entry["resign"]
            self.pending.clear()

    def people(self) -> list[str]:
        """The roles of persons."""
        return [role for role, seat in self.seats.items() if seat["kind"] == PERSON]

    def new_keys(self, seats: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
        """Keys for the persons among new seats; who has one keeps it."""
        people = [role for role, seat in seats.items() if seat["kind"] == PERSON]
        return {role: self.keys.get(role) or new_key() for role in people}

    def _start(self, start: Mapping[str, Any]) -> None:
        for name in ("table", "game", "digest", "seed", "start_seconds", "owner", "watch"):
            setattr(self, name, start[name])
        self.rules = start.get("rules")
        self.roles = list(start["roles"])
        self.line = [list(joint) for joint in start["line"]]
        self.choices = [list(roles) for roles in start["choices"]]
        self.errors = [{} for _ in self.line]
        self.values = [{} for _ in self.line]
        self.times = [int(start["time"])] * (len(self.line) + 1)
        self._sit(start["seats"], start["keys"])

    def _sit(self, seats: Mapping[str, dict[str, Any]], keys: Mapping[str, str]) -> None:
        self.seats = {role: dict(seat) for role, seat in seats.items()}
        self.keys = dict(keys)
        people = set(self.people())
        self.claimed &= people
        self.pending = {role: move for role, move in self.pending.items() if role in people}
        self.had_people = self.had_people or bool(people)
