"""The face of the native searches: states, roles and moves in words.

>>> from woodstock import Game
>>> game = Game.from_library("tic-tac-toe")
>>> searcher = make_searcher("uct", game, "x", seed=1)
>>> decision = searcher.think(game.initial_state(), limits=Limits(simulations=2_000_000))
>>> decision.proved, decision.value
(True, 0.5)
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from woodstock import _core
from woodstock.circuit.engine import CircuitEngine
from woodstock.errors import WoodstockError
from woodstock.game import Game, State
from woodstock.gdl.keywords import RANDOM
from woodstock.gdl.terms import Term
from woodstock.search.configurations import REHEARSED, build, parse
from woodstock.search.decision import Decision, Limits, MoveValue
from woodstock.search.registry import check_search
from woodstock.search.rehearsal import known_options
from woodstock.search.symmetry import Finder

__all__ = ["SearchError", "Searcher", "make_searcher"]


class SearchError(WoodstockError):
    """A search that cannot be made for this game."""


def make_searcher(
    name: str,
    game: Game,
    role: str,
    *,
    seed: int = 0,
    threads: int = 1,
    memory_mb: int = 256,
    **options: object,
) -> Searcher:
    """A search by the name of its player, for one role of one game.

    Options can also be part of the name, as in ``uct:exploration=0.5,leaves=32``. Raises
    `SearchError` where the game has no circuit, `UnknownPlayerError` for a name that is none and
    `ValueError` for options it does not have. Options that are not given are those of the
    configuration; ``woodstock`` prefers those that a rehearsal of the game has found.

    >>> game = Game.from_library("nim", engine="lifted")
    >>> make_searcher("uct", game, "player1")
    Traceback (most recent call last):
    ...
    woodstock.search.searcher.SearchError: searches need the circuit engine; nim runs on lifted
    """
    chosen, given = parse(name)
    check_search(chosen)
    engine = game._engine
    if not isinstance(engine, CircuitEngine):
        raise SearchError(f"searches need the circuit engine; {game.name} runs on {engine.name}")
    if role not in game.roles or role == RANDOM:
        raise SearchError(f"{game.name} has no player {role!r}: {', '.join(game.roles)}")
    known = known_options(game) if chosen in REHEARSED else {}
    native, finder = build(
        chosen,
        game,
        engine,
        role,
        seed=seed,
        threads=threads,
        memory=memory_mb << 20,
        options={**known, **given, **options},
    )
    return Searcher(native, game, engine, role, finder)


class Searcher:
    """Thinks about the moves of one role. What it finds stays known from move to move.

    One thread at a time may think; `stop` is for the others.
    """

    def __init__(
        self,
        native: _core.Searcher,
        game: Game,
        engine: CircuitEngine,
        role: str,
        finder: Finder,
    ) -> None:
        self._native = native
        self._finder = finder
        self._engine = engine
        self._game = game
        self._role = role
        self._lock = threading.Lock()
        self._stop: _core.Stop | None = None

    def think(
        self,
        state: State,
        *,
        limits: Limits,
        on_progress: Callable[[Decision], None] | None = None,
    ) -> Decision:
        """Think until a limit is reached, `stop` is called or the value is proved.

        `on_progress` hears about ten times a second what has been found so far; an exception from
        it ends the search. Raises `ValueError` for a state in which the game is over and
        `RuntimeError` while another thread thinks.
        """
        if state.game is not self._game:
            raise ValueError(f"this search is about {self._game.name}, not {state.game.name}")
        stop = _core.Stop()
        with self._lock:
            if self._stop is not None:
                raise RuntimeError("this search is thinking already, on another thread")
            self._stop = stop
        try:
            wall, cpu = time.monotonic(), time.thread_time()
            self._finder.look(self._native, state, limits.shortest)
            found = self._native.think(
                state._position,
                stop,
                seconds=_left(limits.seconds, time.monotonic() - wall),
                cpu_seconds=_left(limits.cpu_seconds, time.thread_time() - cpu),
                nodes=limits.nodes,
                simulations=limits.simulations,
                progress=None if on_progress is None else lambda d: on_progress(self._words(d)),
            )
        finally:
            with self._lock:
                self._stop = None
        return self._words(found)

    def prepare(self, seconds: float) -> None:
        """Look for the symmetries of the game, if this search uses them."""
        self._finder.prepare(self._native, seconds)

    def stop(self) -> None:
        """End a `think` that another thread is in; without one, nothing happens."""
        with self._lock:
            if self._stop is not None:
                self._stop.set()

    def _words(self, found: _core.Decision) -> Decision:
        engine = self._engine
        roles = len(engine.roles)
        line = _terms(engine, found.line)
        return Decision(
            move=engine.move(found.move),
            value=found.value,
            values={
                role: value for role, value in zip(engine.roles, found.values) if role != RANDOM
            },
            moves=tuple(
                MoveValue(
                    engine.move(one.move),
                    one.value,
                    one.visits,
                    one.lower,
                    one.upper,
                    one.lower == one.upper,
                    one.share,
                )
                for one in found.moves
            ),
            line=tuple(line[i : i + roles] for i in range(0, len(line), roles)),
            nodes=found.nodes,
            simulations=found.simulations,
            depth=found.depth,
            proved=found.proved,
            seconds=found.seconds,
            cpu_seconds=found.cpu_seconds,
            bytes=found.bytes,
        )


def _left(limit: float | None, spent: float) -> float | None:
    return None if limit is None else max(0.0, limit - spent)


def _terms(engine: CircuitEngine, moves: Sequence[int]) -> tuple[Term, ...]:
    return tuple(map(engine.move, moves))
