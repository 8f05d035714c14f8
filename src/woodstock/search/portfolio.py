"""Two searches that think one after the other; who finds the better move is believed."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

from woodstock.belief import Belief
from woodstock.game import State
from woodstock.search.asking import left
from woodstock.search.decision import Decision, Limits
from woodstock.search.searcher import OnProgress, Searcher

__all__ = ["Portfolio"]

FLATTERY = 0.4
"""By how much the first must promise more: stages take the best of many means of few samples."""


class Portfolio:
    """The first search gets a share of the time, the second the rest.

    Each tells what its best move is worth by its own lights. That is only a fair comparison where
    nobody works against us: alone against chance, a search that has found a better plan says so.

    >>> from woodstock import Game, search
    >>> game = Game.from_library("monty-hall")
    >>> searcher = search.make_searcher("woodstock:solve_nodes=0", game, "candidate", seed=1)
    >>> belief = Belief.certain(game.initial_state(), "candidate")
    >>> searcher.think(belief, limits=Limits(seconds=60)).proved
    True
    """

    def __init__(self, first: Searcher, second: Searcher, share: float) -> None:
        self._first = first
        self._second = second
        self._share = share
        self._stopped = threading.Event()

    def think(
        self,
        situation: State | Belief,
        *,
        limits: Limits,
        on_progress: OnProgress | None = None,
    ) -> Decision:
        """See `Searcher`."""
        self._stopped.clear()
        wall, cpu = time.monotonic(), time.thread_time()
        part, rest = limits.split(self._share)
        one = self._first.think(situation, limits=part, on_progress=on_progress)
        if one.proved or self._stopped.is_set():
            return one
        rest = replace(
            rest,
            seconds=left(limits.seconds, time.monotonic() - wall),
            cpu_seconds=left(limits.cpu_seconds, time.thread_time() - cpu),
        )
        other = self._second.think(situation, limits=rest, on_progress=on_progress)
        better = one if one.value > other.value + FLATTERY else other
        return replace(
            better,
            nodes=one.nodes + other.nodes,
            simulations=one.simulations + other.simulations,
            seconds=time.monotonic() - wall,
            cpu_seconds=time.thread_time() - cpu,
            bytes=one.bytes + other.bytes,
        )

    def prepare(self, seconds: float) -> None:
        """Nothing to prepare."""

    def stop(self) -> None:
        """End a `think` that another thread is in; without one, nothing happens."""
        self._stopped.set()
        self._first.stop()
        self._second.stop()
