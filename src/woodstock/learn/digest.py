"""What rules are told apart by: the digest of their ground program.

A net speaks of fluents and roles by number, so what must be the same is what the numbers stand for:
the ground program, whatever the text and the names that it was made of. Comments, layout and
spelling of a rulesheet do not matter, and often names do not either.

>>> from woodstock import Game
>>> text = Game.load("nim").rules.sheet.to_kif()
>>> rules_digest(Game.from_text(text)) == rules_digest(Game.load("nim"))
True
"""

from __future__ import annotations

import hashlib

from woodstock.game import Game
from woodstock.gdl.keywords import RANDOM

__all__ = ["DIGEST_BYTES", "rules_digest"]

DIGEST_BYTES = 32


def rules_digest(game: Game) -> bytes:
    """The digest of a game with a circuit; `CircuitError` where another engine plays it.

    Equal digests mean equal ground programs: the same fluents, moves and goals under the same
    numbers. Unequal ones may still be the same game, told in another order or grounded by another
    version of this program.
    """
    engine = game.circuit()
    numbering = engine.numbering
    # Names are numbers in the program; only those count that mean something by themselves.
    chance = [role == RANDOM for role in game.roles]
    digest = hashlib.sha256(f"{chance}{numbering.goals}{numbering.movers}".encode())
    digest.update(engine.grounding.program.to_bytes())
    return digest.digest()
