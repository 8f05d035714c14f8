"""Beliefs: what a role that does not see everything knows of a match.

A `Sight` is a match as one role sees it; it gives the role's `Belief`, the states that may be. A
`Tracker` keeps a belief up to date. Who manages a match keeps `Sights` of all players.

>>> from woodstock import Game
>>> game = Game.from_library("monty-hall")
>>> sight = Sight(game, "candidate", seed=1)
>>> state = game.initial_state()
>>> state = state.apply({"random": "(hide 2)", "candidate": "(choose 1)"})
>>> sight.see(game.term("(choose 1)"), state)
>>> len(sight.belief().states), state in sight.belief().chances
(3, True)
"""

from __future__ import annotations

from woodstock.belief.belief import Belief
from woodstock.belief.plain import PlainTracker
from woodstock.belief.sight import Glimpse, Sight
from woodstock.belief.sights import Sights, Situation, believed
from woodstock.belief.tracking import Tracker, make_tracker

__all__ = [
    "Belief",
    "Glimpse",
    "PlainTracker",
    "Sight",
    "Sights",
    "Situation",
    "Tracker",
    "believed",
    "make_tracker",
]
