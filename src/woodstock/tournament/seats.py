"""Seats at a table with equal means: a search of ours, its CPU time or simulations bounded."""

from __future__ import annotations

import math
import time
from weakref import WeakKeyDictionary

from woodstock.belief import Situation, believed
from woodstock.game import Game
from woodstock.player import make_player
from woodstock.search import Limits, search_names
from woodstock.tournament.clocks import MoveClock
from woodstock.tune import Preparation, Rehearsals, Think, Thought

__all__ = ["rehearsals", "take_seat"]

BELIEF_SECONDS = 60.0
"""What working out a belief may take where thoughts are counted in simulations."""

rehearsals = Rehearsals()
"""What the players of this process have learned and rehearsed."""
_prepared: WeakKeyDictionary[Game, set[str]] = WeakKeyDictionary()
"""Who has had the start clock for a game: each has it once in a process."""


def take_seat(text: str, game: Game, role: str, seed: int, clock: MoveClock) -> Think:
    """Put a player into a seat: a new searcher for every match, whose tree is kept in it.

    Before its first match of a game in a process a player who learns, rehearses or looks for
    symmetries has the start clock for it; what came of that is known in later ones. Where something
    is hidden, working out what may be is part of the CPU time.

    >>> game = Game.load("nim")
    >>> think = take_seat("uct", game, "player1", 1, MoveClock("simulations", 200))
    >>> think(game.initial_state()).move in game.initial_state().legal_moves("player1")
    True
    """
    if text.partition(":")[0] not in search_names():
        player = make_player(text, seed)
        return lambda situation: Thought(player.choose(situation, role, math.inf))
    preparation = Preparation(text, rehearsals)
    if preparation.needed and text not in _prepared.setdefault(game, set()):
        _prepared[game].add(text)
        preparation.go_on(game, time.monotonic() + clock.start)
    searcher = preparation.searcher(game, role, seed=seed)
    searcher.prepare(clock.start)

    def think(situation: Situation) -> Thought:
        if clock.kind == "simulations":
            about = believed(situation, time.monotonic() + BELIEF_SECONDS)
            decision = searcher.think(about, limits=clock.limits)
        else:
            begun = time.thread_time()
            # By the clock it may take all of it: on a busy machine that is less than it seems.
            about = believed(situation, time.monotonic() + clock.move)
            left = max(0.0, clock.move - (time.thread_time() - begun))
            decision = searcher.think(about, limits=Limits(cpu_seconds=left))
        return Thought(decision.move, decision.simulations)

    return think
