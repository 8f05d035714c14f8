"""Recorded matches as the page shows them, read from whatever somebody has.

Understood are match records (one object, a list of them, or one a line), playthroughs of the
library, conformance traces, and journals of ``woodstock serve``. A file is data: it is read within
bounds of size, depth and number, what is not understood is refused with a reason, and its rules
are never evaluated here.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from woodstock.errors import WoodstockError
from woodstock.gdl.terms import parse_term, to_kif
from woodstock.match.lines import split_terms
from woodstock.protocol.messages import MessageError, Play, Start, Stop, read_message, read_move

__all__ = ["RecordError", "Recorded", "read_records"]

MOST_BYTES = 8_000_000
"""Of a longer file nothing is read."""
MOST_DEPTH = 32
MOST_MATCHES = 500
MOST_PLIES = 5000
MOST_ROLES = 64
MOST_SIGNS = 2000
"""Of a move, a name or an error."""
MOST_FLUENTS = 20_000
BIGGEST = 10**15

Json = Any  # whatever a file may hold

_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')
_SEES = re.compile(r"\(\s*(?:sees|seesxml|observation)\s", re.IGNORECASE)


class RecordError(WoodstockError, ValueError):
    """A file that holds no match we can show."""


@dataclass
class Recorded:
    """One match: who played what, as far as the file says it.

    `line` has the joint moves in role order. `first` are the fluents of the first state, where it
    is recorded; `rules` the text of the rules, or `rules_sha256` their digest. `seats` are pairs
    of role and name, for files that name players but not all roles. `drawing` has the hints for
    a game that is not of the library.
    """

    name: str = ""
    game: str = ""
    rules: str | None = None
    rules_sha256: str = ""
    first: frozenset[str] | None = None
    roles: list[str] = field(default_factory=list)
    players: list[str] = field(default_factory=list)
    line: list[list[str]] = field(default_factory=list)
    goals: list[int | None] = field(default_factory=list)
    times: list[int] = field(default_factory=list)
    errors: list[list[str]] = field(default_factory=list)
    values: list[list[float | None]] = field(default_factory=list)
    drawing: dict[str, Any] = field(default_factory=dict)
    clocks: list[float] = field(default_factory=list)
    over: bool = True
    aborted: bool = False
    problem: str = ""
    started: int = 0
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """The match for the page; whose game it is, others find out."""
        width = max(len(self.roles), len(self.players), len(self.goals))
        seats = [
            {
                "role": _at(self.roles, number),
                "name": _at(self.players, number) or "",
                "goal": _at(self.goals, number),
                "mistakes": sum(bool(_at(joint, number)) for joint in self.errors),
            }
            for number in range(width)
        ]
        return {
            "name": self.name,
            "named_game": self.game,
            "roles": self.roles,
            "players": self.players,
            "seats": seats,
            "line": self.line,
            "goals": self.goals,
            "times": self.times,
            "errors": self.errors,
            "values": self.values,
            "clocks": self.clocks,
            "over": self.over,
            "aborted": self.aborted,
            "problem": self.problem,
            "started": self.started,
            "note": self.note,
        }

    def summary(self) -> dict[str, Any]:
        """What a list of matches shows."""
        names = self.players if any(self.players) else []
        return {
            "name": self.name,
            "named_game": self.game,
            "players": names,
            "goals": self.goals,
            "moves": len(self.line),
            "over": self.over,
            "aborted": self.aborted,
            "started": self.started,
        }


def read_records(text: str) -> list[Recorded]:
    """All matches of a file; `RecordError` where it holds none.

    >>> found = read_records('{"moves": [["noop", "( mark 1 1 )"]], "gameMetaURL": "x"}')
    >>> found[0].line, found[0].game
    ([['noop', '(mark 1 1)']], 'x')
    >>> read_records("[[1]]")
    Traceback (most recent call last):
    ...
    woodstock.web.recorded.RecordError: no recorded match was found in this file
    """
    if len(text) > MOST_BYTES:
        raise RecordError(f"the file is larger than {MOST_BYTES // 1_000_000} MB")
    try:
        data: Json = load_json(text)
    except RecordError:
        lines = list(_lines(text))
        if not lines:
            raise
        if any("start" in one and isinstance(one["start"], str) for one in lines[:50]):
            return [_journal(lines)]
        data = lines
    if isinstance(data, Mapping) and isinstance(data.get("start"), str):
        return [_journal([data])]  # a journal that has but its first line
    found: list[Recorded] = []
    for one in _objects(data):
        found.extend(_matches(one))
        if len(found) > MOST_MATCHES:
            raise RecordError(f"the file holds more than {MOST_MATCHES} matches")
    if not found:
        raise RecordError("no recorded match was found in this file")
    return found


def load_json(text: str) -> Json:
    """JSON of strangers: `RecordError` for what is none, and for what is too deep or no number.

    >>> load_json("[" * 40 + "]" * 40)
    Traceback (most recent call last):
    ...
    woodstock.web.recorded.RecordError: this JSON is nested deeper than 32
    """
    depth = 0
    for match in _BRACKET.finditer(text):
        sign = match.group()
        if sign in "[{":
            depth += 1
            if depth > MOST_DEPTH:
                raise RecordError(f"this JSON is nested deeper than {MOST_DEPTH}")
        elif sign in "]}":
            depth -= 1
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as problem:
        raise RecordError(f"this is no JSON: {str(problem)[:200]}") from None


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _lines(text: str) -> Iterator[dict[str, Json]]:
    for line in text.splitlines():
        if not line.lstrip().startswith("{"):
            continue
        try:
            entry = load_json(line)
        except RecordError:
            continue  # the line that is being written
        if isinstance(entry, dict):
            yield entry


def _objects(data: Json) -> Iterator[Mapping[str, Json]]:
    for one in data if isinstance(data, list) else [data]:
        if isinstance(one, Mapping):
            yield one


def _matches(data: Mapping[str, Json]) -> Iterator[Recorded]:
    if isinstance(data.get("matches"), list):
        for number, one in enumerate(data["matches"]):
            if isinstance(one, Mapping) and isinstance(one.get("plies"), list):
                yield _plies({**one, "_whole": data}, f"match {number + 1}")
            elif isinstance(one, Mapping) and isinstance(one.get("moves"), list):
                yield _record(one)
    elif isinstance(data.get("plies"), list):
        yield _plies(data, "")
    elif isinstance(data.get("moves"), list):
        yield _record(data)


def _record(data: Mapping[str, Json]) -> Recorded:
    """A match record with the field names of the ggp.org servers, or with our own."""
    more = data.get("woodstock")
    own: Mapping[str, Json] = more if isinstance(more, Mapping) else {}
    line = [_joint(joint) for joint in _list(data["moves"], MOST_PLIES, "moves")]
    states = data.get("states")
    rules = own.get("rules", data.get("rules"))
    return Recorded(
        name=_text(data.get("matchId")),
        game=_text(data.get("gameMetaURL") or data.get("game") or data.get("gameName")),
        rules=rules if isinstance(rules, str) else None,
        rules_sha256=_text(own.get("rulesSha256") or data.get("rulesheet_sha256")),
        first=_state(states[0]) if isinstance(states, list) and states else None,
        roles=_texts(own.get("roles", data.get("roles"))),
        players=_texts(data.get("playerNamesFromHost", data.get("players"))),
        line=line,
        goals=_goals(data.get("goalValues", data.get("goals"))),
        times=_times(data.get("stateTimes")),
        errors=[_texts(joint) for joint in _some(data.get("errors"))],
        values=[_numbers(joint) for joint in _some(own.get("values", data.get("values")))],
        drawing=dict(own["drawing"]) if isinstance(own.get("drawing"), dict) else {},
        clocks=[x for x in _numbers([data.get("startClock"), data.get("playClock")]) if x],
        over=bool(data.get("isCompleted", True)) or data.get("isAborted") is True,
        aborted=data.get("isAborted") is True,
        problem=_text(own.get("problem")),
        started=_whole(data.get("startTime")) or 0,
    )


def _plies(data: Mapping[str, Json], name: str) -> Recorded:
    """A playthrough of the library, or a match of a conformance trace."""
    whole = data.get("_whole", data)
    plies = [one for one in _list(data["plies"], MOST_PLIES, "plies") if isinstance(one, Mapping)]
    moves = (one.get("moves", one.get("move")) for one in plies)
    legal = plies[0].get("legal") if plies else None
    roles = _texts(whole.get("roles")) or (_texts(list(legal)) if isinstance(legal, dict) else [])
    first = whole.get("initial_state") or (plies[0].get("state") if plies else None)
    goals = plies[-1].get("goals") if plies else None
    if isinstance(goals, Mapping):
        goals = [goals.get(role) for role in roles]
    return Recorded(
        name=name,
        game=_text(whole.get("game")),
        rules_sha256=_text(whole.get("rulesheet_sha256")),
        first=_state(first) if first else None,
        roles=roles,
        line=[_joint(joint) for joint in moves if joint is not None],
        goals=_goals(goals),
        over=bool(plies and plies[-1].get("terminal")),
        aborted=data.get("truncated") is True,
    )


def _journal(lines: Sequence[Mapping[str, Json]]) -> Recorded:
    """What ``woodstock serve`` wrote of a match; of several with one name the last."""
    found = Recorded(over=False)
    role, hidden, own = "", False, 0
    for entry in lines:
        kind = next((k for k in ("start", "play", "stop", "abort", "answer") if k in entry), "")
        said, moment = entry.get(kind), _milliseconds(entry.get("time"))
        if kind == "abort":
            found.over = found.aborted = True
            continue
        if not isinstance(said, str):
            continue
        try:
            message = read_move(said) if kind == "answer" else read_message(said)
        except MessageError:
            continue
        if isinstance(message, Start):
            hidden, role, own = bool(_SEES.search(message.rules)), message.role, 0
            clocks = [message.start_clock, message.play_clock]
            found = Recorded(name=message.match, rules=message.rules, over=False, clocks=clocks)
            found.started = moment
            found.note = f"from the journal of the player of {message.role}"
        elif isinstance(message, (Play, Stop)):
            hidden = hidden or message.turn is not None
            if message.told is not None and not hidden and len(found.line) < MOST_PLIES:
                found.line.append([to_kif(move)[:MOST_SIGNS] for move in message.told])
            found.times.append(moment)
            found.over = isinstance(message, Stop)
        elif kind == "answer":
            own += 1
    if found.rules is None:
        raise RecordError("this journal has no START message that can be read")
    if hidden:
        found.note += f"; in this game it knows its own {own} moves only, so there is no line"
    found.note = found.note.replace("\n", " ")[:MOST_SIGNS]
    if role:
        found.players = []
    return found


def _joint(value: Json) -> list[str]:
    """The moves of all roles, spelled alike."""
    if not isinstance(value, list) or not value or len(value) > MOST_ROLES:
        raise RecordError("a joint move is a list of moves, one for each role")
    return [_term(one) for one in value]


def _term(value: Json) -> str:
    if not isinstance(value, str) or len(value) > MOST_SIGNS:
        raise RecordError("a move is a text in KIF")
    try:
        return to_kif(parse_term(value))
    except ValueError as problem:
        raise RecordError(f"a move cannot be read: {problem}") from None


def _state(value: Json) -> frozenset[str] | None:
    """The fluents of a state: a list, or one text; None where they cannot be read."""
    try:
        if isinstance(value, str):
            inside = value.strip()
            if len(inside) > MOST_BYTES // 10 or not inside.startswith("("):
                return None
            return frozenset(split_terms(inside[1:-1]))
        if isinstance(value, list) and len(value) <= MOST_FLUENTS:
            return frozenset(to_kif(parse_term(one)) for one in value)
    except (ValueError, TypeError, WoodstockError):
        return None
    return None


def _list(value: Json, most: int, what: str) -> list[Json]:
    if not isinstance(value, list) or len(value) > most:
        raise RecordError(f"{what} should be a list of at most {most}")
    return value


def _some(value: Json) -> list[Json]:
    return value[:MOST_PLIES] if isinstance(value, list) else []


def _text(value: Json) -> str:
    return value[:MOST_SIGNS] if isinstance(value, str) else ""


def _texts(value: Json) -> list[str]:
    return [_text(one) for one in value[:MOST_ROLES]] if isinstance(value, list) else []


def _goals(value: Json) -> list[int | None]:
    return [_whole(one) for one in value[:MOST_ROLES]] if isinstance(value, list) else []


def _whole(value: Json) -> int | None:
    number = _number(value)
    return None if number is None else int(number)


def _number(value: Json) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value if math.isfinite(value) and abs(value) <= BIGGEST else None


def _numbers(value: Json) -> list[float | None]:
    return [_number(one) for one in value[:MOST_ROLES]] if isinstance(value, list) else []


def _times(value: Json) -> list[int]:
    found = [_whole(one) for one in _some(value)]
    return [one for one in found if one is not None] if None not in found else []


def _milliseconds(value: Json) -> int:
    seconds = _number(value)
    return 0 if seconds is None else _whole(seconds * 1000) or 0


def _at(values: Sequence[Any], number: int) -> Any:
    return values[number] if number < len(values) else None
