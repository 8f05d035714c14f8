"""The face of the native searches: states, roles and moves in words.

>>> from woodstock import Game
>>> game = Game.from_library("tic-tac-toe")
>>> searcher = make_searcher("uct", game, "x", seed=1)
>>> decision = searcher.think(game.initial_state(), limits=Limits(simulations=2_000_000))
>>> decision.proved, decision.value
(True, 0.5)
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from woodstock import _core
from woodstock.belief import Belief
from woodstock.circuit.engine import CircuitEngine
from woodstock.errors import WoodstockError
from woodstock.game import Game, State
from woodstock.search.asking import Thinking, ask
from woodstock.search.configurations import REHEARSED, build, options_of, parse, settle
from woodstock.search.decision import Decision, Limits
from woodstock.search.equilibrium import EquilibriumSearcher, solved_if_small
from woodstock.search.hidden import HiddenSearcher, make_hidden
from woodstock.search.kinds import suited_options
from woodstock.search.minds import TwoMinds
from woodstock.search.registry import check_search
from woodstock.search.rehearsal import known_options
from woodstock.search.symmetry import Finder
from woodstock.search.worlds import Worlds

__all__ = ["AnySearcher", "SearchError", "Searcher", "make_searcher"]


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
) -> AnySearcher:
    """A search by the name of its player, for one role of one game.

    Options can also be part of the name, as in ``uct:exploration=0.5,leaves=32``. Raises
    `SearchError` where the game has no circuit, `UnknownPlayerError` for a name that is none and
    `ValueError` for options it does not have. Options that are not given are those of the
    configuration; ``woodstock`` prefers those that a rehearsal of the game has found. Where
    something is hidden, what is made thinks about a `woodstock.belief.Belief`.

    >>> game = Game.from_library("nim", engine="lifted")
    >>> make_searcher("uct", game, "player1")
    Traceback (most recent call last):
    ...
    woodstock.search.searcher.SearchError: searches need the circuit engine; nim runs on lifted
    """
    chosen, written = parse(name)
    check_search(chosen)
    given: dict[str, object] = {**written, **options}
    engine = game._engine
    if not isinstance(engine, CircuitEngine):
        raise SearchError(f"searches need the circuit engine; {game.name} runs on {engine.name}")
    if role not in game.players:
        raise SearchError(f"{game.name} has no player {role!r}: {', '.join(game.players)}")
    hidden = game.information != "complete"
    known = {**suited_options(game), **known_options(game)} if chosen in REHEARSED else {}
    if hidden and chosen != "pimc":
        sampling = make_hidden(
            chosen,
            game,
            engine,
            role,
            seed=seed,
            memory=memory_mb << 20,
            options={**known, **given},
        )
        return solved_if_small(sampling, chosen, game, role, seed=seed, options=given)
    determinizations = options_of("pimc")["determinizations"]
    if chosen == "pimc":
        settled = settle(chosen, given)
        chosen, determinizations, given = settled["inner"], settled["determinizations"], {}
    native, finder = build(
        chosen,
        game,
        engine,
        role,
        seed=seed,
        threads=threads,
        memory=memory_mb << 20,
        options={**known, **given},
    )
    searcher = Searcher(native, game, engine, role, finder)
    if hidden:
        return Worlds(searcher, role, determinizations=determinizations, seed=seed)
    return solved_if_small(searcher, chosen, game, role, seed=seed, options=given)


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
        self._thinking = Thinking()

    def think(
        self,
        situation: State | Belief,
        *,
        limits: Limits,
        on_progress: Callable[[Decision], None] | None = None,
    ) -> Decision:
        """Think until a limit is reached, `stop` is called or the value is proved.

        `on_progress` hears about ten times a second what has been found so far; an exception from
        it ends the search. Raises `ValueError` for a state in which the game is over, and for a
        belief: this search takes everything for known. `RuntimeError` while another thread thinks.
        """
        if situation.game is not self._game:
            raise ValueError(f"this search is about {self._game.name}, not {situation.game.name}")
        if not isinstance(situation, State):
            raise ValueError("this search is about states, not about beliefs")
        state = situation
        with self._thinking.begun() as stop:
            wall, cpu = time.monotonic(), time.thread_time()
            self._finder.look(self._native, state, limits.shortest)
            think = partial(self._native.think, state._position, stop)
            return ask(think, self._engine, limits, on_progress, wall=wall, cpu=cpu)

    def prepare(self, seconds: float) -> None:
        """Look for the symmetries of the game, if this search uses them."""
        self._finder.prepare(self._native, seconds)

    def stop(self) -> None:
        """End a `think` that another thread is in; without one, nothing happens."""
        self._thinking.stop()


AnySearcher: TypeAlias = Searcher | HiddenSearcher | TwoMinds | EquilibriumSearcher | Worlds
"""Whatever `make_searcher` makes."""
