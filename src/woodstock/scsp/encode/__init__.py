"""From games to networks: the template of a turn, its injector, several turns in a row.

>>> from woodstock import Game
>>> from woodstock.scsp.encode import template
>>> game = Game.from_library("matching-pennies")
>>> turn = template(game, "multivalued")
>>> for outcome in sorted(turn.solutions(game.initial_state()))[:2]:
...     print(*outcome.moves, outcome.terminal)
(retourne face) (retourne face) False
(retourne face) (retourne pile) False
"""

from __future__ import annotations

from woodstock.scsp.encode.injector import TemplateSolver
from woodstock.scsp.encode.recursion import EncodingError
from woodstock.scsp.encode.template import Encoding, Template, TurnOutcome, template
from woodstock.scsp.encode.unroll import unroll

__all__ = [
    "Encoding",
    "EncodingError",
    "Template",
    "TemplateSolver",
    "TurnOutcome",
    "template",
    "unroll",
]
