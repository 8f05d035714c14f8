"""Replay: an engine held against a recorded match, state by state.

>>> from woodstock import Game, games
>>> from woodstock.match.trace import parse_trace
>>> report = replay(Game.from_library("nim"), parse_trace(games.playthrough("nim")))
>>> report.ok, report.difference
(True, None)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from woodstock.errors import IllegalMoveError
from woodstock.game import Game, State
from woodstock.gdl.terms import Term
from woodstock.match.trace import Ply, RecordedSet, Trace

__all__ = ["Difference", "Replay", "replay"]

_SHOWN = 5


@dataclass(frozen=True)
class Difference:
    """Where an engine and a trace part. `missing` and `extra` are as seen from the trace.

    >>> print(Difference(0, 3, "state", "11 fluents, the trace has 12", missing=("(step 4)",)))
    match 1, ply 3, state: 11 fluents, the trace has 12; missing: (step 4)
    """

    match: int
    ply: int
    what: str
    message: str
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()

    def __str__(self) -> str:
        text = f"match {self.match + 1}, ply {self.ply}, {self.what}: {self.message}"
        for label, terms in (("missing", self.missing), ("extra", self.extra)):
            if terms:
                more = f" and {len(terms) - _SHOWN} more" if len(terms) > _SHOWN else ""
                text += f"; {label}: {', '.join(terms[:_SHOWN])}{more}"
        return text

    def to_json(self) -> dict[str, Any]:
        """The difference as a flat JSON object; `match` counts from 0."""
        return {
            "match": self.match,
            "ply": self.ply,
            "what": self.what,
            "message": self.message,
            "missing": list(self.missing),
            "extra": list(self.extra),
        }


@dataclass(frozen=True)
class Replay:
    """What came of a replay: up to `difference`, all `plies` that were looked at agree.

    `complete` is False where a limit left plies of the trace unchecked.
    """

    engine: str
    matches: int
    plies: int
    complete: bool
    seconds: float
    difference: Difference | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing differs."""
        return self.difference is None

    def to_json(self) -> dict[str, Any]:
        """The report as a JSON object."""
        return {
            "ok": self.ok,
            "engine": self.engine,
            "matches": self.matches,
            "plies": self.plies,
            "complete": self.complete,
            "seconds": round(self.seconds, 3),
            "difference": self.difference and self.difference.to_json(),
        }


class _DifferenceError(Exception):
    def __init__(self, difference: Difference) -> None:
        super().__init__(str(difference))
        self.difference = difference


def replay(
    game: Game,
    trace: Trace,
    *,
    plies: int | None = None,
    seconds: float | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Replay:
    """Compare everything a trace says with what the game's engine says.

    Stops at the first difference. `plies` bounds the plies of each match that are looked at,
    `seconds` the CPU time; `on_progress` is told how many plies out of how many are done.
    """
    started = time.process_time()
    total = sum(len(m) if plies is None else min(plies, len(m)) for m in trace.matches)
    done = matches = 0
    difference = None
    try:
        _compare_start(game, trace)
        for number, match in enumerate(trace.matches):
            state = game.initial_state()
            wanted = match if plies is None else match[:plies]
            for index, ply in enumerate(wanted):
                if seconds is not None and time.process_time() - started > seconds:
                    break
                if on_progress is not None:
                    on_progress(done, total)
                here = _Place(number, index)
                _compare(state, ply, here)
                done += 1
                if index + 1 < len(wanted):
                    state = _advance(state, ply, here)
            else:
                matches += len(wanted) == len(match)
                continue
            break
    except _DifferenceError as found:
        difference = found.difference
    return Replay(
        engine=game.engine.name,
        matches=matches,
        plies=done,
        complete=done == trace.plies,
        seconds=time.process_time() - started,
        difference=difference,
    )


class _Place:
    """A ply of a match, able to say what differs there."""

    def __init__(self, match: int, ply: int) -> None:
        self.match = match
        self.ply = ply

    def differs(
        self, what: str, message: str, missing: Iterable[str] = (), extra: Iterable[str] = ()
    ) -> _DifferenceError:
        found = Difference(
            self.match, self.ply, what, message, tuple(sorted(missing)), tuple(sorted(extra))
        )
        return _DifferenceError(found)

    def compare_sets(self, what: str, ours: Iterable[Term], wanted: RecordedSet) -> None:
        texts = [str(term) for term in ours]
        if wanted.matches(texts):
            return
        if len(texts) != wanted.count:
            message = f"{len(texts)} here, {wanted.count} in the trace"
        elif wanted.texts is None or wanted.texts == frozenset(texts):
            message = f"{len(texts)} as in the trace, but with another SHA-256"
        else:
            message = f"{len(texts)} as in the trace, but not the same"
        if wanted.texts is None:
            raise self.differs(what, message)
        raise self.differs(what, message, wanted.texts.difference(texts), set(texts) - wanted.texts)


def _compare_start(game: Game, trace: Trace) -> None:
    here = _Place(0, 0)
    if trace.roles and trace.roles != game.roles:
        message = f"{', '.join(game.roles)} here, {', '.join(trace.roles)} in the trace"
        raise here.differs("roles", message)
    if trace.initial is not None:
        here.compare_sets("initial state", game.initial_state().fluents, trace.initial)


def _compare(state: State, ply: Ply, here: _Place) -> None:
    if ply.state is not None:
        here.compare_sets("state", state.fluents, ply.state)
    for role, seen in (ply.percepts or {}).items():
        here.compare_sets(f"percepts of {role}", state.percepts(role), seen)
    if ply.terminal is not None and state.is_terminal != ply.terminal:
        says = ("the game goes on", "the game is over")
        raise here.differs(
            "end", f"{says[not ply.terminal]} here, {says[ply.terminal]} in the trace"
        )
    for role, moves in (ply.legal or {}).items():
        here.compare_sets(f"legal moves of {role}", state.legal_moves(role), moves)
    for role, goal in (ply.goals or {}).items():
        ours = state.goal(role)
        if ours != goal:
            raise here.differs(f"goal of {role}", f"{ours} here, {goal} in the trace")
    if ply.move is not None:
        _compare_move(state, ply.move, here)


def _compare_move(state: State, move: Sequence[str], here: _Place) -> None:
    if len(move) != len(state.roles):
        message = f"{len(move)} moves in the trace for {len(state.roles)} roles"
        raise here.differs("move", message)
    for role, text in zip(state.roles, move, strict=True):
        if text not in (str(legal) for legal in state.legal_moves(role)):
            raise here.differs("move", f"{text} of {role} is not legal here")


def _advance(state: State, ply: Ply, here: _Place) -> State:
    if ply.move is None:
        raise here.differs("move", "the trace goes on without a move")
    try:
        return state.apply(ply.move)
    except IllegalMoveError as problem:
        raise here.differs("move", str(problem)) from None
