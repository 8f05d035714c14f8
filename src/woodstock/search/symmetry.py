"""Which symmetries a search uses, and when it looks for them.

A search that is told to use symmetries looks for those of the game when it first thinks, and may
look again at every position it is asked about: less and less can still change, and what is left may
have symmetries that the game as a whole does not have. All of it comes out of its own time.

>>> from woodstock import Game
>>> game = Game.from_library("tic-tac-toe")
>>> find(game, "rules", seconds=60).order
8
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal, TypeAlias

from woodstock import _core
from woodstock.background import in_background
from woodstock.errors import WoodstockError
from woodstock.game import Game, State
from woodstock.symmetry import Symmetries, rule_symmetries

__all__ = ["BeliefFinder", "Finder", "Source", "find"]

Source: TypeAlias = Literal["none", "rules", "template", "stage", "microstructure"]
"""``rules``: the graph of the ground rules; ``template``: that of the network of a turn as well,
which depends less on how rules are written; ``stage``: both, and at every position the graph of the
rules that are left; ``microstructure``: of every stage that is sampled the microstructure with the
nogoods of UCB, as in the papers (`woodstock.search.alike`)."""

UNLIMITED = 120.0
"""Seconds that a search without a clock is taken to have."""
LOOK_SHARE = 0.02
"""The part of the time that a look at a position may take."""
LITERAL_SECONDS, TEMPLATE_LITERAL_SECONDS = 1.5e-6, 2e-4
"""What a literal of the ground rules costs in the graph of the rules and in that of a turn, about:
with less time they are not begun. A recursion is unrolled in a turn, which costs more."""


def _known(game: Game) -> dict[Source, Symmetries]:
    """What was found completely; it stays with the game."""
    known: dict[Source, Symmetries] = game.memo.setdefault("symmetries", {})
    return known


def find(game: Game, source: Source, *, seconds: float) -> Symmetries | None:
    """The symmetries of a game that keep its initial state; None where there was no time.

    What was found completely stays known. What cannot be interrupted, the making of the graphs, is
    not begun where it is likely to take longer.
    """
    known = _known(game)
    begun = time.monotonic()
    if "rules" not in known:
        found = _rules(game, seconds)
        if found is None or not found.complete:
            return found
        known["rules"] = found
    if source != "rules" and "template" not in known:
        left = seconds - (time.monotonic() - begun)
        if _template_cost(game) <= left:
            turn = _template(game, left)
            known["template"] = known["rules"] if turn is None else turn
    return max(known.values(), key=lambda one: one.order)


def is_settled(game: Game, source: Source) -> bool:
    """Whether `find` would find no more."""
    return ("rules" if source == "rules" else "template") in _known(game)


def _template_cost(game: Game) -> float:
    """Seconds that the graph of a turn takes, about."""
    size = _program(game).statistics()
    return TEMPLATE_LITERAL_SECONDS * size.literals * (1 + size.largest_recursive_component / 4)


def _program(game: Game) -> _core.GroundProgram:
    return game.circuit().grounding.program


def _rules(game: Game, seconds: float) -> Symmetries | None:
    return _unless_late(lambda: rule_symmetries(game, keep=game.initial_state(), seconds=seconds))


def _template(game: Game, seconds: float) -> Symmetries | None:
    # The networks are a large part of the house, and few searches need them.
    from woodstock.scsp.encode import template
    from woodstock.symmetry.stage_graph import template_symmetries

    begun = time.monotonic()

    def search() -> Symmetries:
        with in_background():
            turn = template(game)
            left = max(0.0, seconds - (time.monotonic() - begun))
            return template_symmetries(turn, keep=game.initial_state(), seconds=left)

    return _unless_late(search)


def _unless_late(search: Callable[[], Symmetries]) -> Symmetries | None:
    try:
        return search()
    except (TimeoutError, WoodstockError):
        return None  # a game that is too large for it is searched as it is


class Finder:
    """Looks for symmetries on behalf of one search, and tells it.

    `share` is the part of the time that it may take, `elements` how many symmetries are used at
    most. With `idle` the search can do with any states, also with such as cannot be reached.
    """

    def __init__(
        self, game: Game, source: Source, *, share: float, elements: int, idle: bool
    ) -> None:
        self._game = game
        self._source = source
        self._share = share
        self._elements = elements
        self._idle = idle
        self._found: Symmetries | None = None
        self._done = source in ("none", "microstructure")
        # Seconds that a look takes.
        self._cost = LITERAL_SECONDS * _program(game).statistics().literals
        self.order = 1
        """Of the group that the search uses."""

    def prepare(self, native: _core.Searcher, seconds: float) -> None:
        """Look for the symmetries of the game."""
        if self._done:
            return
        found = find(self._game, self._source, seconds=seconds)
        self._done = is_settled(self._game, self._source)
        if found is not None:
            self._use(native, found)

    def look(self, native: _core.Searcher, state: State, seconds: float | None) -> None:
        """Look for more at a position, before a search that has so much time."""
        if self._source in ("none", "microstructure"):
            return
        seconds = UNLIMITED if seconds is None else seconds
        begun = time.monotonic()
        if self._cost <= self._share * seconds:
            self.prepare(native, self._share * seconds)
        left = seconds - (time.monotonic() - begun)
        # Networks only know states that can be reached; what is left of the rules knows others.
        if self._source != "stage" or not self._idle or self._cost > LOOK_SHARE * left:
            return
        begun = time.monotonic()
        found = _unless_late(
            lambda: rule_symmetries(self._game, since=state, seconds=self._share * left)
        )
        self._cost = max(self._cost, time.monotonic() - begun)
        if found is not None:
            self._use(native, found)

    def _use(self, native: _core.Searcher, found: Symmetries) -> None:
        """Take those instead of others that were fewer: whoever changes forgets a lot."""
        if found.idle and not self._idle:
            return  # idle fluents stay where they are, also where others of their slot move
        order = found.order
        if order > self.order or (found.idle and self._found is None and self._idle):
            self.order = order
            self._found = found
            native.use(found.quotient(self._elements, idle=self._idle))


class BeliefFinder:
    """The same on behalf of a search about beliefs.

    Only the graph of the rules knows what is perceived: whatever the source, its symmetries are
    used, also those that move the initial state, for beliefs are compared and never replaced.
    Beliefs that are equal as they are count too, so that a game without any symmetry gains.
    """

    def __init__(self, game: Game, *, share: float, elements: int) -> None:
        self._game = game
        self._share = share
        self._elements = elements
        self._done = False
        self._cost = LITERAL_SECONDS * _program(game).statistics().literals

    def look(self, native: _core.MacUcbII, seconds: float | None) -> None:
        """Look for the symmetries of the game, once, before a search that has so much time."""
        seconds = self._share * (UNLIMITED if seconds is None else seconds)
        if self._done or self._cost > seconds:
            return
        found = self._game.memo.get("belief symmetries")
        if found is None:
            found = _unless_late(lambda: rule_symmetries(self._game, seconds=seconds))
        if found is not None:
            native.use(found.quotient(self._elements))
            self._done = found.complete
            if found.complete:
                self._game.memo["belief symmetries"] = found
