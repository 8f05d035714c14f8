"""Beliefs: what a role that does not see everything knows of a match.

An `ObservationHistory` is a match as one role sees it; it gives the role's `Belief`, the states
that may be. A `Tracker` keeps a belief up to date. Who manages a match keeps `ObservationHistories`
of all players.

>>> from woodstock import Game
>>> game = Game.from_library("monty-hall")
>>> history = ObservationHistory(game, "candidate", seed=1)
>>> state = game.initial_state()
>>> state = state.apply({"random": "(hide 2)", "candidate": "(choose 1)"})
>>> history.see(game.term("(choose 1)"), state)
>>> len(history.belief().states), state in history.belief().chances
(3, True)
"""

from __future__ import annotations

from woodstock.belief.belief import Belief
from woodstock.belief.observation_histories import ObservationHistories, Situation, believed
from woodstock.belief.observation_history import Observation, ObservationHistory
from woodstock.belief.plain_particle_filter import PlainParticleFilter
from woodstock.belief.tracking import Tracker, make_tracker

__all__ = [
    "Belief",
    "Observation",
    "ObservationHistories",
    "ObservationHistory",
    "PlainParticleFilter",
    "Situation",
    "Tracker",
    "believed",
    "make_tracker",
]
