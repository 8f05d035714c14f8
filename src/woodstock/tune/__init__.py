"""Self-play that tunes: rehearsals in the start clock, and what they are made of.

>>> from woodstock import Game
>>> Rehearsals().options(Game.from_library("nim"))
{}
"""

from __future__ import annotations

from woodstock.tune.rehearsal import Rehearsal, Rehearsals, Trial

__all__ = ["Rehearsal", "Rehearsals", "Trial"]
