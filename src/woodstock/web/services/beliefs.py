"""What a role believes after a line of moves: what may be where, and how likely.

>>> from woodstock import Game
>>> game = Game.from_library("monty-hall")
>>> line = [[game.term("(choose 1)"), game.term("(hide 2)")]]
>>> found = belief_of(game, line, "candidate")
>>> found["hidden"], found["states"], [round(one["p"], 2) for one in found["unsure"]]
(True, 3, [0.33, 0.33, 0.33])
>>> found["doubts"]
['car: 1, 2 or 3']
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from woodstock.belief import Belief, ObservationHistories
from woodstock.drawing import draw_svg, draw_text, unsure_board
from woodstock.errors import IllegalMoveError, StateError
from woodstock.game import Game, State
from woodstock.gdl.terms import Term

__all__ = ["belief_of"]

SECONDS = 8.0
"""How long a belief is worked out."""
MOST_FLUENTS = 300
MOST_STATES = 8
MOST_DRAWN = 400
"""States that one picture is made of; the likeliest ones."""


def belief_of(
    game: Game, line: Sequence[Sequence[Term]], role: str, *, seed: int = 0
) -> dict[str, Any]:
    """The belief of a role after joint moves from the first state on."""
    if role not in game.players:
        raise IllegalMoveError(f"no player {role!r}; there are {', '.join(game.players)}")
    until = time.monotonic() + SECONDS
    histories, state = ObservationHistories(game, seed=seed), game.initial_state()
    for moves in line:
        state = state.apply(moves)
        histories.see(tuple(moves), state)
    believed: State | Belief = state
    if game.information != "complete":
        believed = (
            histories.situation(role, state).belief(until)  # type: ignore[union-attr]
            if state.is_terminal
            else histories.believed(role, state, until)
        )
    if isinstance(believed, State):
        return {
            "hidden": False,
            "role": role,
            "information": game.information,
            "states": 1,
            "exact": True,
            "doubts": [],
            "unsure": [],
            "sure": len(state.fluents),
        }
    return _describe(believed, state)


def _describe(belief: Belief, truth: State) -> dict[str, Any]:
    game = belief.game
    chances = belief.chances
    if not chances:
        raise StateError("nothing agrees with what was perceived")
    shares: dict[Term, float] = {}
    for state, share in chances.items():
        for fluent in state.fluents:
            shares[fluent] = shares.get(fluent, 0.0) + share
    known = belief.known
    unsure = sorted(
        ((fluent, share) for fluent, share in shares.items() if fluent not in known),
        key=lambda one: (-one[1], str(one[0])),
    )
    few = [state.fluents for state in list(chances)[:MOST_DRAWN]]
    board = unsure_board(few, game.possible_fluents, game.drawing)
    return {
        "hidden": True,
        "role": belief.role,
        "information": game.information,
        "states": len(chances),
        "exact": belief.exact,
        "doubts": [str(doubt) for doubt in belief.doubts][:40],
        "unsure": [
            {"fluent": str(fluent), "p": round(share, 4), "true": fluent in truth.fluents}
            for fluent, share in unsure[:MOST_FLUENTS]
        ],
        "more": max(0, len(unsure) - MOST_FLUENTS),
        "sure": len(known),
        "possible": [
            {"p": round(share, 4), "fluents": sorted(map(str, state.fluents - known))[:40]}
            for state, share in list(chances.items())[:MOST_STATES]
        ],
        "svg": draw_svg(board),
        "text": draw_text(board),
    }
