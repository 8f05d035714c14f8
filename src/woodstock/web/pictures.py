"""A picture of each game of the library: the middle of its recorded match.

>>> picture("tic-tac-toe")[:4]
'<svg'
"""

from __future__ import annotations

from functools import lru_cache

from woodstock import games
from woodstock.drawing import draw_svg
from woodstock.game import Game
from woodstock.gdl.terms import parse_term
from woodstock.match.trace import parse_trace

__all__ = ["picture"]


@lru_cache(maxsize=256)
def picture(name: str) -> str:
    """The position in the middle of a game's recorded match, as SVG.

    Nothing is grounded for it: it takes some hundredths of a second.
    """
    plies = parse_trace(games.playthrough(name)).matches[0]
    state = plies[len(plies) // 2].state
    fluents = sorted(state.texts or ()) if state else []
    game = Game.from_library(name, engine="lifted")
    return draw_svg(
        [parse_term(fluent) for fluent in fluents],
        hints=game.drawing,
        domain=game.possible_fluents,
    )
