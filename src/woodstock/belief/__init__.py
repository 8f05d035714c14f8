"""Beliefs: what a role that does not see everything knows of a match.

An `ObservationHistory` is a match as one role sees it: its own moves and its percepts. It gives the
role's `Belief`, a distribution over the states of its information set. A `Tracker` keeps that up to
date by Bayesian filtering:

* exactly, as long as the information set is small enough to be listed;
* then by a particle filter, which resamples its particles, plays them on at random and keeps those
  that agree with what is perceived (`particle_filter`, and `plain_particle_filter` in Python);
* particles that have too few ancestors are rejuvenated by Markov chain Monte Carlo (resample-move);
* where they have died out, or nearly so, others are found that agree with the whole history
  (`reinvigoration`); `belief_tracker` says when.

Searches draw states from a belief, so-called determinizations. Who manages a match keeps the
`ObservationHistories` of all players.

>>> from woodstock import Game
>>> game = Game.from_library("monty-hall")
>>> history = ObservationHistory(game, "candidate", seed=1)
>>> state = game.initial_state()
>>> state = state.apply({"random": "(hide 2)", "candidate": "(choose 1)"})
>>> history.see("(choose 1)", state)
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
