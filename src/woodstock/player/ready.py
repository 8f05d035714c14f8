"""Legal moves from the first engine that can tell them: circuit, ground, lifted."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

from woodstock.belief import Belief
from woodstock.engine import Engine, LiftedEngine
from woodstock.errors import StateError
from woodstock.game import LIFTED_SECONDS, Game, State
from woodstock.gdl.terms import Term

__all__ = ["legal_moves"]

_log = logging.getLogger("woodstock.player")


def legal_moves(situation: State | Belief, role: str) -> tuple[Term, ...]:
    """The legal moves of a role, from the first engine that can tell any.

    The engine of the state's game comes first, and nearly always suffices. Where it fails, or finds
    no move, the slower and simpler ones are asked. `StateError` if none finds a move. Of a belief
    they are those that are legal as far as can be told, or else those of one of its states.

    >>> from woodstock import Game
    >>> legal_moves(Game.from_library("tic-tac-toe").initial_state(), "o")
    ('noop',)
    """
    if isinstance(situation, State):
        state = situation
    else:
        try:
            legal = situation.legal_moves()
            if legal:
                return legal
        except Exception as problem:
            _log.warning("a belief cannot tell the moves of %s: %r", role, problem)
        state = situation.heaviest
    number = state.roles.index(role)
    for make in _engines(state.game):
        try:
            engine = make()
            position = (
                state.position if engine is state.game.engine else engine.position(state.fluents)
            )
            legal = engine.legal(position, number)
        except Exception as problem:
            _log.warning("an engine cannot tell the moves of %s: %r", role, problem)
            continue
        if legal:
            return legal
    raise StateError(f"{role} has no legal move here")


def _engines(game: Game) -> Iterator[Callable[[], Engine]]:
    engine = game.engine
    yield lambda: engine
    if engine.name == "circuit":
        from woodstock.ground.engine import GroundEngine

        grounding = game.circuit().grounding
        yield lambda: GroundEngine(grounding, game.roles)
    if engine.name != "lifted":
        yield lambda: LiftedEngine(game.rules, seconds=LIFTED_SECONDS)
