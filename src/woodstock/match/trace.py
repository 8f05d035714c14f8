"""Recorded matches, read from the formats they are kept in.

Three kinds of JSON files are understood: conformance traces of a reference engine (states and
moves spelled out, or as number and SHA-256), the playthroughs of the game library, and match
records. All become a `Trace`, for `woodstock.match.replay` to compare an engine with.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from woodstock.errors import TraceError
from woodstock.gdl.terms import parse_term, to_kif
from woodstock.match.lines import split_terms

__all__ = ["Ply", "RecordedSet", "Trace", "parse_trace", "read_trace"]


T = TypeVar("T")
Json = Any  # whatever a JSON file may hold


@dataclass(frozen=True)
class RecordedSet:
    """A set of terms as a trace knows it: how many, their digest, or all of them, spelled out.

    >>> RecordedSet.of(["noop"]).matches(["noop"]), RecordedSet(2).matches(["noop"])
    (True, False)
    """

    count: int
    sha256: str | None = None
    texts: frozenset[str] | None = None

    @classmethod
    def of(cls, texts: Iterable[str]) -> RecordedSet:
        """A set that is spelled out."""
        found = frozenset(texts)
        return cls(len(found), texts=found)

    def matches(self, texts: Sequence[str]) -> bool:
        """Whether these different texts are the set, as far as is known."""
        if len(texts) != self.count:
            return False
        if self.texts is not None and self.texts != frozenset(texts):
            return False
        return self.sha256 is None or self.sha256 == digest(texts)


def digest(texts: Iterable[str]) -> str:
    """SHA-256 of the texts, sorted by their bytes and joined by line feeds.

    >>> digest(["b", "a"]) == digest(["a", "b"])
    True
    """
    return hashlib.sha256(b"\n".join(sorted(text.encode() for text in texts))).hexdigest()


@dataclass(frozen=True)
class Ply:
    """What a trace says of one state, and the joint move made there. None: it does not say."""

    state: RecordedSet | None = None
    legal: Mapping[str, RecordedSet] | None = None
    percepts: Mapping[str, RecordedSet] | None = None
    terminal: bool | None = None
    goals: Mapping[str, int | None] | None = None
    move: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Trace:
    """Recorded matches of one game; `roles` is empty where the file does not name them."""

    roles: tuple[str, ...]
    matches: tuple[tuple[Ply, ...], ...]
    initial: RecordedSet | None = None
    rules_sha256: str | None = None

    @property
    def plies(self) -> int:
        """How many states are recorded in all."""
        return sum(map(len, self.matches))


def read_trace(path: str | Path) -> Trace:
    """Read a trace file; `TraceError` when its content is none, `OSError` when it is not there."""
    path = Path(path)
    try:
        data = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as problem:
        raise TraceError(f"{path} is no JSON file: {problem}") from None
    try:
        return parse_trace(data)
    except TraceError as problem:
        raise TraceError(f"{path}: {problem}") from None


def parse_trace(data: Json) -> Trace:
    """Make a trace of the parsed JSON of any of the three formats.

    >>> parse_trace({"moves": [["noop"]], "states": ["( ( step 1 ) )", "((step 2))"]}).plies
    2
    >>> parse_trace([])
    Traceback (most recent call last):
    ...
    woodstock.errors.TraceError: this is no recorded match: it has neither 'matches' nor ...
    """
    readers = {"matches": _conformance, "plies": _playthrough, "states": _record}
    found = [key for key in readers if isinstance(data, Mapping) and key in data]
    if not found:
        wanted = "neither 'matches' nor 'plies' nor 'states'"
        raise TraceError(f"this is no recorded match: it has {wanted}")
    try:
        trace = readers[found[0]](data)
    except KeyError as problem:
        raise TraceError(f"this is no recorded match: {problem} is missing") from None
    except (TypeError, ValueError, AttributeError, IndexError) as problem:
        raise TraceError(f"this is no recorded match: {problem}") from None
    if not any(trace.matches):
        raise TraceError("this trace holds no match")
    return trace


def _conformance(data: Mapping[str, Json]) -> Trace:
    roles = _names(data["roles"])
    matches = tuple(
        tuple(_conformance_ply(ply, roles) for ply in match["plies"]) for match in data["matches"]
    )
    initial = data.get("initial_state")
    return Trace(
        roles,
        matches,
        None if initial is None else RecordedSet.of(_names(initial)),
        data.get("rulesheet_sha256"),
    )


def _conformance_ply(ply: Mapping[str, Json], roles: tuple[str, ...]) -> Ply:
    spelled = ply.get("state")
    state = RecordedSet(
        int(ply["n"]), str(ply["sha256"]), None if spelled is None else frozenset(_names(spelled))
    )
    return Ply(
        state=state,
        legal=_by_role(roles, ply.get("legal"), _term_set),
        terminal=bool(ply["terminal"]),
        goals=_by_role(roles, ply.get("goals"), _goal),
        move=None if ply.get("move") is None else _names(ply["move"]),
    )


def _by_role(
    roles: tuple[str, ...], values: Json, read: Callable[[Json], T]
) -> dict[str, T] | None:
    if values is None:
        return None
    if len(values) != len(roles):
        raise ValueError(f"{len(values)} entries for {len(roles)} roles")
    return {role: read(value) for role, value in zip(roles, values, strict=True)}


def _term_set(value: Json) -> RecordedSet:
    if isinstance(value, Mapping):
        return RecordedSet(int(value["n"]), str(value["sha256"]))
    return RecordedSet.of(_names(value))


def _goal(value: Json) -> int | None:
    return None if value is None else int(value)


def _playthrough(data: Mapping[str, Json]) -> Trace:
    plies = []
    roles: tuple[str, ...] = ()
    state: frozenset[str] = frozenset()
    for ply in data["plies"]:
        legal, goals, seen = ply.get("legal"), ply.get("goals"), ply.get("percepts")
        roles = roles or tuple(legal or ())
        # The first state is spelled out, the others by what has changed.
        if "state" in ply:
            state = frozenset(_names(ply["state"]))
        else:
            state = state - set(_names(ply["gone"])) | set(_names(ply["new"]))
        plies.append(
            Ply(
                state=RecordedSet.of(state),
                legal=legal and {role: _term_set(legal[role]) for role in legal},
                percepts=seen and {role: RecordedSet.of(_names(seen[role])) for role in seen},
                terminal=bool(ply.get("terminal", False)),
                goals=goals and {role: _goal(goals[role]) for role in goals},
                move=_names(ply["moves"]) if "moves" in ply else None,
            )
        )
    return Trace(roles, (tuple(plies),))


def _record(data: Mapping[str, Json]) -> Trace:
    states = [RecordedSet.of(_state(state)) for state in data["states"]]
    moves = [tuple(map(_canonical, _names(joint))) for joint in data["moves"]]
    if not len(moves) <= len(states) <= len(moves) + 1:
        raise ValueError(f"{len(states)} states do not go with {len(moves)} joint moves")
    roles = _names(data.get("woodstock", {}).get("roles", ()))
    plies = [
        Ply(state, terminal=False, move=moves[i] if i < len(moves) else None)
        for i, state in enumerate(states)
    ]
    if plies and data.get("isCompleted"):
        values = data.get("goalValues")
        goals = _by_role(roles, values, _goal) if roles else None
        plies[-1] = Ply(plies[-1].state, terminal=True, goals=goals)
    elif plies and plies[-1].move is None:
        plies[-1] = Ply(plies[-1].state)
    return Trace(roles, (tuple(plies),))


def _state(value: Json) -> list[str]:
    """A state of a match record: a list of fluents, or one KIF text that holds them all."""
    if not isinstance(value, str):
        return [_canonical(text) for text in _names(value)]
    text = value.strip()
    if not (text.startswith("(") and text.endswith(")")):
        raise ValueError(f"not a state: {text[:60]!r}")
    return [_canonical(term) for term in split_terms(text[1:-1])]


def _canonical(text: str) -> str:
    return to_kif(parse_term(text))


def _names(values: Json) -> tuple[str, ...]:
    if not isinstance(values, (list, tuple)) or not all(isinstance(v, str) for v in values):
        raise ValueError("a list of texts was expected")
    return tuple(values)
